//! The shortest traces that broke earlier wordings of the rules, each as a test. Where a guard
//! or a rule can be switched off, the trace is shown to break without it.

use domain::bridge::Load;
use domain::store::Guards;
use domain::stream::{Epoch, EventId, Scope};

use super::lab::Lab;
use super::scenario::Setup;
use super::server::Rules;

pub const CHANGES: Load = Load::Changes(EventId::NONE);
const HALL_IDS: Load = Load::Ids(Scope::HallOrders, vec![]);
const TABLE_IDS: Load = Load::Ids(Scope::Tables, vec![]);

fn guards(change: impl FnOnce(&mut Guards)) -> Setup {
    let mut setup = Setup::default();
    change(&mut setup.guards);
    setup
}

pub fn rules(change: impl FnOnce(&mut Rules)) -> Setup {
    let mut setup = Setup::default();
    change(&mut setup.rules);
    setup
}

#[test]
fn a_late_answer_does_not_bring_back_what_an_event_removed() {
    let mut lab = Lab::live(&[Scope::HallOrders]);
    let order = lab.place();
    lab.settle();
    let payments = Load::Scope(Scope::Payments);
    lab.client
        .use_scope(&mut lab.server, Scope::Payments)
        .unwrap();
    lab.serve(&payments);
    lab.confirm(order);
    lab.publish();
    lab.receive(2);
    lab.deliver(&payments);
    assert!(!lab.shows(Scope::Payments, order));
    lab.ends_well();
}

#[test]
fn a_late_answer_does_not_bring_back_what_a_commands_answer_removed() {
    let mut lab = Lab::live(&[Scope::HallOrders]);
    let order = lab.place();
    lab.settle();
    let payments = Load::Scope(Scope::Payments);
    lab.client
        .use_scope(&mut lab.server, Scope::Payments)
        .unwrap();
    lab.serve(&payments);
    let done = lab.confirm(order);
    lab.client.commanded.push((done.watermark, done.entities));
    lab.client.deliver_command(&mut lab.server).unwrap();
    lab.deliver(&payments);
    assert!(!lab.shows(Scope::Payments, order));
    assert_eq!(lab.cursor(), 1, "a command's answer moves no cursor");
    lab.ends_well();
}

/// Returns whether the recalled order is in `servings` after a late answer without it.
fn recalled_order_stays(setup: Setup) -> Result<bool, String> {
    let mut lab = Lab::with(&[Scope::HallOrders], setup);
    let order = lab.cooked();
    lab.order(order, |order, now| order.serve(None, true, now));
    lab.settle();
    let servings = Load::Scope(Scope::Servings);
    lab.client.use_scope(&mut lab.server, Scope::Servings)?;
    lab.serve(&servings);
    lab.order(order, |order, now| order.recall(None, now));
    lab.publish();
    lab.lose();
    lab.beat();
    lab.deliver(&CHANGES);
    lab.deliver(&HALL_IDS);
    assert!(lab.shows(Scope::Servings, order));
    let at = lab.client.pending.len() - 1;
    lab.client.deliver(&mut lab.server, at, true)?;
    Ok(lab.shows(Scope::Servings, order))
}

#[test]
fn a_late_answer_does_not_remove_what_ids_have_brought() {
    assert_eq!(recalled_order_stays(Setup::default()), Ok(true));
    let off = recalled_order_stays(guards(|guards| guards.as_of = false));
    assert_ne!(off, Ok(true), "the trace needs asOf");
}

#[test]
fn an_event_in_flight_does_not_bring_back_what_ids_removed() {
    let mut lab = Lab::live(&[Scope::HallOrders, Scope::Payments]);
    let order = lab.place();
    lab.order(order, |order, _| order.set_note("빨리"));
    lab.reject(order);
    lab.publish();
    lab.lose();
    lab.receive(1);
    lab.deliver(&CHANGES);
    lab.deliver(&HALL_IDS);
    assert_eq!(lab.cursor(), 3);
    let heard = lab.client.heard;
    lab.receive(1);
    assert!(!lab.shows(Scope::HallOrders, order));
    assert_eq!(lab.client.heard, heard, "no sound for what is gone");
    lab.ends_well();
}

fn ids_beside_an_event(setup: Setup) -> Result<(), String> {
    let mut lab = Lab::with(&[Scope::Tables], setup);
    lab.table(0);
    lab.publish();
    lab.lose();
    lab.beat();
    lab.deliver(&CHANGES);
    lab.table(1);
    lab.deliver(&TABLE_IDS);
    assert_eq!(lab.cursor(), 1);
    lab.publish();
    lab.receive(1);
    lab.outcome()
}

#[test]
fn ids_do_not_raise_the_watermark_over_an_event_in_flight() {
    assert_eq!(ids_beside_an_event(Setup::default()), Ok(()));
    let off = ids_beside_an_event(guards(|guards| guards.ids_keep_watermark = false));
    assert!(off.is_err(), "the trace needs it");
}

#[test]
fn what_ids_no_longer_hold_leaves_every_order_scope() {
    let mut lab = Lab::live(&[Scope::Payments, Scope::HallOrders, Scope::KitchenOrders]);
    let order = lab.place();
    lab.settle();
    assert!(lab.shows(Scope::Payments, order));
    lab.reject(order);
    lab.publish();
    lab.lose();
    lab.beat();
    lab.deliver(&CHANGES);
    lab.deliver(&HALL_IDS);
    assert!(!lab.shows(Scope::Payments, order));
    assert!(!lab.shows(Scope::HallOrders, order));
    lab.ends_well();
}

fn beats_after_falling_out(setup: Setup) -> Result<(), String> {
    let mut lab = Lab::with(&[Scope::Payments, Scope::Servings], setup);
    for _ in 0..9 {
        lab.place();
    }
    lab.server.settle();
    lab.outcome()
}

#[test]
fn a_beat_at_the_cursor_asks_for_nothing() {
    assert_eq!(beats_after_falling_out(Setup::default()), Ok(()));
    let off = beats_after_falling_out(guards(|guards| guards.sent_against_cursor = false));
    assert!(off.is_err(), "compared with the last received it loops");
}

#[test]
fn a_beat_above_the_cursor_asks_though_every_frame_came() {
    let mut lab = Lab::live(&[Scope::HallOrders, Scope::Tables]);
    lab.cut();
    lab.publish();
    lab.receive(1);
    lab.place();
    lab.place();
    lab.serve(&Load::Scope(Scope::HallOrders));
    lab.deliver(&Load::Scope(Scope::HallOrders));
    lab.publish();
    lab.lose();
    lab.lose();
    lab.deliver(&Load::Scope(Scope::Tables));
    assert_eq!(lab.cursor(), 3);
    lab.place();
    lab.publish();
    lab.lose();
    lab.beat();
    lab.deliver(&CHANGES);
    lab.deliver(&HALL_IDS);
    assert_eq!(lab.cursor(), 4);
    lab.ends_well();
}

fn position_after_falling_out(setup: Setup) -> Result<(), String> {
    let scopes = [Scope::HallOrders, Scope::Tables];
    let mut lab = Lab::cold(&scopes, setup);
    lab.client.answer_ticket(&mut lab.server, true)?;
    lab.receive(1);
    for _ in 0..9 {
        lab.place();
    }
    lab.serve(&Load::Scope(Scope::HallOrders));
    lab.serve(&Load::Scope(Scope::Tables));
    lab.table(0);
    lab.table(1);
    lab.server.settle();
    let at = lab.client.connection().unwrap();
    while lab.server.pull(at)? {}
    lab.receive(1);
    lab.deliver(&Load::Scope(Scope::HallOrders));
    lab.deliver(&Load::Scope(Scope::Tables));
    assert_eq!(lab.cursor(), 9);
    lab.outcome()
}

#[test]
fn sent_is_the_position_also_after_falling_out() {
    assert_eq!(position_after_falling_out(Setup::default()), Ok(()));
    let off = position_after_falling_out(rules(|rules| rules.sent_is_position = false));
    assert!(off.is_err(), "the last written says nothing of 10 and 11");
}

#[test]
fn the_answers_of_a_reload_survive_a_reconnect() {
    let scopes = [Scope::HallOrders, Scope::Tables];
    let mut lab = Lab::cold(&scopes, Setup::default());
    let order = lab.place();
    lab.publish();
    lab.client.answer_ticket(&mut lab.server, true).unwrap();
    lab.receive(1);
    lab.serve(&Load::Scope(Scope::HallOrders));
    lab.drop_stream();
    lab.reconnect();
    lab.receive(1);
    lab.deliver(&Load::Scope(Scope::HallOrders));
    lab.deliver(&Load::Scope(Scope::Tables));
    assert!(lab.client.bridge.is_based());
    assert!(lab.shows(Scope::HallOrders, order));
    assert_eq!(lab.asked(), 0, "one reload, not two");
    lab.ends_well();
}

fn marker_behind_a_running_reload(setup: Setup) -> Result<(), String> {
    let mut lab = Lab::with(&[Scope::HallOrders, Scope::Store], setup);
    // A reload is running, and one of its answers is older than the cut.
    lab.cut();
    lab.publish();
    lab.receive(1);
    lab.serve(&Load::Scope(Scope::Store));
    lab.deliver(&Load::Scope(Scope::Store));
    lab.cut();
    lab.publish();
    lab.receive(1);
    lab.deliver(&Load::Scope(Scope::HallOrders));
    lab.outcome()
}

#[test]
fn a_marker_waits_for_a_baseline_that_covers_it() {
    assert_eq!(marker_behind_a_running_reload(Setup::default()), Ok(()));
    let off = marker_behind_a_running_reload(guards(|guards| guards.marker_waits = false));
    assert!(off.is_err(), "yesterday stays in the settings");
}

#[test]
fn a_thin_event_is_a_hole_until_its_entity_has_come() {
    let mut lab = Lab::live(&[Scope::HallOrders]);
    lab.thin = true;
    let order = lab.place();
    lab.publish();
    lab.receive(1);
    assert_eq!(lab.cursor(), 0);
    lab.deliver(&CHANGES);
    lab.fail(&HALL_IDS);
    lab.drop_stream();
    lab.reconnect();
    lab.receive(1);
    assert_eq!(lab.cursor(), 0, "nobody has forgotten it");
    lab.ends_well();
    assert!(lab.shows(Scope::HallOrders, order));
    assert_eq!(lab.cursor(), 1);
}

#[test]
fn another_epoch_clears_newer_versions_of_lost_commands() {
    let mut lab = Lab::live(&[Scope::HallOrders, Scope::Payments]);
    let kept = lab.place();
    lab.settle();
    lab.server.back_up();
    lab.confirm(kept);
    let lost = lab.place();
    lab.settle();
    lab.server.restore();
    lab.ends_well();
    assert!(lab.shows(Scope::Payments, kept));
    assert!(!lab.shows(Scope::HallOrders, lost));
    assert_eq!(lab.client.bridge.cursor(), EventId::new(Epoch(2), 1));
}

#[test]
fn answers_of_two_epochs_do_not_mix_in_one_reload() {
    let scopes = [Scope::Payments, Scope::HallOrders];
    let mut lab = Lab::cold(&scopes, Setup::default());
    lab.place();
    lab.publish();
    lab.client.answer_ticket(&mut lab.server, true).unwrap();
    lab.receive(1);
    lab.server.back_up();
    lab.place();
    lab.serve(&Load::Scope(Scope::Payments));
    lab.server.restore();
    lab.deliver(&Load::Scope(Scope::Payments));
    lab.deliver(&Load::Scope(Scope::HallOrders));
    lab.ends_well();
}

//! The shortest traces about what the server promises, and about scopes that come later.

use domain::bridge::Load;
use domain::event::{Event, Payload};
use domain::id::StockId;
use domain::kitchen::CookTo;
use domain::stream::{Epoch, Scope};
use uuid::Uuid;

use super::lab::Lab;
use super::scenario::Setup;
use super::traces::{CHANGES, rules};

fn lost_tail(setup: Setup) -> Result<(), String> {
    let mut lab = Lab::with(&[Scope::KitchenOrders], setup);
    let order = lab.place();
    lab.confirm(order);
    lab.server.lose_log_after_marking();
    lab.outcome()
}

#[test]
fn a_quiet_reader_finds_what_the_log_lost() {
    assert_eq!(lost_tail(Setup::default()), Ok(()));
    let off = lost_tail(rules(|rules| rules.tail_check = false));
    assert!(off.is_err());
}

#[test]
fn events_apply_to_a_scope_whose_first_load_is_in_flight() {
    let mut lab = Lab::live(&[Scope::Payments, Scope::Servings]);
    let tables = Load::Scope(Scope::Tables);
    lab.client
        .use_scope(&mut lab.server, Scope::Tables)
        .unwrap();
    lab.serve(&tables);
    lab.table(0);
    lab.table(1);
    lab.publish();
    lab.receive(2);
    lab.deliver(&tables);
    assert_eq!(lab.client.differs(&lab.server), None);
    lab.ends_well();
}

#[test]
fn the_cursor_waits_for_the_first_load_of_every_scope_in_use() {
    let mut lab = Lab::live(&[Scope::Payments, Scope::Servings]);
    lab.cut();
    lab.publish();
    lab.receive(1);
    let calls = Load::Scope(Scope::Calls);
    lab.client.use_scope(&mut lab.server, Scope::Calls).unwrap();
    lab.serve(&calls);
    lab.call();
    lab.deliver(&Load::Scope(Scope::Payments));
    lab.deliver(&Load::Scope(Scope::Servings));
    assert!(lab.cursor() < 2, "calls are older than the call");
    lab.deliver(&calls);
    lab.ends_well();
}

#[test]
fn what_one_scope_knows_says_nothing_of_another() {
    let mut lab = Lab::live(&[Scope::Payments]);
    let order = lab.place();
    let servings = Load::Scope(Scope::Servings);
    lab.reject(order);
    lab.client
        .use_scope(&mut lab.server, Scope::Servings)
        .unwrap();
    lab.publish();
    lab.receive(1);
    assert!(lab.shows(Scope::Payments, order), "as of 1 it is there");
    lab.deliver(&servings);
    assert_eq!(lab.cursor(), 1, "payments do not know of 2 yet");
    lab.receive(1);
    assert!(!lab.shows(Scope::Payments, order));
    lab.ends_well();
}

fn day_without_a_marker(setup: Setup) -> Result<(), String> {
    let mut lab = Lab::with(&[Scope::Store, Scope::HallOrders], setup);
    lab.cut();
    lab.outcome()
}

#[test]
fn the_cut_of_the_business_day_reaches_every_screen() {
    assert_eq!(day_without_a_marker(Setup::default()), Ok(()));
    let off = day_without_a_marker(rules(|rules| rules.cut_is_marked = false));
    assert!(off.is_err());
}

fn hole_behind_a_purge(setup: Setup) -> Result<(), String> {
    let mut lab = Lab::with(&[Scope::HallOrders, Scope::KitchenOrders], setup);
    let order = lab.place();
    lab.settle();
    lab.confirm(order);
    lab.place();
    lab.publish();
    lab.lose();
    lab.lose();
    lab.server.purge(9);
    lab.outcome()
}

#[test]
fn changes_of_a_purged_history_are_no_changes_at_all() {
    assert_eq!(hole_behind_a_purge(Setup::default()), Ok(()));
    let off = hole_behind_a_purge(rules(|rules| rules.history_proven = false));
    assert!(off.is_err());
}

fn more_changes_than_the_limit(setup: Setup) -> Result<(), String> {
    let mut lab = Lab::with(&[Scope::HallOrders], setup);
    for _ in 0..5 {
        let order = lab.place();
        lab.order(order, |order, _| order.set_priority(true));
    }
    lab.server.settle();
    lab.outcome()
}

#[test]
fn changes_over_the_limit_give_no_ids() {
    assert_eq!(more_changes_than_the_limit(Setup::default()), Ok(()));
    let off = more_changes_than_the_limit(rules(|rules| rules.no_page_of_changes = false));
    assert!(off.is_err());
}

#[test]
fn a_cursor_ahead_of_the_database_is_cleared_once() {
    let mut lab = Lab::live(&[Scope::HallOrders]);
    let kept = lab.place();
    lab.settle();
    lab.server.back_up();
    lab.place();
    lab.place();
    lab.settle();
    assert_eq!(lab.cursor(), 3);
    // A loss that nobody noticed: the same epoch, fewer events.
    lab.server.restore();
    lab.server.epoch = Epoch(1);
    lab.server.rename();
    lab.server.restart();
    let before = lab.client.bridge.counters().full_reloads;
    lab.client.expect_loss();
    lab.ends_well();
    assert_eq!(lab.cursor(), 1);
    assert!(lab.shows(Scope::HallOrders, kept));
    for _ in 0..3 {
        lab.drop_stream();
        lab.settle();
    }
    let after = lab.client.bridge.counters().full_reloads;
    assert_eq!(after, before + 1, "not once more for each reconnect");
    lab.place();
    lab.ends_well();
}

#[test]
fn both_events_of_one_command_are_heard() {
    let mut lab = Lab::live(&[Scope::HallOrders, Scope::KitchenOrders]);
    let order = lab.place();
    lab.settle();
    let heard = lab.client.heard;
    lab.confirm(order);
    lab.publish();
    lab.receive(2);
    assert_eq!(lab.client.heard, heard + 2, "resolved, and cook");
    lab.ends_well();
}

#[test]
fn a_full_keep_buffer_drops_its_oldest_event() {
    let mut lab = Lab::live(&[Scope::HallOrders]);
    lab.server.limits.ring = 2_000;
    lab.server.limits.replay = 300;
    lab.server.limits.changes = 500;
    lab.cut();
    lab.publish();
    lab.receive(1);
    for _ in 0..600 {
        lab.table(0);
    }
    lab.server.settle();
    let at = lab.client.connection().unwrap();
    while lab.server.pull(at).unwrap() {}
    lab.receive(600);
    // What was kept is the newest 500, so that this baseline meets them.
    let order = lab.place();
    lab.publish();
    lab.deliver(&Load::Scope(Scope::HallOrders));
    lab.receive(1);
    assert_eq!((lab.cursor(), lab.asked()), (602, 0));
    assert!(lab.shows(Scope::HallOrders, order));
    lab.ends_well();
}

#[test]
fn a_recall_takes_an_order_out_of_the_servings_whatever_its_event_is_called() {
    let mut lab = Lab::live(&[Scope::HallOrders, Scope::Servings]);
    let order = lab.cooked();
    lab.settle();
    assert!(lab.shows(Scope::Servings, order));
    lab.order(order, |order, now| order.recall(None, now));
    lab.publish();
    lab.receive(1);
    assert!(!lab.shows(Scope::Servings, order));
    lab.cook(order, CookTo::Cooked);
    lab.ends_well();
    assert!(lab.shows(Scope::Servings, order));
}

#[test]
fn a_stock_row_is_an_entity_of_its_own() {
    let mut lab = Lab::live(&[Scope::HallOrders]);
    let menu = Load::Scope(Scope::Menu);
    lab.client.use_scope(&mut lab.server, Scope::Menu).unwrap();
    lab.serve(&menu);
    let count = |lab: &mut Lab, to: i64| {
        let id = StockId(Uuid::from_u128(30));
        let stock = lab.server.house.stock.get_mut(&id).unwrap();
        (stock.available, stock.on_hand, stock.version) = (to, to, stock.version + 1);
        let stock = stock.clone();
        lab.commit(&[Event::StockChanged(Payload::Whole(Box::new(stock)))]);
        lab.publish();
    };
    count(&mut lab, 4);
    lab.receive(1);
    lab.deliver(&menu);
    let shown = |lab: &Lab| lab.client.bridge.store().stock().next().unwrap().available;
    assert_eq!(shown(&lab), 4, "a late menu does not put ten back");
    count(&mut lab, 3);
    lab.lose();
    lab.beat();
    lab.deliver(&CHANGES);
    lab.deliver(&Load::Ids(Scope::Menu, vec![]));
    assert_eq!(shown(&lab), 3, "changes tell of it");
    lab.ends_well();
}

//! The connection pill.

use super::*;

fn link(desk: &Desk) -> Link {
    desk.bridge.status(desk.now).link
}

#[test]
fn the_pill_turns_with_the_age_of_the_last_proof() {
    let mut desk = Desk::live(&[Scope::KitchenOrders]);
    desk.now = desk.now.plus(3_000);
    assert_eq!(link(&desk), Link::Live, "one and a half beats");
    desk.now = desk.now.plus(1);
    assert_eq!(link(&desk), Link::Delayed);
    desk.now = desk.now.plus(2_998);
    assert_eq!(link(&desk), Link::Delayed);
    assert_eq!(desk.bridge.status(desk.now).age_ms, 5_999);
    desk.now = desk.now.plus(60_000);
    assert_eq!(link(&desk), Link::Offline);
    let poll = desk.step(Input::Timer);
    assert_eq!(link(&desk), Link::Offline, "still no proof");
    desk.answer_all(poll, BASE);
    assert_eq!(link(&desk), Link::Delayed, "it is loaded again and again");
    desk.wait(1_000);
    desk.open(BASE, true);
    assert_eq!(link(&desk), Link::Live);
}

#[test]
fn a_screen_that_loads_says_how_far_it_is_behind() {
    let mut desk = Desk::seeded(&[Scope::KitchenOrders], 1);
    desk.step(Input::Start);
    let effects = desk.open(BASE, false);
    assert_eq!(link(&desk), Link::CatchingUp(BASE));
    desk.answer_all(effects, BASE);
    assert_eq!(link(&desk), Link::Live);
    let effects = desk.beat(17);
    assert_eq!(link(&desk), Link::CatchingUp(7));
    desk.answer_all(effects, 17);
    assert_eq!(link(&desk), Link::Live);
}

#[test]
fn another_build_is_told_and_loads_nothing() {
    let mut desk = Desk::live(&[Scope::KitchenOrders]);
    assert!(!desk.bridge.status(desk.now).new_version);
    desk.fail();
    desk.wait(1_000);
    desk.build = "b2";
    let mut effects = desk.open(BASE, true);
    effects.extend(desk.beat(BASE));
    assert!(desk.bridge.status(desk.now).new_version);
    assert!(loads(&effects).is_empty());
}

#[test]
fn what_each_kitchen_screen_has_applied_is_known_from_the_beat() {
    let mut desk = Desk::live(&[Scope::HallOrders]);
    let screen = Acknowledged {
        connection_id: "kds-1".to_owned(),
        station_id: None,
        applied: id(9),
    };
    let beat = Heartbeat {
        sent: id(BASE),
        head: id(BASE),
        server_time: desk.now,
        kitchen: Some(vec![screen.clone()]),
    };
    desk.frame(Frame::Control(Control::Heartbeat(beat)));
    assert_eq!(desk.bridge.kitchen(), [screen]);
}

//! Baselines.

use super::*;
use crate::snapshot::ChangesReason;

const SCREEN: &[Scope] = &[Scope::HallOrders, Scope::Payments];

/// When, in ms from now, each full reload begins, while everything is answered "reload".
fn full_reloads(desk: &mut Desk, markers: u64) -> Vec<i64> {
    let begin = desk.now;
    let mut at = Vec::new();
    let mut next = desk.bridge.cursor().seq + 1;
    let last = next + markers;
    while next < last {
        let mut effects = desk.frame(marker(next, desk.now));
        while loads(&effects).is_empty() {
            effects.extend(desk.wait(500));
            effects.extend(desk.beat(next));
        }
        at.push(desk.now.since(begin));
        desk.answer_all(effects, next);
        assert_eq!(desk.bridge.cursor(), id(next));
        next += 1;
    }
    at
}

#[test]
fn full_reloads_are_ten_twenty_forty_seconds_apart_and_ten_again_after_a_minute() {
    let mut desk = Desk::live(SCREEN);
    // The first one was the baseline.
    assert_eq!(
        full_reloads(&mut desk, 4),
        [10_000, 30_000, 70_000, 110_000]
    );
    for _ in 0..31 {
        desk.wait(2_000);
        desk.beat(BASE + 4);
    }
    assert_eq!(full_reloads(&mut desk, 2), [0, 10_000]);
}

#[test]
fn without_a_stream_the_screen_is_loaded_every_ten_seconds() {
    let mut desk = Desk::live(SCREEN);
    desk.fail();
    let mut polls = Vec::new();
    for second in 1..=60 {
        let effects = desk.wait(1_000);
        if !loads(&effects).is_empty() {
            polls.push(second);
            desk.answer_all(effects, BASE + second);
        }
        let generation = desk.generation;
        let result = Err(NoTicket::Failed);
        desk.step(Input::Ticket { generation, result });
    }
    assert_eq!(polls, [10, 20, 30, 40, 50, 60]);
    assert_eq!(desk.bridge.cursor(), id(BASE + 60));
    assert_eq!(desk.bridge.status(desk.now).link, Link::Delayed);
}

#[test]
fn a_resumed_stream_needs_no_baseline_and_another_gets_what_changed() {
    let mut desk = Desk::live(SCREEN);
    desk.fail();
    desk.wait(1_000);
    assert!(loads(&desk.open(BASE, true)).is_empty());
    desk.fail();
    desk.wait(2_000);
    let asked = loads(&desk.open(40, false));
    let [(request, Load::Changes(since))] = &asked[..] else {
        panic!("changes first: {asked:?}");
    };
    assert_eq!(*since, id(BASE));
    let mut changes = Changes::none(id(40));
    changes.changed_order_ids = vec![Uuid::from_u128(5)];
    let asked = loads(&desk.answer(*request, Answer::Changes(changes)));
    let expected = Load::Ids(Scope::HallOrders, vec![Uuid::from_u128(5)]);
    assert_eq!(
        asked[0].1, expected,
        "one endpoint tells of every order scope"
    );
    assert_eq!(desk.bridge.cursor(), id(BASE));
    desk.answer(asked[0].0, Answer::Entities(id(41), Box::default()));
    assert_eq!(desk.bridge.cursor(), id(40), "as far as the changes go");
}

#[test]
fn a_reload_of_what_changed_that_fails_twice_becomes_a_full_one() {
    let mut desk = Desk::live(SCREEN);
    desk.wait(1_000);
    let asked = loads(&desk.beat(12));
    desk.refuse(asked[0].0, NoAnswer::Failed);
    let asked = loads(&desk.wait(1_000));
    assert!(matches!(asked[..], [(_, Load::Changes(_))]));
    desk.refuse(asked[0].0, NoAnswer::Failed);
    let mut effects = Vec::new();
    for _ in 0..5 {
        effects.extend(desk.wait(2_000));
        effects.extend(desk.beat(12));
    }
    let asked: Vec<Load> = loads(&effects).into_iter().map(|(_, load)| load).collect();
    let whole = [Load::Scope(Scope::Payments), Load::Scope(Scope::HallOrders)];
    assert_eq!(asked, whole);
}

#[test]
fn a_second_reload_joins_the_one_that_runs() {
    let mut desk = Desk::live(SCREEN);
    assert_eq!(loads(&desk.beat(12)).len(), 1);
    for _ in 0..3 {
        assert!(loads(&desk.beat(13)).is_empty());
        assert!(loads(&desk.frame(reload_required(0))).is_empty());
        assert!(loads(&desk.event(20)).is_empty());
    }
}

#[test]
fn a_reload_waits_as_long_as_the_server_spreads_it() {
    let mut desk = Desk::live(SCREEN);
    assert!(loads(&desk.frame(reload_required(700))).is_empty());
    assert!(loads(&desk.wait(699)).is_empty());
    assert!(matches!(loads(&desk.wait(1))[..], [(_, Load::Changes(_))]));
}

#[test]
fn a_forbidden_scope_leaves_and_holds_nothing_back() {
    let mut desk = Desk::seeded(SCREEN, 1);
    desk.step(Input::Start);
    for (request, what) in loads(&desk.open(BASE, false)) {
        if what == Load::Scope(Scope::Payments) {
            desk.refuse(request, NoAnswer::Forbidden);
        } else {
            desk.answer(request, Answer::Entities(id(BASE), Box::default()));
        }
    }
    assert!(desk.bridge.is_based());
    assert_eq!(desk.bridge.cursor(), id(BASE));
    assert!(!desk.bridge.store().uses(Scope::Payments));
}

#[test]
fn a_scope_that_left_and_comes_again_begins_anew() {
    let mut desk = Desk::live(&[Scope::HallOrders, Scope::Calls]);
    desk.bridge.store.leave_scope(Scope::Calls);
    desk.event(11);
    let asked = loads(&desk.step(Input::Use(Scope::Calls)));
    assert_eq!(desk.bridge.store().watermark(Scope::Calls), None);
    desk.event(12);
    desk.answer(asked[0].0, Answer::Entities(id(11), Box::default()));
    assert!(desk.bridge.store().watermark(Scope::Calls) >= Some(11));
}

#[test]
fn every_scope_forbidden_is_no_reason_to_ask_for_ever() {
    let mut desk = Desk::seeded(&[Scope::Payments], 1);
    desk.step(Input::Start);
    let asked = loads(&desk.open(BASE, false));
    desk.refuse(asked[0].0, NoAnswer::Forbidden);
    let mut effects = desk.frame(marker(11, desk.now));
    for _ in 0..60 {
        effects.extend(desk.wait(2_000));
        effects.extend(desk.beat(11));
    }
    assert_eq!(desk.bridge.cursor(), id(11));
    assert!(loads(&effects).len() <= 2, "{:?}", loads(&effects));
}

#[test]
fn an_answer_that_never_comes_is_asked_for_again() {
    let mut desk = Desk::live(SCREEN);
    assert_eq!(loads(&desk.step(Input::Use(Scope::Menu))).len(), 1);
    let mut again = Vec::new();
    for _ in 0..11 {
        again.extend(desk.wait(2_000));
        again.extend(desk.beat(BASE));
    }
    assert_eq!(loads(&again).len(), 1, "once in 20 s");
}

#[test]
fn a_poll_that_fails_forgets_no_scope_that_was_added() {
    let mut desk = Desk::live(SCREEN);
    desk.fail();
    desk.step(Input::Use(Scope::Menu));
    let mut asked = Vec::new();
    for _ in 0..11 {
        asked.extend(loads(&desk.wait(1_000)));
        desk.ticket();
        desk.fail();
    }
    assert_eq!(asked.len(), 3, "the poll: {asked:?}");
    desk.wait(30_000);
    desk.open(BASE, true);
    for (request, _) in asked {
        desk.refuse(request, NoAnswer::Failed);
    }
    let mut again = Vec::new();
    for _ in 0..20 {
        again.extend(loads(&desk.wait(1_000)));
        desk.beat(BASE);
    }
    let menu = again
        .iter()
        .any(|(_, what)| *what == Load::Scope(Scope::Menu));
    assert!(menu, "{again:?}");
}

#[test]
fn a_cursor_ahead_clears_everything_once() {
    let mut desk = Desk::live(SCREEN);
    desk.event(11);
    let asked = loads(&desk.beat(12));
    let ahead = Changes::reload(id(3), ChangesReason::CursorAhead);
    desk.answer(asked[0].0, Answer::Changes(ahead));
    assert_eq!(desk.bridge.cursor(), id(0));
    assert_eq!(desk.bridge.store().orders(Scope::HallOrders).count(), 0);
}

#[test]
fn no_more_than_five_hundred_events_are_kept_and_the_oldest_go_first() {
    let mut desk = Desk::live(SCREEN);
    desk.frame(reload_required(0));
    for seq in 12..=1_011 {
        desk.event(seq);
        assert!(desk.bridge.kept.len() <= 500);
    }
    let kept: Vec<u64> = desk.bridge.kept.keys().copied().collect();
    assert_eq!((kept.first(), kept.last()), (Some(&512), Some(&1_011)));
}

#[test]
fn what_is_applied_is_told_at_most_once_a_second() {
    let mut desk = Desk::live(SCREEN);
    desk.wait(5_000);
    desk.beat(BASE);
    let acks = |effects: &[Effect]| -> Vec<EventId> {
        let ack = |effect: &Effect| match effect {
            Effect::Ack(id) => Some(*id),
            _ => None,
        };
        effects.iter().filter_map(ack).collect()
    };
    let mut told = Vec::new();
    for seq in 11..=40 {
        told.extend(acks(&desk.event(seq)));
        told.extend(acks(&desk.wait(100)));
    }
    told.extend(acks(&desk.wait(1_000)));
    assert_eq!(told, [id(11), id(20), id(30), id(40)]);
    assert!(acks(&desk.wait(1_900)).is_empty(), "nothing new");
}

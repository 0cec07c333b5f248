//! Ticket, stream, reconnecting.

use super::*;

const KITCHEN: &[Scope] = &[Scope::KitchenOrders];

/// The delay the bridge has set itself before its next attempt.
fn delay(desk: &Desk) -> i64 {
    match desk.bridge.link.phase {
        super::super::link::Phase::Waiting { until } => until.since(desk.now),
        _ => panic!("{:?}", desk.bridge.link.phase),
    }
}

#[test]
fn delays_grow_and_are_spread_over_the_upper_half() {
    let caps = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000];
    let mut seen = vec![(i64::MAX, 0); caps.len()];
    for seed in 0..300 {
        let mut desk = Desk::seeded(KITCHEN, seed);
        desk.step(Input::Start);
        for (attempt, cap) in caps.into_iter().enumerate() {
            let generation = desk.generation;
            let result = Err(NoTicket::Failed);
            desk.step(Input::Ticket { generation, result });
            let delay = delay(&desk);
            assert!((cap / 2..=cap).contains(&delay), "{delay} of {cap}");
            let (low, high) = seen[attempt];
            seen[attempt] = (low.min(delay), high.max(delay));
            assert_eq!(tickets(&desk.wait(delay)).len(), 1);
        }
    }
    for ((low, high), cap) in seen.into_iter().zip(caps) {
        let whole = low < cap * 55 / 100 && high > cap * 95 / 100;
        assert!(whole, "{low}..{high} of {cap}");
    }
}

#[test]
fn half_a_minute_of_stable_stream_makes_the_next_delay_short() {
    let mut desk = Desk::live(KITCHEN);
    for _ in 0..4 {
        desk.fail();
        desk.wait(30_000);
        desk.open(BASE, true);
    }
    desk.fail();
    assert!(delay(&desk) > 1_000, "it failed often");
    desk.wait(30_000);
    desk.open(BASE, true);
    for _ in 0..16 {
        desk.wait(2_000);
        desk.beat(BASE);
    }
    desk.fail();
    assert!((500..=1_000).contains(&delay(&desk)), "{}", delay(&desk));
}

// Trial C04.
#[test]
fn each_attempt_has_a_fresh_ticket_and_goes_on_at_the_cursor() {
    let mut desk = Desk::live(KITCHEN);
    for seq in 11..=13 {
        desk.event(seq);
    }
    let mut seen = Vec::new();
    for _ in 0..4 {
        assert!(opened(&desk.fail()).is_none(), "never at once");
        desk.wait(30_000);
        let (_, ticket, cursor) = opened(&desk.ticket()).unwrap();
        assert_eq!(cursor, id(13));
        assert!(!seen.contains(&ticket));
        seen.push(ticket);
    }
    let ready = desk.ready(id(15), true);
    desk.frame(ready);
    let before = desk.bridge.counters().applied;
    for seq in 14..=15 {
        desk.event(seq);
    }
    assert_eq!(desk.bridge.cursor(), id(15));
    assert_eq!(
        desk.bridge.counters().applied,
        before + 2,
        "1 to 3 not again"
    );
}

// Trial C05.
#[test]
fn a_signed_out_screen_asks_for_one_ticket_and_then_for_nothing() {
    let mut desk = Desk::live(KITCHEN);
    desk.fail();
    assert_eq!(tickets(&desk.wait(1_000)).len(), 1);
    let generation = desk.generation;
    let result = Err(NoTicket::SignedOut);
    let effects = desk.step(Input::Ticket { generation, result });
    assert!(effects.contains(&Effect::SignedOut));
    let mut later = desk.wait(300_000);
    later.extend(desk.step(Input::Resume));
    later.extend(desk.step(Input::Use(Scope::Menu)));
    later.extend(desk.step(Input::Start));
    later.extend(desk.wait(300_000));
    assert!(
        tickets(&later).is_empty() && loads(&later).is_empty(),
        "{later:?}"
    );
    assert_eq!(desk.bridge.status(desk.now).link, Link::SignedOut);
}

// Trial C02.
#[test]
fn the_watchdog_replaces_a_silent_stream_and_ignores_its_late_bytes() {
    let mut desk = Desk::live(KITCHEN);
    let old = desk.generation;
    assert!(desk.wait(5_999).is_empty());
    assert_eq!(desk.bridge.status(desk.now).link, Link::Delayed);
    let effects = desk.wait(1);
    assert!(effects.contains(&Effect::Close { generation: old }));
    desk.wait(1_000);
    let (_, _, cursor) = opened(&desk.ticket()).unwrap();
    assert_eq!(cursor, id(BASE));
    for seq in 11..=17 {
        let frame = Frame::Log(envelope(seq, desk.now));
        let generation = old;
        let late = desk.step(Input::Frame { generation, frame });
        assert!(loads(&late).is_empty());
    }
    assert!(desk.step(Input::Failed { generation: old }).is_empty());
    assert_eq!(desk.bridge.cursor(), id(BASE));
    let ready = desk.ready(id(17), true);
    desk.frame(ready);
    for seq in 11..=17 {
        desk.event(seq);
    }
    let orders = desk.bridge.store().orders(Scope::KitchenOrders).count();
    assert_eq!((desk.bridge.cursor(), orders), (id(17), 7));
}

#[test]
fn an_old_ticket_opens_nothing() {
    let mut desk = Desk::live(KITCHEN);
    desk.fail();
    desk.wait(1_000);
    let old = desk.generation;
    desk.wait(10_000);
    desk.wait(2_000);
    assert_ne!(desk.generation, old, "it took too long");
    let result = Ok("old".to_owned());
    let generation = old;
    assert_eq!(
        opened(&desk.step(Input::Ticket { generation, result })),
        None
    );
}

#[test]
fn a_stream_without_ready_counts_as_an_error() {
    let mut desk = Desk::seeded(KITCHEN, 1);
    desk.step(Input::Start);
    desk.ticket();
    let generation = desk.generation;
    assert!(desk.wait(4_999).is_empty());
    assert!(desk.wait(1).contains(&Effect::Close { generation }));
    assert_eq!(tickets(&desk.wait(1_000)).len(), 1);
}

#[test]
fn a_resume_signal_reconnects_at_once_unless_the_stream_is_proven_alive() {
    let mut desk = Desk::live(KITCHEN);
    desk.wait(1_000);
    assert!(
        desk.step(Input::Resume).is_empty(),
        "a frame came a second ago"
    );
    desk.now = desk.now.plus(4_000);
    let effects = desk.step(Input::Resume);
    assert_eq!(tickets(&effects).len(), 1);
    assert!(
        desk.step(Input::Resume).is_empty(),
        "an attempt is under way"
    );
    desk.open(BASE, true);
    desk.fail();
    assert_eq!(tickets(&desk.step(Input::Resume)).len(), 1, "no delay");
}

#[test]
fn a_resume_signal_does_not_wait_for_an_attempt_that_fell_asleep() {
    let mut desk = Desk::live(KITCHEN);
    desk.fail();
    desk.wait(1_000);
    desk.ticket();
    desk.now = desk.now.plus(600_000);
    let effects = desk.step(Input::Resume);
    assert_eq!(tickets(&effects).len(), 1);
}

#[test]
fn drain_says_when_to_come_back_within_reason() {
    let mut desk = Desk::live(KITCHEN);
    let generation = desk.generation;
    let effects = desk.frame(drain(3_500));
    assert!(effects.contains(&Effect::Close { generation }));
    assert!(tickets(&desk.wait(3_499)).is_empty());
    assert_eq!(tickets(&desk.wait(1)).len(), 1);
    desk.open(BASE, true);
    desk.frame(drain(i64::MAX));
    assert!(!tickets(&desk.wait(60_000)).is_empty(), "it never gives up");
    desk.open(BASE, true);
    assert_eq!(tickets(&desk.frame(drain(-5))).len(), 1);
}

#[test]
fn a_clock_set_back_delays_nothing() {
    let mut desk = Desk::live(KITCHEN);
    desk.fail();
    desk.now = desk.now.plus(-3_600_000);
    // The browser's timer runs on another clock: it fires all the same.
    let effects = desk.step(Input::Timer);
    assert!(tickets(&effects).is_empty(), "no time has passed yet");
    let waits = desk.timer.unwrap().since(desk.now);
    assert!(waits <= 1_000, "{waits}");
    assert_eq!(tickets(&desk.wait(1_000)).len(), 1);
}

#[test]
fn a_timer_that_fires_early_is_set_again() {
    let mut desk = Desk::live(KITCHEN);
    desk.fail();
    let due = desk.timer;
    desk.timer = None;
    desk.step(Input::Timer);
    assert_eq!(desk.timer, due);
}

//! What may sound, and how often.

use super::*;

const KITCHEN: &[Scope] = &[Scope::KitchenOrders];

#[test]
fn an_event_that_passes_the_cursor_live_sounds_once() {
    let mut desk = Desk::live(KITCHEN);
    assert_eq!(sounds(&desk.event(11)), (1, 0));
    assert_eq!(sounds(&desk.event(11)), (0, 0), "a duplicate is dropped");
    assert_eq!(desk.bridge.counters().duplicates, 1);
}

// Trial C01, scaled.
#[test]
fn forty_orders_missed_without_a_stream_sound_once() {
    let mut desk = Desk::live(KITCHEN);
    desk.fail();
    desk.wait(1_000);
    let mut effects = desk.open(50, true);
    for seq in 11..=50 {
        effects.extend(desk.event(seq));
    }
    effects.extend(desk.beat(50));
    effects.extend(desk.wait(2_000));
    effects.extend(desk.beat(50));
    assert_eq!(sounds(&effects), (0, 1));
    assert_eq!(desk.bridge.store().orders(Scope::KitchenOrders).count(), 40);
    assert_eq!(sounds(&desk.event(51)), (1, 0), "live again");
}

#[test]
fn forty_orders_missed_and_loaded_again_sound_once() {
    let mut desk = Desk::live(KITCHEN);
    desk.fail();
    desk.wait(1_000);
    let asked = loads(&desk.open(50, false));
    let mut changes = Changes::none(id(50));
    changes.changed_order_ids = (11..=50).map(Uuid::from_u128).collect();
    let mut effects = desk.answer(asked[0].0, Answer::Changes(changes));
    let mut entities = Entities::default();
    for seq in 11..=50 {
        let Event::KitchenCook(Payload::Whole(order)) = envelope(seq, desk.now).event else {
            panic!("not an order");
        };
        entities.orders.push(*order);
    }
    let ids = loads(&effects)[0].0;
    effects.extend(desk.answer(ids, Answer::Entities(id(50), Box::new(entities))));
    effects.extend(desk.beat(50));
    assert_eq!(sounds(&effects), (0, 1));
}

// Trial C01, the page was frozen and its stream was not: everything comes at once on waking.
#[test]
fn forty_orders_found_on_waking_sound_once() {
    let mut desk = Desk::live(KITCHEN);
    let asleep = desk.now;
    desk.now = desk.now.plus(900_000);
    let mut effects = Vec::new();
    for n in 0..40 {
        let at = asleep.plus(20_000 * (n + 1));
        let seq = 11 + n.unsigned_abs();
        effects.extend(desk.frame(Frame::Log(envelope(seq, at))));
        let beat = Heartbeat {
            sent: id(seq),
            head: id(seq),
            server_time: at.plus(2_000),
            kitchen: None,
        };
        effects.extend(desk.frame(Frame::Control(Control::Heartbeat(beat))));
    }
    effects.extend(desk.wait(2_000));
    effects.extend(desk.beat(50));
    assert_eq!(sounds(&effects), (0, 1));
    assert!(tickets(&effects).is_empty(), "and no reconnect");
    assert_eq!(desk.bridge.store().orders(Scope::KitchenOrders).count(), 40);
}

#[test]
fn a_first_baseline_is_silent() {
    let mut desk = Desk::seeded(KITCHEN, 1);
    desk.step(Input::Start);
    let effects = desk.open(BASE, false);
    let effects = desk.answer_all(effects, BASE);
    assert_eq!(sounds(&effects), (0, 0));
}

#[test]
fn a_client_whose_clock_is_wrong_still_hears() {
    for wrong in [-3_600_000, 3_600_000] {
        let mut desk = Desk::live(KITCHEN);
        // Somebody sets the clock; the server's stays.
        let server = desk.now;
        desk.now = desk.now.plus(wrong);
        for n in 1..=4 {
            let server_time = server.plus(2_000 * n);
            let beat = Heartbeat {
                sent: id(BASE),
                head: id(BASE),
                server_time,
                kitchen: None,
            };
            desk.now = desk.now.plus(2_000);
            desk.frame(Frame::Control(Control::Heartbeat(beat)));
        }
        let at = server.plus(8_000);
        let mut effects = desk.frame(Frame::Log(envelope(11, at)));
        let drift = desk.bridge.server_now(desk.now).since(at);
        assert!(drift <= 100, "{drift}");
        effects.retain(|effect| matches!(effect, Effect::Heard { .. }));
        assert_eq!(effects.len(), 1);
    }
}

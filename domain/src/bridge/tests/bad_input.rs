//! Frames that are not what the contract says: counted, never a panic, and a hole.

use rstest::rstest;
use serde_json::{Value, json};

use super::*;

const SCREEN: &[Scope] = &[Scope::KitchenOrders];

fn data(seq: u64) -> Value {
    serde_json::to_value(envelope(seq, START)).unwrap()
}

fn with(change: impl FnOnce(&mut Value)) -> Value {
    let mut data = data(11);
    change(&mut data);
    data
}

// Trial C52.
#[rstest]
#[case::unknown_type(with(|data| data["type"] = json!("KITCHEN_ON_FIRE")))]
#[case::unknown_enum_value(with(|data| data["payload"]["checkoutStage"] = json!("frozen")))]
#[case::null_quantity(with(|data| data["payload"]["lines"][0]["quantity"] = Value::Null))]
#[case::huge_number(with(|data| data["payload"]["total"] = json!(1e299)))]
#[case::missing_field(with(|data| drop(data.as_object_mut().unwrap().remove("at"))))]
#[case::no_payload(with(|data| data["payload"] = Value::Null))]
#[case::bad_id(with(|data| data["eventId"] = json!("1700-0")))]
#[case::id_with_nul(with(|data| data["eventId"] = json!("00000001:11\0")))]
#[case::number_as_id(with(|data| data["eventId"] = json!(11)))]
#[case::no_object(json!("hello"))]
#[case::nothing(Value::Null)]
fn a_bad_frame_is_counted_and_what_changed_is_loaded(#[case] data: Value) {
    let mut desk = Desk::live(SCREEN);
    let effects = desk.frame(Frame::read("KITCHEN_COOK", &data));
    assert_eq!(desk.bridge.counters().bad_frames, 1);
    assert_eq!(desk.bridge.cursor(), id(BASE));
    assert!(matches!(loads(&effects)[..], [(_, Load::Changes(_))]));
    desk.answer_all(effects, 11);
    assert_eq!(desk.bridge.cursor(), id(11));
    let later = desk.beat(11);
    assert!(loads(&later).is_empty(), "no loop");
    desk.event(12);
    assert_eq!(desk.bridge.cursor(), id(12), "and it goes on");
}

#[test]
fn a_number_of_three_hundred_digits_is_no_frame() {
    let text = data(11).to_string().replace("9900", &"9".repeat(300));
    let frame = serde_json::from_str::<Value>(&text)
        .map_or(Frame::Bad(None), |data| Frame::read("KITCHEN_COOK", &data));
    assert!(matches!(frame, Frame::Bad(_)), "{frame:?}");
}

#[test]
fn events_of_a_newer_server_make_no_reload_loop() {
    let mut desk = Desk::live(SCREEN);
    let mut requests = 0;
    for seq in 11..=20 {
        let mut newer = data(seq);
        newer["type"] = json!("DRONE_LANDED");
        newer["eventId"] = json!(id(seq).to_string());
        let effects = desk.frame(Frame::read("DRONE_LANDED", &newer));
        let effects = desk.answer_all(effects, seq);
        requests += loads(&effects).len();
        requests += loads(&desk.beat(seq)).len();
    }
    assert_eq!((requests, desk.bridge.cursor()), (10, id(20)));
}

#[test]
fn an_event_for_a_card_just_removed_is_no_surprise() {
    let mut desk = Desk::live(SCREEN);
    desk.event(11);
    let gone = |seq: u64, at: Time| {
        let mut envelope = envelope(seq, at);
        if let Event::KitchenCook(Payload::Whole(order)) = &mut envelope.event {
            order.id = OrderId(Uuid::from_u128(11));
            order.closed_at = Some(at);
        }
        Frame::Log(envelope)
    };
    let frame = gone(12, desk.now);
    desk.frame(frame);
    assert_eq!(desk.bridge.store().orders(Scope::KitchenOrders).count(), 0);
    let frame = gone(13, desk.now);
    desk.frame(frame);
    assert_eq!(desk.bridge.cursor(), id(13));
}

#[test]
fn a_control_frame_moves_no_cursor_whatever_it_is_called() {
    // Trials C07 and C08: ids come from the envelope only.
    let control = json!({"reason": "LAGGED_OUT", "notBeforeMs": 0});
    let read = Frame::read("RELOAD_REQUIRED", &control);
    assert!(matches!(read, Frame::Control(Control::Reload(_))));
    let mut desk = Desk::live(SCREEN);
    desk.frame(read);
    assert_eq!(desk.bridge.cursor(), id(BASE));
    for name in ["hb", "hello", "resync", "message"] {
        assert_eq!(Frame::read(name, &json!({})), Frame::Bad(None));
    }
    let log = json!({
        "type": "RELOAD_REQUIRED", "eventId": "00000001:11", "at": 5,
        "outboxId": Uuid::from_u128(1), "storeId": Uuid::from_u128(1),
        "payload": {"reason": "SETTINGS"},
    });
    assert!(matches!(
        Frame::read("RELOAD_REQUIRED", &log),
        Frame::Log(_)
    ));
}

// Trial C10.
#[test]
fn a_note_of_several_lines_arrives_as_it_was_written() {
    let note = "땅콩 빼고\r\n포장 따로\n🍲 두 개";
    let mut desk = Desk::live(SCREEN);
    let mut written = envelope(11, desk.now);
    if let Event::KitchenCook(Payload::Whole(order)) = &mut written.event {
        note.clone_into(&mut order.note);
    }
    let text = serde_json::to_string(&written).unwrap();
    assert!(!text.contains(['\r', '\n']), "one data field is one line");
    let data: Value = serde_json::from_str(&text).unwrap();
    desk.frame(Frame::read("KITCHEN_COOK", &data));
    let order = desk.bridge.store().orders(Scope::KitchenOrders).next();
    assert_eq!(order.unwrap().note, note);
}

#[test]
fn an_event_of_another_history_waits_for_the_beat_that_names_it() {
    let mut desk = Desk::live(SCREEN);
    let mut other = envelope(11, desk.now);
    other.event_id = EventId::new(Epoch(2), 11);
    assert!(loads(&desk.frame(Frame::Log(other))).is_empty());
    assert_eq!(desk.bridge.cursor(), id(BASE));
    let beat = Heartbeat {
        sent: EventId::new(Epoch(2), 11),
        head: EventId::new(Epoch(2), 11),
        server_time: desk.now,
        kitchen: None,
    };
    desk.frame(Frame::Control(Control::Heartbeat(beat)));
    assert_eq!(desk.bridge.cursor(), EventId::new(Epoch(2), 0));
    assert!(!desk.bridge.is_based());
}

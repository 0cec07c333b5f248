//! Golden files: one for each event, whole and thin. Event JSON changes only by adding.

use std::path::PathBuf;

use serde_json::{Value, json};
use uuid::Uuid;

use super::*;
use crate::call::CallReason;
use crate::floor::{Party, TableState};
use crate::id::{
    CallId, CategoryId, MenuId, OptionGroupId, OptionId, PartyId, ReservationId, StationId,
    StockId, TableId, ZoneId,
};
use crate::menu::{MenuOption, OptionGroup};
use crate::money::Amount;
use crate::order::tests::{BY_MANAGER, NOW, bring, line_id, paid};
use crate::order::{ChosenOption, KitchenState, Tender};
use crate::stream::Epoch;
use crate::text::LocalText;

fn uuid(n: u128) -> Uuid {
    Uuid::from_u128(n)
}

/// An order with every optional field set.
fn order() -> Order {
    let mut order = paid(&[(1, 2), (2, 3), (3, 1)]);
    order.zone = Some(LocalText::both("홀", "Hall"));
    order.note = "땅콩 빼고\r\n포장 따로\n🍲 두 개".to_owned();
    order.rid = Some(ReservationId(uuid(70)));
    order.hold_expires_at = Some(NOW.plus(60_000));
    order.lines[0].options = vec![ChosenOption {
        id: OptionId(uuid(71)),
        name: LocalText::both("곱빼기", "Large"),
        price_delta: Amount(2_000),
    }];
    order.lines[0].allergy = "땅콩".to_owned();
    bring(&mut order, 1, KitchenState::Served);
    bring(&mut order, 2, KitchenState::Cooking);
    let two = [line_id(2)];
    order
        .set_line_note(two[0], "얼음 빼고", NOW.plus(40))
        .unwrap();
    order.recall(Some(&two), NOW.plus(50)).unwrap();
    let new = line_id(72);
    order
        .void(two[0], Some(1), BY_MANAGER, new, true, NOW.plus(60))
        .unwrap();
    order.acknowledge_voids(&[new], true, NOW.plus(70)).unwrap();
    order
}

fn call() -> Call {
    let (table, party) = (TableId(uuid(60)), PartyId(uuid(61)));
    let mut call = Call::request(CallId(uuid(62)), table, party, CallReason::SidePlate, NOW);
    call.accept("지은", NOW.plus(1_000)).unwrap();
    call.finish(NOW.plus(2_000)).unwrap();
    call
}

fn table() -> Table {
    Table {
        id: TableId(uuid(60)),
        version: 3,
        zone_id: ZoneId(uuid(63)),
        name: "A-12".to_owned(),
        seats: 4,
        sort: 12,
        code: "demo-a12".to_owned(),
        state: TableState::Seated,
        party: Some(Party {
            id: PartyId(uuid(61)),
            table_ids: vec![TableId(uuid(60))],
            covers: Some(3),
            seated_at: NOW,
            bill_requested_at: Some(NOW.plus(5_000)),
        }),
    }
}

fn item() -> MenuItem {
    MenuItem {
        id: MenuId(uuid(64)),
        version: 2,
        code: "101".to_owned(),
        category_id: CategoryId(uuid(65)),
        name: LocalText::both("김치찌개", "Kimchi stew"),
        description: LocalText::both("돼지고기", "with pork"),
        price: Amount(9_900),
        station_id: Some(StationId(uuid(66))),
        sold_out: true,
        sort: 1,
        option_groups: vec![OptionGroup {
            id: OptionGroupId(uuid(67)),
            name: LocalText::both("크기", "Size"),
            min: 0,
            max: 1,
            options: vec![MenuOption {
                id: OptionId(uuid(71)),
                name: LocalText::both("곱빼기", "Large"),
                price_delta: Amount(2_000),
                stock_id: Some(StockId(uuid(68))),
                stock_quantity: 2,
                sold_out: false,
            }],
        }],
        stock_id: Some(StockId(uuid(68))),
        image_url: Some("/img/101.webp".to_owned()),
    }
}

fn stock() -> Stock {
    Stock {
        id: StockId(uuid(68)),
        version: 9,
        name: LocalText::both("돼지고기", "Pork"),
        available: 7,
        on_hand: 10,
        held: 3,
        menu_ids: vec![MenuId(uuid(64))],
    }
}

fn whole(event_type: EventType) -> Event {
    let payload = |entity| Payload::Whole(Box::new(entity));
    match event_type {
        EventType::CustomerCall => Event::CustomerCall(Payload::Whole(Box::new(call()))),
        EventType::TableChanged => Event::TableChanged(Payload::Whole(Box::new(table()))),
        EventType::KitchenMenuChanged => {
            Event::KitchenMenuChanged(Payload::Whole(Box::new(item())))
        }
        EventType::StockChanged => Event::StockChanged(Payload::Whole(Box::new(stock()))),
        EventType::ReloadRequired => Event::ReloadRequired(Marker {
            reason: "BUSINESS_DAY".to_owned(),
        }),
        EventType::HallPayment => Event::HallPayment(payload(order())),
        EventType::HallPaymentResolved => Event::HallPaymentResolved(payload(order())),
        EventType::KitchenCook => Event::KitchenCook(payload(order())),
        EventType::KitchenProgress => Event::KitchenProgress(payload(order())),
        EventType::HallServe => Event::HallServe(payload(order())),
        EventType::OrderChanged => Event::OrderChanged(payload(order())),
    }
}

fn envelope(event: Event) -> Envelope {
    Envelope {
        event_id: EventId::new(Epoch(0x9f3a_61c2), 151),
        outbox_id: OutboxId(uuid(80)),
        store_id: StoreId(uuid(81)),
        at: NOW,
        event,
    }
}

/// Every variant whole, and one thin.
fn all() -> Vec<(String, Envelope)> {
    let mut all: Vec<(String, Envelope)> = EventType::ALL
        .iter()
        .map(|event_type| (event_type.name().to_owned(), envelope(whole(*event_type))))
        .collect();
    let thin = Thin {
        id: uuid(9),
        version: 12,
        fetch: true,
    };
    let thin = envelope(Event::KitchenCook(Payload::Thin(thin)));
    all.push(("KITCHEN_COOK.thin".to_owned(), thin));
    all
}

fn golden(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/event/golden");
    folder.join(format!("{name}.json"))
}

fn read(name: &str) -> Value {
    let text = std::fs::read_to_string(golden(name)).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// `JUMUN_GOLDEN=write` writes the files of events that have none yet; a pinned one is changed
/// by hand only.
#[test]
fn every_event_is_written_as_its_golden_file_says() {
    let write = std::env::var("JUMUN_GOLDEN").is_ok_and(|value| value == "write");
    for (name, envelope) in all() {
        let written = serde_json::to_value(&envelope).unwrap();
        if write && !golden(&name).exists() {
            let text = serde_json::to_string_pretty(&written).unwrap();
            std::fs::write(golden(&name), text + "\n").unwrap();
        }
        assert_eq!(written, read(&name), "{name}");
    }
}

#[test]
fn every_golden_file_is_read_as_the_event_it_was() {
    for (name, envelope) in all() {
        let event_type = envelope.event.event_type().name();
        let frame = Frame::read(event_type, &read(&name));
        assert_eq!(frame, Frame::Log(Box::new(envelope)), "{name}");
    }
}

/// A field that a later version adds, at every level.
fn grown(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.values_mut().for_each(grown);
            fields.insert("addedLater".to_owned(), json!({"deep": [1, null, "x"]}));
        }
        Value::Array(items) => items.iter_mut().for_each(grown),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn fields_that_a_later_version_adds_are_ignored() {
    for (name, envelope) in all() {
        let event_type = envelope.event.event_type().name();
        let mut later = read(&name);
        grown(&mut later);
        let frame = Frame::read(event_type, &later);
        assert_eq!(frame, Frame::Log(Box::new(envelope)), "{name}");
    }
}

#[test]
fn there_is_a_golden_file_for_each_event_and_for_nothing_else() {
    let folder = golden("x").parent().unwrap().to_owned();
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    let mut names: Vec<String> = all()
        .into_iter()
        .map(|(n, _)| format!("{n}.json"))
        .collect();
    names.sort();
    assert_eq!(files, names);
}

#[test]
fn names_of_types_are_read_as_they_are_written() {
    for event_type in EventType::ALL {
        assert_eq!(EventType::named(event_type.name()), Some(*event_type));
    }
    assert_eq!(EventType::named("hall_payment"), None);
    let order = paid(&[(1, 1)]);
    for event_type in EventType::ALL {
        let event = Event::of_order(*event_type, &order);
        let about_orders = event_type.kind() == Some(Kind::Order);
        assert_eq!(
            event.map(|event| event.event_type()),
            about_orders.then_some(*event_type)
        );
    }
    assert_eq!(order.tender, Some(Tender::Card));
}

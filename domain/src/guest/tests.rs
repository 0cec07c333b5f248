//! What guests see, and what they never see.

use uuid::Uuid;

use super::*;
use crate::call::{Call, CallReason};
use crate::floor::{Party, Table, TableState};
use crate::id::{CallId, PartyId, TableId, ZoneId};
use crate::order::tests::{BY_MANAGER, NOW, line_id, paid};
use crate::time::Time;

fn json(view: &impl serde::Serialize) -> String {
    serde_json::to_string(view).unwrap()
}

#[test]
fn an_order_shows_its_lines_and_nothing_of_staff() {
    let mut order = paid(&[(1, 2), (2, 1)]);
    order
        .void(line_id(2), None, BY_MANAGER, line_id(9), true, NOW)
        .unwrap();
    let view = GuestOrder::of(&order);
    let voided: Vec<bool> = view.lines.iter().map(|line| line.voided).collect();
    assert_eq!(
        (view.number, view.total.0, &voided[..]),
        (7, 19_800, &[false, true][..])
    );
    let text = json(&view);
    for staff in [
        "지은",
        "점장",
        "손님 변심",
        "tender",
        "station",
        "placedBy",
        "partyId",
    ] {
        assert!(!text.contains(staff), "{staff} in {text}");
    }
    assert_eq!(serde_json::from_str::<GuestOrder>(&text).unwrap(), view);
}

#[test]
fn a_call_does_not_say_who_took_it() {
    let id = Uuid::from_u128(7);
    let mut call = Call::request(
        CallId(id),
        TableId(id),
        PartyId(id),
        CallReason::SidePlate,
        Time(1_000),
    );
    call.accept("지은", Time(2_000)).unwrap();
    let text = json(&GuestCall::of(&call));
    assert_eq!(
        text,
        format!(
            r#"{{"id":"{id}","version":2,"reason":"sidePlate","count":1,"state":"accepted","requestedAt":1000}}"#
        )
    );
}

#[test]
fn a_table_shows_its_covers_once_somebody_counted() {
    let mut table = Table {
        id: TableId(Uuid::from_u128(3)),
        version: 1,
        zone_id: ZoneId(Uuid::from_u128(1)),
        name: "A-3".to_owned(),
        seats: 4,
        sort: 3,
        code: "demo-a3".to_owned(),
        state: TableState::Seated,
        party: Some(Party {
            id: PartyId(Uuid::from_u128(8)),
            table_ids: vec![TableId(Uuid::from_u128(3))],
            covers: None,
            seated_at: NOW,
            bill_requested_at: None,
        }),
    };
    assert!(!json(&GuestTable::of(&table)).contains("covers"));
    if let Some(party) = &mut table.party {
        party.covers = Some(2);
    }
    assert_eq!(GuestTable::of(&table).covers, Some(2));
}

#[test]
fn a_token_is_not_printed() {
    let joined = GuestJoined {
        token: "secret".to_owned(),
        party_id: PartyId(Uuid::from_u128(8)),
    };
    assert!(!format!("{joined:?}").contains("secret"));
}

#[test]
fn what_is_left_is_told_up_to_nine_and_never_how_many_are_held() {
    let row = |on_hand, held| crate::stock::Stock {
        id: crate::id::StockId(Uuid::from_u128(5)),
        version: 3,
        name: crate::text::LocalText::both("갈비탕", "Galbitang"),
        available: on_hand - held,
        on_hand,
        held,
        menu_ids: Vec::new(),
    };
    let told = |on_hand, held| GuestStock::of(&row(on_hand, held)).available;
    assert_eq!(
        [told(30, 2), told(9, 0), told(9, 1), told(4, 4)],
        [9, 9, 8, 0]
    );
    let text = json(&GuestStock::of(&row(30, 2)));
    let id = Uuid::from_u128(5);
    assert_eq!(
        text,
        format!(r#"{{"id":"{id}","version":3,"available":9}}"#)
    );
}

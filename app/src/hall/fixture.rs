//! A floor for tests; orders in the shape they have on the wire.

#![cfg(test)]

use std::sync::Arc;

use domain::call::{Call, CallReason};
use domain::floor::{Party, Table, TableState, Zone};
use domain::id::{CallId, LineId, OrderId, PartyId, StationId, TableId, ZoneId};
use domain::order::Order;
use domain::text::LocalText;
use domain::time::Time;
use serde_json::{Value, json};
use uuid::Uuid;

/// The id of that number.
pub fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

/// A table: its number, and the tables of the party there.
pub fn table(number: u128, party: Option<&[u128]>) -> Arc<Table> {
    let party = party.map(|tables| Party {
        id: PartyId(id(tables[0])),
        table_ids: tables.iter().map(|table| TableId(id(*table))).collect(),
        covers: Some(3),
        seated_at: Time(0),
        bill_requested_at: None,
    });
    Arc::new(Table {
        id: TableId(id(number)),
        version: 1,
        zone_id: ZoneId(id(number / 10)),
        name: number.to_string(),
        seats: 4,
        sort: number as i64,
        code: String::new(),
        state: party
            .as_ref()
            .map_or(TableState::Free, |_| TableState::Seated),
        party,
    })
}

/// A line in that state; `unfired` waits for its payment.
pub fn line(number: u128, state: &str, since: i64) -> Value {
    let fired_at = (state != "unfired").then_some(since);
    let state = if state == "unfired" { "waiting" } else { state };
    json!({
        "id": LineId(id(number)), "menuId": id(100 + number), "name": {"ko": "김치찌개"},
        "unitPrice": 9900, "quantity": 1, "options": [], "note": "", "allergy": "",
        "stationId": StationId(id(1)), "amount": 9900, "kitchenState": state,
        "stateSince": since, "addedAt": since, "firedAt": fired_at,
    })
}

/// An order of a party, or takeout.
pub fn order(number: u128, party: Option<u128>, stage: &str, lines: &[Value]) -> Arc<Order> {
    let label = party.map(|at| at.to_string()).unwrap_or_default();
    let order: Order = serde_json::from_value(json!({
        "id": OrderId(id(number)), "version": 1, "number": number, "businessDay": "2026-03-01",
        "channel": if party.is_some() { "hall" } else { "takeout" }, "partyId": party.map(id),
        "tableIds": party.map(id).into_iter().collect::<Vec<_>>(), "tableLabel": label,
        "paymentDue": stage == "awaitingPayment", "placedBy": {"kind": "guest", "name": ""},
        "placedAt": number, "checkoutStage": stage, "holdLost": false, "priority": false,
        "note": "", "lines": lines, "total": 9900 * lines.len(), "currency": "KRW",
    }))
    .unwrap();
    Arc::new(order)
}

/// A call for water.
pub fn call(number: u128, party: u128, at: i64) -> Arc<Call> {
    let (table, party) = (TableId(id(party)), PartyId(id(party)));
    Arc::new(Call::request(
        CallId(id(number)),
        table,
        party,
        CallReason::Water,
        Time(at),
    ))
}

/// A zone; its tables are numbered from ten times its own number.
pub fn zone(number: u128) -> Zone {
    Zone {
        id: ZoneId(id(number)),
        version: 1,
        name: LocalText::both("홀", "Hall"),
        sort: number as i64,
    }
}

//! Orders for tests, in the shape they have on the wire.

#![cfg(test)]

use domain::id::{LineId, OrderId, StationId};
use domain::order::Order;
use serde_json::{Value, json};
use uuid::Uuid;

/// The order of that number.
pub fn id(number: u128) -> OrderId {
    OrderId(Uuid::from_u128(number))
}

/// The line of that number.
pub fn line_id(number: u128) -> LineId {
    LineId(Uuid::from_u128(number))
}

/// The station of that number.
pub fn station(number: u128) -> StationId {
    StationId(Uuid::from_u128(number))
}

/// A line: its number, its station's, its state, and when it was fired.
pub fn line(number: u128, of: u128, state: &str, fired_at: i64) -> Value {
    json!({
        "id": line_id(number), "menuId": Uuid::from_u128(100 + number),
        "name": {"ko": "김치찌개", "en": "Kimchi stew"}, "unitPrice": 9900, "quantity": 1,
        "options": [], "note": "", "allergy": "", "stationId": station(of), "amount": 9900,
        "kitchenState": state, "stateSince": fired_at, "addedAt": fired_at, "firedAt": fired_at,
    })
}

/// An order of those lines.
pub fn order(number: u128, lines: &[Value]) -> Order {
    serde_json::from_value(json!({
        "id": id(number), "version": 1, "number": number, "businessDay": "2026-03-01",
        "channel": "qr", "tableIds": [], "tableLabel": "A-3", "paymentDue": true,
        "placedBy": {"kind": "guest", "name": ""}, "placedAt": 0, "checkoutStage": "confirmed",
        "confirmedAt": 0, "holdLost": false, "priority": false, "note": "", "lines": lines,
        "total": 9900, "currency": "KRW",
    }))
    .unwrap()
}

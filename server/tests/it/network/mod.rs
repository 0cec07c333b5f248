//! The network between a screen and the server, at its worst.

mod cable;
mod gateway;
mod leaving;
mod nginx;
pub mod proxy;
mod slow;

use serde_json::json;
use uuid::Uuid;

use crate::screens::Staff;

/// Commits `count` orders at once, each confirmed; their ids.
async fn commit(staff: &Staff, item: Uuid, count: usize) -> Vec<Uuid> {
    let orders = (0..count).map(|_| staff.orders(item, ""));
    futures_util::future::join_all(orders).await
}

/// An order with so many lines, each with a note of 500 characters.
fn large(item: Uuid, lines: usize) -> serde_json::Value {
    let line = json!({ "menuId": item, "quantity": 1, "note": "매".repeat(500) });
    json!({ "channel": "counter", "lines": vec![line; lines] })
}

//! Holds and refunds as managers read them.

use domain::id::OrderId;
use domain::money::Amount;
use domain::stock::Hold;
use domain::time::Time;
use serde::Deserialize;
use uuid::Uuid;

/// The answer to `GET /reservations?status=held`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Reservations {
    /// The latest first, at most 200.
    pub reservations: Vec<Hold>,
}

/// Money that was taken for what was gone.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RefundDue {
    /// Its id.
    pub id: Uuid,
    /// The order that was paid.
    pub order_id: OrderId,
    /// The order's number.
    pub number: u32,
    /// How much.
    pub amount: Amount,
    /// What was gone.
    pub reason: String,
    /// Since when.
    pub created_at: Time,
}

/// The answer to `GET /refunds/due`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Refunds {
    /// The oldest first.
    pub refunds: Vec<RefundDue>,
}

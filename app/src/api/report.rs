//! The business day so far.

use domain::money::{Amount, Currency};
use serde::Deserialize;

/// A number of orders and their total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Sum {
    /// How many.
    pub orders: u32,
    /// What they come to.
    pub total: Amount,
}

/// The answer to `GET /reports/today`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Today {
    /// Of every total.
    pub currency: Currency,
    /// Paid.
    pub sales: Sum,
    /// Not paid yet.
    pub awaiting_payment: Sum,
}

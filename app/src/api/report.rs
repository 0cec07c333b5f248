//! The business day so far.

use std::collections::BTreeMap;

use domain::money::{Amount, Currency};
use domain::order::Tender;
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
    /// Paid, by the tender's name.
    pub by_tender: BTreeMap<String, Sum>,
    /// Not paid yet.
    pub awaiting_payment: Sum,
    /// Rejected.
    pub rejected: Sum,
}

impl Today {
    /// What was paid by `tender`.
    #[must_use]
    pub fn of(&self, tender: Tender) -> Sum {
        self.by_tender
            .get(tender.name())
            .copied()
            .unwrap_or_default()
    }
}

mod tests {
    #![cfg(test)]

    use super::*;

    #[test]
    fn a_tender_that_nobody_used_is_nothing() {
        let today: Today = serde_json::from_str(
            r#"{"businessDay":"2026-03-01","currency":"KRW","sales":{"orders":1,"total":9900},
            "byTender":{"card":{"orders":1,"total":9900}},"awaitingPayment":{"orders":0,"total":0},
            "rejected":{"orders":0,"total":0}}"#,
        )
        .unwrap();
        assert_eq!(today.of(Tender::Card).total, Amount(9_900));
        assert_eq!(today.of(Tender::Cash), Sum::default());
    }
}

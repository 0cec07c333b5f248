//! Today's sales, for the counter.

use std::collections::BTreeMap;

use domain::id::StoreId;
use domain::money::Currency;
use domain::order::CheckoutStage;
use domain::time::BusinessDay;
use serde::Serialize;

use super::Services;
use super::refusal::{Refusal, ServiceError};
use crate::store::order::orders_sales;
use crate::store::refund::{RefundDue, refunds_due};
use crate::store::restaurant::store_find;

/// A number of orders and their total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sum {
    /// How many.
    pub orders: i64,
    /// In minor units.
    pub total: i64,
}

impl Sum {
    fn add(&mut self, orders: i64, total: i64) {
        self.orders += orders;
        self.total += total;
    }
}

/// The business day so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Today {
    /// Which day.
    pub business_day: BusinessDay,
    /// Of every total.
    pub currency: Currency,
    /// Paid.
    pub sales: Sum,
    /// Paid, by tender.
    pub by_tender: BTreeMap<String, Sum>,
    /// Not paid yet.
    pub awaiting_payment: Sum,
    /// Rejected.
    pub rejected: Sum,
}

impl Services {
    /// The sales of the current business day.
    ///
    /// # Errors
    /// The database failed, or there is no such store.
    pub async fn report_today(&self, id: StoreId) -> Result<Today, ServiceError> {
        let mut tx = self.db.read().await?;
        let store = store_find(&mut tx, id).await?;
        let store = store.ok_or_else(|| Refusal::not_found("store"))?;
        let mut today = Today {
            business_day: store.business_day,
            currency: store.currency,
            sales: Sum::default(),
            by_tender: BTreeMap::new(),
            awaiting_payment: Sum::default(),
            rejected: Sum::default(),
        };
        for row in orders_sales(&mut tx, id, store.business_day).await? {
            if row.checkout_stage == CheckoutStage::Confirmed.name() {
                today.sales.add(row.orders, row.total);
                let tender = row.tender.unwrap_or_default();
                today
                    .by_tender
                    .entry(tender)
                    .or_default()
                    .add(row.orders, row.total);
            } else if row.checkout_stage == CheckoutStage::AwaitingPayment.name() {
                today.awaiting_payment.add(row.orders, row.total);
            } else if row.checkout_stage == CheckoutStage::Rejected.name() {
                today.rejected.add(row.orders, row.total);
            }
        }
        Ok(today)
    }

    /// Money taken for what is gone, not given back yet.
    ///
    /// # Errors
    /// The database failed.
    pub async fn refunds_due(&self, store: StoreId) -> Result<Vec<RefundDue>, ServiceError> {
        Ok(refunds_due(&mut self.db.read().await?, store).await?)
    }
}

//! Money taken for what is gone.

use domain::id::{OrderId, StoreId};
use domain::money::Amount;
use domain::time::Time;
use serde::Serialize;
use uuid::Uuid;

use crate::db::{DbError, Tx, params};

/// A refund that is due.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct RefundDue {
    /// Its id.
    pub id: Uuid,
    /// The order that was paid.
    pub order_id: Uuid,
    /// In minor units.
    pub amount: i64,
    /// What is gone.
    pub reason: String,
    /// Since when, epoch ms.
    pub created_at: i64,
}

/// The refunds that are due, oldest first.
///
/// # Errors
/// When the database cannot be reached.
pub async fn refunds_due(tx: &mut Tx, store: StoreId) -> Result<Vec<RefundDue>, DbError> {
    let sql = "select id, order_id, amount, reason, created_at from refund_due \
        where store_id = $1 and settled_at is null order by created_at, id";
    tx.fetch_all::<RefundDue>(sql, params![store]).await
}

/// Money of this order is to be given back; once, until it is settled.
///
/// # Errors
/// When the database cannot be reached.
pub async fn refund_insert(
    tx: &mut Tx,
    store: StoreId,
    order: OrderId,
    amount: Amount,
    reason: &str,
    now: Time,
) -> Result<bool, DbError> {
    let sql = "insert into refund_due (id, store_id, order_id, amount, reason, created_at) \
        values ($1, $2, $3, $4, $5, $6) on conflict (order_id) where settled_at is null do nothing";
    let values = params![Uuid::now_v7(), store, order, amount.0, reason, now];
    Ok(tx.execute(sql, values).await? == 1)
}

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
    /// The order's number.
    pub number: i64,
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
    let sql = "select refund_due.id, order_id, number, amount, reason, created_at from refund_due \
        join orders on orders.id = order_id \
        where refund_due.store_id = $1 and settled_at is null order by created_at, refund_due.id";
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

/// The refund was paid. `None`: there is no such refund; `false`: it was paid before.
///
/// # Errors
/// When the database cannot be reached.
pub async fn refund_settle(
    tx: &mut Tx,
    store: StoreId,
    id: Uuid,
    now: Time,
) -> Result<Option<bool>, DbError> {
    let sql = "update refund_due set settled_at = $3 \
        where store_id = $1 and id = $2 and settled_at is null";
    if tx.execute(sql, params![store, id, now]).await? == 1 {
        return Ok(Some(true));
    }
    let sql = "select id from refund_due where store_id = $1 and id = $2";
    let found = tx
        .fetch_optional::<(Uuid,)>(sql, params![store, id])
        .await?;
    Ok(found.map(|_| false))
}

/// The order was confirmed after all: its money stays.
///
/// # Errors
/// When the database cannot be reached.
pub async fn refund_drop(tx: &mut Tx, order: OrderId, now: Time) -> Result<(), DbError> {
    let sql = "update refund_due set settled_at = $2 where order_id = $1 and settled_at is null";
    tx.execute(sql, params![order, now]).await?;
    Ok(())
}

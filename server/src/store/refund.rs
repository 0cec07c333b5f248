//! Money taken for what is gone.

use domain::id::StoreId;
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

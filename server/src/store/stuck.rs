//! What an operator has to look at: events that are unpublished or dead.

use serde::Serialize;

use crate::db::{DbError, Tx, params};

/// An event that is not on its way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Stuck {
    /// The store's code.
    pub store: String,
    /// The event's number.
    pub seq: i64,
    /// Its type.
    #[sqlx(rename = "type")]
    #[serde(rename = "type")]
    pub kind: String,
    /// When its command committed, epoch ms.
    pub created_at: i64,
    /// It could never be published, and reads as a marker everywhere.
    pub dead: bool,
}

/// Unpublished and dead events, by store and number, at most `limit`.
///
/// # Errors
/// When the database cannot be reached.
pub async fn outbox_stuck(tx: &mut Tx, limit: u32) -> Result<Vec<Stuck>, DbError> {
    let sql = "select store.code as store, outbox.seq, outbox.type, outbox.created_at, outbox.dead \
        from outbox join store on store.id = outbox.store_id \
        where outbox.published_at is null or outbox.dead \
        order by store.code, outbox.seq limit $1";
    tx.fetch_all::<Stuck>(sql, params![limit]).await
}

//! Stream tickets: single use, half a minute, kept as hashes.

use domain::id::{SessionId, StoreId};
use domain::time::Time;
use uuid::Uuid;

use crate::db::{DbError, Tx, params};

/// Keeps the hash of a new ticket until `expires_at`.
///
/// # Errors
/// When the database cannot be reached; a session that is gone is the constraint `foreign_key`.
pub async fn ticket_insert(
    tx: &mut Tx,
    hash: &str,
    store: StoreId,
    session: SessionId,
    expires_at: Time,
) -> Result<(), DbError> {
    let sql = "insert into ticket (ticket_hash, store_id, session_id, expires_at) \
        values ($1, $2, $3, $4)";
    tx.execute(sql, params![hash, store, session, expires_at])
        .await?;
    Ok(())
}

/// Whether there is such a ticket: only then is it worth a write to take it.
///
/// # Errors
/// When the database cannot be reached.
pub async fn ticket_exists(tx: &mut Tx, hash: &str) -> Result<bool, DbError> {
    let sql = "select ticket_hash from ticket where ticket_hash = $1";
    let found = tx.fetch_optional::<()>(sql, params![hash]).await?;
    Ok(found.is_some())
}

/// Takes a ticket of the store for good and answers its session; `None` when there is no
/// such ticket, or it or its session has expired.
///
/// # Errors
/// When the database cannot be reached.
pub async fn ticket_take(
    tx: &mut Tx,
    hash: &str,
    store: StoreId,
    now: Time,
) -> Result<Option<SessionId>, DbError> {
    #[derive(sqlx::FromRow)]
    struct Taken {
        #[sqlx(try_from = "Uuid")]
        session_id: SessionId,
    }
    let sql = "delete from ticket where ticket_hash = $1 and store_id = $2 and expires_at > $3 \
        and session_id in (select id from session where store_id = $2 and expires_at > $3) \
        returning session_id";
    let taken = tx
        .fetch_optional::<Taken>(sql, params![hash, store, now])
        .await?;
    Ok(taken.map(|row| row.session_id))
}

/// Forgets tickets that expired, at most `limit`.
///
/// # Errors
/// When the database cannot be reached.
pub async fn ticket_expire(tx: &mut Tx, now: Time, limit: u32) -> Result<u64, DbError> {
    let sql = "delete from ticket where ticket_hash in \
        (select ticket_hash from ticket where expires_at <= $1 limit $2)";
    tx.execute(sql, params![now, limit]).await
}

/// The sessions of a store that may have streams.
///
/// # Errors
/// When the database cannot be reached.
pub async fn ticket_sessions(
    tx: &mut Tx,
    store: StoreId,
    now: Time,
) -> Result<Vec<SessionId>, DbError> {
    #[derive(sqlx::FromRow)]
    struct Live {
        #[sqlx(try_from = "Uuid")]
        id: SessionId,
    }
    let sql = "select id from session where store_id = $1 and expires_at > $2";
    let live = tx.fetch_all::<Live>(sql, params![store, now]).await?;
    Ok(live.into_iter().map(|row| row.id).collect())
}

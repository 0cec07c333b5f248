//! Sign-ins. The token is kept as its hash only.

use domain::id::{SessionId, StaffId, StoreId};
use domain::time::Time;
use uuid::Uuid;

use super::staff::StoredRole;
use crate::db::{DbError, Tx, params};

/// A session with what requests ask about it.
#[derive(Debug, sqlx::FromRow)]
pub struct SessionRow {
    /// Its id.
    #[sqlx(try_from = "Uuid")]
    pub id: SessionId,
    /// The store it is good for.
    #[sqlx(try_from = "Uuid")]
    pub store_id: StoreId,
    /// The store's code.
    pub store_code: String,
    /// The store's settings, JSON.
    pub store_doc: String,
    /// Who signed in.
    #[sqlx(try_from = "Uuid")]
    pub staff_id: StaffId,
    /// Their name.
    pub name: String,
    /// Their role, as it is at this moment.
    #[sqlx(try_from = "String")]
    pub role: StoredRole,
    /// It is gone after this.
    pub expires_at: i64,
}

/// Keeps a new session.
///
/// # Errors
///
/// When the database cannot be reached.
pub async fn session_insert(
    tx: &mut Tx,
    id: SessionId,
    token_hash: &str,
    (store, staff): (StoreId, StaffId),
    (created_at, expires_at): (Time, Time),
) -> Result<(), DbError> {
    let sql = "insert into session (id, token_hash, store_id, staff_id, created_at, expires_at) \
        values ($1, $2, $3, $4, $5, $6)";
    tx.execute(
        sql,
        params![id, token_hash, store, staff, created_at, expires_at],
    )
    .await?;
    Ok(())
}

/// The session of that token, unless it has expired.
///
/// # Errors
///
/// When the database cannot be reached.
pub async fn session_find(
    tx: &mut Tx,
    token_hash: &str,
    now: Time,
) -> Result<Option<SessionRow>, DbError> {
    let sql = "select session.id, session.store_id, store.code as store_code, \
        store.doc as store_doc, staff_id, staff.name, staff.role, expires_at \
        from session \
        join store on store.id = session.store_id \
        join staff on staff.id = session.staff_id \
        where token_hash = $1 and expires_at > $2";
    tx.fetch_optional(sql, params![token_hash, now]).await
}

/// Lets a session live on until `expires_at`.
///
/// # Errors
///
/// When the database cannot be reached.
pub async fn session_renew(tx: &mut Tx, id: SessionId, expires_at: Time) -> Result<(), DbError> {
    let sql = "update session set expires_at = $2 where id = $1 and expires_at < $2";
    tx.execute(sql, params![id, expires_at]).await?;
    Ok(())
}

/// Ends a session; its tickets go with it.
///
/// # Errors
///
/// When the database cannot be reached.
pub async fn session_delete(tx: &mut Tx, token_hash: &str) -> Result<(), DbError> {
    let sql = "delete from session where token_hash = $1";
    tx.execute(sql, params![token_hash]).await?;
    Ok(())
}

/// Forgets sessions that expired, at most `limit`.
///
/// # Errors
///
/// When the database cannot be reached.
pub async fn session_expire(tx: &mut Tx, now: Time, limit: u32) -> Result<u64, DbError> {
    // Asked again of each row: it may have been renewed since it was chosen.
    let sql = "delete from session where expires_at <= $1 and id in \
        (select id from session where expires_at <= $1 limit $2)";
    tx.execute(sql, params![now, limit]).await
}

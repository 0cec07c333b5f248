//! Batches that wait for a worker. A row is written in the transaction that answers 202 and goes
//! in the one that applies it, so that neither is ever there without the other.

use domain::id::{ReservationId, StoreId};
use domain::time::Time;
use uuid::Uuid;

use crate::db::{DbError, Tx, params};

/// A batch that waits.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct WorkRow {
    /// Of the pending hold.
    #[sqlx(try_from = "Uuid")]
    pub id: ReservationId,
    /// Where.
    #[sqlx(try_from = "Uuid")]
    pub store_id: StoreId,
    /// What was asked for, as JSON.
    pub payload: String,
    /// How often a worker got it.
    pub deliveries: i64,
}

/// Writes a batch.
///
/// # Errors
/// When the database cannot be reached.
pub async fn work_insert(
    tx: &mut Tx,
    store: StoreId,
    rid: ReservationId,
    payload: &str,
    now: Time,
) -> Result<(), DbError> {
    let sql = "insert into work (id, store_id, payload, created_at) values ($1, $2, $3, $4)";
    tx.execute(sql, params![rid, store, payload, now]).await?;
    Ok(())
}

/// Whether there are batches that nobody is at.
///
/// # Errors
/// When the database cannot be reached.
pub async fn work_waits(tx: &mut Tx, now: Time) -> Result<bool, DbError> {
    let sql = "select id from work where leased_until <= $1 limit 1";
    let row = tx.fetch_optional::<(Uuid,)>(sql, params![now]).await?;
    Ok(row.is_some())
}

/// Takes batches that nobody is at, until `until`, oldest first; for the queue.
///
/// # Errors
/// When the database cannot be reached.
pub async fn work_lease(
    tx: &mut Tx,
    now: Time,
    until: Time,
    limit: u32,
) -> Result<Vec<ReservationId>, DbError> {
    #[derive(sqlx::FromRow)]
    struct Leased {
        id: Uuid,
    }
    let sql = "update work set leased_until = $2 where id in \
        (select id from work where leased_until <= $1 order by created_at, id limit $3) \
        returning id";
    let rows = tx
        .fetch_all::<Leased>(sql, params![now, until, limit])
        .await?;
    Ok(rows.into_iter().map(|row| ReservationId(row.id)).collect())
}

/// One more delivery of a batch; `None`: it was applied.
///
/// # Errors
/// When the database cannot be reached.
pub async fn work_deliver(
    tx: &mut Tx,
    id: ReservationId,
    until: Time,
) -> Result<Option<WorkRow>, DbError> {
    let sql = "update work set deliveries = deliveries + 1, leased_until = $2 where id = $1 \
        returning id, store_id, payload, deliveries";
    tx.fetch_optional::<WorkRow>(sql, params![id, until]).await
}

/// A delivery failed for want of infrastructure: it is due again at `due`.
///
/// # Errors
/// When the database cannot be reached.
pub async fn work_failed(
    tx: &mut Tx,
    id: ReservationId,
    error: &str,
    due: Time,
) -> Result<(), DbError> {
    let sql = "update work set last_error = $2, leased_until = $3 where id = $1";
    tx.execute(sql, params![id, error, due]).await?;
    Ok(())
}

/// It was applied, or is not wanted any more.
///
/// # Errors
/// When the database cannot be reached.
pub async fn work_done(tx: &mut Tx, id: ReservationId) -> Result<(), DbError> {
    let sql = "delete from work where id = $1";
    tx.execute(sql, params![id]).await?;
    Ok(())
}

/// Nobody could apply it: it is laid aside for an operator.
///
/// # Errors
/// When the database cannot be reached.
pub async fn work_bury(
    tx: &mut Tx,
    id: ReservationId,
    error: &str,
    now: Time,
) -> Result<(), DbError> {
    let sql = "insert into dead_letter \
        (id, store_id, payload, deliveries, last_error, created_at, died_at) \
        select id, store_id, payload, deliveries, $2, created_at, $3 from work where id = $1";
    tx.execute(sql, params![id, error, now]).await?;
    work_done(tx, id).await
}

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

/// A batch for the queue, at which nobody is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Leased {
    /// Of the pending hold.
    #[sqlx(try_from = "Uuid")]
    pub id: ReservationId,
    /// How often a worker got it so far: what is put on the queue is good for the next time alone.
    pub deliveries: i64,
}

/// Takes batches that nobody is at, until `until`, oldest first; for the queue. Each is one relay's,
/// however many look at once.
///
/// # Errors
/// When the database cannot be reached.
pub async fn work_lease(
    tx: &mut Tx,
    now: Time,
    until: Time,
    limit: u32,
) -> Result<Vec<Leased>, DbError> {
    let sql = match tx {
        Tx::Sqlite(_) => {
            "update work set leased_until = $2 where leased_until <= $1 and id in \
                (select id from work where leased_until <= $1 order by created_at, id limit $3) \
            returning id, deliveries"
        }
        Tx::Postgres(_) => {
            "update work set leased_until = $2 where leased_until <= $1 and id = any(array \
                (select id from work where leased_until <= $1 order by created_at, id limit $3 \
                for update skip locked)) \
            returning id, deliveries"
        }
    };
    tx.fetch_all::<Leased>(sql, params![now, until, limit])
        .await
}

/// The queue did not take it: it is due at once, unless a worker got it all the same.
///
/// # Errors
/// When the database cannot be reached.
pub async fn work_release(tx: &mut Tx, batch: Leased, now: Time) -> Result<(), DbError> {
    let sql = "update work set leased_until = $3 where id = $1 and deliveries = $2";
    let values = params![batch.id, batch.deliveries, now];
    tx.execute(sql, values).await?;
    Ok(())
}

/// One more delivery of a batch, which is the worker's until `until`. `None`: it was applied, or
/// this is a repetition, and the batch is another worker's or waits for its next time.
///
/// # Errors
/// When the database cannot be reached.
pub async fn work_deliver(
    tx: &mut Tx,
    batch: Leased,
    now: Time,
    until: Time,
) -> Result<Option<WorkRow>, DbError> {
    let sql = "update work set deliveries = deliveries + 1, leased_until = $4 \
        where id = $1 and (deliveries = $2 or leased_until <= $3) \
        returning id, store_id, payload, deliveries";
    let values = params![batch.id, batch.deliveries, now, until];
    tx.fetch_optional::<WorkRow>(sql, values).await
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

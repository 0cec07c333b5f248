//! The store's event numbers: one row per store hands them out.

use domain::id::StoreId;
use domain::stream::{Epoch, EventId};

use crate::db::{DbError, Tx, params};

#[derive(sqlx::FromRow)]
struct Head {
    #[sqlx(try_from = "i64")]
    epoch: u32,
    #[sqlx(try_from = "i64")]
    seq: u64,
}

impl From<Head> for EventId {
    fn from(head: Head) -> Self {
        Self {
            epoch: Epoch(head.epoch),
            seq: head.seq,
        }
    }
}

/// The id of the last committed event of the store, as this transaction sees it.
///
/// `None` for a store that does not exist.
///
/// # Errors
/// When the database cannot be reached or holds what cannot be read.
pub async fn stream_head(tx: &mut Tx, store: StoreId) -> Result<Option<EventId>, DbError> {
    let sql = "select epoch, seq from store_stream where store_id = $1";
    let head = tx.fetch_optional::<Head>(sql, params![store]).await?;
    Ok(head.map(EventId::from))
}

/// Takes the store's turn to write: until this transaction ends, no other one of this store reads
/// what it is about to change. SQLite's one writer has it already.
///
/// Call it before anything is read. It is the row that [`stream_take`] locks as the last one: held
/// from the start it makes commands of a store follow each other, and is still the only lock that
/// they wait for, so that none of them can wait for another in a circle and the order of numbers
/// stays the order of commits (realtime, section 1). A store commits far less often than a disk
/// syncs; commands of different stores do not meet.
///
/// # Errors
/// When the database cannot be reached, or the turn does not come in time.
pub async fn stream_lock(tx: &mut Tx, store: StoreId) -> Result<(), DbError> {
    match tx {
        Tx::Sqlite(_) => Ok(()),
        Tx::Postgres(_) => {
            let sql = "select seq from store_stream where store_id = $1 for update";
            tx.execute(sql, params![store]).await.map(drop)
        }
    }
}

/// Takes `count` event numbers and answers the first of them. Numbers are dense: a
/// transaction that rolls back gives them back.
///
/// Call it last: the row's lock lasts until commit, which makes the order of numbers the order of
/// commits.
///
/// # Errors
/// As [`stream_head`]; a store that does not exist is [`DbError::Decode`].
pub async fn stream_take(tx: &mut Tx, store: StoreId, count: u64) -> Result<EventId, DbError> {
    let sql = "update store_stream set seq = seq + $2 where store_id = $1 returning epoch, seq";
    let head = tx
        .fetch_optional::<Head>(sql, params![store, count])
        .await?;
    let last = EventId::from(head.ok_or(sqlx::Error::RowNotFound)?);
    Ok(EventId {
        seq: last.seq + 1 - count,
        ..last
    })
}

/// Every store that has event numbers.
///
/// # Errors
/// As [`stream_head`].
pub async fn stream_stores(tx: &mut Tx) -> Result<Vec<StoreId>, DbError> {
    #[derive(sqlx::FromRow)]
    struct Stream {
        #[sqlx(try_from = "uuid::Uuid")]
        store_id: StoreId,
    }
    let rows = tx
        .fetch_all::<Stream>("select store_id from store_stream", params![])
        .await?;
    Ok(rows.into_iter().map(|row| row.store_id).collect())
}

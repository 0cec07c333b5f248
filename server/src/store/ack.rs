//! What each kitchen screen has applied.

use domain::event::Acknowledged;
use domain::id::{StationId, StoreId};
use domain::stream::EventId;
use domain::time::Time;
use uuid::Uuid;

use crate::db::{DbError, Tx, params};

/// Rows of a store that are read at most: one a kitchen screen.
const SCREENS: u32 = 50;

#[derive(sqlx::FromRow)]
struct Stored {
    connection_id: String,
    station_id: Option<Uuid>,
    applied: String,
}

impl From<Stored> for Acknowledged {
    fn from(row: Stored) -> Self {
        Self {
            connection_id: row.connection_id,
            station_id: row.station_id.map(StationId),
            // What is no event id says nothing about what was applied.
            applied: row.applied.parse().unwrap_or(EventId::NONE),
        }
    }
}

/// Notes that a kitchen screen is there. What it has applied stays as it was.
///
/// # Errors
/// When the database cannot be reached.
pub async fn ack_open(
    tx: &mut Tx,
    store: StoreId,
    connection_id: &str,
    station: Option<StationId>,
    now: Time,
) -> Result<(), DbError> {
    let sql = "insert into screen_ack (store_id, connection_id, station_id, applied, seen_at) \
        values ($1, $2, $3, $4, $5) on conflict (store_id, connection_id) \
        do update set station_id = excluded.station_id, seen_at = excluded.seen_at";
    let station = station.map(|station| station.0);
    let nothing = EventId::NONE.to_string();
    tx.execute(sql, params![store, connection_id, station, nothing, now])
        .await?;
    Ok(())
}

/// What a screen has applied so far; `None` for one that shows no kitchen.
///
/// # Errors
/// When the database cannot be reached.
pub async fn ack_find(
    tx: &mut Tx,
    store: StoreId,
    connection_id: &str,
) -> Result<Option<Acknowledged>, DbError> {
    let sql = "select connection_id, station_id, applied from screen_ack \
        where store_id = $1 and connection_id = $2";
    let row = tx
        .fetch_optional::<Stored>(sql, params![store, connection_id])
        .await?;
    Ok(row.map(Acknowledged::from))
}

/// Notes what a screen has applied, if it still is noted as `before`: the caller has seen that it
/// does not go back. `false`: another report came first.
///
/// # Errors
/// When the database cannot be reached.
pub async fn ack_save(
    tx: &mut Tx,
    store: StoreId,
    connection_id: &str,
    (before, applied): (EventId, EventId),
    now: Time,
) -> Result<bool, DbError> {
    let sql = "update screen_ack set applied = $4, seen_at = $5 \
        where store_id = $1 and connection_id = $2 and applied = $3";
    let (before, applied) = (before.to_string(), applied.to_string());
    let values = params![store, connection_id, before, applied, now];
    Ok(tx.execute(sql, values).await? == 1)
}

/// Notes that these screens are still there: in one order, so that two nodes that note the same
/// ones do not wait for each other.
///
/// # Errors
/// When the database cannot be reached.
pub async fn ack_touch(
    tx: &mut Tx,
    store: StoreId,
    connection_ids: &[String],
    now: Time,
) -> Result<(), DbError> {
    let sql = "update screen_ack set seen_at = $3 where store_id = $1 and connection_id = $2";
    let mut connection_ids: Vec<&String> = connection_ids.iter().collect();
    connection_ids.sort();
    for connection_id in connection_ids {
        tx.execute(sql, params![store, connection_id, now]).await?;
    }
    Ok(())
}

/// The kitchen screens of a store that were there since `since`, the latest first.
///
/// # Errors
/// When the database cannot be reached.
pub async fn ack_list(
    tx: &mut Tx,
    store: StoreId,
    since: Time,
) -> Result<Vec<Acknowledged>, DbError> {
    let sql = "select connection_id, station_id, applied from screen_ack \
        where store_id = $1 and seen_at >= $2 order by seen_at desc, connection_id limit $3";
    let rows = tx
        .fetch_all::<Stored>(sql, params![store, since, SCREENS])
        .await?;
    Ok(rows.into_iter().map(Acknowledged::from).collect())
}

/// Forgets screens that were last there before `before`, at most `limit`.
///
/// # Errors
/// When the database cannot be reached.
pub async fn ack_expire(tx: &mut Tx, before: Time, limit: u32) -> Result<u64, DbError> {
    // Asked again of each row: it may have been seen since it was chosen.
    let sql = "delete from screen_ack where seen_at < $1 and (store_id, connection_id) in \
        (select store_id, connection_id from screen_ack where seen_at < $1 limit $2)";
    tx.execute(sql, params![before, limit]).await
}

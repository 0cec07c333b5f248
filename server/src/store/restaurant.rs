//! The store itself: settings, business day, the day's counter of orders.

use domain::id::StoreId;
use domain::settings::Store;
use domain::stream::Epoch;
use domain::time::{BusinessDay, Time};

use super::doc::{Doc, write};
use crate::db::{DbError, Tx, params};

/// Opens a store with its stream.
///
/// # Errors
/// When the database cannot be reached; a code that another store has is the constraint
/// `store_code_key`.
pub async fn store_insert(tx: &mut Tx, store: &Store, epoch: Epoch) -> Result<(), DbError> {
    let sql = "insert into store (id, code, version, doc, business_day, next_cut_at) \
        values ($1, $2, $3, $4, $5, $6)";
    let values = params![
        store.id,
        store.code.as_str(),
        store.version,
        write(store)?,
        store.business_day,
        store.next_cut_at,
    ];
    tx.execute(sql, values).await?;
    let sql = "insert into store_stream (store_id, epoch, seq) values ($1, $2, 0)";
    tx.execute(sql, params![store.id, epoch.0]).await?;
    Ok(())
}

/// The store.
///
/// # Errors
/// When the database cannot be reached.
pub async fn store_find(tx: &mut Tx, id: StoreId) -> Result<Option<Store>, DbError> {
    let row = store_doc(tx, id).await?;
    row.map(|doc| Doc { doc }.read()).transpose()
}

/// The store of that code.
///
/// # Errors
/// When the database cannot be reached.
pub async fn store_by_code(tx: &mut Tx, code: &str) -> Result<Option<Store>, DbError> {
    let sql = "select doc from store where code = $1";
    let row = tx.fetch_optional::<Doc>(sql, params![code]).await?;
    row.map(|row| row.read()).transpose()
}

/// The store's document, unread.
///
/// # Errors
/// When the database cannot be reached.
pub async fn store_doc(tx: &mut Tx, id: StoreId) -> Result<Option<String>, DbError> {
    let sql = "select doc from store where id = $1";
    Ok(tx
        .fetch_optional::<Doc>(sql, params![id])
        .await?
        .map(|row| row.doc))
}

/// Whether there is any store.
///
/// # Errors
/// When the database cannot be reached.
pub async fn store_exists(tx: &mut Tx) -> Result<bool, DbError> {
    let sql = "select doc from store limit 1";
    Ok(tx.fetch_optional::<Doc>(sql, params![]).await?.is_some())
}

/// The stores whose business day has ended at `now`.
///
/// # Errors
/// When the database cannot be reached.
pub async fn stores_to_cut(tx: &mut Tx, now: Time) -> Result<Vec<StoreId>, DbError> {
    #[derive(sqlx::FromRow)]
    struct Due {
        #[sqlx(try_from = "uuid::Uuid")]
        id: StoreId,
    }
    let sql = "select id from store where next_cut_at <= $1";
    let rows = tx.fetch_all::<Due>(sql, params![now]).await?;
    Ok(rows.into_iter().map(|row| row.id).collect())
}

/// Begins the business day that `store` names, if its day is still `old`: numbers restart.
///
/// # Errors
/// When the database cannot be reached.
pub async fn store_cut(tx: &mut Tx, store: &Store, old: BusinessDay) -> Result<bool, DbError> {
    let sql = "update store set business_day = $3, next_cut_at = $4, next_number = 1, \
        version = $5, doc = $6 where id = $1 and business_day = $2";
    let values = params![
        store.id,
        old,
        store.business_day,
        store.next_cut_at,
        store.version,
        write(store)?,
    ];
    Ok(tx.execute(sql, values).await? == 1)
}

/// Takes the next order number of the business day.
///
/// # Errors
/// When the database cannot be reached.
pub async fn number_take(tx: &mut Tx, store: StoreId) -> Result<u32, DbError> {
    #[derive(sqlx::FromRow)]
    struct Next {
        #[sqlx(try_from = "i64")]
        next_number: u32,
    }
    let sql = "update store set next_number = next_number + 1 where id = $1 returning next_number";
    let row = tx.fetch_optional::<Next>(sql, params![store]).await?;
    let next = row.ok_or(DbError::Decode(sqlx::Error::RowNotFound))?;
    Ok(next.next_number - 1)
}

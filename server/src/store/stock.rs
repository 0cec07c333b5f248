//! Stock rows. Their counters change by guarded updates whose row count decides, never by
//! reading and then writing.

use domain::id::{StockId, StoreId};
use domain::stock::Stock;

use super::doc::{Doc, write};
use crate::db::{DbError, Tx, params};

/// What one transition changes about one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shift {
    /// Which row.
    pub stock_id: StockId,
    /// Added to what is there.
    pub on_hand: i64,
    /// Added to what is held.
    pub held: i64,
    /// Rows of the ledger that tell it.
    pub moves: i64,
}

/// A row as it stands.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct StockRow {
    /// +1 with every transaction that changed a count.
    #[sqlx(try_from = "i64")]
    pub version: u64,
    /// Physically there.
    pub on_hand: i64,
    /// Promised to open holds.
    pub held: i64,
    /// Taken off sale.
    pub blocked: bool,
    /// Taken off the books.
    pub deleted_at: Option<i64>,
    doc: String,
}

impl StockRow {
    /// The entity, with the counters of the columns.
    ///
    /// # Errors
    /// The document is not what this build writes.
    pub fn entity(&self) -> Result<Stock, DbError> {
        let stock: Stock = Doc {
            doc: self.doc.clone(),
        }
        .read()?;
        Ok(stock.counted(self.version, self.on_hand, self.held))
    }

    /// Whether it can be sold at all.
    #[must_use]
    pub fn is_sold(&self) -> bool {
        !self.blocked && self.deleted_at.is_none()
    }
}

/// Moves the counters as `sql` allows; answers how many moves the ledger of the row then has.
async fn shifted(
    tx: &mut Tx,
    sql: &'static str,
    store: StoreId,
    shift: &Shift,
) -> Result<Option<i64>, DbError> {
    let values = params![
        shift.stock_id,
        store,
        shift.on_hand,
        shift.held,
        shift.moves
    ];
    let row = tx.fetch_optional::<(i64,)>(sql, values).await?;
    Ok(row.map(|(moves,)| moves))
}

/// Writes a new row. Its counts come from the ledger's first entry alone: it begins with none.
///
/// # Errors
/// When the database cannot be reached, or has the row.
pub async fn stock_insert(tx: &mut Tx, store: StoreId, stock: &Stock) -> Result<(), DbError> {
    let sql = "insert into stock (id, store_id, version, on_hand, held, doc) \
        values ($1, $2, $3, 0, 0, $4)";
    let none = stock.clone().counted(stock.version, 0, 0);
    tx.execute(sql, params![stock.id, store, stock.version, write(&none)?])
        .await?;
    Ok(())
}

/// Takes units that nobody holds; `None`: the row is short, off sale, or not this store's.
/// Answers how many moves the ledger of the row then has.
///
/// # Errors
/// When the database cannot be reached.
pub async fn stock_take(
    tx: &mut Tx,
    store: StoreId,
    shift: &Shift,
) -> Result<Option<i64>, DbError> {
    let sql = "update stock set on_hand = on_hand + $3, held = held + $4, moves = moves + $5 \
        where id = $1 and store_id = $2 and on_hand + $3 >= held + $4 \
        and not blocked and deleted_at is null returning moves";
    shifted(tx, sql, store, shift).await
}

/// Gives units back, or turns held ones into sold ones: it takes none that are free.
///
/// # Errors
/// When the database cannot be reached; below zero is the constraint `stock_never_negative`.
pub async fn stock_give(
    tx: &mut Tx,
    store: StoreId,
    shift: &Shift,
) -> Result<Option<i64>, DbError> {
    let sql = "update stock set on_hand = on_hand + $3, held = held + $4, moves = moves + $5 \
        where id = $1 and store_id = $2 returning moves";
    shifted(tx, sql, store, shift).await
}

/// Counts anew: `delta` more or fewer are there. `None`: fewer than are held would be left, or the
/// row is of another version than `expected`.
///
/// # Errors
/// When the database cannot be reached.
pub async fn stock_adjust(
    tx: &mut Tx,
    store: StoreId,
    id: StockId,
    delta: i64,
    expected: Option<u64>,
) -> Result<Option<i64>, DbError> {
    let sql = "update stock set on_hand = on_hand + $3, moves = moves + 1 \
        where id = $1 and store_id = $2 and on_hand + $3 >= held and deleted_at is null \
        and version = coalesce($4, version) returning moves";
    let row = tx.fetch_optional::<(i64,)>(sql, params![id, store, delta, expected]);
    Ok(row.await?.map(|(moves,)| moves))
}

/// The row, if this store has it.
///
/// # Errors
/// When the database cannot be reached.
pub async fn stock_find(
    tx: &mut Tx,
    store: StoreId,
    id: StockId,
) -> Result<Option<StockRow>, DbError> {
    let sql = "select version, on_hand, held, blocked, deleted_at, doc from stock \
        where store_id = $1 and id = $2";
    tx.fetch_optional::<StockRow>(sql, params![store, id]).await
}

/// Writes the document of a row whose counters changed in this transaction, one version on.
///
/// # Errors
/// When the database cannot be reached, or has no such row.
pub async fn stock_settle(tx: &mut Tx, store: StoreId, id: StockId) -> Result<String, DbError> {
    let found = stock_find(tx, store, id).await?;
    let found = found.ok_or(DbError::Decode(sqlx::Error::RowNotFound))?;
    let stock = found.entity()?;
    let stock = stock.counted(found.version + 1, found.on_hand, found.held);
    let doc = write(&stock)?;
    let sql = "update stock set version = $3, doc = $4 where id = $1 and store_id = $2";
    tx.execute(sql, params![id, store, stock.version, doc.as_str()])
        .await?;
    Ok(doc)
}

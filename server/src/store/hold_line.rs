//! The lines of holds: which units of which row each of them has.

use domain::id::{ReservationId, StockId};
use domain::stock::{HoldRow, HoldStatus, Stock};
use uuid::Uuid;

use super::doc::Doc;
use crate::db::{DbError, Tx, params};

/// The units of one row that one line has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Portion {
    /// Of which hold.
    #[sqlx(try_from = "Uuid")]
    pub rid: ReservationId,
    /// The order's line, or the cart's.
    pub line: Uuid,
    /// Which row.
    #[sqlx(try_from = "Uuid")]
    pub stock_id: StockId,
    /// The line's place in the request.
    pub place: i64,
    /// Units.
    pub quantity: i64,
}

/// How far a line's units are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineStatus {
    /// Nobody else's.
    Held,
    /// Sold.
    Confirmed,
    /// Given back.
    Released,
    /// Past their time.
    Expired,
    /// With another line or hold.
    Moved,
    /// Sold and back.
    Restocked,
}

impl LineStatus {
    /// As written in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Confirmed => "confirmed",
            Self::Released => "released",
            Self::Expired => "expired",
            Self::Moved => "moved",
            Self::Restocked => "restocked",
        }
    }

    /// Of the lines of a hold of that status, as it is shown.
    #[must_use]
    pub fn of_hold(status: HoldStatus) -> Self {
        match status {
            HoldStatus::Pending | HoldStatus::Held => Self::Held,
            HoldStatus::Confirmed => Self::Confirmed,
            HoldStatus::Released | HoldStatus::Rejected => Self::Released,
            HoldStatus::Expired => Self::Expired,
        }
    }
}

/// Writes portions, all in that status.
///
/// # Errors
/// When the database cannot be reached, or has one of them.
pub async fn portions_insert(
    tx: &mut Tx,
    portions: &[Portion],
    status: LineStatus,
) -> Result<(), DbError> {
    let into = "insert into hold_line (rid, line, stock_id, place, quantity, status)";
    let values = |portion: &Portion| {
        params![
            portion.rid,
            portion.line,
            portion.stock_id,
            portion.place,
            portion.quantity,
            status.name(),
        ]
    };
    let rows: Vec<_> = portions.iter().map(values).collect();
    tx.insert(into, &rows).await
}

/// The portions of a hold in that status.
///
/// # Errors
/// When the database cannot be reached.
pub async fn portions_of_hold(
    tx: &mut Tx,
    rid: ReservationId,
    status: LineStatus,
) -> Result<Vec<Portion>, DbError> {
    let sql = "select rid, line, stock_id, place, quantity from hold_line \
        where rid = $1 and status = $2 order by place, stock_id";
    tx.fetch_all::<Portion>(sql, params![rid, status.name()])
        .await
}

/// Every portion of a hold, whatever became of it.
///
/// # Errors
/// When the database cannot be reached.
pub async fn portions_ever(tx: &mut Tx, rid: ReservationId) -> Result<Vec<Portion>, DbError> {
    let sql = "select rid, line, stock_id, place, quantity from hold_line \
        where rid = $1 order by place, stock_id";
    tx.fetch_all::<Portion>(sql, params![rid]).await
}

/// The portions of an order's line in that status, whichever hold they are in.
///
/// # Errors
/// When the database cannot be reached.
pub async fn portions_of_line(
    tx: &mut Tx,
    line: Uuid,
    status: LineStatus,
) -> Result<Vec<Portion>, DbError> {
    let sql = "select rid, line, stock_id, place, quantity from hold_line \
        where line = $1 and status = $2 order by stock_id";
    tx.fetch_all::<Portion>(sql, params![line, status.name()])
        .await
}

/// The portions of a hold go from one status to another.
///
/// # Errors
/// When the database cannot be reached.
pub async fn portions_turn(
    tx: &mut Tx,
    rid: ReservationId,
    from: LineStatus,
    to: LineStatus,
) -> Result<u64, DbError> {
    let sql = "update hold_line set status = $3 where rid = $1 and status = $2";
    tx.execute(sql, params![rid, from.name(), to.name()]).await
}

/// One portion goes from one status to another.
///
/// # Errors
/// When the database cannot be reached.
pub async fn portion_turn(
    tx: &mut Tx,
    portion: &Portion,
    from: LineStatus,
    to: LineStatus,
) -> Result<bool, DbError> {
    let sql = "update hold_line set status = $5 \
        where rid = $1 and line = $2 and stock_id = $3 and status = $4";
    let values = params![
        portion.rid,
        portion.line,
        portion.stock_id,
        from.name(),
        to.name(),
    ];
    Ok(tx.execute(sql, values).await? == 1)
}

/// So many units of the portion go to another line.
///
/// # Errors
/// When the database cannot be reached.
pub async fn portion_part(tx: &mut Tx, portion: &Portion, units: i64) -> Result<bool, DbError> {
    let sql = "update hold_line set quantity = quantity - $4 \
        where rid = $1 and line = $2 and stock_id = $3 and quantity > $4";
    let values = params![portion.rid, portion.line, portion.stock_id, units];
    Ok(tx.execute(sql, values).await? == 1)
}

/// What a hold has in that status, by stock row, ascending.
///
/// # Errors
/// When the database cannot be reached.
pub async fn hold_rows(
    tx: &mut Tx,
    rid: ReservationId,
    status: LineStatus,
) -> Result<Vec<HoldRow>, DbError> {
    #[derive(sqlx::FromRow)]
    struct Line {
        #[sqlx(try_from = "i64")]
        place: usize,
        #[sqlx(try_from = "i64")]
        quantity: u32,
        doc: String,
    }
    let sql = "select hold_line.place, hold_line.quantity, stock.doc from hold_line \
        join stock on stock.id = hold_line.stock_id \
        where hold_line.rid = $1 and hold_line.status = $2 \
        order by hold_line.stock_id, hold_line.place";
    let lines = tx
        .fetch_all::<Line>(sql, params![rid, status.name()])
        .await?;
    let mut rows: Vec<HoldRow> = Vec::new();
    for line in lines {
        let stock: Stock = Doc { doc: line.doc }.read()?;
        match rows.last_mut().filter(|row| row.stock_id == stock.id) {
            Some(row) => {
                row.quantity = row.quantity.saturating_add(line.quantity);
                if row.from.last() != Some(&line.place) {
                    row.from.push(line.place);
                }
            }
            None => rows.push(HoldRow {
                stock_id: stock.id,
                name: stock.name,
                quantity: line.quantity,
                from: vec![line.place],
            }),
        }
    }
    Ok(rows)
}

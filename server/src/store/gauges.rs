//! How many holds there are, for operators.

use domain::time::Time;

use crate::db::{DbError, Tx, params};

/// The gauges of holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct Gauges {
    /// Open holds.
    pub open: i64,
    /// Open holds that a cart finds by content.
    pub signatures: i64,
    /// Their lines that hold units.
    pub lines: i64,
    /// Units held.
    pub units: i64,
    /// Open holds past their time.
    pub overdue: i64,
    /// How long the oldest of them is, in ms.
    pub oldest_overdue_ms: i64,
    /// Batches that wait for a worker.
    pub pending: i64,
    /// Batches that no worker could apply.
    pub dead: i64,
}

/// How things stand, over all stores.
///
/// # Errors
/// When the database cannot be reached.
pub async fn hold_gauges(tx: &mut Tx, now: Time) -> Result<Gauges, DbError> {
    let sql = "select \
        (select count(*) from hold where status = 'held') as open, \
        (select count(*) from hold where status in ('pending', 'held') \
            and signature is not null) as signatures, \
        (select count(*) from hold_line where status = 'held') as lines, \
        cast(coalesce((select sum(quantity) from hold_line where status = 'held'), 0) as bigint) \
            as units, \
        (select count(*) from hold where status in ('pending', 'held') and expires_at <= $1) \
            as overdue, \
        coalesce((select $1 - min(expires_at) from hold where status in ('pending', 'held') \
            and expires_at <= $1), 0) as oldest_overdue_ms, \
        (select count(*) from work) as pending, \
        (select count(*) from dead_letter) as dead";
    let row = tx.fetch_optional::<Gauges>(sql, params![now]).await?;
    Ok(row.unwrap_or_default())
}

//! What time it is for holds: one clock judges when each of them ends, however many nodes there are.

use domain::time::Time;

use crate::clock::Clock;
use crate::db::{DbError, Tx, params};

/// The time as of now: on PostgreSQL the database's, whose nodes may differ; on SQLite that of the one
/// process that has the file. A test's clock is always the test's.
///
/// # Errors
/// When the database cannot be reached.
pub async fn time_of(tx: &mut Tx, clock: &Clock) -> Result<Time, DbError> {
    match (tx, clock) {
        (Tx::Sqlite(_), _) | (Tx::Postgres(_), Clock::Manual(_)) => Ok(clock.now()),
        (tx @ Tx::Postgres(_), Clock::System) => database_time(tx).await,
    }
}

async fn database_time(tx: &mut Tx) -> Result<Time, DbError> {
    let sql = "select cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)";
    let row = tx.fetch_optional::<(i64,)>(sql, params![]).await?;
    let (ms,) = row.ok_or(DbError::Decode(sqlx::Error::RowNotFound))?;
    Ok(Time(ms))
}

//! The clock that all nodes over one database have in common: the database's.

use domain::time::Time;

use crate::db::{DbError, Tx, params};

/// What the database's clock shows at this moment, not when the transaction began. A SQLite file
/// has none: it lies beside its only process, whose clock is the one.
///
/// # Errors
/// When the database cannot be reached.
pub async fn clock_read(tx: &mut Tx) -> Result<Option<Time>, DbError> {
    match tx {
        Tx::Sqlite(_) => Ok(None),
        Tx::Postgres(_) => {
            let sql = "select (extract(epoch from clock_timestamp()) * 1000)::bigint";
            let shown = tx.fetch_optional::<(i64,)>(sql, params![]).await?;
            Ok(shown.map(|(ms,)| Time(ms)))
        }
    }
}

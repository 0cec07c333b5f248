//! What time it is for holds: one clock judges when each of them ends, however many nodes there are.

use domain::time::Time;

use crate::clock::Clock;
use crate::db::{DbError, Tx};

/// The time as of now. On SQLite the one process that has the file keeps it.
///
/// # Errors
/// When the database cannot be reached.
pub async fn time_of(tx: &mut Tx, clock: &Clock) -> Result<Time, DbError> {
    match tx {
        Tx::Sqlite(_) => Ok(clock.now()),
    }
}

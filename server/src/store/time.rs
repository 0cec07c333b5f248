//! What time it is for holds: one clock judges when each of them ends, however many nodes there are.

use domain::time::Time;

use super::clock::clock_read;
use crate::clock::Clock;
use crate::db::{DbError, Tx};

/// The time as of now: the database's where nodes share one, else that of the one process. A test's
/// clock is always the test's.
///
/// # Errors
/// When the database cannot be reached.
pub async fn time_of(tx: &mut Tx, clock: &Clock) -> Result<Time, DbError> {
    match clock {
        Clock::Manual(_) => Ok(clock.now()),
        Clock::System | Clock::Corrected(_) => {
            let shared = clock_read(tx).await?;
            Ok(shared.unwrap_or_else(|| clock.now()))
        }
    }
}

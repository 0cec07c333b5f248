//! Nodes that share a database go by its clock: a ticket of one is taken by another, and a
//! machine whose clock is minutes off neither refuses it nor keeps it too long.
//!
//! Everything that asks for the time asks one [`Clock`], so that is the one place to correct:
//! tickets, sessions, remembered answers, blocked PINs, business days, the time of events.

use std::time::{Duration, Instant};

use metrics::gauge;

use crate::clock::Clock;
use crate::db::{Db, DbError};
use crate::store::clock::clock_read;

/// How often it is looked at the database's clock.
const LOOK: Duration = Duration::from_secs(10);
/// An answer that took longer is not known to be of this moment.
const PROMPT: Duration = Duration::from_millis(500);
/// How often it is asked again at the start for a prompt answer.
const TRIES: usize = 5;

/// What came of a look at the database's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    /// It has none.
    NoClock,
    /// The answer took too long to correct anything by.
    Late,
    /// The clock is right.
    Right,
}

/// The clock to go by: the machine's, corrected by the database's. A test's is left as it is.
///
/// # Errors
/// When the database cannot be reached.
pub async fn begin(db: &Db, clock: Clock) -> Result<Clock, DbError> {
    let clock = match clock {
        Clock::System => Clock::corrected(),
        Clock::Corrected(_) | Clock::Manual(_) => clock,
    };
    for _ in 0..TRIES {
        match look(db, &clock).await? {
            Look::Late => {}
            Look::NoClock | Look::Right => break,
        }
    }
    Ok(clock)
}

/// Keeps the clock right until there is nothing to keep it by. While the database is away it goes
/// on as it was.
pub async fn keep(db: Db, clock: Clock) {
    loop {
        match look(&db, &clock).await {
            Ok(Look::NoClock) => return,
            Ok(Look::Late | Look::Right) => {}
            Err(error) => {
                let cause: &dyn std::error::Error = &error;
                tracing::debug!(error = cause, "the database's clock cannot be read");
            }
        }
        tokio::time::sleep(LOOK).await;
    }
}

async fn look(db: &Db, clock: &Clock) -> Result<Look, DbError> {
    let mut tx = db.read().await?;
    let asked = Instant::now();
    let Some(shown) = clock_read(&mut tx).await? else {
        return Ok(Look::NoClock);
    };
    let took = asked.elapsed();
    if took > PROMPT {
        return Ok(Look::Late);
    }
    // It was read half-way there and back.
    let since = i64::try_from(took.as_millis() / 2).unwrap_or_default();
    let offset = clock.correct(shown.plus(since));
    gauge!("clock_offset_seconds").set(offset as f64 / 1000.0);
    Ok(Look::Right)
}

//! What time it is: the one place that asks.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use domain::time::Time;

/// A clock; clones show the same time.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The machine's.
    System,
    /// A test's, which stands still until it is told.
    Manual(Arc<AtomicI64>),
}

impl Clock {
    /// The machine's clock.
    #[must_use]
    pub fn system() -> Self {
        Self::System
    }

    /// A clock that stands at `start` until [`Clock::advance`].
    #[must_use]
    pub fn manual(start: Time) -> Self {
        Self::Manual(Arc::new(AtomicI64::new(start.0)))
    }

    /// The time, in epoch milliseconds.
    #[must_use]
    pub fn now(&self) -> Time {
        match self {
            Self::System => Time(system_ms()),
            Self::Manual(ms) => Time(ms.load(Ordering::SeqCst)),
        }
    }

    /// Moves a manual clock on by `ms` milliseconds; the machine's goes by itself.
    pub fn advance(&self, ms: i64) {
        match self {
            Self::System => {}
            Self::Manual(now) => {
                now.fetch_add(ms, Ordering::SeqCst);
            }
        }
    }
}

/// A machine set before 1970 counts as 1970.
fn system_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |d| i64::try_from(d.as_millis()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manual_clock_stands_still_until_told() {
        let clock = Clock::manual(Time(1_000));
        let other = clock.clone();
        assert_eq!(clock.now(), Time(1_000));
        other.advance(30_000);
        assert_eq!(clock.now(), Time(31_000));
    }
}

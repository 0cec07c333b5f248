//! What time it is: the one place that asks.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use domain::time::Time;

/// A corrected clock that is less wrong than this, in ms, is left alone: it need not twitch.
const TOLERANCE: i64 = 50;

/// A clock; clones show the same time.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The machine's.
    System,
    /// The machine's, moved by so many ms: to the clock that several machines go by.
    Corrected(Arc<AtomicI64>),
    /// A test's, which stands still until it is told.
    Manual(Arc<AtomicI64>),
}

impl Clock {
    /// The machine's clock.
    #[must_use]
    pub fn system() -> Self {
        Self::System
    }

    /// The machine's clock until [`Clock::correct`].
    #[must_use]
    pub fn corrected() -> Self {
        Self::Corrected(Arc::default())
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
            Self::Corrected(by) => Time(system_ms().saturating_add(by.load(Ordering::SeqCst))),
            Self::Manual(ms) => Time(ms.load(Ordering::SeqCst)),
        }
    }

    /// It is `right` at this moment. Only a corrected clock learns by it; by how many ms it
    /// differs from the machine's afterwards.
    pub fn correct(&self, right: Time) -> i64 {
        match self {
            Self::Corrected(by) => {
                let offset = right.0.saturating_sub(system_ms());
                if (offset - by.load(Ordering::SeqCst)).abs() > TOLERANCE {
                    by.store(offset, Ordering::SeqCst);
                }
                by.load(Ordering::SeqCst)
            }
            Self::System | Self::Manual(_) => 0,
        }
    }

    /// Moves a manual clock on by `ms` milliseconds; the machine's goes by itself.
    pub fn advance(&self, ms: i64) {
        match self {
            Self::System | Self::Corrected(_) => {}
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
        clock.correct(Time(5));
        assert_eq!(clock.now(), Time(31_000));
    }

    #[test]
    fn a_corrected_clock_shows_the_time_it_was_told_and_goes_on_from_there() {
        let clock = Clock::corrected();
        let other = clock.clone();
        let right = Time(Clock::system().now().0 - 120_000);
        assert!((-121_000..=-119_000).contains(&clock.correct(right)));
        assert!((0..1_000).contains(&(other.now().0 - right.0)));
    }

    #[test]
    fn a_corrected_clock_does_not_follow_what_is_only_the_way_of_an_answer() {
        let clock = Clock::corrected();
        assert_eq!(clock.correct(clock.now().plus(10)), 0);
    }
}

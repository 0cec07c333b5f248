//! When each step is due: the file's time, so many times faster.

use std::str::FromStr;
use std::time::Duration;

use tokio::time::Instant;

use crate::moment::LocalSecond;

/// How many seconds of the file pass in one second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Speed {
    /// No waiting: only the number of tables bounds what happens at once.
    AsFastAsPossible,
    /// Above 0.
    Times(f64),
}

/// The text is not a speed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is neither a number of at least 0 nor `max`")]
pub struct NotASpeed(pub String);

impl FromStr for Speed {
    type Err = NotASpeed;
    fn from_str(text: &str) -> Result<Self, NotASpeed> {
        if text == "max" {
            return Ok(Self::AsFastAsPossible);
        }
        match text.parse::<f64>() {
            Ok(0.0) => Ok(Self::AsFastAsPossible),
            Ok(times) if times.is_finite() && times > 0.0 => Ok(Self::Times(times)),
            _ => Err(NotASpeed(text.to_owned())),
        }
    }
}

/// The clock of a replay.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    speed: Speed,
    /// The file's first moment, and when it was played.
    origin: (LocalSecond, Instant),
}

impl Pace {
    /// A clock that shows `first` at `started`.
    #[must_use]
    pub fn new(speed: Speed, first: LocalSecond, started: Instant) -> Self {
        Self {
            speed,
            origin: (first, started),
        }
    }

    /// How long `seconds` of the restaurant take here.
    fn scaled(&self, seconds: i64) -> Duration {
        let seconds = seconds.max(0) as f64;
        match self.speed {
            Speed::AsFastAsPossible => Duration::ZERO,
            Speed::Times(times) => Duration::try_from_secs_f64(seconds / times).unwrap_or_default(),
        }
    }

    /// Returns at `moment` of the file; at once when it has passed.
    pub async fn reach(&self, moment: LocalSecond) {
        let (first, started) = self.origin;
        let after = self.scaled(moment.0 - first.0);
        if !after.is_zero() {
            tokio::time::sleep_until(started + after).await;
        }
    }

    /// Lets `seconds` of the restaurant pass.
    pub async fn pass(&self, seconds: i64) {
        let wait = self.scaled(seconds);
        if !wait.is_zero() {
            tokio::time::sleep(wait).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_and_max_are_as_fast_as_possible_and_nonsense_is_refused() {
        assert_eq!("0".parse(), Ok(Speed::AsFastAsPossible));
        assert_eq!("max".parse(), Ok(Speed::AsFastAsPossible));
        assert_eq!("3600".parse(), Ok(Speed::Times(3_600.0)));
        for text in ["-1", "NaN", "inf", "", "fast"] {
            assert!(text.parse::<Speed>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_hour_takes_a_second_at_3600() {
        let pace = Pace::new(Speed::Times(3_600.0), LocalSecond(0), Instant::now());
        assert_eq!(pace.scaled(3_600), Duration::from_secs(1));
        assert_eq!(pace.scaled(-5), Duration::ZERO);
    }
}

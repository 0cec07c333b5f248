//! Holds at one rate, each when it is due, whatever became of those before it.

use std::num::NonZeroU32;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use super::goods::Goods;
use super::press::Press;
use super::report::{RateReport, Times};
use crate::api::{Api, ApiError};
use crate::replay::with_causes;

/// Connections at once: both ends have only so many files. Who waits for one waits for the server.
const CONNECTIONS: usize = 256;
/// Faster than a machine sends.
const FASTEST: u32 = 100_000;

/// Holds a second, at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate(NonZeroU32);

impl Rate {
    /// How many.
    #[must_use]
    pub fn a_second(self) -> u32 {
        self.0.get()
    }

    /// When a hold is due, after the first.
    fn due(self, number: u32) -> Duration {
        let micros = u64::from(number) * 1_000_000 / u64::from(self.a_second());
        Duration::from_micros(micros)
    }
}

/// The text is not a rate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a number of holds a second, 1 to {FASTEST}")]
pub struct NotARate(pub String);

impl FromStr for Rate {
    type Err = NotARate;
    fn from_str(text: &str) -> Result<Self, NotARate> {
        let rate = text.parse().ok().map(Self);
        let rate = rate.filter(|rate| rate.a_second() <= FASTEST);
        rate.ok_or_else(|| NotARate(text.to_owned()))
    }
}

/// So many holds a second, for so long.
#[derive(Clone, Copy, Debug)]
pub(super) struct Storm {
    pub(super) rate: Rate,
    pub(super) seconds: u32,
    /// Each hold is given back as soon as it is had.
    pub(super) at_once: bool,
}

/// What became of one.
struct Pressed {
    press: Press,
    outcome: Result<(), ApiError>,
    /// From when it was due.
    sent: Duration,
    answered: Duration,
    /// How long giving it back took, and whether there was anything.
    returned: Option<(Duration, Result<bool, ApiError>)>,
}

impl Storm {
    /// Asks for all of them; what is still to be given back.
    pub(super) async fn rage(&self, api: &Api, goods: &Goods) -> (RateReport, Vec<Press>) {
        let connections = Arc::new(Semaphore::new(CONNECTIONS));
        let (origin, mut under_way) = (Instant::now(), JoinSet::new());
        for number in 0..self.rate.a_second().saturating_mul(self.seconds) {
            let due = origin + self.rate.due(number);
            sleep_until(due).await;
            let (api, connections) = (api.clone(), Arc::clone(&connections));
            let (press, at_once) = (Press::new(goods.lines()), self.at_once);
            under_way.spawn(async move {
                // It is never closed.
                let _one = connections.acquire_owned().await;
                pressed(press, &api, due, at_once).await
            });
        }
        let all = under_way.join_all().await;
        self.report(all, origin.elapsed())
    }

    fn report(&self, all: Vec<Pressed>, took: Duration) -> (RateReport, Vec<Press>) {
        let mut times = Times::default();
        let mut report = RateReport {
            asked: self.rate.a_second(),
            ..RateReport::default()
        };
        let mut open = Vec::new();
        for one in all {
            times.sent(one.sent);
            times.answered(one.answered);
            report.count(&one.outcome);
            match one.returned {
                None => open.push(one.press),
                Some((took, Ok(had))) => {
                    times.returned(took);
                    report.returned += usize::from(had);
                }
                Some((_, Err(error))) => {
                    let told = format!("not given back: {}", with_causes(&error));
                    report.failures.push(told);
                }
            }
        }
        report.measure(&times, took);
        (report, open)
    }
}

async fn pressed(mut press: Press, api: &Api, due: Instant, at_once: bool) -> Pressed {
    let sent = due.elapsed();
    let outcome = press.ask(api).await;
    let answered = due.elapsed();
    let returned = if at_once && outcome.is_ok() {
        let begun = Instant::now();
        let result = press.give_back(api).await;
        Some((begun.elapsed(), result))
    } else {
        None
    };
    Pressed {
        press,
        outcome,
        sent,
        answered,
        returned,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_are_due_evenly_from_the_first_on() {
        let rate: Rate = "500".parse().unwrap();
        let due = |number| rate.due(number).as_micros();
        assert_eq!(
            [due(0), due(1), due(500), due(4_999)],
            [0, 2_000, 1_000_000, 9_998_000]
        );
        let odd: Rate = "3".parse().unwrap();
        assert_eq!(odd.due(3), Duration::from_secs(1), "no drift");
    }

    #[test]
    fn a_rate_is_a_whole_number_of_at_least_one() {
        assert_eq!("50".parse::<Rate>().unwrap().a_second(), 50);
        for text in ["0", "-1", "1.5", "", "many", "100001"] {
            assert_eq!(text.parse::<Rate>(), Err(NotARate(text.to_owned())));
        }
    }
}

//! What holding found out: one line for machines, sentences for people.

use std::collections::BTreeMap;
use std::time::Duration;

use hdrhistogram::Histogram;
use serde::Serialize;

use crate::api::ApiError;
use crate::replay::with_causes;
use crate::report::Latency;
use crate::tally;

/// Refusals that are told in words; the rest is counted.
const TOLD: usize = 5;

/// The times of one storm.
pub(super) struct Times {
    sent: Histogram<u64>,
    answered: Histogram<u64>,
    returned: Histogram<u64>,
}

impl Default for Times {
    fn default() -> Self {
        Self {
            sent: tally::latency(),
            answered: tally::latency(),
            returned: tally::latency(),
        }
    }
}

impl Times {
    pub(super) fn sent(&mut self, late: Duration) {
        record(&mut self.sent, late);
    }

    pub(super) fn answered(&mut self, took: Duration) {
        record(&mut self.answered, took);
    }

    pub(super) fn returned(&mut self, took: Duration) {
        record(&mut self.returned, took);
    }
}

fn record(times: &mut Histogram<u64>, took: Duration) {
    let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    times.saturating_record(micros.max(1));
}

/// What one rate came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RateReport {
    /// Holds a second that were asked for.
    pub asked: u32,
    /// Holds a second that were had, up to the last answer.
    pub reached: f64,
    /// Answers by status; `none` for those that never came.
    pub statuses: BTreeMap<String, usize>,
    /// From when a hold was due to its answer, whatever it was, or to giving up.
    pub latency_ms: Option<Latency>,
    /// From when a hold was due to when it was sent: this machine's timers and, where the server falls
    /// behind, the wait for one of the connections.
    pub sent_ms: Option<Latency>,
    /// From a release to its answer, where each hold is given back as soon as it is had.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub return_ms: Option<Latency>,
    /// Holds that were given back.
    pub returned: usize,
    /// Holds that were refused or not answered.
    pub failed: usize,
    /// What was not given back, and the first of what failed, a sentence each.
    #[serde(skip)]
    pub failures: Vec<String>,
    /// The first refusals in words.
    #[serde(skip)]
    pub refusals: Vec<String>,
}

impl RateReport {
    pub(super) fn count(&mut self, outcome: &Result<(), ApiError>) {
        let status = match outcome {
            Ok(()) => "201".to_owned(),
            Err(error) => {
                self.failed += 1;
                if self.refusals.len() < TOLD {
                    self.refusals.push(with_causes(error));
                }
                let status = error.status();
                status.map_or_else(|| "none".to_owned(), |status| status.as_str().to_owned())
            }
        };
        *self.statuses.entry(status).or_default() += 1;
    }

    pub(super) fn measure(&mut self, times: &Times, took: Duration) {
        let had = self.statuses.get("201").copied().unwrap_or_default();
        let rate = had as f64 / took.as_secs_f64().max(0.001);
        self.reached = (rate * 10.0).round() / 10.0;
        self.latency_ms = Latency::of(&times.answered);
        self.sent_ms = Latency::of(&times.sent);
        self.return_ms = Latency::of(&times.returned);
    }
}

/// The outcome of all rates.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HoldsReport {
    /// Lines of each hold.
    pub lines: usize,
    /// Stock rows that they draw on.
    pub rows: usize,
    /// How long each rate was asked for.
    pub seconds: u32,
    /// In the order of asking.
    pub rates: Vec<RateReport>,
    /// Stock that is not as it was, a sentence each.
    #[serde(skip)]
    pub failures: Vec<String>,
}

impl HoldsReport {
    /// One line of JSON.
    #[must_use]
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| unreachable!("plain data is always JSON"))
    }

    /// Every unit is back, and something was measured at each rate. That holds were refused is no
    /// loss: it is counted.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        let whole = |rate: &RateReport| rate.failures.is_empty() && rate.latency_ms.is_some();
        self.failures.is_empty() && !self.rates.is_empty() && self.rates.iter().all(whole)
    }

    /// For people: refusals, then what is not as it was.
    pub fn problems(&self) -> impl Iterator<Item = String> + '_ {
        let refused = self.rates.iter().flat_map(|rate| &rate.refusals);
        let refused = refused.map(|what| format!("refused: {what}"));
        let failed = self.rates.iter().flat_map(|rate| &rate.failures);
        let failed = failed.chain(&self.failures);
        refused.chain(failed.map(|what| format!("failed: {what}")))
    }
}

#[cfg(test)]
mod tests {
    use reqwest::StatusCode;

    use super::*;

    fn refused() -> Result<(), ApiError> {
        Err(ApiError::Refused {
            path: "/reservations/batch".to_owned(),
            status: StatusCode::CONFLICT,
            code: "INSUFFICIENT_STOCK".to_owned(),
            detail: "short".to_owned(),
        })
    }

    fn rate() -> RateReport {
        let mut times = Times::default();
        for ms in [2, 3, 40] {
            times.sent(Duration::from_micros(300));
            times.answered(Duration::from_millis(ms));
        }
        let mut rate = RateReport {
            asked: 2,
            returned: 2,
            ..RateReport::default()
        };
        for outcome in [Ok(()), Ok(()), refused()] {
            rate.count(&outcome);
        }
        rate.measure(&times, Duration::from_millis(1_500));
        rate
    }

    fn report() -> HoldsReport {
        HoldsReport {
            lines: 5,
            rows: 4,
            seconds: 1,
            rates: vec![rate()],
            failures: Vec::new(),
        }
    }

    #[test]
    fn the_line_has_these_fields_in_this_order() {
        assert_eq!(
            report().json(),
            r#"{"lines":5,"rows":4,"seconds":1,"rates":[{"asked":2,"reached":1.3,"statuses":{"201":2,"409":1},"latencyMs":{"p50":3.0,"p99":40.0,"max":40.0},"sentMs":{"p50":0.3,"p99":0.3,"max":0.3},"returned":2,"failed":1}]}"#
        );
    }

    #[test]
    fn a_refusal_is_counted_and_what_is_not_back_or_not_measured_is_not_clean() {
        assert!(report().is_clean());
        assert_eq!(report().problems().count(), 1);
        let spoilt: [fn(&mut HoldsReport); 4] = [
            |report| report.failures = vec!["stock 7".to_owned()],
            |report| report.rates[0].failures = vec!["not given back".to_owned()],
            |report| report.rates[0].latency_ms = None,
            |report| report.rates.clear(),
        ];
        for spoil in spoilt {
            let mut report = report();
            spoil(&mut report);
            assert!(!report.is_clean(), "{report:?}");
        }
    }
}

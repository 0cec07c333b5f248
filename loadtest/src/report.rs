//! What a replay found out: one line for machines, sentences for people.

use hdrhistogram::Histogram;
use serde::Serialize;

use crate::guest::GuestReport;
use crate::orders::RefusedRow;

/// Events each screen received.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Events {
    /// The kitchen screen.
    pub kitchen: u64,
    /// The hall screen.
    pub hall: u64,
}

/// How long something took, in ms: in a replay an event, from commit to screen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Latency {
    /// Half of them took no longer.
    pub p50: f64,
    /// 99 of 100 took no longer.
    pub p99: f64,
    /// None took longer.
    pub max: f64,
}

impl Latency {
    /// Of a histogram of µs; `None` when it is empty.
    #[must_use]
    pub fn of(micros: &Histogram<u64>) -> Option<Self> {
        // Tenths of a millisecond: the server's clock is read no finer than a whole one.
        let ms = |micros: u64| (micros as f64 / 100.0).round() / 10.0;
        (!micros.is_empty()).then(|| Self {
            p50: ms(micros.value_at_quantile(0.5)),
            p99: ms(micros.value_at_quantile(0.99)),
            max: ms(micros.max()),
        })
    }
}

/// The outcome of a replay.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Orders that were placed, paid, cooked, served and closed.
    pub orders: usize,
    /// Their lines.
    pub lines: usize,
    /// Rows of the file that cannot be ordered.
    pub refused_lines: usize,
    /// Sum of the orders' totals as the server answered, in minor units.
    pub total: i64,
    /// What the screens received.
    pub events: Events,
    /// Events a stream skipped, and times a bridge missed one.
    pub holes: u64,
    /// Events a stream sent again, and effects applied twice.
    pub duplicates: u64,
    /// Entities that a screen has otherwise than the server.
    pub differences: usize,
    /// `None` when no event reached a screen.
    pub latency_ms: Option<Latency>,
    /// What guests saw, when they ordered by phone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guests: Option<GuestReport>,
    /// The refused rows.
    #[serde(skip)]
    pub refused: Vec<RefusedRow>,
    /// What went wrong, a sentence each: failed orders, differences, losses.
    #[serde(skip)]
    pub failures: Vec<String>,
}

impl Report {
    /// One line of JSON.
    #[must_use]
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| unreachable!("plain data is always JSON"))
    }

    /// Nothing was lost, doubled or different, and every order went through.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        let counted = self.holes + self.duplicates == 0 && self.differences == 0;
        let guests = self.guests.is_none_or(|guests| guests.is_clean());
        counted && guests && self.failures.is_empty() && self.latency_ms.is_some()
    }

    /// For people: refused rows, then failures.
    pub fn problems(&self) -> impl Iterator<Item = String> + '_ {
        let refused = self.refused.iter().map(|row| format!("refused: {row}"));
        let failed = self.failures.iter().map(|what| format!("failed: {what}"));
        let unmeasured = self.latency_ms.is_none();
        let unmeasured = unmeasured.then(|| "failed: no event reached a screen".to_owned());
        refused.chain(failed).chain(unmeasured)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let latency_ms = Some(Latency {
            p50: 1.5,
            p99: 4.0,
            max: 9.3,
        });
        Report {
            orders: 87,
            lines: 186,
            refused_lines: 2,
            total: 239_635,
            latency_ms,
            ..Report::default()
        }
    }

    #[test]
    fn the_line_has_these_fields_in_this_order() {
        assert_eq!(
            report().json(),
            r#"{"orders":87,"lines":186,"refusedLines":2,"total":239635,"events":{"kitchen":0,"hall":0},"holes":0,"duplicates":0,"differences":0,"latencyMs":{"p50":1.5,"p99":4.0,"max":9.3}}"#
        );
    }

    #[test]
    fn anything_lost_doubled_different_failed_or_unmeasured_is_not_clean() {
        assert!(report().is_clean());
        let foreign = GuestReport {
            foreign_orders: 1,
            latency_ms: report().latency_ms,
            ..GuestReport::default()
        };
        let mut shown = report();
        shown.guests = Some(foreign);
        assert!(!shown.is_clean());
        let spoilt: [fn(&mut Report); 5] = [
            |report| report.holes = 1,
            |report| report.duplicates = 1,
            |report| report.differences = 1,
            |report| report.failures = vec!["order 7".to_owned()],
            |report| report.latency_ms = None,
        ];
        for spoil in spoilt {
            let mut report = report();
            spoil(&mut report);
            assert!(!report.is_clean(), "{report:?}");
        }
    }

    #[test]
    fn no_measurement_is_not_a_latency_of_zero() {
        assert_eq!(Latency::of(&crate::tally::latency()), None);
    }
}

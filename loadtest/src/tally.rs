//! How long events take from their commit to a screen, and whether an effect came twice.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use domain::bridge::Bridge;
use domain::event::Frame;
use domain::stream::EventId;
use domain::time::Time;
use hdrhistogram::Histogram;

/// What is measured of the events that pass the cursor.
#[derive(Debug)]
pub struct Tally {
    /// When the events were committed that have arrived and are not applied.
    under_way: BTreeMap<u64, Time>,
    /// From `at` until the event was applied, in µs.
    pub latency: Histogram<u64>,
    /// Where the cursor stood, and how many events were applied, when this history began.
    since: Option<(EventId, u64)>,
    /// Effects applied more than once.
    pub applied_twice: u64,
}

impl Tally {
    /// Nothing has arrived.
    #[must_use]
    pub fn new() -> Self {
        Self {
            under_way: BTreeMap::new(),
            latency: latency(),
            since: None,
            applied_twice: 0,
        }
    }

    /// A frame arrived, and the bridge has not seen it.
    pub fn arrived(&mut self, frame: &Frame) {
        if let Frame::Log(envelope) = frame {
            self.under_way.insert(envelope.event_id.seq, envelope.at);
        }
    }

    /// The bridge has taken a step.
    pub fn stepped(&mut self, bridge: &Bridge) {
        let (cursor, applied) = (bridge.cursor(), bridge.counters().applied);
        if !bridge.is_based() {
            self.since = None;
            return;
        }
        let (from, applied_before) = *self.since.get_or_insert((cursor, applied));
        if from.epoch != cursor.epoch {
            self.since = Some((cursor, applied));
            self.under_way.clear();
            return;
        }
        let passed = cursor.seq.saturating_sub(from.seq);
        self.applied_twice = (applied - applied_before).saturating_sub(passed);
        let now = wall_micros();
        while let Some(first) = self.under_way.first_entry()
            && *first.key() <= cursor.seq
        {
            let took = now - first.remove().0 * 1_000;
            self.latency.saturating_record(took.max(1).unsigned_abs());
        }
    }
}

impl Default for Tally {
    fn default() -> Self {
        Self::new()
    }
}

/// A latency histogram: 1 µs to one hour, three digits.
#[must_use]
pub fn latency() -> Histogram<u64> {
    let made = Histogram::new_with_bounds(1, 3_600_000_000, 3);
    made.unwrap_or_else(|_| unreachable!("the bounds are in order"))
}

/// Microseconds since 1970, by this machine's clock.
#[must_use]
pub fn wall_micros() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    i64::try_from(since.unwrap_or_default().as_micros()).unwrap_or(i64::MAX)
}

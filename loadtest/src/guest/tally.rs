//! What all phones of a replay have seen.

use hdrhistogram::Histogram;
use serde::Serialize;

use super::GuestSeen;
use crate::report::Latency;
use crate::tally::latency;

/// Counted while parties leave.
#[derive(Debug)]
pub struct GuestTally {
    /// Ways in which a page differed from the server.
    pub differences: usize,
    report: GuestReport,
    latency: Histogram<u64>,
}

impl Default for GuestTally {
    fn default() -> Self {
        Self {
            differences: 0,
            report: GuestReport::default(),
            latency: latency(),
        }
    }
}

impl GuestTally {
    /// A party has left: what its phone saw, `foreign` orders of others among it.
    pub fn add(&mut self, seen: &GuestSeen, foreign: usize) {
        let report = &mut self.report;
        report.parties += 1;
        report.streams += seen.streams;
        report.events += seen.events;
        report.reloads += seen.reloads;
        report.holes += seen.holes;
        report.bad_frames += seen.bad;
        report.foreign_orders += foreign;
        // Both have the same bounds.
        let _ = self.latency.add(&seen.latency);
    }

    /// All of it.
    #[must_use]
    pub fn report(&self) -> GuestReport {
        GuestReport {
            differences: self.differences,
            latency_ms: Latency::of(&self.latency),
            ..self.report
        }
    }
}

/// The guests' part of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GuestReport {
    /// Parties that came, ordered by phone and left.
    pub parties: usize,
    /// Streams their phones opened.
    pub streams: u64,
    /// Entities they received.
    pub events: u64,
    /// Times a page was told to load again.
    pub reloads: u64,
    /// Times a page missed a frame.
    pub holes: u64,
    /// Frames sent twice, out of order or unreadable.
    pub bad_frames: u64,
    /// Orders of another party on a page.
    pub foreign_orders: usize,
    /// Ways in which a page differed from `GET /api/guest` in the end.
    pub differences: usize,
    /// From commit to phone; `None` when no event reached one.
    pub latency_ms: Option<Latency>,
}

impl GuestReport {
    /// Nothing was missed, doubled, different or somebody else's.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        let bad = self.holes + self.bad_frames == 0 && self.foreign_orders + self.differences == 0;
        bad && self.latency_ms.is_some()
    }
}

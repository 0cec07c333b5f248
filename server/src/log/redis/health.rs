//! What of the log works, as far as this process has noticed.

use std::sync::atomic::{AtomicU32, Ordering};

use metrics::gauge;

/// A part of the log that can fail by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Putting events in it.
    Publishing,
    /// Reading of one shard.
    Reading(usize),
}

impl Part {
    fn bit(self) -> u32 {
        match self {
            Self::Publishing => 1,
            Self::Reading(shard) => 2 << shard,
        }
    }
}

/// One bit for each part that failed when it was last tried.
#[derive(Debug)]
pub(super) struct Health(AtomicU32);

impl Default for Health {
    /// Until the first answer nobody knows; it counts as not well, so that it is asked.
    fn default() -> Self {
        gauge!("rt_log_unhealthy").set(1.0);
        Self(AtomicU32::new(Part::Publishing.bit()))
    }
}

impl Health {
    /// Notes how a part did; `true` when that is news.
    pub(super) fn note(&self, part: Part, well: bool) -> bool {
        let before = if well {
            self.0.fetch_and(!part.bit(), Ordering::Relaxed)
        } else {
            self.0.fetch_or(part.bit(), Ordering::Relaxed)
        };
        let unhealthy = f64::from(u8::from(!self.is_well()));
        gauge!("rt_log_unhealthy").set(unhealthy);
        (before & part.bit() == 0) != well
    }

    pub(super) fn is_well(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    pub(super) fn is_well_for(&self, parts: &[Part]) -> bool {
        let failed = self.0.load(Ordering::Relaxed);
        parts.iter().all(|part| failed & part.bit() == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_fails_makes_the_whole_unwell_and_no_other_part() {
        let health = Health::default();
        assert!(!health.is_well(), "not known yet");
        assert!(health.note(Part::Publishing, true));
        assert!(health.is_well());
        assert!(health.note(Part::Reading(15), false));
        assert!(!health.note(Part::Reading(15), false), "no news");
        assert!(!health.is_well());
        assert!(!health.is_well_for(&[Part::Publishing, Part::Reading(15)]));
        assert!(health.is_well_for(&[Part::Publishing, Part::Reading(0)]));
        assert!(health.note(Part::Reading(15), true));
        assert!(health.is_well());
    }
}

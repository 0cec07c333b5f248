//! The client's wall clock, made to never go back.

use crate::time::Time;

/// When somebody sets the clock back, deadlines would lie hours ahead. Set forward it looks like
/// sleep, which is harmless.
#[derive(Debug, Default)]
pub(crate) struct Steady {
    last: Time,
    ahead: i64,
}

impl Steady {
    pub(crate) fn at(&self, wall: Time) -> Time {
        wall.plus(self.ahead).max(self.last)
    }

    pub(crate) fn step(&mut self, wall: Time) -> Time {
        let now = self.at(wall);
        self.ahead = now.0.saturating_sub(wall.0);
        self.last = now;
        now
    }

    pub(crate) fn wall(&self, now: Time) -> Time {
        now.plus(self.ahead.saturating_neg())
    }
}

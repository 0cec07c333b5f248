//! How long a hold lives: a time to live, one extension, and an end that nothing moves.

use std::ops::RangeInclusive;

use crate::time::Time;

/// What a request may ask for, and a store may set, in ms: the request from a second on, the
/// store from a minute on, both up to half an hour.
pub const TTL: RangeInclusive<i64> = 1_000..=30 * 60_000;
/// The one extension, in ms.
pub const EXTENSION: i64 = 10 * 60_000;
/// No chain of holds outlives its start by more, in ms.
pub const LONGEST: i64 = 2 * 60 * 60_000;
/// The shortest that a store may set, in ms.
const STORE_SHORTEST: i64 = 60_000;

/// The time to live asked for is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a time to live is 1 second to 30 minutes")]
pub struct BadTtl;

/// The time to live of a hold, in ms: the store's, or a shorter one that was asked for.
///
/// # Errors
/// What was asked for is out of bounds.
pub fn ttl(store: i64, wanted: Option<i64>) -> Result<i64, BadTtl> {
    let store = store.clamp(STORE_SHORTEST, *TTL.end());
    match wanted {
        None => Ok(store),
        Some(ms) if TTL.contains(&ms) => Ok(ms.min(store)),
        Some(_) => Err(BadTtl),
    }
}

/// When a hold began and ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    /// Of the first hold of a chain in which each replaces the one before.
    pub started_at: Time,
    /// It cannot be confirmed as a hold from then on.
    pub expires_at: Time,
    /// As far as it may be extended.
    pub max_until: Time,
}

impl Life {
    /// Of a hold that replaces none.
    #[must_use]
    pub fn begin(now: Time, ttl: i64) -> Self {
        Self::since(now, now, ttl)
    }

    /// Of a hold that takes the place of this one: the end of the chain does not move. One that is
    /// over has no place to take: a chain begins.
    #[must_use]
    pub fn succeed(self, now: Time, ttl: i64) -> Self {
        if self.is_over(now) {
            return Self::begin(now, ttl);
        }
        Self::since(self.started_at.min(now), now, ttl)
    }

    fn since(started_at: Time, now: Time, ttl: i64) -> Self {
        let end = started_at.plus(LONGEST);
        let expires_at = now.plus(ttl).min(end);
        Self {
            started_at,
            expires_at,
            max_until: expires_at.plus(EXTENSION).min(end),
        }
    }

    /// Whether it is over at `now`. Its last moment is the one before `expires_at`.
    #[must_use]
    pub fn is_over(self, now: Time) -> bool {
        self.expires_at <= now
    }

    /// Its end after the extension; `None` when it is over or was extended before.
    #[must_use]
    pub fn extended(self, now: Time) -> Option<Time> {
        let may = !self.is_over(now) && self.expires_at < self.max_until;
        may.then_some(self.max_until)
    }
}

//! The settings of the hub; each limit has a metric beside it.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use domain::stream::EventId;

use super::position::{Verdict, judge};
use super::ring::RingLimits;

/// What an operator may set, and what a test may switch off.
#[derive(Clone, Debug)]
pub struct HubConfig {
    /// Time between two heartbeats of a store.
    pub heartbeat: Duration,
    /// Events sent at most to catch up; beyond that the screen loads a baseline.
    pub replay: u64,
    /// What the ring of a store holds.
    pub ring: RingLimits,
    /// The ring of a store goes this long after its last stream.
    pub ring_idle: Duration,
    /// A socket without progress for this long is closed.
    pub slow_consumer: Duration,
    /// A stream ends after about this long, and its client comes back.
    pub lifetime: Duration,
    /// Streams of the process at once.
    pub streams_per_node: usize,
    /// Streams of a store at once.
    pub streams_per_store: usize,
    /// Streams of a session at once: the tabs of one browser.
    pub streams_per_session: usize,
    /// Streams of a party at once: the phones at its tables.
    pub streams_per_party: usize,
    /// New streams per second, with as many in one burst.
    pub streams_per_second: u32,
    /// Delay over which clients come back or reload, so that they do not come at once.
    pub spread: Duration,
    /// The build that `ready` names: a page of another one offers to reload.
    pub build: String,
    /// Guards of delivery, all on.
    #[doc(hidden)]
    pub guards: Guards,
}

impl Default for HubConfig {
    fn default() -> Self {
        Self {
            heartbeat: Duration::from_secs(2),
            replay: 300,
            ring: RingLimits::default(),
            ring_idle: Duration::from_secs(60),
            slow_consumer: Duration::from_secs(10),
            lifetime: Duration::from_secs(60 * 60),
            streams_per_node: 5_000,
            streams_per_store: 500,
            streams_per_session: 16,
            streams_per_party: 20,
            streams_per_second: 200,
            spread: Duration::from_secs(2),
            build: env!("CARGO_PKG_VERSION").to_owned(),
            guards: Guards::default(),
        }
    }
}

/// Something a test awaits inside a connection.
#[doc(hidden)]
pub type Hook = Arc<dyn Fn() -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// Rules that hold delivery together. The negative controls of realtime, section 7, switch
/// one off and must then fail; nothing else ever does.
#[doc(hidden)]
#[derive(Clone)]
pub struct Guards {
    /// Subscribe to the ring before replaying, and hold every write to `last + 1`.
    pub ring_before_replay: bool,
    /// Awaited when the replay is done, before the first live event.
    pub after_replay: Option<Hook>,
    /// Compare with the database when nothing came, and whenever the log was away.
    pub tail_check: bool,
}

impl Guards {
    /// The invariant of delivery, or what it is without it.
    pub(super) fn judge(&self, last: EventId, next: EventId) -> Verdict {
        match judge(last, next) {
            Verdict::Hole if !self.ring_before_replay => Verdict::Next,
            verdict => verdict,
        }
    }
}

impl Default for Guards {
    fn default() -> Self {
        Self {
            ring_before_replay: true,
            after_replay: None,
            tail_check: true,
        }
    }
}

impl fmt::Debug for Guards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guards")
            .field("ring_before_replay", &self.ring_before_replay)
            .field("tail_check", &self.tail_check)
            .finish_non_exhaustive()
    }
}

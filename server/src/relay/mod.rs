//! The relay: from the outbox to the log, in order, and never the other way.
//!
//! It wakes at once when a command of this process commits, and polls as well. It keeps
//! the house tidy too: history, tickets and keys that have had their time.

mod publishing;
mod tidying;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use domain::id::StoreId;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::clock::Clock;
use crate::db::Db;
use crate::hub::{Hook, Hub};
use crate::log::Log;

/// The times of publishing, and what a test does between its steps.
#[derive(Clone)]
pub struct RelayConfig {
    /// The outbox is looked at this often without a wake-up.
    pub poll: Duration,
    /// Nobody else publishes a store for this long after an attempt began.
    pub lease: Duration,
    /// Awaited when rows were read and before they are offered to the log.
    #[doc(hidden)]
    pub before_publish: Option<Hook>,
    /// Awaited when the log has them and before that is noted.
    #[doc(hidden)]
    pub after_publish: Option<Hook>,
}

impl Default for RelayConfig {
    fn default() -> Self {
        Self {
            poll: Duration::from_millis(500),
            lease: Duration::from_secs(10),
            before_publish: None,
            after_publish: None,
        }
    }
}

struct Inner {
    config: RelayConfig,
    db: Db,
    clock: Clock,
    log: Log,
    hub: Hub,
    wake: Notify,
    well: AtomicBool,
    /// The process goes away: nobody waits for the log any more.
    leaving: CancellationToken,
}

/// Moves events on. Cheap to clone.
#[derive(Clone)]
pub struct Relay(Arc<Inner>);

impl std::fmt::Debug for Relay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Relay")
            .field("well", &self.is_well())
            .finish_non_exhaustive()
    }
}

impl Relay {
    /// A relay that has not run yet.
    #[must_use]
    pub fn new(db: Db, clock: Clock, log: Log, hub: Hub) -> Self {
        Self::with_config(RelayConfig::default(), db, clock, log, hub)
    }

    /// The same with other times.
    #[must_use]
    pub fn with_config(config: RelayConfig, db: Db, clock: Clock, log: Log, hub: Hub) -> Self {
        Self(Arc::new(Inner {
            config,
            db,
            clock,
            log,
            hub,
            wake: Notify::new(),
            well: AtomicBool::new(true),
            leaving: CancellationToken::new(),
        }))
    }

    /// A command of the store committed, on this process.
    pub fn committed(&self, store: StoreId) {
        self.0.hub.committed(store);
        if !self.0.log.is_born_published() {
            self.0.wake.notify_one();
        }
    }

    /// Whether the last round could work with the outbox: part of readiness. A log that takes
    /// no events is none: commands go on, and readers follow the outbox.
    #[must_use]
    pub fn is_well(&self) -> bool {
        self.0.well.load(Ordering::Relaxed)
    }

    /// Whether the log works, as far as this process has noticed.
    #[must_use]
    pub fn is_log_well(&self) -> bool {
        self.0.log.is_well()
    }

    /// Publishes and tidies until `stop`.
    pub async fn run(self, stop: CancellationToken) {
        let leaving = self.0.leaving.clone();
        let told = async {
            stop.cancelled().await;
            leaving.cancel();
        };
        tokio::join!(told, self.publishing(), self.tidying(&stop));
    }
}

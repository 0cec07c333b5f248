//! The event log: a fast copy of the outbox that readers follow.
//!
//! It never decides anything: what it lacks is read from the outbox, which is the history
//! of record (realtime, section 3).

mod local;
pub(crate) mod redis;

use std::error::Error;

use domain::id::StoreId;
use domain::stream::{Epoch, EventId};
use tokio::sync::watch;

use crate::store::outbox::OutboxRow;

pub use self::local::LocalLog;
pub use self::redis::{RedisConfig, RedisFollower, RedisLog};

/// Why the log does not take events. The rows stay unpublished and are tried again.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The address is none.
    #[error("the address of the event log is not usable: {reason}")]
    Address {
        /// Why, in words for the operator.
        reason: String,
    },
    /// It cannot be reached, or says that it cannot do its work.
    #[error("the event log takes no events")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
    /// It did not answer in time; what was sent may still get there.
    #[error("the event log does not answer")]
    Patience,
}

/// What became of one row that was offered to the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is in the log.
    Put,
    /// The log refused its number as not larger than its last.
    Repeated(Repeat),
    /// It was refused for its own sake; the marker stands under its number.
    Dead,
}

/// What the log has under a number that it refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// The same event: it was put there before.
    Same,
    /// Nothing: the log lost a part of its history, which readers have from the outbox.
    Lost,
    /// Another event: the database was put back without a new epoch. The log began again.
    Other,
}

/// What became of rows that were offered to the log in order.
#[derive(Debug, Default)]
pub struct Published {
    /// Of the rows from the first on, as many as the log has dealt with.
    pub outcomes: Vec<Outcome>,
    /// Why it stopped there.
    pub failure: Option<LogError>,
}

impl Published {
    /// None of the rows.
    #[must_use]
    pub fn failed(failure: LogError) -> Self {
        Self {
            outcomes: Vec::new(),
            failure: Some(failure),
        }
    }
}

/// The log of this process. Cheap to clone.
#[derive(Clone, Debug)]
pub enum Log {
    /// In process: rows are born published.
    Local(LocalLog),
    /// Redis Streams, which several processes share.
    Redis(RedisLog),
}

impl Log {
    /// The log of a single process.
    #[must_use]
    pub fn local() -> Self {
        Self::Local(LocalLog::default())
    }

    /// The log at a Redis server, which need not be there yet. Call it within a runtime.
    ///
    /// # Errors
    /// [`LogError::Address`], never with the address itself, which may hold a password.
    pub fn redis(config: RedisConfig) -> Result<Self, LogError> {
        RedisLog::new(config).map(Self::Redis)
    }

    /// Whether a committed row is in the log already, so that nobody has to publish it.
    #[must_use]
    pub fn is_born_published(&self) -> bool {
        match self {
            Self::Local(_) => true,
            Self::Redis(_) => false,
        }
    }

    /// Tells readers of this process that a command of the store committed.
    pub fn committed(&self, store: StoreId) {
        match self {
            Self::Local(log) => log.committed(store),
            // Readers hear of it when it was published.
            Self::Redis(_) => {}
        }
    }

    /// Whether all of the log works, as far as this process has noticed.
    #[must_use]
    pub fn is_well(&self) -> bool {
        match self {
            Self::Local(_) => true,
            Self::Redis(log) => log.is_well(),
        }
    }

    /// Asks a log that took no events whether it does again. It costs nothing while the log is
    /// well.
    pub async fn probe(&self) {
        match self {
            Self::Local(_) => {}
            Self::Redis(log) => log.probe().await,
        }
    }

    /// Puts consecutive rows of one store in the log, in order, stopping at the first that it
    /// cannot take now. Rows it has already are not put in twice.
    pub async fn publish(&self, store: StoreId, epoch: Epoch, rows: &[OutboxRow]) -> Published {
        match self {
            Self::Local(log) => {
                if !rows.is_empty() {
                    log.committed(store);
                }
                Published {
                    outcomes: vec![Outcome::Put; rows.len()],
                    failure: None,
                }
            }
            Self::Redis(log) => log.publish(store, epoch, rows).await,
        }
    }

    /// Follows a store from `position`. What commits after this call is not missed.
    #[must_use]
    pub fn follow(&self, store: StoreId, position: EventId) -> Follower {
        match self {
            Self::Local(log) => Follower::Local(log.follow(store)),
            Self::Redis(log) => Follower::Redis(log.follow(store, position)),
        }
    }
}

/// Why a reader woke up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// There may be new rows in the outbox.
    Look,
    /// New rows of this epoch, in order. Some may be known, and some before them missing.
    Rows(Epoch, Vec<OutboxRow>),
    /// The log was away or is: what it had may be lost.
    Doubt,
}

/// One reader's place in the log.
#[derive(Debug)]
pub enum Follower {
    /// In process.
    Local(watch::Receiver<()>),
    /// At a Redis server.
    Redis(RedisFollower),
}

impl Follower {
    /// Waits for something new. Safe to drop and call again.
    pub async fn next(&mut self) -> Arrival {
        match self {
            Self::Local(commits) => {
                // The sender lives in the log that this follower came from; without it
                // nothing ever comes, and the reader's own polling goes on.
                if commits.changed().await.is_err() {
                    std::future::pending::<()>().await;
                }
                Arrival::Look
            }
            Self::Redis(follower) => follower.next().await,
        }
    }

    /// The reader stands at `position`: what follows is wanted.
    pub fn stand_at(&mut self, position: EventId) {
        match self {
            Self::Local(_) => {}
            Self::Redis(follower) => follower.stand_at(position),
        }
    }

    /// Whether the part of the log that this reader depends on works.
    #[must_use]
    pub fn is_well(&self) -> bool {
        match self {
            Self::Local(_) => true,
            Self::Redis(follower) => follower.is_well(),
        }
    }
}

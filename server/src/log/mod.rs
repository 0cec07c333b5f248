//! The event log: a fast copy of the outbox that readers follow.
//!
//! It never decides anything: what it lacks is read from the outbox, which is the history
//! of record (realtime, section 3).

mod local;

use domain::id::StoreId;
use tokio::sync::watch;

use crate::store::outbox::OutboxRow;

pub use local::LocalLog;

/// The log cannot be reached; the rows stay unpublished and are tried again.
#[derive(Debug, thiserror::Error)]
#[error("the event log cannot be reached")]
pub struct LogError;

/// The log of this process. Cheap to clone.
#[derive(Clone, Debug)]
pub enum Log {
    /// In process: rows are born published.
    Local(LocalLog),
}

impl Log {
    /// The log of a single process.
    #[must_use]
    pub fn local() -> Self {
        Self::Local(LocalLog::default())
    }

    /// Whether a committed row is in the log already, so that nobody has to publish it.
    #[must_use]
    pub fn is_born_published(&self) -> bool {
        match self {
            Self::Local(_) => true,
        }
    }

    /// Tells readers of this process that a command of the store committed.
    pub fn committed(&self, store: StoreId) {
        match self {
            Self::Local(log) => log.committed(store),
        }
    }

    /// Puts consecutive rows of one store in the log, in order. Rows it has already are
    /// not put in twice.
    ///
    /// # Errors
    /// When the log cannot be reached; some of the rows may be in it.
    #[expect(
        clippy::unused_async,
        reason = "a log outside this process is asked over the net"
    )]
    pub async fn publish(&self, store: StoreId, rows: &[OutboxRow]) -> Result<(), LogError> {
        match self {
            Self::Local(log) => {
                if !rows.is_empty() {
                    log.committed(store);
                }
                Ok(())
            }
        }
    }

    /// Follows a store. What commits after this call is not missed.
    #[must_use]
    pub fn follow(&self, store: StoreId) -> Follower {
        match self {
            Self::Local(log) => Follower::Local(log.follow(store)),
        }
    }
}

/// Why a reader woke up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// There may be new rows in the outbox.
    Look,
}

/// One reader's place in the log.
#[derive(Debug)]
pub enum Follower {
    /// In process.
    Local(watch::Receiver<()>),
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
        }
    }
}

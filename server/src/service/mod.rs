//! One method per thing that can be asked: load, let the domain decide, save state and
//! events in one transaction, wake the relay.

pub mod ack;
pub mod auth;
pub mod changes;
pub mod command;
pub mod day;
pub mod demo;
pub mod guest;
pub mod import;
pub mod opening;
pub mod refusal;
pub mod report;
pub mod snapshot;
pub mod stock;
pub mod ticket;
pub mod timekeeping;

mod emit;

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use tokio_util::task::TaskTracker;

use crate::clock::Clock;
use crate::db::Db;
use crate::log::{Log, LogError};
use crate::relay::Relay;
use stock::{Queue, QueueTimes, StockGuards};

/// The services of a process. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Services {
    pub(crate) db: Db,
    pub(crate) clock: Clock,
    pub(crate) relay: Relay,
    /// Commands under way: each runs to its end.
    pub(crate) tasks: TaskTracker,
    /// With the in-process log events are born published.
    pub(crate) born_published: bool,
    /// Batches on their way to a worker.
    pub(crate) queue: Queue,
    pub(crate) guards: Guards,
}

impl Services {
    /// Services over these parts; batches go by a queue beside the log.
    ///
    /// # Errors
    /// [`Queue::beside`]
    pub fn new(
        db: Db,
        clock: Clock,
        relay: Relay,
        tasks: TaskTracker,
        log: &Log,
    ) -> Result<Self, LogError> {
        Ok(Self {
            db,
            clock,
            relay,
            tasks,
            born_published: log.is_born_published(),
            queue: Queue::beside(log, QueueTimes::default())?,
            guards: Guards::default(),
        })
    }

    /// The same with another queue.
    #[must_use]
    pub fn with_queue(self, queue: Queue) -> Self {
        Self { queue, ..self }
    }

    /// The same with a rule switched off, for a negative control.
    #[doc(hidden)]
    #[must_use]
    pub fn with_guards(self, guards: Guards) -> Self {
        let db = if guards.immediate {
            self.db
        } else {
            self.db.deferred()
        };
        Self { guards, db, ..self }
    }
}

/// Rules that a negative control switches off; nothing else ever does, and no setting reaches them.
#[doc(hidden)]
#[derive(Clone)]
pub struct Guards {
    /// A snapshot's watermark is read in the transaction that reads the data.
    pub watermark_with_data: bool,
    /// Awaited between data and watermark when they are read apart.
    pub between_reads: Option<Hook>,
    /// On SQLite a write begins as a writer.
    pub immediate: bool,
    /// Of stock.
    pub stock: StockGuards,
}

/// Something a test awaits inside a service.
#[doc(hidden)]
pub type Hook = Arc<dyn Fn() -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

impl Guards {
    pub(crate) async fn between(&self) {
        if let Some(hook) = &self.between_reads {
            hook().await;
        }
    }
}

impl Default for Guards {
    fn default() -> Self {
        Self {
            watermark_with_data: true,
            between_reads: None,
            immediate: true,
            stock: StockGuards::default(),
        }
    }
}

impl fmt::Debug for Guards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guards")
            .field("watermark_with_data", &self.watermark_with_data)
            .field("immediate", &self.immediate)
            .field("stock", &self.stock)
            .finish_non_exhaustive()
    }
}

//! The work queue: batches on their way from the database to a worker. The rows of `work` are the
//! truth; a queue may lose or repeat what it has, and nothing is lost or done twice.

mod local;
mod redis;

use std::time::Duration;

use tokio::sync::Notify;

use crate::log::{Log, LogError};
use crate::store::work::Leased;

pub use self::local::LocalQueue;
pub use self::redis::RedisQueue;

/// Batches that may be on a queue at once, about; more wait in the database.
const ROOM: usize = 1_000;

/// How long a queue waits for whom.
#[derive(Clone, Copy, Debug)]
pub struct QueueTimes {
    /// A batch whose worker is silent for so long is delivered again.
    pub lease: Duration,
    /// A worker that has not asked for so long, and has nothing, is not there any more.
    pub gone: Duration,
}

impl Default for QueueTimes {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(10),
            gone: Duration::from_secs(60),
        }
    }
}

/// A batch that a worker got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Which, and which time.
    pub batch: Leased,
    /// Where it stands in the stream; `None` where there is none.
    pub entry: Option<String>,
}

/// A queue of batches. Cheap to clone.
#[derive(Clone, Debug)]
pub enum Queue {
    /// In this process.
    Local(LocalQueue),
    /// At the Redis server that nodes share: a batch taken at one is applied by any.
    Redis(RedisQueue),
}

impl Queue {
    /// The queue that goes with a log: in this process, or at the same server.
    ///
    /// # Errors
    /// When no connection to that server can be made, ever.
    pub fn beside(log: &Log, times: QueueTimes) -> Result<Self, LogError> {
        match log {
            Log::Local(_) => Ok(Self::Local(LocalQueue::new(times))),
            Log::Redis(log) => RedisQueue::beside(log, times).map(Self::Redis),
        }
    }

    /// The lease of a batch that is on its way, in ms.
    #[must_use]
    pub fn lease(&self) -> i64 {
        let lease = match self {
            Self::Local(queue) => queue.times().lease,
            Self::Redis(queue) => queue.times().lease,
        };
        i64::try_from(lease.as_millis()).unwrap_or(i64::MAX)
    }

    fn waker(&self) -> &Notify {
        match self {
            Self::Local(queue) => queue.waker(),
            Self::Redis(queue) => queue.waker(),
        }
    }

    /// A command has committed: there may be batches in the database.
    pub fn wake(&self) {
        self.waker().notify_one();
    }

    /// Comes back when there may be batches in the database.
    pub async fn woken(&self) {
        self.waker().notified().await;
    }

    /// How many batches it would take now; none while it does not answer.
    pub async fn room(&self) -> usize {
        let waiting = match self {
            Self::Local(queue) => Some(queue.len()),
            Self::Redis(queue) => queue.len().await,
        };
        waiting.map_or(0, |waiting| ROOM.saturating_sub(waiting))
    }

    /// Puts batches on the queue; `false` when it may not have taken them.
    pub async fn push(&self, batches: &[Leased]) -> bool {
        match self {
            Self::Local(queue) => {
                queue.push(batches);
                true
            }
            Self::Redis(queue) => queue.push(batches).await,
        }
    }

    /// The next batch, when there is one: one that was put here, or one whose worker is silent.
    pub async fn next(&self) -> Delivery {
        match self {
            Self::Local(queue) => queue.next().await,
            Self::Redis(queue) => queue.next().await,
        }
    }

    /// The database knows how this delivery ended: the queue forgets it.
    pub async fn done(&self, delivery: &Delivery) {
        match (self, &delivery.entry) {
            (Self::Redis(queue), Some(entry)) => queue.done(entry).await,
            (Self::Redis(_), None) | (Self::Local(_), _) => {}
        }
    }
}

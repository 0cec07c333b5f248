//! The work queue: ids of batches on their way from the database to a worker. The rows of `work`
//! are the truth; a queue may lose or repeat an id, and nothing is lost or done twice.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use domain::id::ReservationId;
use tokio::sync::Notify;

/// A queue of batches. Cheap to clone.
#[derive(Clone, Debug)]
pub enum Queue {
    /// In this process.
    Local(LocalQueue),
}

impl Queue {
    /// A queue in this process.
    #[must_use]
    pub fn local() -> Self {
        Self::Local(LocalQueue::default())
    }

    /// A command has committed: there may be batches in the database.
    pub fn wake(&self) {
        match self {
            Self::Local(queue) => queue.0.wake.notify_one(),
        }
    }

    /// Comes back when there may be batches in the database.
    pub async fn woken(&self) {
        match self {
            Self::Local(queue) => queue.0.wake.notified().await,
        }
    }

    /// Puts a batch on the queue.
    pub async fn push(&self, id: ReservationId) {
        match self {
            Self::Local(queue) => queue.push(id),
        }
    }

    /// The next batch, when there is one. It counts as delivered: one whose worker dies is due again
    /// when its lease in the database has run out.
    pub async fn next(&self) -> ReservationId {
        match self {
            Self::Local(queue) => queue.next().await,
        }
    }

    /// A batch was applied, or laid aside.
    pub async fn done(&self, _id: ReservationId) {
        match self {
            Self::Local(_) => {}
        }
    }
}

#[derive(Debug, Default)]
struct Inner {
    ids: Mutex<VecDeque<ReservationId>>,
    filled: Notify,
    wake: Notify,
}

/// The queue of one process: bounded by the leases in the database.
#[derive(Clone, Debug, Default)]
pub struct LocalQueue(Arc<Inner>);

impl LocalQueue {
    fn push(&self, id: ReservationId) {
        let mut ids = self.0.ids.lock().unwrap_or_else(PoisonError::into_inner);
        ids.push_back(id);
        self.0.filled.notify_one();
    }

    fn pop(&self) -> Option<ReservationId> {
        let mut ids = self.0.ids.lock().unwrap_or_else(PoisonError::into_inner);
        ids.pop_front()
    }

    async fn next(&self) -> ReservationId {
        loop {
            // Registered before it looks: what is pushed in between is a permit.
            let filled = self.0.filled.notified();
            if let Some(id) = self.pop() {
                return id;
            }
            filled.await;
        }
    }
}

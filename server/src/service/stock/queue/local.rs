//! The queue of one process: what a worker does not end with is due again by its lease in the
//! database.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::{Delivery, QueueTimes};
use crate::store::work::Leased;

#[derive(Debug)]
struct Inner {
    times: QueueTimes,
    batches: Mutex<VecDeque<Leased>>,
    filled: Notify,
    wake: Notify,
}

/// The queue of one process. Cheap to clone.
#[derive(Clone, Debug)]
pub struct LocalQueue(Arc<Inner>);

impl LocalQueue {
    pub(super) fn new(times: QueueTimes) -> Self {
        Self(Arc::new(Inner {
            times,
            batches: Mutex::default(),
            filled: Notify::new(),
            wake: Notify::new(),
        }))
    }

    pub(super) fn times(&self) -> QueueTimes {
        self.0.times
    }

    pub(super) fn waker(&self) -> &Notify {
        &self.0.wake
    }

    fn batches(&self) -> MutexGuard<'_, VecDeque<Leased>> {
        let batches = self.0.batches.lock();
        batches.unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn len(&self) -> usize {
        self.batches().len()
    }

    pub(super) fn push(&self, batches: &[Leased]) {
        self.batches().extend(batches);
        self.0.filled.notify_one();
    }

    pub(super) async fn next(&self) -> Delivery {
        loop {
            // Registered before it looks: what is pushed in between is a permit.
            let filled = self.0.filled.notified();
            let next = self.batches().pop_front();
            if let Some(batch) = next {
                return Delivery { batch, entry: None };
            }
            filled.await;
        }
    }
}

//! The queue of several nodes: one Redis Stream, one group of workers.
//!
//! An entry is good for one delivery of its batch, and is deleted when the database knows how that
//! ended. What the stream loses is put there again when its lease in the database has run out, and
//! what it repeats finds nothing to do. Nothing here is waited for by a request.

mod entry;
mod reader;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ::redis::{Client, RedisError, RedisResult};
use metrics::{counter, gauge};
use tokio::sync::{Mutex, Notify};
use uuid::Uuid;

use super::{Delivery, QueueTimes};
use crate::log::redis::line::Line;
use crate::log::{LogError, RedisConfig, RedisLog};
use crate::store::work::Leased;
use reader::Reader;

/// Why the server was of no use.
#[derive(Debug, thiserror::Error)]
enum QueueError {
    #[error("the work queue cannot be used")]
    Unavailable(#[from] RedisError),
    #[error("the work queue does not answer")]
    Patience,
}

struct Inner {
    client: Client,
    config: RedisConfig,
    times: QueueTimes,
    /// The name of this process among the workers.
    worker: String,
    line: Line,
    /// Has a connection of its own: a read that waits blocks it.
    reader: Mutex<Reader>,
    wake: Notify,
    /// Whether batches can be put there, and whether they can be had.
    puts: Health,
    takes: Health,
}

/// The queue at a Redis server. Cheap to clone.
#[derive(Clone)]
pub struct RedisQueue(Arc<Inner>);

impl std::fmt::Debug for RedisQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RedisQueue")
            .field("worker", &self.0.worker)
            .finish_non_exhaustive()
    }
}

impl RedisQueue {
    pub(super) fn beside(log: &RedisLog, times: QueueTimes) -> Result<Self, LogError> {
        let (client, config) = log.server();
        let line = Line::new(client.clone(), config.patience);
        Ok(Self(Arc::new(Inner {
            line: line.map_err(|error| LogError::Unavailable(Box::new(error)))?,
            client,
            config,
            times,
            worker: Uuid::now_v7().to_string(),
            reader: Mutex::default(),
            wake: Notify::new(),
            puts: Health::new("batches cannot be put on the work queue"),
            takes: Health::new("batches cannot be had from the work queue"),
        })))
    }

    pub(super) fn times(&self) -> QueueTimes {
        self.0.times
    }

    pub(super) fn waker(&self) -> &Notify {
        &self.0.wake
    }

    /// How many entries stand there; `None`: it does not answer.
    pub(super) async fn len(&self) -> Option<usize> {
        let (mut line, len) = (self.0.line.get(), entry::len());
        let len = self.told(len.query_async::<usize>(&mut line)).await?;
        gauge!("stock_queue_entries").set(len as f64);
        Some(len)
    }

    pub(super) async fn push(&self, batches: &[Leased]) -> bool {
        let (mut line, add) = (self.0.line.get(), entry::add(batches));
        self.told(add.exec_async(&mut line)).await.is_some()
    }

    pub(super) async fn next(&self) -> Delivery {
        let mut reader = self.0.reader.lock().await;
        loop {
            let entry = reader.next(&self.0).await;
            match entry.batch {
                Some(batch) => {
                    return Delivery {
                        batch,
                        entry: Some(entry.id),
                    };
                }
                None => self.throw_out(&entry.id).await,
            }
        }
    }

    /// What is not said here is found when the entry's lease has run out.
    pub(super) async fn done(&self, entry: &str) {
        let (mut line, forget) = (self.0.line.get(), entry::forget(entry));
        self.told(forget.exec_async(&mut line)).await;
    }

    async fn throw_out(&self, entry: &str) {
        counter!("stock_queue_foreign_total").increment(1);
        tracing::warn!(entry, "an entry of the work queue names no batch");
        self.done(entry).await;
    }

    /// What the server said within the patience; nothing is noted.
    async fn told<T>(&self, asked: impl Future<Output = RedisResult<T>>) -> Option<T> {
        let told = within(self.0.config.patience, asked).await;
        self.0.puts.note(told.as_ref().err());
        if told.is_err() {
            self.0.line.renew();
        }
        told.ok()
    }
}

async fn within<T>(
    patience: Duration,
    asked: impl Future<Output = RedisResult<T>>,
) -> Result<T, QueueError> {
    match tokio::time::timeout(patience, asked).await {
        Ok(told) => Ok(told?),
        Err(_) => Err(QueueError::Patience),
    }
}

/// How one direction does, told when it is news.
struct Health {
    well: AtomicBool,
    trouble: &'static str,
}

impl Health {
    fn new(trouble: &'static str) -> Self {
        let well = AtomicBool::new(true);
        Self { well, trouble }
    }

    fn note(&self, failure: Option<&QueueError>) {
        let was_well = self.well.swap(failure.is_none(), Ordering::Relaxed);
        match failure {
            Some(error) => {
                counter!("stock_queue_failures_total").increment(1);
                if was_well {
                    gauge!("stock_queue_unhealthy").increment(1.0);
                    let cause: &dyn std::error::Error = error;
                    tracing::error!(error = cause, "{}: they wait in the database", self.trouble);
                }
            }
            None if !was_well => {
                gauge!("stock_queue_unhealthy").decrement(1.0);
                tracing::info!(over = self.trouble, "the work queue is there again");
            }
            None => {}
        }
    }
}

//! The worker's end: entries of its own, entries of workers that are silent, and the group itself.

use std::time::Duration;

use ::redis::aio::MultiplexedConnection;
use ::redis::{RedisError, RedisResult, Value, cmd};
use metrics::{counter, gauge};
use tokio::time::Instant;

use super::entry::{self, Entry};
use super::{Inner, QueueError, within};
use crate::log::redis::line::{pause, waiting_line};

/// An entry that is as old is forgotten, in ms: whatever became of it, its batch was put there anew.
const KEEP: u64 = 600_000;
/// The beginning of the stream, for XAUTOCLAIM.
const BEGIN: &str = "0-0";

/// One worker's way to the stream.
pub(super) struct Reader {
    line: Option<MultiplexedConnection>,
    failures: u32,
    /// Where the search for silent workers goes on.
    cursor: String,
    claimed: Option<Instant>,
    tidied: Option<Instant>,
}

impl Default for Reader {
    fn default() -> Self {
        Self {
            line: None,
            failures: 0,
            cursor: BEGIN.to_owned(),
            claimed: None,
            tidied: None,
        }
    }
}

fn is_due(last: Option<Instant>, every: Duration) -> bool {
    last.is_none_or(|last| last.elapsed() >= every)
}

/// The group went, or the stream with it.
fn is_lost(error: &QueueError) -> bool {
    match error {
        QueueError::Unavailable(error) => matches!(error.code(), Some("NOGROUP" | "UNBLOCKED")),
        QueueError::Patience => false,
    }
}

impl Reader {
    /// The next entry, however long it takes and whatever happens to the server.
    pub(super) async fn next(&mut self, queue: &Inner) -> Entry {
        loop {
            let looked = self.look(queue).await;
            match looked {
                Ok(found) => {
                    self.failures = 0;
                    queue.takes.note(None);
                    if let Some(entry) = found {
                        return entry;
                    }
                }
                Err(error) => {
                    self.failures += 1;
                    // The next look begins it anew: that is no failure of the server.
                    if !is_lost(&error) {
                        queue.takes.note(Some(&error));
                    }
                    tokio::time::sleep(pause(self.failures, queue.config.retry)).await;
                }
            }
        }
    }

    /// One look, which waits for a while. Whoever fails, or is not waited for any more, leaves its
    /// connection behind.
    async fn look(&mut self, queue: &Inner) -> Result<Option<Entry>, QueueError> {
        let mut line = match self.line.take() {
            Some(line) => line,
            None => connect(queue).await?,
        };
        let found = self.look_by(&mut line, queue).await?;
        self.line = Some(line);
        Ok(found)
    }

    async fn look_by(
        &mut self,
        line: &mut MultiplexedConnection,
        queue: &Inner,
    ) -> Result<Option<Entry>, QueueError> {
        let lease = queue.times.lease;
        if is_due(self.tidied, queue.times.gone / 4) {
            tidy(queue, line).await?;
            self.tidied = Some(Instant::now());
        }
        if is_due(self.claimed, lease / 4)
            && let Some(entry) = self.claim(queue, line).await?
        {
            return Ok(Some(entry));
        }
        // After a failure one answer at once, so that it is known that the server is back.
        let block = match self.failures {
            0 => queue.config.block.min(lease / 4),
            _ => Duration::from_millis(1),
        };
        let read = entry::read(&queue.worker, block);
        let answer = within(block + queue.config.patience, read.query_async(line)).await?;
        Ok(entry::read_answer(answer))
    }

    /// An entry whose worker is silent. While there are such, they come first.
    async fn claim(
        &mut self,
        queue: &Inner,
        line: &mut MultiplexedConnection,
    ) -> Result<Option<Entry>, QueueError> {
        let claim = entry::claim(&queue.worker, queue.times.lease, &self.cursor);
        let answer = within(queue.config.patience, claim.query_async(line)).await?;
        let (cursor, found) = entry::claim_answer(answer);
        match &found {
            Some(entry) => {
                counter!("stock_queue_reclaimed_total").increment(1);
                tracing::warn!(
                    entry = entry.id,
                    "a batch was taken over from a silent worker"
                );
            }
            None if cursor == BEGIN => self.claimed = Some(Instant::now()),
            None => {}
        }
        self.cursor = cursor;
        Ok(found)
    }
}

/// A connection, and the group for certain.
async fn connect(queue: &Inner) -> Result<MultiplexedConnection, QueueError> {
    let patience = queue.config.patience;
    let mut line = within(patience, waiting_line(&queue.client, patience)).await?;
    let begin = entry::begin();
    let begun: RedisResult<Value> = match within(patience, begin.query_async(&mut line)).await {
        Ok(told) => Ok(told),
        Err(QueueError::Unavailable(error)) => Err(error),
        Err(QueueError::Patience) => return Err(QueueError::Patience),
    };
    match begun {
        Ok(_) => {
            counter!("stock_queue_begun_total").increment(1);
            tracing::info!("the work queue has begun");
        }
        Err(error) if is_there(&error) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(line)
}

fn is_there(error: &RedisError) -> bool {
    error.code() == Some("BUSYGROUP")
}

/// Workers that are gone leave the group, and entries that nobody will come to leave the stream.
async fn tidy(queue: &Inner, line: &mut MultiplexedConnection) -> Result<(), QueueError> {
    let patience = queue.config.patience;
    let workers = within(patience, entry::workers().query_async(line)).await?;
    for worker in entry::gone(workers, queue.times.gone) {
        within(patience, entry::remove(&worker).exec_async(line)).await?;
        counter!("stock_queue_workers_removed_total").increment(1);
        tracing::info!(worker, "a worker that is gone has left the work queue");
    }
    // By the clock that numbers the entries.
    let (now, _): (u64, u64) = within(patience, cmd("TIME").query_async(line)).await?;
    let old = (now * 1_000).saturating_sub(KEEP);
    within(patience, entry::forget_before(old).exec_async(line)).await?;
    let len: u64 = within(patience, entry::len().query_async(line)).await?;
    gauge!("stock_queue_entries").set(len as f64);
    Ok(())
}

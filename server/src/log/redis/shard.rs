//! A shard: one connection that reads the events of all its stores in one blocked read.
//!
//! It reads each store from the reader's own last, never from the log's end. A store that
//! joins ends the read under way, by ending its connection: that needs no right on the server
//! and cannot come too early or too late.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ::redis::aio::MultiplexedConnection;
use ::redis::{Client, Cmd, RedisError, Value, cmd};
use domain::id::StoreId;
use domain::stream::EventId;
use futures_util::FutureExt as _;
use metrics::{counter, gauge};
use tokio::sync::{Notify, mpsc, watch};
use tokio_util::sync::CancellationToken;

use super::RedisConfig;
use super::entry::{self, Entry};
use super::health::{Health, Part};
use super::line::{pause, waiting_line};
use crate::log::Arrival;

/// Entries of each store in one answer.
const COUNT: u32 = 100;
/// Answers that wait for a reader; what is over is left to the outbox.
const QUEUE: usize = 4;
/// Between two reads of a key that others write to.
const FOREIGN_PAUSE: Duration = Duration::from_millis(100);

/// The stores of one shard.
#[derive(Debug)]
pub(super) struct Shard {
    part: Part,
    health: Arc<Health>,
    places: Mutex<Places>,
    /// A store came, or went to another history: the read under way does not know.
    changed: Notify,
    doubts: watch::Sender<()>,
}

#[derive(Debug, Default)]
struct Places {
    next: u64,
    by_number: HashMap<u64, Place>,
}

/// Where one reader stands.
#[derive(Debug)]
struct Place {
    store: StoreId,
    /// The last event that was handed to it, or that it had before.
    last: EventId,
    rows: mpsc::Sender<Arrival>,
}

/// Why a read ended.
enum Ended {
    /// With the process.
    Stopped,
    /// The stores are others.
    Changed,
    Failed(ReadError),
}

#[derive(Debug, thiserror::Error)]
enum ReadError {
    #[error("the event log cannot be read")]
    Unavailable(#[from] RedisError),
    #[error("the event log does not answer")]
    Patience,
}

impl Shard {
    /// Reads until `stop`.
    pub(super) fn begin(
        client: Client,
        config: RedisConfig,
        (part, health): (Part, Arc<Health>),
        stop: CancellationToken,
    ) -> Arc<Self> {
        let shard = Arc::new(Self {
            part,
            health,
            places: Mutex::default(),
            changed: Notify::new(),
            doubts: watch::channel(()).0,
        });
        let reading = Arc::clone(&shard);
        gauge!("rt_log_shards").increment(1.0);
        tokio::spawn(async move {
            reading.run(&client, &config, &stop).await;
            gauge!("rt_log_shards").decrement(1.0);
        });
        shard
    }

    fn places(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for one reader, by its number.
    pub(super) fn join(
        &self,
        store: StoreId,
        last: EventId,
    ) -> (u64, mpsc::Receiver<Arrival>, watch::Receiver<()>) {
        let (rows, arrivals) = mpsc::channel(QUEUE);
        let doubts = self.doubts.subscribe();
        let mut places = self.places();
        places.next += 1;
        let number = places.next;
        let place = Place { store, last, rows };
        places.by_number.insert(number, place);
        drop(places);
        self.changed.notify_one();
        (number, arrivals, doubts)
    }

    pub(super) fn leave(&self, number: u64) {
        self.places().by_number.remove(&number);
    }

    /// The reader has everything up to `position`. It never goes back within an epoch: what the
    /// log has there is of a history that the database does not have.
    pub(super) fn advance(&self, number: u64, position: EventId) {
        if let Some(place) = self.places().by_number.get_mut(&number)
            && place.last < position
        {
            place.last = position;
        }
    }

    /// The reader goes on in another history.
    pub(super) fn begin_again(&self, number: u64, position: EventId) {
        if let Some(place) = self.places().by_number.get_mut(&number) {
            place.last = position;
        }
        self.changed.notify_one();
    }

    pub(super) fn is_well(&self) -> bool {
        self.health.is_well_for(&[Part::Publishing, self.part])
    }

    async fn run(&self, client: &Client, config: &RedisConfig, stop: &CancellationToken) {
        let mut failures = 0;
        loop {
            let ended = self.connected(client, config, stop, &mut failures).await;
            let error = match ended {
                Ended::Stopped => return,
                Ended::Changed => continue,
                Ended::Failed(error) => error,
            };
            self.note(Some(&error));
            failures += 1;
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(pause(failures, config.retry)) => {}
            }
        }
    }

    /// Reads by one connection for as long as it serves.
    async fn connected(
        &self,
        client: &Client,
        config: &RedisConfig,
        stop: &CancellationToken,
        failures: &mut u32,
    ) -> Ended {
        while self.is_empty() {
            tokio::select! {
                () = stop.cancelled() => return Ended::Stopped,
                () = self.changed.notified() => {}
            }
        }
        let mut line = match connect(client, config).await {
            Ok(line) => line,
            Err(error) => return Ended::Failed(error),
        };
        loop {
            // What changed up to here is in the places that are about to be read.
            let _ = self.changed.notified().now_or_never();
            // After a failure one answer at once, so that readers know that the log is back.
            let block = match *failures {
                0 => config.block,
                _ => Duration::from_millis(1),
            };
            let Some(read) = self.next_read(block) else {
                return Ended::Changed;
            };
            let answer = tokio::select! {
                () = stop.cancelled() => return Ended::Stopped,
                () = self.changed.notified() => return Ended::Changed,
                answer = answer(&read, &mut line, config) => answer,
            };
            match answer {
                Ok(answer) => {
                    *failures = 0;
                    self.note(None);
                    let streams = entry::by_key(answer);
                    self.hand_out(&streams);
                    if has_foreign(&streams) {
                        // It comes again at once: no reader can move past it.
                        tokio::time::sleep(FOREIGN_PAUSE).await;
                    }
                }
                Err(error) => return Ended::Failed(error),
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.places().by_number.is_empty()
    }

    /// The read of all stores from where their readers stand; `None` without any.
    fn next_read(&self, block: Duration) -> Option<Cmd> {
        let mut from: BTreeMap<String, u64> = BTreeMap::new();
        for place in self.places().by_number.values() {
            let key = entry::key(place.store, place.last.epoch);
            let seq = from.entry(key).or_insert(place.last.seq);
            *seq = place.last.seq.min(*seq);
        }
        if from.is_empty() {
            return None;
        }
        let mut read = cmd("XREAD");
        let block = u64::try_from(block.as_millis()).unwrap_or(u64::MAX);
        read.arg("COUNT").arg(COUNT).arg("BLOCK").arg(block.max(1));
        read.arg("STREAMS").arg(from.keys().collect::<Vec<_>>());
        read.arg(from.values().map(|seq| entry::id(*seq)).collect::<Vec<_>>());
        Some(read)
    }

    /// Hands each reader what is new for it. One that does not keep up is told to look in the
    /// outbox; it slows nobody.
    fn hand_out(&self, streams: &[(String, Vec<Entry>)]) {
        let mut places = self.places();
        for (key, entries) in streams {
            for place in places.by_number.values_mut() {
                if entry::key(place.store, place.last.epoch) == *key {
                    place.take(entries);
                }
            }
        }
    }

    /// Notes how reading goes. When it goes again, what was there may be lost; while it does
    /// not, nothing comes: each time readers are to compare.
    fn note(&self, failure: Option<&ReadError>) {
        let news = self.health.note(self.part, failure.is_none());
        match failure {
            Some(error) => {
                counter!("rt_log_reader_failures_total").increment(1);
                if news {
                    let cause: &dyn std::error::Error = error;
                    tracing::error!(part = ?self.part, error = cause, "events come from the outbox");
                }
            }
            None if news => {
                counter!("rt_log_reconnects_total").increment(1);
                tracing::info!(part = ?self.part, "events come from the log again");
            }
            None => {}
        }
        if news {
            self.doubts.send_replace(());
        }
    }
}

impl Place {
    fn take(&mut self, entries: &[Entry]) {
        let new = entries
            .iter()
            .filter(|entry| entry.seq > Some(self.last.seq));
        let rows: Vec<_> = new
            .clone()
            .filter_map(|entry| entry.row(self.store))
            .collect();
        let Some(last) = new.filter_map(|entry| entry.seq).next_back() else {
            return;
        };
        self.last = self.last.at(last);
        let arrival = Arrival::Rows(self.last.epoch, rows);
        if self.rows.try_send(arrival).is_err() {
            counter!("rt_log_batches_left_total").increment(1);
        }
    }
}

/// Whether somebody else wrote to a store's key.
fn has_foreign(streams: &[(String, Vec<Entry>)]) -> bool {
    let mut entries = streams.iter().flat_map(|(_, entries)| entries);
    entries.any(|entry| entry.seq.is_none())
}

async fn connect(
    client: &Client,
    config: &RedisConfig,
) -> Result<MultiplexedConnection, ReadError> {
    let connecting = waiting_line(client, config.patience);
    match tokio::time::timeout(config.patience, connecting).await {
        Ok(line) => Ok(line?),
        Err(_) => Err(ReadError::Patience),
    }
}

async fn answer(
    read: &Cmd,
    line: &mut MultiplexedConnection,
    config: &RedisConfig,
) -> Result<Value, ReadError> {
    match tokio::time::timeout(config.block + config.patience, read.query_async(line)).await {
        Ok(answer) => Ok(answer?),
        Err(_) => Err(ReadError::Patience),
    }
}

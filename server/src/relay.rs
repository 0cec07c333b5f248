//! The relay: from the outbox to the log, in order, and never the other way.
//!
//! It wakes at once when a command of this process commits, and polls as well. It keeps
//! the house tidy too: history, tickets and keys that have had their time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use domain::id::StoreId;
use metrics::{counter, gauge};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::clock::Clock;
use crate::db::{Db, DbError};
use crate::hub::Hub;
use crate::log::{Log, LogError};
use crate::store::ack::ack_expire;
use crate::store::guest::guest_expire;
use crate::store::idempotency::answer_expire;
use crate::store::outbox::{
    outbox_expire, outbox_published, outbox_unpublished, outbox_unpublished_stores,
};
use crate::store::session::session_expire;
use crate::store::stream::stream_stores;
use crate::store::ticket::ticket_expire;

const POLL: Duration = Duration::from_millis(500);
const PUBLISH_PATIENCE: Duration = Duration::from_secs(2);
/// Rows of one store published in one round.
const ROUND: u32 = 100;

const TIDY: Duration = Duration::from_secs(10);
/// Rows deleted in one transaction.
const BATCH: u32 = 1_000;
/// Events stay this long after they were published, in ms.
const HISTORY: i64 = 72 * 60 * 60 * 1_000;
/// A kitchen screen that was not seen for this long is forgotten, in ms.
const SCREENS: i64 = 24 * 60 * 60 * 1_000;
/// A phone is told that its party was cleared for this long, in ms.
const CLEARED: i64 = 24 * 60 * 60 * 1_000;

/// A round failed; the rows are tried again.
#[derive(Debug, thiserror::Error)]
enum RelayError {
    #[error("the outbox cannot be read")]
    Db(#[from] DbError),
    #[error("events cannot be published")]
    Log(#[from] LogError),
    #[error("the event log does not answer")]
    Patience(#[from] tokio::time::error::Elapsed),
}

struct Inner {
    db: Db,
    clock: Clock,
    log: Log,
    hub: Hub,
    wake: Notify,
    well: AtomicBool,
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
        let wake = Notify::new();
        Self(Arc::new(Inner {
            db,
            clock,
            log,
            hub,
            wake,
            well: AtomicBool::new(true),
        }))
    }

    /// A command of the store committed, on this process.
    pub fn committed(&self, store: StoreId) {
        self.0.hub.committed(store);
        if !self.0.log.is_born_published() {
            self.0.wake.notify_one();
        }
    }

    /// Whether the last round went through: part of readiness.
    #[must_use]
    pub fn is_well(&self) -> bool {
        self.0.well.load(Ordering::Relaxed)
    }

    /// Publishes and tidies until `stop`.
    pub async fn run(self, stop: CancellationToken) {
        tokio::join!(self.publishing(&stop), self.tidying(&stop));
    }

    async fn publishing(&self, stop: &CancellationToken) {
        loop {
            // A wake-up during the round is kept: `Notify` holds a permit for it.
            let round = self.round().await;
            self.report(&round);
            tokio::select! {
                () = stop.cancelled() => return,
                () = self.0.wake.notified() => {}
                () = tokio::time::sleep(POLL) => {}
            }
        }
    }

    fn report(&self, round: &Result<(), RelayError>) {
        let was_well = self.0.well.swap(round.is_ok(), Ordering::Relaxed);
        match round {
            Ok(()) if !was_well => tracing::info!("publishing events again"),
            Err(error) => {
                counter!("rt_relay_failures_total").increment(1);
                if was_well {
                    let cause: &dyn std::error::Error = error;
                    tracing::error!(error = cause, "events are not published");
                }
            }
            Ok(()) => {}
        }
    }

    /// One round over all stores with unpublished events. A store stops at its first
    /// failure, and does not stop another.
    async fn round(&self) -> Result<(), RelayError> {
        let stores = outbox_unpublished_stores(&mut self.0.db.read().await?).await?;
        gauge!("rt_outbox_waiting_stores").set(stores.len() as f64);
        let mut outcome = Ok(());
        for store in stores {
            if let Err(error) = self.publish(store).await {
                outcome = Err(error);
            }
        }
        outcome
    }

    /// Publishes one store's rows in order, outside any transaction.
    async fn publish(&self, store: StoreId) -> Result<(), RelayError> {
        let Inner { db, clock, log, .. } = &*self.0;
        let rows = outbox_unpublished(&mut db.read().await?, store, ROUND).await?;
        let Some(last) = rows.last() else {
            return Ok(());
        };
        tokio::time::timeout(PUBLISH_PATIENCE, log.publish(store, &rows)).await??;
        let mut tx = db.write().await?;
        outbox_published(&mut tx, store, last.seq, clock.now()).await?;
        tx.commit().await?;
        counter!("rt_outbox_published_total").increment(rows.len() as u64);
        if rows.len() >= ROUND as usize {
            self.0.wake.notify_one();
        }
        Ok(())
    }

    async fn tidying(&self, stop: &CancellationToken) {
        loop {
            let more = self.tidy().await.unwrap_or_else(|error| {
                let cause: &dyn std::error::Error = &error;
                tracing::warn!(error = cause, "tidying failed");
                false
            });
            let pause = if more {
                Duration::from_millis(20)
            } else {
                TIDY
            };
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// One batch of everything that has had its time, each in a transaction of its own;
    /// `true` when there is more.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn tidy(&self) -> Result<bool, DbError> {
        let Inner { db, clock, .. } = &*self.0;
        let stores = stream_stores(&mut db.read().await?).await?;
        let now = clock.now();
        let mut more = false;
        for store in stores {
            let mut tx = db.write().await?;
            let gone = outbox_expire(&mut tx, store, now.plus(-HISTORY), BATCH).await?;
            tx.commit().await?;
            counter!("rt_outbox_expired_total").increment(gone);
            more |= gone >= u64::from(BATCH);
        }
        let mut tx = db.write().await?;
        let tickets = ticket_expire(&mut tx, now, BATCH).await?;
        let sessions = session_expire(&mut tx, now, BATCH).await?;
        let screens = ack_expire(&mut tx, now.plus(-SCREENS), BATCH).await?;
        let answers = answer_expire(&mut tx, now, BATCH).await?;
        let guests = guest_expire(&mut tx, now.plus(-CLEARED), now, BATCH).await?;
        tx.commit().await?;
        let most = tickets.max(sessions).max(screens).max(answers).max(guests);
        Ok(more || most >= u64::from(BATCH))
    }
}

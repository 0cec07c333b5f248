//! Tidying: what has had its time goes, a bounded batch at a time.

use std::time::Duration;

use metrics::counter;
use tokio_util::sync::CancellationToken;

use super::{Inner, Relay};
use crate::db::DbError;
use crate::store::ack::ack_expire;
use crate::store::guest::guest_expire;
use crate::store::idempotency::answer_expire;
use crate::store::outbox::outbox_expire;
use crate::store::session::session_expire;
use crate::store::stream::stream_stores;
use crate::store::ticket::ticket_expire;

const TIDY: Duration = Duration::from_secs(10);
/// Rows deleted in one transaction: realtime, section 3, allows 1,000, but on SQLite a batch is in the
/// way of every command.
const BATCH: u32 = 200;
/// Events stay this long after they were published, in ms.
const HISTORY: i64 = 72 * 60 * 60 * 1_000;
/// A kitchen screen that was not seen for this long is forgotten, in ms.
const SCREENS: i64 = 24 * 60 * 60 * 1_000;
/// A phone is told that its party was cleared for this long, in ms.
const CLEARED: i64 = 24 * 60 * 60 * 1_000;

impl Relay {
    pub(super) async fn tidying(&self, stop: &CancellationToken) {
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

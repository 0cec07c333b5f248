//! Publishing: rounds over the stores that wait, each store under a lease.

use std::sync::atomic::Ordering;

use domain::id::StoreId;
use domain::stream::Epoch;
use futures_util::future::join_all;
use metrics::{counter, gauge, histogram};
use tokio::time::Instant;

use super::{Inner, Relay};
use crate::db::DbError;
use crate::hub::Hook;
use crate::log::{Outcome, Published, Repeat};
use crate::store::outbox::{
    OutboxRow, Waiting, outbox_bury, outbox_published, outbox_unpublished, outbox_waiting,
};
use crate::store::relay::{Claim, relay_claim, relay_done, relay_failed, relay_now, relay_release};
use crate::store::stream::stream_head;
use crate::telemetry::with_causes;

/// Rows of one store published in one round.
const ROWS: u32 = 100;
/// Stores published at once. All of them end well within a lease, however the log hangs, and
/// leave connections of the database to requests.
const STORES: u32 = 8;

impl Relay {
    pub(super) async fn publishing(&self) {
        let Inner {
            config,
            wake,
            leaving,
            ..
        } = &*self.0;
        while !leaving.is_cancelled() {
            // A wake-up during the round is kept: `Notify` holds a permit for it.
            let round = self.round().await;
            self.report(&round);
            tokio::select! {
                () = leaving.cancelled() => {}
                () = wake.notified() => {}
                () = tokio::time::sleep(config.poll) => {}
            }
        }
    }

    fn report(&self, round: &Result<(), DbError>) {
        let was_well = self.0.well.swap(round.is_ok(), Ordering::Relaxed);
        match round {
            Ok(()) if !was_well => tracing::info!("the outbox can be read again"),
            Err(error) => {
                counter!("rt_relay_failures_total").increment(1);
                if was_well {
                    let cause: &dyn std::error::Error = error;
                    tracing::error!(error = cause, "the outbox cannot be read");
                }
            }
            Ok(()) => {}
        }
    }

    /// One round over the stores that are due. A store stops at its first failure, and does
    /// not stop another. When more is left, another round is asked for.
    ///
    /// # Errors
    /// When the database cannot be reached; that the log cannot is noted with the stores.
    pub async fn round(&self) -> Result<(), DbError> {
        let Inner {
            db,
            clock,
            log,
            wake,
            ..
        } = &*self.0;
        let waiting = outbox_waiting(&mut db.read().await?).await?;
        measure(&waiting, clock.now().0);
        log.probe().await;
        if waiting.is_empty() {
            return Ok(());
        }
        let claims = self.claim().await?;
        let full = claims.len() >= STORES as usize;
        let ended = join_all(claims.iter().map(|claim| self.publish(claim))).await;
        let mut more = full;
        for end in ended {
            more |= end?;
        }
        if more {
            wake.notify_one();
        }
        Ok(())
    }

    async fn claim(&self) -> Result<Vec<Claim>, DbError> {
        let Inner {
            db, clock, config, ..
        } = &*self.0;
        let mut tx = db.write().await?;
        let now = relay_now(&mut tx, clock.now()).await?;
        let lease = i64::try_from(config.lease.as_millis()).unwrap_or(i64::MAX);
        let claims = relay_claim(&mut tx, now, now.plus(lease), STORES).await?;
        tx.commit().await?;
        Ok(claims)
    }

    /// Publishes one store's rows in order, outside any transaction; `true` when there may be
    /// more: its own, or what another process committed while this lease kept its relay out.
    async fn publish(&self, claim: &Claim) -> Result<bool, DbError> {
        let Inner {
            log,
            config,
            leaving,
            ..
        } = &*self.0;
        let (epoch, rows) = self.unpublished(claim.store).await?;
        pause(config.before_publish.as_ref()).await;
        let begun = Instant::now();
        let published = tokio::select! {
            published = log.publish(claim.store, epoch, &rows) => published,
            () = leaving.cancelled() => {
                self.release(claim).await?;
                return Ok(false);
            }
        };
        histogram!("rt_publish_seconds").record(begun.elapsed().as_secs_f64());
        pause(config.after_publish.as_ref()).await;
        let whole = published.failure.is_none();
        self.note(claim, &rows, published).await?;
        Ok(whole && !rows.is_empty())
    }

    async fn unpublished(&self, store: StoreId) -> Result<(Epoch, Vec<OutboxRow>), DbError> {
        let mut tx = self.0.db.read().await?;
        let head = stream_head(&mut tx, store).await?.unwrap_or_default();
        let rows = outbox_unpublished(&mut tx, store, ROWS).await?;
        Ok((head.epoch, rows))
    }

    async fn release(&self, claim: &Claim) -> Result<(), DbError> {
        let mut tx = self.0.db.write().await?;
        relay_release(&mut tx, claim).await?;
        tx.commit().await
    }

    /// Notes what the log has and gives the lease back: all of it, or nothing when the lease
    /// was lost meanwhile.
    async fn note(
        &self,
        claim: &Claim,
        rows: &[OutboxRow],
        published: Published,
    ) -> Result<(), DbError> {
        let Inner { db, clock, .. } = &*self.0;
        let mut tx = db.write().await?;
        let now = relay_now(&mut tx, clock.now()).await?;
        let ours = match &published.failure {
            None => relay_done(&mut tx, claim).await?,
            Some(failure) => {
                let next = now.plus(claim.pause_after_failure());
                relay_failed(&mut tx, claim, next, &with_causes(failure)).await?
            }
        };
        if !ours {
            counter!("rt_relay_leases_lost_total").increment(1);
            tracing::warn!(store = %claim.store, "another relay went on with this store");
            return Ok(());
        }
        let dealt_with: Vec<_> = rows.iter().zip(published.outcomes).collect();
        if let Some((last, _)) = dealt_with.last() {
            outbox_published(&mut tx, claim.store, last.seq, now).await?;
        }
        for (row, outcome) in &dealt_with {
            match outcome {
                Outcome::Dead => outbox_bury(&mut tx, claim.store, row.seq).await?,
                Outcome::Put | Outcome::Repeated(_) => {}
            }
        }
        tx.commit().await?;
        for (row, outcome) in dealt_with {
            count(row, outcome);
        }
        if published.failure.is_some() {
            counter!("rt_publish_failures_total").increment(1);
        }
        Ok(())
    }
}

fn count(row: &OutboxRow, outcome: Outcome) {
    counter!("rt_outbox_published_total").increment(1);
    match outcome {
        Outcome::Put => {}
        Outcome::Repeated(Repeat::Same) => repeated("same"),
        Outcome::Repeated(Repeat::Lost) => repeated("lost"),
        Outcome::Repeated(Repeat::Other) => {
            repeated("other");
            tracing::error!(store = %row.store_id, seq = row.seq,
                "the log has another event under this number: \
                 after a restore the store needs a new epoch");
        }
        Outcome::Dead => {
            counter!("rt_outbox_dead_total").increment(1);
            tracing::error!(store = %row.store_id, seq = row.seq, kind = %row.kind,
                "an event can never be published: it reads as RELOAD_REQUIRED");
        }
    }
}

fn repeated(kind: &'static str) {
    counter!("rt_publish_repeats_total", "kind" => kind).increment(1);
}

fn measure(waiting: &[Waiting], now: i64) {
    let oldest = waiting.iter().map(|store| store.since.0).min();
    let age = oldest.map_or(0, |since| now.saturating_sub(since).max(0));
    gauge!("rt_outbox_waiting_stores").set(waiting.len() as f64);
    gauge!("rt_outbox_age_seconds").set(age as f64 / 1000.0);
}

async fn pause(hook: Option<&Hook>) {
    if let Some(hook) = hook {
        hook().await;
    }
}

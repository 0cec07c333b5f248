//! Sweeping: holds past their time are tidied away, one transaction each. Nothing depends on it
//! but the counters: a hold past its time cannot be confirmed or extended as one, swept or not.

use std::time::Duration;

use domain::id::{ReservationId, StoreId};
use domain::time::Time;

use super::super::Services;
use super::super::command::{Actor, Work};
use super::super::refusal::ServiceError;
use crate::db::DbError;
use crate::store::hold::{hold_find, holds_due, holds_overdue};
use crate::store::hold_turn::{hold_claim, holds_forget};
use crate::store::ledger::moves_fold;
use crate::store::stream::stream_lock;
use crate::store::time::time_of;

/// How often overdue holds are looked for.
const EVERY: Duration = Duration::from_secs(5);
/// Holds of one look.
const ROUND: u32 = 500;
/// Rows forgotten in one transaction.
const BATCH: u32 = 1_000;
/// Holds and their moves are kept for 90 days, in ms.
const KEPT: i64 = 90 * 24 * 60 * 60 * 1_000;

impl Services {
    /// Expires every hold that is overdue; answers how many it did.
    ///
    /// # Errors
    /// The database failed.
    pub async fn sweep(&self) -> Result<usize, ServiceError> {
        let mut swept = 0;
        loop {
            let due = self.due().await?;
            let mut news = 0;
            for (store, rid) in &due {
                news += usize::from(self.sweep_hold(*store, *rid).await?);
            }
            swept += news;
            // Without news the rest is in somebody else's hands.
            if due.len() < ROUND as usize || news == 0 {
                return Ok(swept);
            }
        }
    }

    /// The same for one store, because something there is short.
    pub(in crate::service) async fn sweep_store(&self, of: StoreId) -> Result<(), ServiceError> {
        for (store, rid) in self.due().await? {
            if store == of {
                self.sweep_hold(store, rid).await?;
            }
        }
        Ok(())
    }

    async fn due(&self) -> Result<Vec<(StoreId, ReservationId)>, DbError> {
        let mut tx = self.db.read().await?;
        let now = time_of(&mut tx, &self.clock).await?;
        holds_due(&mut tx, now, ROUND).await
    }

    async fn sweep_hold(&self, store: StoreId, rid: ReservationId) -> Result<bool, ServiceError> {
        let services = self.clone();
        let task = self
            .tasks
            .spawn(async move { services.expire(store, rid).await });
        task.await.map_err(|_| ServiceError::Interrupted)?
    }

    async fn expire(&self, store: StoreId, rid: ReservationId) -> Result<bool, ServiceError> {
        let Some(mut work) = self.house_work(store).await? else {
            return Ok(false);
        };
        if !work.sweep(rid).await? {
            return Ok(false);
        }
        drop(work.finish(self.born_published, None).await?);
        self.relay.committed(store);
        Ok(true)
    }

    /// Work of the house in a store; `None` when the store is gone.
    pub(super) async fn house_work(&self, store: StoreId) -> Result<Option<Work>, ServiceError> {
        loop {
            let mut tx = self.db.write().await?;
            stream_lock(&mut tx, store).await?;
            let now = time_of(&mut tx, &self.clock).await?;
            let work = Work::begin(tx, Actor::house(store), now).await?;
            let Some(work) = work else { return Ok(None) };
            if let Some(mut work) = self.on_its_day(work).await? {
                work.stock.guards = self.guards.stock.clone();
                return Ok(Some(work));
            }
        }
    }

    /// Sweeps every 5 seconds, for ever.
    pub async fn sweeping(self) {
        let mut beat = tokio::time::interval(EVERY);
        beat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            beat.tick().await;
            if let Err(error) = self.sweep().await {
                let cause: &dyn std::error::Error = &error;
                tracing::warn!(error = cause, "holds not swept");
            }
        }
    }

    /// Forgets holds of more than 90 days ago, and sums up their moves.
    ///
    /// # Errors
    /// The database failed.
    pub async fn forget(&self) -> Result<(), ServiceError> {
        let before = Time(self.clock.now().0.saturating_sub(KEPT));
        let mut tx = self.db.write().await?;
        holds_forget(&mut tx, before, BATCH).await?;
        moves_fold(&mut tx, before, BATCH).await?;
        Ok(tx.commit().await?)
    }
}

impl Work {
    /// Whether sweeping this store would free units.
    pub(in crate::service) async fn is_overdue(&mut self) -> Result<bool, DbError> {
        let (store, now) = (self.store().id, self.now);
        Ok(!self.stock.swept && holds_overdue(&mut self.tx, store, now).await?)
    }

    async fn sweep(&mut self, rid: ReservationId) -> Result<bool, ServiceError> {
        if !hold_claim(&mut self.tx, rid, self.now).await? {
            return Ok(false);
        }
        let store = self.store().id;
        let Some(held) = hold_find(&mut self.tx, store, rid).await? else {
            return Ok(false);
        };
        if !self.end_expired(&held).await? {
            return Ok(false);
        }
        self.mark_order(&held).await?;
        Ok(true)
    }
}

//! Batches that were answered 202: a relay leases them onto the queue, a worker applies them. The
//! worker is idempotent, a refusal of the business is final, only infrastructure is tried again.

use std::time::Duration;

use domain::id::{ReservationId, StoreId};
use domain::stock::Short;
use uuid::Uuid;

use super::super::Services;
use super::super::command::Work;
use super::super::refusal::{Code, ServiceError};
use super::batch::{Asked, HoldBatch, digest};
use super::opening::{moves, portions};
use super::queue::Delivery;
use crate::db::DbError;
use crate::store::doc::{Doc, write};
use crate::store::hold::{Held, hold_find};
use crate::store::hold_line::{LineStatus, Portion, portions_insert};
use crate::store::hold_turn::{hold_reject, hold_start};
use crate::store::ledger::MoveKind;
use crate::store::time::time_of;
use crate::store::work::{
    Leased, WorkRow, work_bury, work_deliver, work_done, work_failed, work_lease, work_release,
    work_waits,
};

/// Batches of one look.
const ROUND: usize = 100;
/// How often the database is looked into, woken or not.
const POLL: Duration = Duration::from_millis(500);
/// After so many deliveries it is laid aside.
const DELIVERIES: i64 = 5;

/// Why a delivery came to nothing.
enum Undone {
    /// For now: the database failed.
    ForNow(DbError),
    /// For good.
    ForGood(ServiceError),
}

impl From<DbError> for Undone {
    fn from(error: DbError) -> Self {
        match error {
            DbError::Unavailable(_) => Self::ForNow(error),
            DbError::Constraint { .. }
            | DbError::Decode(_)
            | DbError::Statement(_)
            | DbError::Migration(_)
            | DbError::Url { .. } => Self::ForGood(error.into()),
        }
    }
}

impl From<ServiceError> for Undone {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::Db(error) => error.into(),
            ServiceError::Refused(_) | ServiceError::Interrupted => Self::ForGood(error),
        }
    }
}

impl Services {
    /// Relays and applies batches, for ever.
    pub async fn working(self) {
        tokio::join!(self.relaying(), self.applying());
    }

    async fn relaying(&self) {
        loop {
            match self.relay_work().await {
                // There may be more.
                Ok(ROUND) => continue,
                Ok(_) => {}
                Err(error) => {
                    let cause: &dyn std::error::Error = &error;
                    tracing::warn!(error = cause, "batches are not put on the queue");
                }
            }
            tokio::select! {
                () = self.queue.woken() => {}
                () = tokio::time::sleep(POLL) => {}
            }
        }
    }

    /// Puts the batches that nobody is at on the queue, as many as it has room for; answers how
    /// many. While it does not answer, they wait as they are.
    ///
    /// # Errors
    /// The database failed.
    pub async fn relay_work(&self) -> Result<usize, ServiceError> {
        // Most of the time there are none, and the writer is not to be asked for nothing.
        let mut look = self.db.read().await?;
        let now = time_of(&mut look, &self.clock).await?;
        let waits = work_waits(&mut look, now).await?;
        drop(look);
        if !waits {
            return Ok(0);
        }
        let room = self.queue.room().await.min(ROUND);
        if room == 0 {
            return Ok(0);
        }
        let limit = u32::try_from(room).unwrap_or(u32::MAX);
        let mut tx = self.db.write().await?;
        let now = time_of(&mut tx, &self.clock).await?;
        let until = now.plus(self.queue.lease());
        let leased = work_lease(&mut tx, now, until, limit).await?;
        tx.commit().await?;
        if leased.is_empty() || self.queue.push(&leased).await {
            return Ok(leased.len());
        }
        self.take_back(leased).await?;
        Ok(0)
    }

    /// Some of them may be on the queue all the same: a worker gets each once for this time.
    async fn take_back(&self, mut leased: Vec<Leased>) -> Result<(), ServiceError> {
        leased.sort_by_key(|batch| batch.id);
        let mut tx = self.db.write().await?;
        let now = time_of(&mut tx, &self.clock).await?;
        for batch in leased {
            work_release(&mut tx, batch, now).await?;
        }
        Ok(tx.commit().await?)
    }

    async fn applying(&self) {
        loop {
            let delivery = self.queue.next().await;
            let rid = delivery.batch.id;
            if let Err(error) = self.deliver(delivery).await {
                let cause: &dyn std::error::Error = &error;
                tracing::warn!(error = cause, %rid, "batch not applied");
            }
        }
    }

    /// One delivery of a batch. A second one of the same finds nothing to do.
    ///
    /// # Errors
    /// The database failed so that not even the failure could be noted.
    pub async fn deliver(&self, delivery: Delivery) -> Result<(), ServiceError> {
        let services = self.clone();
        let task = self
            .tasks
            .spawn(async move { services.deliver_once(&delivery).await });
        task.await.map_err(|_| ServiceError::Interrupted)?
    }

    async fn deliver_once(&self, delivery: &Delivery) -> Result<(), ServiceError> {
        let mut tx = self.db.write().await?;
        let now = time_of(&mut tx, &self.clock).await?;
        let until = now.plus(self.queue.lease());
        let row = work_deliver(&mut tx, delivery.batch, now, until).await?;
        tx.commit().await?;
        if let Some(row) = row {
            self.work_on(&row).await?;
        }
        self.queue.done(delivery).await;
        Ok(())
    }

    /// Applies a batch, or notes why it is not.
    async fn work_on(&self, row: &WorkRow) -> Result<(), ServiceError> {
        if row.deliveries > DELIVERIES {
            let error = "its workers went away with it";
            tracing::warn!(rid = %row.id, deliveries = row.deliveries, error, "batch not applied");
            return self.bury(row.store_id, row.id, error).await;
        }
        match self.apply(row).await {
            Ok(()) => {
                self.relay.committed(row.store_id);
                Ok(())
            }
            Err(undone) => self.note_undone(row, undone).await,
        }
    }

    async fn note_undone(&self, row: &WorkRow, undone: Undone) -> Result<(), ServiceError> {
        let (error, last) = match undone {
            Undone::ForNow(error) => (error.to_string(), row.deliveries >= DELIVERIES),
            Undone::ForGood(error) => (error.to_string(), true),
        };
        metrics::counter!("stock_work_failures_total").increment(1);
        tracing::warn!(rid = %row.id, deliveries = row.deliveries, error, last, "batch not applied");
        if last {
            return self.bury(row.store_id, row.id, &error).await;
        }
        let mut tx = self.db.write().await?;
        let now = time_of(&mut tx, &self.clock).await?;
        // Seconds that double, as everything that waits for infrastructure.
        let wait = 1_000_i64 << row.deliveries.clamp(0, 6);
        work_failed(&mut tx, row.id, &error, now.plus(wait)).await?;
        Ok(tx.commit().await?)
    }

    /// Nobody could apply it: it is laid aside, and holds nothing.
    async fn bury(
        &self,
        store: StoreId,
        id: ReservationId,
        error: &str,
    ) -> Result<(), ServiceError> {
        let Some(mut work) = self.house_work(store).await? else {
            return Ok(());
        };
        let now = work.now;
        work_bury(&mut work.tx, id, error, now).await?;
        if let Some(held) = hold_find(&mut work.tx, store, id).await? {
            work.end_released(&held, "dead letter").await?;
        }
        drop(work.finish(self.born_published, None).await?);
        Ok(())
    }

    async fn apply(&self, row: &WorkRow) -> Result<(), Undone> {
        if self
            .guards
            .stock
            .fault
            .as_ref()
            .is_some_and(|fault| fault())
        {
            return Err(DbError::Unavailable(sqlx::Error::PoolTimedOut).into());
        }
        let mut swept = false;
        loop {
            let Some(mut work) = self.house_work(row.store_id).await? else {
                return Ok(());
            };
            let short = work.apply_batch(row, swept).await?;
            if short && !swept {
                drop(work);
                swept = true;
                self.sweep_store(row.store_id).await?;
                continue;
            }
            drop(work.finish(self.born_published, None).await?);
            return Ok(());
        }
    }
}

impl Work {
    /// pending → held or rejected. `true`: it is short, and `swept` says that sweeping is no help.
    async fn apply_batch(&mut self, row: &WorkRow, swept: bool) -> Result<bool, ServiceError> {
        let store = self.store().id;
        let Some(held) = hold_find(&mut self.tx, store, row.id).await? else {
            work_done(&mut self.tx, row.id).await?;
            return Ok(false);
        };
        let body: HoldBatch = Doc {
            doc: row.payload.clone(),
        }
        .read()?;
        let (demand, absent) = match self.asked(&body.lines).await {
            Ok(Asked::Whole(demand)) => (demand, Vec::new()),
            Ok(Asked::Partly(absent, rest)) => (rest, absent),
            // Well-formed when it was taken; the menu has changed since.
            Err(ServiceError::Refused(refusal)) => {
                self.batch_rejected(&held, refusal.code, &[]).await?;
                return Ok(false);
            }
            Err(error) => return Err(error),
        };
        if !absent.is_empty() {
            self.batch_rejected(&held, Code::InsufficientStock, &absent)
                .await?;
            return Ok(false);
        }
        let mark = self.mark_stock().await?;
        if !hold_start(&mut self.tx, row.id, self.now).await? {
            // Given up or past its time meanwhile.
            self.end_expired(&held).await?;
            work_done(&mut self.tx, row.id).await?;
            return Ok(false);
        }
        let back = match body.replaces {
            Some(rid) => self.give_place(rid).await?,
            None => Vec::new(),
        };
        let ids: Vec<Uuid> = body.lines.iter().map(|_| Uuid::now_v7()).collect();
        let own = portions(row.id, &demand, &ids);
        let mut all: Vec<_> = moves(&back, MoveKind::Released).collect();
        all.extend(moves(&own, MoveKind::Reserved));
        let short = self.shift(&all, "reserved").await?;
        if short.is_empty() {
            portions_insert(&mut self.tx, &own, LineStatus::Held).await?;
            work_done(&mut self.tx, row.id).await?;
            self.step(
                &held,
                own.len(),
                "reserved",
                &digest(&demand.content())[..8],
            );
            return Ok(false);
        }
        self.undo_stock(mark).await?;
        if !swept {
            return Ok(true);
        }
        let shorts = self.shorts(&short, &demand.rows(), &back).await?;
        self.batch_rejected(&held, Code::InsufficientStock, &shorts)
            .await?;
        Ok(true)
    }

    /// The hold whose place it takes, if that is still there to be taken.
    async fn give_place(&mut self, rid: ReservationId) -> Result<Vec<Portion>, ServiceError> {
        let store = self.store().id;
        let Some(held) = hold_find(&mut self.tx, store, rid).await? else {
            return Ok(Vec::new());
        };
        match self.hold_superseded(&held).await {
            // Sold, or an order's by now: the batch is held beside it.
            Err(ServiceError::Refused(_)) => Ok(Vec::new()),
            given => given,
        }
    }

    async fn batch_rejected(
        &mut self,
        held: &Held,
        code: Code,
        shorts: &[Short],
    ) -> Result<(), ServiceError> {
        let code: String = write(&code)?.trim_matches('"').to_owned();
        let doc = write(&shorts)?;
        if hold_reject(&mut self.tx, held.rid, &code, &doc, self.now).await? {
            self.step(held, 0, "rejected", &code);
        } else {
            self.end_expired(held).await?;
        }
        Ok(work_done(&mut self.tx, held.rid).await?)
    }
}

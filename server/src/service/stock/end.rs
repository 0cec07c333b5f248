//! The ends of a hold: sold, given back, past its time. Whoever's update finds the row ends it.

use domain::id::{OrderId, PartyId, StockId};
use domain::order::Order;

use super::super::command::Work;
use super::super::refusal::ServiceError;
use super::opening::moves;
use crate::db::DbError;
use crate::store::hold::{Held, holds_of_party};
use crate::store::hold_line::{
    LineStatus, Portion, portions_ever, portions_of_hold, portions_turn,
};
use crate::store::hold_turn::{hold_confirm, hold_confirm_late, hold_expire, hold_release};
use crate::store::ledger::MoveKind;
use crate::store::order::order_find;
use crate::store::work::work_done;

impl Work {
    /// Its units are sold, in time. `false`: it was not open, or no longer in time.
    pub(super) async fn end_confirmed(
        &mut self,
        held: &Held,
        order: Option<OrderId>,
    ) -> Result<bool, DbError> {
        let done = hold_confirm(&mut self.tx, held.rid, order, self.now).await?;
        if !done && self.stock.guards.status {
            return Ok(false);
        }
        self.close(
            held,
            LineStatus::Confirmed,
            MoveKind::Confirmed,
            "confirmed",
            "",
        )
        .await?;
        Ok(true)
    }

    /// Its units are free again, because of `why`. `false`: it was not open.
    pub(super) async fn end_released(&mut self, held: &Held, why: &str) -> Result<bool, DbError> {
        let done = hold_release(&mut self.tx, held.rid, why, self.now).await?;
        if !done && self.stock.guards.status {
            return Ok(false);
        }
        work_done(&mut self.tx, held.rid).await?;
        self.close(
            held,
            LineStatus::Released,
            MoveKind::Released,
            "released",
            why,
        )
        .await?;
        Ok(true)
    }

    /// Its units are free again, past its time. `false`: it was not open, or is in time.
    pub(super) async fn end_expired(&mut self, held: &Held) -> Result<bool, DbError> {
        let done = hold_expire(&mut self.tx, held.rid, self.now).await?;
        if !done && self.stock.guards.status {
            return Ok(false);
        }
        work_done(&mut self.tx, held.rid).await?;
        self.close(held, LineStatus::Expired, MoveKind::Expired, "expired", "")
            .await?;
        Ok(true)
    }

    /// Past its time its units are sold all the same, if they are free: the rows that are not, and
    /// then everything is to be undone. `None`: it is not expired.
    pub(super) async fn end_late(
        &mut self,
        held: &Held,
        order: Option<OrderId>,
    ) -> Result<Option<Vec<StockId>>, DbError> {
        if !hold_confirm_late(&mut self.tx, held.rid, order, self.now).await? {
            return Ok(None);
        }
        let portions = portions_of_hold(&mut self.tx, held.rid, LineStatus::Expired).await?;
        let late: Vec<_> = moves(&portions, MoveKind::Late).collect();
        let short = self.shift(&late, "late").await?;
        let (from, to) = (LineStatus::Expired, LineStatus::Confirmed);
        portions_turn(&mut self.tx, held.rid, from, to).await?;
        self.step(held, portions.len(), "late", "");
        Ok(Some(short))
    }

    /// Guests who have left want nothing any more.
    pub(in crate::service) async fn end_carts(&mut self, party: PartyId) -> Result<(), DbError> {
        let store = self.store().id;
        for held in holds_of_party(&mut self.tx, store, party).await? {
            if !self.end_expired(&held).await? {
                self.end_released(&held, "party cleared").await?;
            }
        }
        Ok(())
    }

    async fn close(
        &mut self,
        held: &Held,
        to: LineStatus,
        kind: MoveKind,
        what: &'static str,
        why: &str,
    ) -> Result<(), DbError> {
        let portions: Vec<Portion> = if self.stock.guards.status {
            portions_of_hold(&mut self.tx, held.rid, LineStatus::Held).await?
        } else {
            portions_ever(&mut self.tx, held.rid).await?
        };
        portions_turn(&mut self.tx, held.rid, LineStatus::Held, to).await?;
        let all: Vec<_> = moves(&portions, kind).collect();
        let told = if why.is_empty() { what } else { why };
        self.shift(&all, told).await?;
        self.step(held, portions.len(), what, why);
        Ok(())
    }

    /// The order of a hold that ended before its payment is marked so.
    pub(super) async fn mark_order(&mut self, held: &Held) -> Result<(), ServiceError> {
        let store = self.store().id;
        let Some(id) = held.order_id else {
            return Ok(());
        };
        let order = order_find(&mut self.tx, store, id).await?;
        // Only the hold that it has now is its hold.
        let Some(mut order) = order.filter(|order: &Order| order.rid == Some(held.rid)) else {
            return Ok(());
        };
        let was_open = order.is_open();
        let events = order.hold_ended();
        if events.is_empty() {
            return Ok(());
        }
        self.save_order(&order, was_open, events).await
    }
}

//! Money that was taken for what is gone.

use domain::order::Order;
use domain::stock::Short;
use uuid::Uuid;

use super::super::command::Work;
use super::super::refusal::{Refusal, ServiceError};
use super::short::in_short;
use crate::store::hold::hold_find;
use crate::store::refund::{refund_drop, refund_insert, refund_settle};

impl Work {
    /// Money was taken for what is gone: the order stays unpaid, and one refund is due.
    pub(in crate::service) async fn refund_order(
        &mut self,
        mut order: Order,
        shorts: Vec<Short>,
    ) -> Result<(), ServiceError> {
        let (store, now) = (self.store().id, self.now);
        if let Some(rid) = order.rid
            && let Some(held) = hold_find(&mut self.tx, store, rid).await?
        {
            self.end_expired(&held).await?;
        }
        let reason = in_short(&shorts);
        refund_insert(&mut self.tx, store, order.id, order.total, &reason, now).await?;
        let was_open = order.is_open();
        let events = order.hold_ended();
        self.save_order(&order, was_open, events).await?;
        let refusal = self.insufficient(shorts)?;
        self.refuse_and_keep(refusal);
        Ok(())
    }

    /// The order is confirmed after all: nothing is to be given back.
    pub(in crate::service) async fn refund_over(
        &mut self,
        order: &Order,
    ) -> Result<(), ServiceError> {
        Ok(refund_drop(&mut self.tx, order.id, self.now).await?)
    }

    /// `POST /refunds/{id}/settle`: the money was given back.
    pub(in crate::service) async fn refund_settle(&mut self, id: Uuid) -> Result<(), ServiceError> {
        let store = self.store().id;
        let settled = refund_settle(&mut self.tx, store, id, self.now).await?;
        settled
            .map(drop)
            .ok_or_else(|| Refusal::not_found("refund").into())
    }
}

//! `PATCH /reservations/{rid}`: the one extension.

use domain::id::ReservationId;
use domain::stock::HoldStatus;
use serde::Deserialize;

use super::super::command::{Outcome, Work};
use super::super::refusal::{Code, Refusal, ServiceError};
use crate::store::hold::Held;
use crate::store::hold_turn::hold_extend;
use crate::store::order::order_find;

/// `PATCH /reservations/{rid}`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extend {
    /// The one thing that can be asked for.
    pub extend: bool,
}

impl Work {
    pub(in crate::service) async fn hold_extend(
        &mut self,
        rid: ReservationId,
        body: &Extend,
    ) -> Result<(), ServiceError> {
        if !body.extend {
            return Err(Refusal::field("extend", "there is nothing else to ask for").into());
        }
        let mut held = self.own_hold(rid).await?;
        if let Some(until) = hold_extend(&mut self.tx, rid, self.now).await? {
            held.life.expires_at = until;
            self.step(&held, 0, "extended", "");
            self.tell_order(&held).await?;
            return self.answer_hold(&held, Outcome::Ok, |hold| hold).await;
        }
        // Extended before: as it is. Ended: that is no extension.
        let in_time = held.status == HoldStatus::Held && !held.life.is_over(self.now);
        if in_time {
            let again = |hold| domain::stock::Hold {
                replayed: true,
                ..hold
            };
            return self.answer_hold(&held, Outcome::Ok, again).await;
        }
        Err(Refusal::new(Code::InvalidTransition, "the hold is not open any more").into())
    }

    /// Its order tells the new end.
    async fn tell_order(&mut self, held: &Held) -> Result<(), ServiceError> {
        let store = self.store().id;
        let Some(id) = held.order_id else {
            return Ok(());
        };
        let order = order_find(&mut self.tx, store, id).await?;
        let Some(mut order) = order.filter(|order| order.rid == Some(held.rid)) else {
            return Ok(());
        };
        let was_open = order.is_open();
        let events = order.hold_extended(held.life.expires_at);
        if events.is_empty() {
            return Ok(());
        }
        self.save_order(&order, was_open, events).await
    }
}

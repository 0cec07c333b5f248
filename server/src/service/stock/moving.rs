//! Lines that move to another order take their units along: counters do not move.

use domain::id::ReservationId;
use domain::order::Order;
use domain::stock::HoldStatus;
use uuid::Uuid;

use super::super::command::Work;
use super::super::refusal::ServiceError;
use super::opening::moves;
use super::order::order_actor;
use crate::store::hold::{Held, hold_find, hold_insert};
use crate::store::hold_line::{
    LineStatus, Portion, portion_turn, portions_insert, portions_of_hold,
};
use crate::store::hold_turn::hold_shrink;
use crate::store::ledger::{Move, MoveKind};

impl Work {
    /// The lines of `part` have left `order`. What is sold stays where it was sold: a void finds
    /// it by its line.
    pub(in crate::service) async fn hold_split(
        &mut self,
        order: &mut Order,
        part: &mut Order,
    ) -> Result<(), ServiceError> {
        let store = self.store().id;
        let Some(rid) = order.rid else { return Ok(()) };
        let Some(held) = hold_find(&mut self.tx, store, rid).await? else {
            return Ok(());
        };
        let from = match held.status {
            HoldStatus::Held => LineStatus::Held,
            HoldStatus::Expired => LineStatus::Expired,
            // It was broken: whichever of the two is paid takes its own lines anew.
            HoldStatus::Released | HoldStatus::Rejected => {
                part.rid = order.rid;
                return Ok(());
            }
            HoldStatus::Pending | HoldStatus::Confirmed => return Ok(()),
        };
        if from == LineStatus::Held && !hold_shrink(&mut self.tx, rid).await? {
            return Ok(());
        }
        let leaving: Vec<Portion> = portions_of_hold(&mut self.tx, rid, from)
            .await?
            .into_iter()
            .filter(|portion| part.lines.iter().any(|line| line.id.0 == portion.line))
            .collect();
        if leaving.is_empty() {
            return Ok(());
        }
        let own = self.split_off(&held, part, &leaving, from).await?;
        if from == LineStatus::Expired {
            part.rid = Some(own);
            return Ok(());
        }
        part.hold(own, Some(held.life.expires_at));
        self.note_shrunk(order, rid, "moved").await
    }

    async fn split_off(
        &mut self,
        held: &Held,
        part: &Order,
        leaving: &[Portion],
        status: LineStatus,
    ) -> Result<ReservationId, ServiceError> {
        let own = Held {
            rid: ReservationId(Uuid::now_v7()),
            actor: order_actor(part.id),
            holder: part.table_label.clone(),
            content: String::new(),
            order_id: Some(part.id),
            ..held.clone()
        };
        let store = self.store().id;
        hold_insert(&mut self.tx, store, &own).await?;
        let at = |portion: &Portion| Portion {
            rid: own.rid,
            ..*portion
        };
        let taken: Vec<Portion> = leaving.iter().map(at).collect();
        for old in leaving {
            portion_turn(&mut self.tx, old, status, LineStatus::Moved).await?;
        }
        portions_insert(&mut self.tx, &taken, status).await?;
        if status == LineStatus::Held {
            let mut all: Vec<Move> = moves(leaving, MoveKind::Moved).collect();
            all.extend(moves(&taken, MoveKind::Taken));
            self.shift(&all, "split").await?;
        }
        self.step(&own, taken.len(), "split", "");
        Ok(own.rid)
    }
}

//! Lines that are voided: before firing their units are free again, after firing and before
//! cooking they are back on the shelf, later they are used up.

use domain::id::{LineId, ReservationId};
use domain::order::{KitchenState, Line, Order};

use super::super::command::Work;
use super::super::refusal::ServiceError;
use super::opening::moves;
use crate::db::DbError;
use crate::store::hold::{Held, hold_find};
use crate::store::hold_line::{
    LineStatus, Portion, portion_part, portion_turn, portions_insert, portions_of_hold,
    portions_of_line,
};
use crate::store::hold_turn::hold_shrink;
use crate::store::ledger::{Move, MoveKind};

/// A line as it was before it was voided, or part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Voiding {
    line: LineId,
    quantity: u32,
    fired: bool,
    state: KitchenState,
}

impl Voiding {
    /// The line of `order`, if it has it.
    #[must_use]
    pub fn of(order: &Order, line: LineId) -> Option<Self> {
        let line: &Line = order.lines.iter().find(|of| of.id == line)?;
        Some(Self {
            line: line.id,
            quantity: line.quantity,
            fired: line.is_fired(),
            state: line.kitchen_state,
        })
    }
}

impl Work {
    /// `order` has `voiding` voided, `taken` of it under the id `part` when that is not all.
    pub(in crate::service) async fn hold_voided(
        &mut self,
        order: &mut Order,
        voiding: Voiding,
        taken: Option<u32>,
        part: LineId,
        why: &str,
    ) -> Result<(), ServiceError> {
        let taken = taken.unwrap_or(voiding.quantity);
        let (from, to, kind) = match (voiding.fired, voiding.state) {
            (false, _) => (LineStatus::Held, LineStatus::Released, MoveKind::Released),
            (true, KitchenState::Waiting) => {
                let (from, to) = (LineStatus::Confirmed, LineStatus::Restocked);
                (from, to, MoveKind::Restocked)
            }
            (true, KitchenState::Cooking | KitchenState::Cooked | KitchenState::Served) => {
                return Ok(());
            }
        };
        let portions = portions_of_line(&mut self.tx, voiding.line.0, from).await?;
        for portion in &portions {
            let own = self
                .part_off(portion, from, voiding.quantity, taken, part)
                .await?;
            if !portion_turn(&mut self.tx, &own, from, to).await? {
                continue;
            }
            let back: Vec<Move> = moves(&[own], kind).collect();
            self.shift(&back, why).await?;
        }
        if voiding.fired {
            return Ok(());
        }
        self.part_expired(voiding, taken).await?;
        for rid in holds_of(&portions) {
            self.note_shrunk(order, rid, why).await?;
        }
        Ok(())
    }

    /// The portion itself, or so much of it as is voided, as a portion of the line `part`.
    async fn part_off(
        &mut self,
        portion: &Portion,
        status: LineStatus,
        of: u32,
        taken: u32,
        part: LineId,
    ) -> Result<Portion, DbError> {
        if taken >= of {
            return Ok(*portion);
        }
        let units = share(portion.quantity, of, taken);
        let own = Portion {
            line: part.0,
            quantity: units,
            ..*portion
        };
        if !portion_part(&mut self.tx, portion, units).await? {
            return Ok(*portion);
        }
        portions_insert(&mut self.tx, &[own], status).await?;
        if status == LineStatus::Held {
            let given = Portion {
                quantity: units,
                ..*portion
            };
            let mut all: Vec<Move> = moves(&[given], MoveKind::Parted).collect();
            all.extend(moves(&[own], MoveKind::Taken));
            self.shift(&all, "parted").await?;
        }
        Ok(own)
    }

    /// Units past their time are nobody's: fewer of them are taken afresh when it is paid.
    async fn part_expired(&mut self, voiding: Voiding, taken: u32) -> Result<(), DbError> {
        let from = LineStatus::Expired;
        for portion in portions_of_line(&mut self.tx, voiding.line.0, from).await? {
            if taken >= voiding.quantity {
                portion_turn(&mut self.tx, &portion, from, LineStatus::Released).await?;
            } else {
                let units = share(portion.quantity, voiding.quantity, taken);
                portion_part(&mut self.tx, &portion, units).await?;
            }
        }
        Ok(())
    }

    /// A hold that has nothing left is over, and its order holds nothing.
    pub(super) async fn note_shrunk(
        &mut self,
        order: &mut Order,
        rid: ReservationId,
        why: &str,
    ) -> Result<(), ServiceError> {
        let store = self.store().id;
        let Some(held) = hold_find(&mut self.tx, store, rid).await? else {
            return Ok(());
        };
        if !hold_shrink(&mut self.tx, rid).await? {
            return Ok(());
        }
        let left = portions_of_hold(&mut self.tx, rid, LineStatus::Held).await?;
        self.step(&held, left.len(), "shrunk", why);
        if left.is_empty() {
            self.end_emptied(order, &held, why).await?;
        }
        Ok(())
    }

    async fn end_emptied(
        &mut self,
        order: &mut Order,
        held: &Held,
        why: &str,
    ) -> Result<(), ServiceError> {
        self.end_released(held, why).await?;
        if order.rid == Some(held.rid) {
            order.rid = None;
            order.hold_over();
        }
        Ok(())
    }
}

/// Units of `taken` out of `of` portions that have `units` together.
fn share(units: i64, of: u32, taken: u32) -> i64 {
    units / i64::from(of.max(1)) * i64::from(taken)
}

fn holds_of(portions: &[Portion]) -> Vec<ReservationId> {
    let mut rids: Vec<ReservationId> = portions.iter().map(|portion| portion.rid).collect();
    rids.sort_unstable();
    rids.dedup();
    rids
}

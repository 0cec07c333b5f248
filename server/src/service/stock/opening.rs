//! Opening a hold: its units, its row, its lines.

use domain::id::{OrderId, ReservationId, StockId};
use domain::stock::{Demand, HoldStatus, Life};
use uuid::Uuid;

use super::super::command::Work;
use super::Step;
use crate::db::DbError;
use crate::store::hold::{Held, hold_insert};
use crate::store::hold_line::{LineStatus, Portion, portions_insert};
use crate::store::ledger::{Move, MoveKind};

/// A hold to be.
#[derive(Clone, Debug)]
pub(super) struct Opening {
    /// The cart it is for.
    pub(super) actor: String,
    /// Shown to managers.
    pub(super) holder: String,
    /// What it holds, to be adopted by.
    pub(super) content: String,
    /// The same, if its cart may find it again by it.
    pub(super) signature: Option<String>,
    /// The order it is for.
    pub(super) order_id: Option<OrderId>,
    /// How long.
    pub(super) life: Life,
    /// Sold at once.
    pub(super) sold: bool,
}

/// The moves of portions, all of one kind.
pub(super) fn moves(portions: &[Portion], kind: MoveKind) -> impl Iterator<Item = Move> {
    portions.iter().map(move |portion| Move {
        stock_id: portion.stock_id,
        kind,
        of: Some((portion.rid, portion.line)),
        quantity: portion.quantity,
    })
}

/// The portions of a hold that these lines make; `ids` has the line's id by its place.
pub(super) fn portions(rid: ReservationId, demand: &Demand, ids: &[Uuid]) -> Vec<Portion> {
    let portion = |units: &domain::stock::Units| {
        Some(Portion {
            rid,
            line: *ids.get(units.line)?,
            stock_id: units.stock_id,
            place: i64::try_from(units.line).ok()?,
            quantity: i64::from(units.quantity),
        })
    };
    demand.units().iter().filter_map(portion).collect()
}

impl Work {
    /// Takes the units and writes the hold; what `also` gives back counts for it. The rows that are
    /// short: then everything is to be rolled back.
    pub(super) async fn hold_open(
        &mut self,
        rid: ReservationId,
        opening: Opening,
        portions: &[Portion],
        also: &[Move],
    ) -> Result<Vec<StockId>, DbError> {
        let mut all = also.to_vec();
        all.extend(moves(portions, MoveKind::Reserved));
        let (status, line, what) = if opening.sold {
            all.extend(moves(portions, MoveKind::Confirmed));
            (HoldStatus::Confirmed, LineStatus::Confirmed, "sold")
        } else {
            (HoldStatus::Held, LineStatus::Held, "reserved")
        };
        let short = self.shift(&all, what).await?;
        if !short.is_empty() {
            return Ok(short);
        }
        let held = self.held(rid, opening, status);
        let store = self.store().id;
        hold_insert(&mut self.tx, store, &held).await?;
        portions_insert(&mut self.tx, portions, line).await?;
        self.step(&held, portions.len(), what, "");
        Ok(short)
    }

    /// The row of a new hold.
    pub(super) fn held(&self, rid: ReservationId, opening: Opening, status: HoldStatus) -> Held {
        Held {
            rid,
            owner: self.actor.owner.clone(),
            actor: opening.actor,
            holder: opening.holder,
            content: opening.content,
            signature: opening.signature,
            status,
            reason: None,
            order_id: opening.order_id,
            created_at: self.now,
            life: opening.life,
            shorts: None,
        }
    }

    /// Notes a transition for the log.
    pub(super) fn step(&mut self, held: &Held, lines: usize, what: &'static str, why: &str) {
        self.stock.steps.push(Step {
            rid: held.rid,
            actor: held.actor.clone(),
            lines,
            what,
            why: why.to_owned(),
        });
    }
}

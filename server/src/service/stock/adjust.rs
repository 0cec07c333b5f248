//! `POST /stock/{stockId}/adjust`: somebody has counted.

use domain::id::StockId;
use domain::stock::Stock;
use domain::text::{NAME_GRAPHEMES, fits};
use serde::Deserialize;

use super::super::command::Work;
use super::super::refusal::{Code, Refusal, ServiceError};
use super::read::holds_shown;
use crate::store::hold::holds_of_stock;
use crate::store::ledger::{Cause, Move, MoveKind, moves_insert};
use crate::store::stock::{stock_adjust, stock_find};

/// More than a restaurant ever has of one thing.
const MAX_ON_HAND: i64 = 1_000_000;
/// The most holds that a refusal names.
const NAMED: u32 = 20;

/// `POST /stock/{stockId}/adjust`: a difference, or what is there as of a version.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Adjust {
    /// So many more, or fewer.
    pub delta: Option<i64>,
    /// So many are there.
    pub on_hand: Option<i64>,
    /// The version that was counted against.
    pub expected_version: Option<u64>,
    /// Why, 1 to 120 characters.
    pub reason: String,
}

impl Adjust {
    /// The difference to what is there.
    fn delta(&self, stock: &Stock) -> Result<i64, Refusal> {
        let bounded = |field, n: i64| {
            let fits = (-MAX_ON_HAND..=MAX_ON_HAND).contains(&n);
            fits.then_some(n)
                .ok_or_else(|| Refusal::field(field, "at most a million of one thing"))
        };
        match (self.delta, self.on_hand, self.expected_version) {
            (Some(delta), None, None) => bounded("delta", delta),
            (None, Some(n), Some(_)) if n >= 0 => Ok(bounded("onHand", n)? - stock.on_hand),
            (None, Some(_), Some(_)) => Err(Refusal::field("onHand", "not below zero")),
            (None, Some(_), None) => Err(Refusal::field(
                "expectedVersion",
                "a count is as of a version",
            )),
            (Some(_), Some(_), _) | (None, None, _) | (Some(_), None, Some(_)) => {
                Err(Refusal::field(
                    "delta",
                    "either `delta`, or `onHand` with `expectedVersion`",
                ))
            }
        }
    }
}

impl Work {
    pub(in crate::service) async fn stock_adjust(
        &mut self,
        id: StockId,
        body: &Adjust,
    ) -> Result<(), ServiceError> {
        let reason = body.reason.trim();
        if reason.is_empty() || !fits(reason, NAME_GRAPHEMES) {
            return Err(Refusal::field("reason", "a reason has 1 to 120 characters").into());
        }
        let store = self.store().id;
        let found = stock_find(&mut self.tx, store, id).await?;
        let found = found.filter(|row| row.deleted_at.is_none());
        let stock = found.ok_or_else(|| Refusal::not_found("stock"))?.entity()?;
        let delta = body.delta(&stock)?;
        if !(0..=MAX_ON_HAND).contains(&(stock.on_hand + delta)) {
            return Err(
                Refusal::field("delta", "there would be fewer than none, or too many").into(),
            );
        }
        let expected = body.expected_version;
        let adjusted = stock_adjust(&mut self.tx, store, id, delta, expected).await?;
        let Some(place) = adjusted else {
            return Err(self.refuse_adjust(&stock, expected).await?);
        };
        let moved = Move {
            stock_id: id,
            kind: MoveKind::Adjusted,
            of: None,
            quantity: delta,
        };
        let (who, at) = (self.actor.name.clone(), self.now);
        let cause = Cause {
            store,
            who: &who,
            why: reason,
            at,
        };
        moves_insert(&mut self.tx, &[(place, moved)], cause).await?;
        self.stock.touched.push(id);
        Ok(())
    }

    /// Another version, or held: then with the holds that stand in the way.
    async fn refuse_adjust(
        &mut self,
        stock: &Stock,
        expected: Option<u64>,
    ) -> Result<ServiceError, ServiceError> {
        if expected.is_some_and(|expected| expected != stock.version) {
            let refusal = Refusal::new(Code::VersionConflict, "it was counted anew meanwhile");
            return Ok(self.refuse_with_stock(stock, refusal));
        }
        let (store, now) = (self.store().id, self.now);
        let blocking = holds_of_stock(&mut self.tx, store, stock.id, NAMED).await?;
        let blocking = holds_shown(&mut self.tx, blocking, now).await?;
        let detail = format!("{} are held", stock.held);
        let refusal = Refusal::new(Code::StockHeld, detail).with("holds", &blocking)?;
        Ok(self.refuse_with_stock(stock, refusal))
    }
}

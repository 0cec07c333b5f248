//! Counters and ledger: the one way in which either changes.

use domain::id::StockId;

use super::super::command::Work;
use crate::db::DbError;
use crate::store::ledger::{Cause, Move, moves_insert};
use crate::store::stock::{Shift, stock_give, stock_take};

impl Work {
    /// Applies moves, net by stock row, rows in ascending order. Answers the rows that are short:
    /// then what was done is to be rolled back.
    pub(super) async fn shift(
        &mut self,
        moves: &[Move],
        why: &str,
    ) -> Result<Vec<StockId>, DbError> {
        let (mut short, mut entries) = (Vec::new(), Vec::new());
        for id in self.rows_of(moves) {
            let own: Vec<&Move> = moves.iter().filter(|of| of.stock_id == id).collect();
            let shift = net(id, &own);
            match self.shift_row(&shift).await? {
                None => short.push(id),
                Some(last) => entries.extend(places(&own, last)),
            }
        }
        if short.is_empty() {
            self.enter(&entries, why).await?;
        }
        Ok(short)
    }

    fn rows_of(&self, moves: &[Move]) -> Vec<StockId> {
        let mut rows: Vec<StockId> = Vec::new();
        for id in moves.iter().map(|of| of.stock_id) {
            if !rows.contains(&id) {
                rows.push(id);
            }
        }
        if self.stock.guards.sorted {
            rows.sort_unstable();
        }
        rows
    }

    async fn shift_row(&mut self, shift: &Shift) -> Result<Option<i64>, DbError> {
        let store = self.store().id;
        let takes = shift.held > shift.on_hand;
        let last = if takes && self.stock.guards.reserve {
            stock_take(&mut self.tx, store, shift).await?
        } else {
            stock_give(&mut self.tx, store, shift).await?
        };
        let changed = shift.on_hand != 0 || shift.held != 0;
        if last.is_some() && changed && !self.stock.touched.contains(&shift.stock_id) {
            self.stock.touched.push(shift.stock_id);
        }
        Ok(last)
    }

    /// Into the ledger.
    async fn enter(&mut self, entries: &[(i64, Move)], why: &str) -> Result<(), DbError> {
        let cause = Cause {
            store: self.store().id,
            who: &self.actor.name.clone(),
            why,
            at: self.now,
        };
        moves_insert(&mut self.tx, entries, cause).await
    }

    /// Everything stock that was noted since is forgotten, as [`crate::db::Tx::back`] does it.
    pub(super) async fn undo_stock(
        &mut self,
        (touched, steps): (usize, usize),
    ) -> Result<(), DbError> {
        self.tx.back().await?;
        self.stock.touched.truncate(touched);
        self.stock.steps.truncate(steps);
        Ok(())
    }

    /// Marks this moment, to come back to.
    pub(super) async fn mark_stock(&mut self) -> Result<(usize, usize), DbError> {
        self.tx.fork().await?;
        Ok((self.stock.touched.len(), self.stock.steps.len()))
    }
}

/// The moves of one row, at the places that end with `last`.
fn places(moves: &[&Move], last: i64) -> Vec<(i64, Move)> {
    let count = i64::try_from(moves.len()).unwrap_or(i64::MAX);
    let moves = moves.iter().map(|moved| **moved);
    (last - count + 1..).zip(moves).collect()
}

fn net(stock_id: StockId, moves: &[&Move]) -> Shift {
    let zero = Shift {
        stock_id,
        on_hand: 0,
        held: 0,
        moves: 0,
    };
    moves.iter().fold(zero, |sum, moved| {
        let (on_hand, held) = moved.deltas();
        Shift {
            on_hand: sum.on_hand + on_hand,
            held: sum.held + held,
            moves: sum.moves + 1,
            ..sum
        }
    })
}

//! Confirming an order sells what it holds; past its time what is still free, or nothing.

use std::collections::BTreeMap;

use domain::id::StockId;
use domain::order::Order;
use domain::stock::{HoldStatus, Row, Short};

use super::super::command::Work;
use super::super::refusal::ServiceError;
use crate::store::hold::{Held, hold_find};
use crate::store::hold_line::{LineStatus, Portion, portions_of_hold};

/// What portions ask for, by stock row.
pub(super) fn rows_of(portions: &[Portion]) -> BTreeMap<StockId, Row> {
    let mut rows: BTreeMap<StockId, Row> = BTreeMap::new();
    for portion in portions {
        let row = rows.entry(portion.stock_id).or_default();
        let units = u32::try_from(portion.quantity).unwrap_or(u32::MAX);
        row.quantity = row.quantity.saturating_add(units);
        let place = usize::try_from(portion.place).unwrap_or_default();
        if row.from.last() != Some(&place) {
            row.from.push(place);
        }
    }
    rows
}

impl Work {
    /// Sells what `order` holds; `paid` is the same order, confirmed. The rows that are short:
    /// then nothing was sold, and what was done about it is undone.
    pub(in crate::service) async fn sell_order(
        &mut self,
        paid: &mut Order,
    ) -> Result<Vec<Short>, ServiceError> {
        let (store, order) = (self.store().id, Some(paid.id));
        let held = match paid.rid {
            Some(rid) => hold_find(&mut self.tx, store, rid).await?,
            None => return Ok(Vec::new()),
        };
        let Some(held) = held else {
            return self.sell_again(paid).await;
        };
        if self.end_confirmed(&held, order).await? {
            return Ok(Vec::new());
        }
        match held.status {
            // Its lines fired before it was paid.
            HoldStatus::Confirmed => Ok(Vec::new()),
            HoldStatus::Held | HoldStatus::Expired => self.sell_late(&held, paid).await,
            HoldStatus::Pending | HoldStatus::Released | HoldStatus::Rejected => {
                self.sell_again(paid).await
            }
        }
    }

    async fn sell_late(
        &mut self,
        held: &Held,
        paid: &mut Order,
    ) -> Result<Vec<Short>, ServiceError> {
        let mark = self.mark_stock().await?;
        self.end_expired(held).await?;
        let portions = portions_of_hold(&mut self.tx, held.rid, LineStatus::Expired).await?;
        let Some(short) = self.end_late(held, Some(paid.id)).await? else {
            return self.sell_again(paid).await;
        };
        if short.is_empty() {
            return Ok(Vec::new());
        }
        self.undo_stock(mark).await?;
        Ok(self.shorts(&short, &rows_of(&portions), &[]).await?)
    }

    async fn sell_again(&mut self, paid: &mut Order) -> Result<Vec<Short>, ServiceError> {
        let mark = self.mark_stock().await?;
        match self.sell_afresh(paid).await? {
            Ok(rid) => {
                if let Some(rid) = rid {
                    paid.hold(rid, None);
                }
                Ok(Vec::new())
            }
            Err(shorts) => {
                self.undo_stock(mark).await?;
                Ok(shorts)
            }
        }
    }
}

//! What is short, told row by row.

use std::collections::BTreeMap;

use domain::id::StockId;
use domain::stock::{Reason, Row, Short};
use domain::text::LocalText;
use domain::time::Time;

use super::super::command::Work;
use super::super::refusal::{Code, Refusal, ServiceError};
use crate::db::DbError;
use crate::store::hold::holds_of_stock;
use crate::store::hold_line::Portion;
use crate::store::stock::stock_find;

impl Work {
    /// These rows of a batch are short; `back` is what would have been given back for it.
    pub(super) async fn shorts(
        &mut self,
        ids: &[StockId],
        rows: &BTreeMap<StockId, Row>,
        back: &[Portion],
    ) -> Result<Vec<Short>, DbError> {
        let mut shorts = Vec::with_capacity(ids.len());
        for id in ids {
            let row = rows.get(id).cloned().unwrap_or_default();
            let own: i64 = back
                .iter()
                .filter(|portion| portion.stock_id == *id)
                .map(|portion| portion.quantity)
                .sum();
            shorts.push(self.short(*id, row, own).await?);
        }
        Ok(shorts)
    }

    async fn short(&mut self, id: StockId, row: Row, own: i64) -> Result<Short, DbError> {
        let store = self.store().id;
        let found = stock_find(&mut self.tx, store, id).await?;
        let (name, left, reason): (Option<LocalText>, i64, Reason) = match &found {
            None => (None, 0, Reason::Unknown),
            Some(stock) if !stock.is_sold() => (Some(stock.entity()?.name), 0, Reason::Unavailable),
            Some(stock) => {
                let left = stock.on_hand - stock.held + own;
                (Some(stock.entity()?.name), left, Reason::Short)
            }
        };
        let short = Short::of_stock(id, name, row.quantity, left, reason, row.from);
        let first = holds_of_stock(&mut self.tx, store, id, 1).await?;
        let ends = first.first().map(|held| held.life.expires_at);
        let wait = |ends: Time| ends.since(self.now).max(1);
        Ok(Short {
            retry_after_ms: ends.filter(|_| reason == Reason::Short).map(wait),
            ..short
        })
    }

    /// The refusal that names them, as the actor may see it.
    pub(in crate::service) fn insufficient(
        &mut self,
        shorts: Vec<Short>,
    ) -> Result<Refusal, DbError> {
        let guest = self.actor.who.is_guest();
        let shorts: Vec<Short> = shorts
            .into_iter()
            .map(|short| if guest { short.for_guests() } else { short })
            .collect();
        Refusal::new(Code::InsufficientStock, in_words(&shorts)).with("lines", &shorts)
    }

    /// The same, and nothing of this command stays.
    pub(super) fn refuse_short(&mut self, shorts: Vec<Short>) -> ServiceError {
        match self.insufficient(shorts) {
            Ok(refusal) => self.refuse_with_orders(&[], refusal),
            Err(error) => error.into(),
        }
    }
}

/// What is missing, in any language: `갈비탕 −1`.
pub(super) fn in_short(shorts: &[Short]) -> String {
    let word = |short: &Short| {
        let name = short.name.as_ref();
        let name = name.map_or("?", |name| name.get(domain::text::Language::default()));
        format!("{name} −{}", short.short_by)
    };
    let words: Vec<String> = shorts.iter().map(word).collect();
    words.join(" · ")
}

/// `갈비탕: 2 of 3`
fn in_words(shorts: &[Short]) -> String {
    let word = |short: &Short| {
        let name = short.name.as_ref();
        let name = name.map_or("unknown", |name| {
            name.get(domain::text::Language::default())
        });
        format!("{name}: {} of {}", short.available, short.requested)
    };
    let words: Vec<String> = shorts.iter().map(word).collect();
    format!("not enough is left: {}", words.join(", "))
}

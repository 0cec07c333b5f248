//! What is short, in the words of an answer.

use serde::{Deserialize, Serialize};

use super::Absent;
use crate::id::{MenuId, StockId};
use crate::text::LocalText;

/// Guests are not told how much more than this there is.
pub const GUESTS_SEE: i64 = 9;

/// Why a row cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Reason {
    /// Fewer are left.
    Short,
    /// 품절, or taken off sale.
    Unavailable,
    /// This store has no such thing.
    Unknown,
}

/// A row that is short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Short {
    /// The stock row; none for an item that is unknown or sold out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stock_id: Option<StockId>,
    /// The item, where no stock row is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub menu_id: Option<MenuId>,
    /// Of the row or the item, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<LocalText>,
    /// Units asked for, over all lines.
    pub requested: u32,
    /// Units that could be had.
    pub available: i64,
    /// `requested − available`
    pub short_by: i64,
    /// Why.
    pub reason: Reason,
    /// The lines that ask for it.
    pub from: Vec<usize>,
    /// When the next hold on it ends, in ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<i64>,
}

impl Short {
    /// A stock row of which `available` units are free.
    #[must_use]
    pub fn of_stock(
        stock_id: StockId,
        name: Option<LocalText>,
        requested: u32,
        available: i64,
        reason: Reason,
        from: Vec<usize>,
    ) -> Self {
        let available = match reason {
            Reason::Short => available.max(0),
            Reason::Unavailable | Reason::Unknown => 0,
        };
        Self {
            stock_id: Some(stock_id),
            menu_id: None,
            name,
            requested,
            available,
            short_by: i64::from(requested) - available,
            reason,
            from,
            retry_after_ms: None,
        }
    }

    /// Lines of things that this store does not have: one entry an item.
    #[must_use]
    pub fn of_absent(absent: &[Absent]) -> Vec<Self> {
        let mut shorts: Vec<Self> = Vec::new();
        for line in absent {
            let same = |short: &&mut Self| {
                short.menu_id == Some(line.menu_id) && short.reason == line.reason
            };
            if let Some(short) = shorts.iter_mut().find(same) {
                short.requested = short.requested.saturating_add(line.quantity);
                short.short_by = i64::from(short.requested);
                short.from.push(line.line);
            } else {
                shorts.push(Self {
                    stock_id: None,
                    menu_id: Some(line.menu_id),
                    name: line.name.clone(),
                    requested: line.quantity,
                    available: 0,
                    short_by: i64::from(line.quantity),
                    reason: line.reason,
                    from: vec![line.line],
                    retry_after_ms: None,
                });
            }
        }
        shorts
    }

    /// As guests may see it: what is left is told up to [`GUESTS_SEE`], and so is the rest.
    #[must_use]
    pub fn for_guests(self) -> Self {
        let available = self.available.min(GUESTS_SEE);
        Self {
            available,
            short_by: i64::from(self.requested) - available,
            ..self
        }
    }
}

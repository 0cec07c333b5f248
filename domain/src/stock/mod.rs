//! Stock: rows that are counted, and holds on them (spec, reservations).
//!
//! Pure rules only: what a batch of lines draws on, how long a hold lives, what becomes of it.
//! Counting itself is the database's, by guarded updates.

mod demand;
mod hold;
mod life;
mod shelf;
mod short;

pub use demand::{Absent, BadHoldLine, Demand, HoldLine, MAX_MERGED, NotHeld, Row, Units};
pub use hold::{End, Hold, HoldRow, HoldStatus, settle};
pub use life::{BadTtl, EXTENSION, LONGEST, Life, TTL, ttl};
pub use shelf::{LOW, Left, Shelf};
pub use short::{GUESTS_SEE, Reason, Short};

use serde::{Deserialize, Serialize};

use crate::id::{MenuId, StockId};
use crate::text::LocalText;

/// What is left of something counted. No row means unlimited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stock {
    /// Its id.
    pub id: StockId,
    /// +1 with every transaction that changed a count.
    pub version: u64,
    /// Shown to staff.
    pub name: LocalText,
    /// `on_hand − held`.
    pub available: i64,
    /// Physically there.
    pub on_hand: i64,
    /// Promised to open holds.
    pub held: i64,
    /// The items that draw on it.
    pub menu_ids: Vec<MenuId>,
}

impl Stock {
    /// The same row with these counts.
    #[must_use]
    pub fn counted(self, version: u64, on_hand: i64, held: i64) -> Self {
        Self {
            version,
            on_hand,
            held,
            available: on_hand - held,
            ..self
        }
    }
}

#[cfg(test)]
mod tests;

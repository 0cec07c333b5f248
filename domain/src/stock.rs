//! Stock rows as clients see them. Holds and counting are the server's (spec, reservations).

use serde::{Deserialize, Serialize};

use crate::id::{MenuId, StockId};
use crate::text::LocalText;

/// What is left of something counted. No row means unlimited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stock {
    /// Its id.
    pub id: StockId,
    /// +1 with every update.
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

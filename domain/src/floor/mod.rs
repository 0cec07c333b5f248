//! The floor: zones, tables, and the parties that sit at them.
//!
//! A party is not an entity of its own for clients: each of its tables carries it.

mod seating;

pub use seating::{
    Apart, RefusedSeating, bill, cleaned, clear, covers, join, seat, transfer, unjoin,
};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::id::{PartyId, TableId, ZoneId};
use crate::sorting::sort_by_key;
use crate::text::LocalText;
use crate::time::Time;

/// A section of the floor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Zone {
    /// Its id.
    pub id: ZoneId,
    /// +1 with every update.
    pub version: u64,
    /// Shown to people.
    pub name: LocalText,
    /// Place among the zones, ascending.
    pub sort: i64,
}

/// Whether guests sit at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TableState {
    /// 빈 테이블
    Free,
    /// 착석
    Seated,
    /// 정리 필요
    Dirty,
}

/// The guests at one or more joined tables, from seating to clearing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Party {
    /// Its id.
    pub id: PartyId,
    /// Its tables, by their place on the floor.
    pub table_ids: Vec<TableId>,
    /// How many guests, if somebody counted: 1..=99.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub covers: Option<u32>,
    /// When they sat down.
    pub seated_at: Time,
    /// When they first asked for the bill.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bill_requested_at: Option<Time>,
}

/// A table with seats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Table {
    /// Its id.
    pub id: TableId,
    /// +1 with every update.
    pub version: u64,
    /// Where it stands.
    pub zone_id: ZoneId,
    /// `A-12`
    pub name: String,
    /// For how many.
    pub seats: u32,
    /// Place on the floor, ascending.
    pub sort: i64,
    /// On its QR sticker; permanent.
    pub code: String,
    /// Whether guests sit there.
    pub state: TableState,
    /// Who sits there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub party: Option<Party>,
}

/// Where a party sits, as its orders show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seating {
    /// The party.
    pub party_id: PartyId,
    /// Its tables; the one the order is at first.
    pub table_ids: Vec<TableId>,
    /// `A-3`, or `6+7` for joined tables.
    pub label: String,
    /// The zone of the table the order is at.
    pub zone: Option<LocalText>,
}

impl Seating {
    /// The seating of the party that sits at these tables, for an order placed at `home`. A
    /// home the party has left counts as its first table.
    #[must_use]
    pub fn of(
        party: &Party,
        tables: &[Table],
        home: Option<TableId>,
        zones: &BTreeMap<ZoneId, LocalText>,
    ) -> Self {
        let mut own: Vec<&Table> = tables
            .iter()
            .filter(|table| party.table_ids.contains(&table.id))
            .collect();
        sort_by_key(&mut own, |table| (table.sort, table.id));
        let names: Vec<&str> = own.iter().map(|table| table.name.as_str()).collect();
        let label = names.join("+");
        if let Some(at) = own.iter().position(|table| Some(table.id) == home) {
            own[..=at].rotate_right(1);
        }
        Self {
            party_id: party.id,
            zone: own
                .first()
                .and_then(|table| zones.get(&table.zone_id).cloned()),
            table_ids: own.iter().map(|table| table.id).collect(),
            label,
        }
    }
}

#[cfg(test)]
mod tests;

//! Choosing the other table of a move. Pure.

use domain::id::{LineId, OrderId, PartyId, TableId};

use super::floor::{State, Tile};

/// What is to be moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// 자리이동: the whole party, to a free table.
    Party,
    /// 합석: the chosen table joins the party.
    Join,
    /// 주문 옮기기: these lines, to another party.
    Lines(Vec<(OrderId, Vec<LineId>)>),
}

/// A move that waits for its target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picking {
    /// A table of the party.
    pub from: TableId,
    /// The party.
    pub party: PartyId,
    /// How its tables are called.
    pub label: String,
    /// What is to be moved.
    pub what: Move,
    /// The target is chosen; the server has not answered.
    pub sent: bool,
}

impl Picking {
    /// A move of the party at `tile`, if there is one.
    #[must_use]
    pub fn of(tile: &Tile, what: Move) -> Option<Self> {
        Some(Self {
            from: tile.table,
            party: tile.party?,
            label: tile.label.clone(),
            what,
            sent: false,
        })
    }

    /// Whether `tile` can be the target.
    #[must_use]
    pub fn allows(&self, tile: &Tile) -> bool {
        let other = tile.party != Some(self.party);
        match self.what {
            _ if self.sent => false,
            Move::Party => tile.state == State::Free,
            Move::Join => other && tile.state != State::Dirty,
            Move::Lines(_) => other && tile.party.is_some(),
        }
    }
}

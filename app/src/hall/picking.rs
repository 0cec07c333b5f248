//! Choosing the other table of a move. Pure.

use domain::id::{LineId, OrderId, PartyId, TableId};

use super::floor::{House, State, Tile, is_wanted};

/// Lines under their orders.
pub type Lines = Vec<(OrderId, Vec<LineId>)>;

/// What is to be moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// 자리이동: the whole party, to a free table.
    Party,
    /// 합석: the chosen table joins the party.
    Join,
    /// 주문 옮기기: these lines, to another party.
    Lines(Lines),
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
        if self.sent {
            return false;
        }
        let other = tile.party != Some(self.party);
        match self.what {
            Move::Party => tile.state == State::Free,
            Move::Join => other && tile.state != State::Dirty,
            Move::Lines(_) => other && tile.party.is_some(),
        }
    }

    /// The same move after a change of the floor: from where the party sits by then, with the
    /// lines it still has. `None` when nobody or nothing is left to be moved.
    #[must_use]
    pub fn still(&self, house: &House) -> Option<Self> {
        // The answer ends it.
        if self.sent {
            return Some(self.clone());
        }
        // The server may have named the party meanwhile.
        let from = if self.party.0.is_nil() {
            self.from
        } else {
            house.seat_of(self.party)?
        };
        let tile = house.tile_at(from)?;
        let what = match &self.what {
            Move::Party => Move::Party,
            Move::Join => Move::Join,
            Move::Lines(orders) => Move::Lines(left(house, tile.party?, orders)?),
        };
        Self::of(&tile, what)
    }
}

/// The lines that the party still has, if there is one.
fn left(house: &House, party: PartyId, orders: &Lines) -> Option<Lines> {
    let has = |id: OrderId, line: LineId| {
        let order = house.orders_of(party).find(|order| order.id == id);
        order.is_some_and(|order| {
            let mut lines = order.lines.iter();
            lines.any(|own| own.id == line && is_wanted(order, own))
        })
    };
    let mut left = orders.clone();
    for (order, lines) in &mut left {
        lines.retain(|line| has(*order, *line));
    }
    left.retain(|(_, lines)| !lines.is_empty());
    (!left.is_empty()).then_some(left)
}

#[path = "picking_tests.rs"]
mod tests;

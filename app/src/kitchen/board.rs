//! The tickets the screen has, as the server says and as its own presses foresee. Pure.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use domain::id::{OrderId, StationId};
use domain::kitchen::{Column, Ticket};
use domain::order::Order;
use domain::sorting::sort_by;

use crate::screen::Presses;

/// A ticket as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// With what its presses foresee.
    pub order: Arc<Order>,
    /// Where it stands.
    pub ticket: Ticket,
    /// A press has not settled.
    pub pending: bool,
}

/// The tickets of this board.
#[derive(Debug, Default)]
pub struct Board {
    orders: BTreeMap<OrderId, Arc<Order>>,
    /// Just touched: a second tap of the same finger does nothing.
    guarded: BTreeSet<OrderId>,
}

impl Board {
    /// The server's order, or none any more.
    pub fn put(&mut self, id: OrderId, order: Option<Arc<Order>>) {
        match order {
            Some(order) => self.orders.insert(id, order),
            None => self.orders.remove(&id),
        };
    }

    /// As the server has it, before presses that have not settled.
    #[must_use]
    pub fn settled(&self, id: OrderId) -> Option<&Arc<Order>> {
        self.orders.get(&id)
    }

    /// Every order with what is foreseen, for totals.
    pub fn orders(&self, presses: &Presses) -> Vec<Arc<Order>> {
        self.orders
            .values()
            .map(|order| presses.order(order))
            .collect()
    }

    /// The card of an order; `None` when it is not on this board.
    #[must_use]
    pub fn card(&self, presses: &Presses, id: OrderId, station: Option<StationId>) -> Option<Card> {
        let order = presses.order(self.orders.get(&id)?);
        let ticket = Ticket::of(&order, station)?;
        let pending = presses.is_pending(id.0) || self.guarded.contains(&id);
        Some(Card {
            order,
            ticket,
            pending,
        })
    }

    /// Begins or ends the moment in which a second tap does nothing.
    pub fn guard(&mut self, id: OrderId, on: bool) {
        if on {
            self.guarded.insert(id);
        } else {
            self.guarded.remove(&id);
        }
    }
}

/// The ids of each column, in their order.
#[must_use]
pub fn columns<'a>(cards: impl Iterator<Item = (OrderId, &'a Ticket)>) -> [Vec<OrderId>; 3] {
    let mut cards: Vec<(OrderId, &Ticket)> = cards.collect();
    sort_by(&mut cards, |(_, one), (_, other)| {
        one.precedes(other).is_lt()
    });
    let mut columns = [const { Vec::new() }; 3];
    for (id, ticket) in cards {
        columns[index(ticket.column)].push(id);
    }
    columns
}

/// The place of a column, from the left.
#[must_use]
pub fn index(column: Column) -> usize {
    match column {
        Column::Waiting => 0,
        Column::Cooking => 1,
        Column::Cooked => 2,
    }
}

/// The columns from the left.
pub const COLUMNS: [Column; 3] = [Column::Waiting, Column::Cooking, Column::Cooked];

#[path = "board_tests.rs"]
mod tests;

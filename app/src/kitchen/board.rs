//! The tickets the screen has, as the server says and as its own presses foresee. Pure.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use domain::id::{MenuId, OrderId, StationId};
use domain::kitchen::{Column, Ticket};
use domain::order::Order;
use domain::time::Time;

use super::intent::Intent;

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

/// One press that has not settled.
#[derive(Clone, Debug)]
struct Pressed {
    serial: u32,
    intent: Intent,
    at: Time,
    sent: bool,
}

/// The tickets and the presses on them.
#[derive(Debug, Default)]
pub struct Board {
    orders: BTreeMap<OrderId, Arc<Order>>,
    pressed: BTreeMap<OrderId, Vec<Pressed>>,
    /// Just touched: a second tap of the same finger does nothing.
    guarded: BTreeSet<OrderId>,
    /// 품절 presses that have not settled.
    sold_out: BTreeMap<MenuId, bool>,
    serial: u32,
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
    pub fn orders(&self) -> impl Iterator<Item = Arc<Order>> + '_ {
        self.orders.keys().filter_map(|id| self.foreseen(*id))
    }

    fn foreseen(&self, id: OrderId) -> Option<Arc<Order>> {
        let order = self.orders.get(&id)?;
        let Some(pressed) = self.pressed.get(&id) else {
            return Some(Arc::clone(order));
        };
        let mut foreseen = Order::clone(order);
        for press in pressed {
            press.intent.foresee(&mut foreseen, press.at);
        }
        Some(Arc::new(foreseen))
    }

    /// The card of an order; `None` when it is not on this board.
    #[must_use]
    pub fn card(&self, id: OrderId, station: Option<StationId>) -> Option<Card> {
        let order = self.foreseen(id)?;
        let ticket = Ticket::of(&order, station)?;
        let pending = self.pressed.contains_key(&id) || self.guarded.contains(&id);
        Some(Card {
            order,
            ticket,
            pending,
        })
    }

    /// Notes a press. Presses on one order are sent one after the other.
    pub fn press(&mut self, id: OrderId, intent: Intent, at: Time) {
        self.serial = self.serial.wrapping_add(1);
        let press = Pressed {
            serial: self.serial,
            intent,
            at,
            sent: false,
        };
        self.pressed.entry(id).or_default().push(press);
    }

    /// The press to send next, unless one is under way.
    pub fn next_to_send(&mut self, id: OrderId) -> Option<(u32, Intent)> {
        let first = self.pressed.get_mut(&id)?.first_mut()?;
        if first.sent {
            return None;
        }
        first.sent = true;
        Some((first.serial, first.intent.clone()))
    }

    /// The server has answered a press. A refusal takes those that waited behind it along.
    pub fn settle(&mut self, id: OrderId, serial: u32, done: bool) {
        if let Some(pressed) = self.pressed.get_mut(&id) {
            pressed.retain(|press| press.serial != serial && done);
            if pressed.is_empty() {
                self.pressed.remove(&id);
            }
        }
    }

    /// Begins or ends the moment in which a second tap does nothing.
    pub fn guard(&mut self, id: OrderId, on: bool) {
        if on {
            self.guarded.insert(id);
        } else {
            self.guarded.remove(&id);
        }
    }

    /// Whether an item counts as sold out: as pressed, else as the server says.
    #[must_use]
    pub fn is_sold_out(&self, id: MenuId, as_known: bool) -> bool {
        self.sold_out.get(&id).copied().unwrap_or(as_known)
    }

    /// Notes a 품절 press, or that it has settled.
    pub fn press_sold_out(&mut self, id: MenuId, pressed: Option<bool>) {
        match pressed {
            Some(sold_out) => self.sold_out.insert(id, sold_out),
            None => self.sold_out.remove(&id),
        };
    }
}

/// The ids of each column, in their order.
#[must_use]
pub fn columns<'a>(cards: impl Iterator<Item = (OrderId, &'a Ticket)>) -> [Vec<OrderId>; 3] {
    let mut cards: Vec<(OrderId, &Ticket)> = cards.collect();
    cards.sort_by(|(_, one), (_, other)| one.precedes(other));
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

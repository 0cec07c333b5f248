//! What waits to be carried out: cooked lines by party, the oldest first. Pure.

use domain::id::{LineId, OrderId};
use domain::order::{Line, Order};
use domain::settings::Threshold;
use domain::sorting::sort_by_key;
use domain::text::LocalText;
use domain::time::Time;
use uuid::Uuid;

use super::floor::House;

/// A line that can be served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dish {
    /// Of this order.
    pub order: OrderId,
    /// Which.
    pub line: LineId,
    /// How many.
    pub quantity: u32,
    /// What.
    pub name: LocalText,
    /// Chosen for it.
    pub options: Vec<LocalText>,
    /// For the cook; who carries it wants to know too.
    pub note: String,
}

/// The lines of one party, or of one takeout order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Of the party, or of the order without one.
    pub id: Uuid,
    /// Where to.
    pub label: String,
    /// What, in the order in which it was ready.
    pub dishes: Vec<Dish>,
    /// The oldest has been ready since then.
    pub since: Time,
    /// From then on: 주의.
    pub warn_at: Time,
    /// From then on: 지연.
    pub late_at: Time,
}

impl House {
    /// The groups, the oldest first. `label` names an order's table, or the order.
    #[must_use]
    pub fn serving(&self, label: &dyn Fn(&Order) -> String) -> Vec<Group> {
        let mut cooked: Vec<(&Order, &Line)> = self
            .orders
            .iter()
            .flat_map(|order| order.cooked_lines().map(move |line| (order.as_ref(), line)))
            .collect();
        sort_by_key(&mut cooked, |(_, line)| line.state_since);
        let mut groups: Vec<Group> = Vec::new();
        for (order, line) in cooked {
            let id = order.party_id.map_or(order.id.0, |party| party.0);
            let Threshold(warn, late) = self.thresholds(line).cooked;
            let since = line.state_since;
            let (warn_at, late_at) = (since.plus(warn), since.plus(late));
            match groups.iter_mut().find(|group| group.id == id) {
                Some(group) => {
                    group.dishes.push(dish(order, line));
                    group.warn_at = group.warn_at.min(warn_at);
                    group.late_at = group.late_at.min(late_at);
                }
                None => groups.push(Group {
                    id,
                    label: label(order),
                    dishes: vec![dish(order, line)],
                    since,
                    warn_at,
                    late_at,
                }),
            }
        }
        groups
    }
}

fn dish(order: &Order, line: &Line) -> Dish {
    Dish {
        order: order.id,
        line: line.id,
        quantity: line.quantity,
        name: line.name.clone(),
        options: line.options.iter().map(|o| o.name.clone()).collect(),
        note: line.note.clone(),
    }
}

impl Group {
    /// Its lines, order by order.
    #[must_use]
    pub fn by_order(&self) -> Vec<(OrderId, Vec<LineId>)> {
        by_order(self.dishes.iter().map(|dish| (dish.order, dish.line)))
    }
}

/// Lines under their orders.
pub fn by_order(lines: impl Iterator<Item = (OrderId, LineId)>) -> Vec<(OrderId, Vec<LineId>)> {
    let mut orders: Vec<(OrderId, Vec<LineId>)> = Vec::new();
    for (order, line) in lines {
        match orders.iter_mut().find(|(known, _)| *known == order) {
            Some((_, lines)) => lines.push(line),
            None => orders.push((order, vec![line])),
        }
    }
    orders
}

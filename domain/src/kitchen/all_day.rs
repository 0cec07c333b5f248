//! 전체 수량: how many of each item are still to be made, over all open tickets.

use std::collections::BTreeMap;

use super::ticket::shows;
use crate::id::{MenuId, StationId};
use crate::order::{KitchenState, Order};
use crate::sorting::sort_by_key;
use crate::text::LocalText;

/// One row of the all-day panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllDay {
    /// The item.
    pub menu_id: MenuId,
    /// As on the tickets.
    pub name: LocalText,
    /// Waiting or cooking.
    pub count: u32,
}

/// The rows, most first, then by id so that equal counts keep their place.
pub fn all_day<'a>(
    orders: impl IntoIterator<Item = &'a Order>,
    station: Option<StationId>,
) -> Vec<AllDay> {
    let mut rows: BTreeMap<MenuId, AllDay> = BTreeMap::new();
    for line in orders.into_iter().flat_map(|order| &order.lines) {
        let to_make = match line.kitchen_state {
            KitchenState::Waiting | KitchenState::Cooking => line.voided.is_none(),
            KitchenState::Cooked | KitchenState::Served => false,
        };
        if !to_make || !shows(line, station) {
            continue;
        }
        let new = || AllDay {
            menu_id: line.menu_id,
            name: line.name.clone(),
            count: 0,
        };
        let row = rows.entry(line.menu_id).or_insert_with(new);
        row.count = row.count.saturating_add(line.quantity);
    }
    let mut rows: Vec<_> = rows.into_values().collect();
    sort_by_key(&mut rows, |row| std::cmp::Reverse(row.count));
    rows
}

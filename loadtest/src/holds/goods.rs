//! What is held: lines of items and options that are counted.

use std::collections::{BTreeMap, BTreeSet};

use domain::id::{MenuId, OptionId, StockId};
use domain::menu::MenuItem;
use domain::stock::{Demand, HoldLine};

/// The menu has nothing to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the menu has nothing that is counted and not sold out")]
pub struct NoGoods;

/// The lines of each hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goods {
    lines: Vec<HoldLine>,
    units: BTreeMap<StockId, u32>,
}

impl Goods {
    /// So many lines, of as many stock rows as there are. Fewer rows than lines are drawn on again
    /// from the first.
    ///
    /// # Errors
    /// [`NoGoods`]
    pub fn choose(items: &[MenuItem], count: usize) -> Result<Self, NoGoods> {
        let menu: BTreeMap<MenuId, MenuItem> =
            items.iter().map(|item| (item.id, item.clone())).collect();
        let (mut fresh, mut known) = (Vec::new(), BTreeSet::new());
        for line in items.iter().flat_map(counted_lines) {
            let Ok(demand) = Demand::of(std::slice::from_ref(&line), &menu) else {
                continue;
            };
            let rows: Vec<StockId> = demand.rows().into_keys().collect();
            if rows.iter().any(|row| !known.contains(row)) {
                known.extend(rows);
                fresh.push(line);
            }
        }
        let lines: Vec<HoldLine> = fresh.iter().cycle().take(count).cloned().collect();
        let demand = Demand::of(&lines, &menu).map_err(|_| NoGoods)?;
        let rows = demand.rows().into_iter();
        let units = rows.map(|(row, drawn)| (row, drawn.quantity)).collect();
        Ok(Self { lines, units })
    }

    /// As they are asked for.
    #[must_use]
    pub fn lines(&self) -> &[HoldLine] {
        &self.lines
    }

    /// What one hold takes of each row.
    #[must_use]
    pub fn units(&self) -> &BTreeMap<StockId, u32> {
        &self.units
    }
}

/// One of the item, if it is counted, and one with each choice that is.
fn counted_lines(item: &MenuItem) -> Vec<HoldLine> {
    let line = |option_ids: Vec<OptionId>| HoldLine {
        menu_id: item.id,
        option_ids,
        quantity: 1,
    };
    let options = item.option_groups.iter().flat_map(|group| &group.options);
    let counted = options.filter(|option| option.stock_id.is_some());
    let plain = item.stock_id.map(|_| line(Vec::new()));
    let with = counted.map(|option| line(vec![option.id]));
    plain.into_iter().chain(with).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    /// An item that draws on a row, with one choice that draws on two of another.
    fn item(number: u128, row: Option<u128>, choice: Option<u128>) -> MenuItem {
        let id = |n: u128| Uuid::from_u128(n);
        serde_json::from_value(json!({
            "id": id(number),
            "version": 1,
            "code": number.to_string(),
            "categoryId": id(0),
            "name": { "ko": "x" },
            "price": 1_000,
            "soldOut": false,
            "sort": 1,
            "stockId": row.map(id),
            "optionGroups": [{
                "id": id(number + 100),
                "name": { "ko": "x" },
                "min": 0,
                "max": 1,
                "options": [{
                    "id": id(number + 200),
                    "name": { "ko": "x" },
                    "priceDelta": 0,
                    "stockId": choice.map(id),
                    "stockQuantity": 2,
                    "soldOut": false,
                }],
            }],
        }))
        .unwrap()
    }

    fn row(number: u128) -> StockId {
        StockId(Uuid::from_u128(number))
    }

    #[test]
    fn lines_draw_on_as_many_rows_as_there_are_and_then_again_from_the_first() {
        let menu = [
            item(1, Some(11), None),
            item(2, None, None),
            item(3, Some(13), Some(11)),
            item(4, None, Some(14)),
        ];
        let goods = Goods::choose(&menu, 5).unwrap();
        let items = goods.lines().iter().map(|line| line.menu_id.0.as_u128());
        assert_eq!(items.collect::<Vec<_>>(), [1, 3, 4, 1, 3]);
        assert_eq!(goods.lines()[2].option_ids.len(), 1);
        let units = BTreeMap::from([(row(11), 2), (row(13), 2), (row(14), 2)]);
        assert_eq!(goods.units(), &units);
    }

    #[test]
    fn what_is_sold_out_or_not_counted_is_nothing_to_hold() {
        let gone = MenuItem {
            sold_out: true,
            ..item(1, Some(11), None)
        };
        assert_eq!(Goods::choose(&[gone, item(2, None, None)], 5), Err(NoGoods));
        assert_eq!(Goods::choose(&[], 5), Err(NoGoods));
    }
}

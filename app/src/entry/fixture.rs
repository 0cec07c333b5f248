//! A menu for tests, in the shape it has on the wire.

#![cfg(test)]

use std::sync::Arc;

use domain::id::{MenuId, OptionId, StockId};
use domain::menu::MenuItem;
use domain::stock::Shelf;
use serde_json::json;
use uuid::Uuid;

use super::offer::Offer;

/// The item of that number.
pub fn id(number: u128) -> MenuId {
    MenuId(Uuid::from_u128(number))
}

/// The option of that number.
pub fn option_id(number: u128) -> OptionId {
    OptionId(Uuid::from_u128(number))
}

/// An item at 9,900 with a size to choose (11 free, 12 for 3,000) and extras (21 for 500, 22
/// cheaper by 400; at most one).
pub fn stew(number: u128) -> MenuItem {
    let option = |number: u128, price: i64| {
        json!({
            "id": option_id(number), "name": {"ko": format!("옵션 {number}")},
            "priceDelta": price, "stockQuantity": 1, "soldOut": false,
        })
    };
    let uuid = Uuid::from_u128;
    serde_json::from_value(json!({
        "id": id(number), "version": 1, "code": "x", "categoryId": uuid(1),
        "name": {"ko": format!("찌개 {number}")}, "price": 9900, "soldOut": false, "sort": 1,
        "optionGroups": [
            {"id": uuid(10), "name": {"ko": "크기"}, "min": 1, "max": 1,
             "options": [option(11, 0), option(12, 3000)]},
            {"id": uuid(20), "name": {"ko": "추가"}, "min": 0, "max": 1,
             "options": [option(21, 500), option(22, -400)]},
        ],
    }))
    .unwrap()
}

/// An item at 2,000 without options.
pub fn cola(number: u128) -> MenuItem {
    MenuItem {
        price: domain::money::Amount(2000),
        option_groups: Vec::new(),
        ..stew(number)
    }
}

/// A menu of these.
pub fn menu(items: &[MenuItem]) -> Offer {
    stocked(items, &[])
}

/// The stock row of that number.
pub fn stock_id(number: u128) -> StockId {
    StockId(Uuid::from_u128(number))
}

/// A menu of these, with so much left of each stock row.
pub fn stocked(items: &[MenuItem], left: &[(u128, i64)]) -> Offer {
    let items = items.iter().cloned().map(Arc::new);
    let left = left.iter().map(|(row, left)| (stock_id(*row), *left));
    Offer::new(items.map(|item| (item.id, item)).collect(), Shelf::of(left))
}

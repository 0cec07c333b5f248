//! Orders for tests, and the tests of the order's machines.

mod change;
mod entry;
mod holding;
mod moving;
mod payment;
mod random;

use std::collections::BTreeMap;

use uuid::Uuid;

use super::*;
use crate::id::{CategoryId, MenuId, StationId};
use crate::menu::MenuItem;
use crate::settings::PaymentTiming;

pub(crate) const NOW: Time = Time(1_770_000_000_000);
pub(crate) const STATION: StationId = StationId(Uuid::from_u128(500));

pub(crate) fn day(text: &str) -> BusinessDay {
    text.parse().unwrap()
}

pub(crate) fn line_id(n: u128) -> LineId {
    LineId(Uuid::from_u128(n))
}

pub(crate) fn menu_id(n: u128) -> MenuId {
    MenuId(Uuid::from_u128(100 + n))
}

fn item(n: u128, name: &str, price: i64) -> MenuItem {
    MenuItem {
        id: menu_id(n),
        version: 1,
        code: format!("M{n}"),
        category_id: CategoryId(Uuid::from_u128(1)),
        name: LocalText::one(crate::text::Language::Ko, name),
        description: LocalText::default(),
        price: Amount(price),
        station_id: None,
        sold_out: false,
        sort: n as i64,
        option_groups: Vec::new(),
        stock_id: None,
        image_url: None,
    }
}

pub(crate) fn menu() -> BTreeMap<MenuId, MenuItem> {
    let items = [
        item(1, "김치찌개", 9_900),
        item(2, "콜라", 2_000),
        item(3, "차돌박이된장찌개(특대)", 13_500),
        item(4, "공깃밥", 3_330),
    ];
    items.into_iter().map(|item| (item.id, item)).collect()
}

pub(crate) fn wanted(item: u128, quantity: i64) -> Wanted {
    Wanted {
        menu_id: menu_id(item),
        quantity,
        option_ids: vec![],
        note: String::new(),
        allergy: String::new(),
    }
}

/// Lines of these items and quantities; the first has the id `from`.
pub(crate) fn lines(from: u128, wanted_items: &[(u128, i64)], now: Time) -> Vec<Line> {
    let items = menu();
    let wanted: Vec<Wanted> = wanted_items.iter().map(|(n, q)| wanted(*n, *q)).collect();
    let entry = ItemFor {
        items: &items,
        default_station: STATION,
        now,
    };
    let mut next = from;
    let lines = entry.lines(&wanted, || {
        next += 1;
        line_id(next - 1)
    });
    lines.unwrap()
}

pub(crate) fn new_order(timing: PaymentTiming) -> NewOrder {
    NewOrder {
        id: OrderId(Uuid::from_u128(9)),
        number: 7,
        business_day: day("2026-02-01"),
        channel: Channel::Hall,
        party_id: Some(PartyId(Uuid::from_u128(8))),
        table_ids: vec![TableId(Uuid::from_u128(6))],
        table_label: "A-6".to_owned(),
        zone: None,
        placed_by: PlacedBy {
            kind: PlacedByKind::Staff,
            name: "지은".to_owned(),
        },
        note: String::new(),
        currency: Currency::KRW,
        timing,
    }
}

/// A prepaid order that awaits payment; its lines have the ids 1, 2, …
pub(crate) fn unpaid(items: &[(u128, i64)]) -> Order {
    let new = new_order(PaymentTiming::Prepaid);
    Order::place(new, lines(1, items, NOW), NOW).unwrap().0
}

/// A postpaid order: fired, unpaid.
pub(crate) fn postpaid(items: &[(u128, i64)]) -> Order {
    let new = new_order(PaymentTiming::Postpaid);
    Order::place(new, lines(1, items, NOW), NOW).unwrap().0
}

/// A prepaid order that was paid: its lines wait in the kitchen.
pub(crate) fn paid(items: &[(u128, i64)]) -> Order {
    let mut order = unpaid(items);
    order.confirm(Tender::Card, true, NOW).unwrap();
    order
}

pub(crate) const BY_MANAGER: VoidBy<'_> = VoidBy {
    name: "점장",
    manager: true,
    reason: "손님 변심",
};

pub(crate) const BY_HALL: VoidBy<'_> = VoidBy {
    name: "지은",
    manager: false,
    reason: "잘못 입력",
};

/// Puts line `n` into `state`, as the kitchen would.
pub(crate) fn bring(order: &mut Order, n: u128, state: KitchenState) {
    use crate::kitchen::CookTo;
    let ids = [line_id(n)];
    let steps = [
        KitchenState::Cooking,
        KitchenState::Cooked,
        KitchenState::Served,
    ];
    for step in steps.into_iter().filter(|step| *step <= state) {
        match step {
            KitchenState::Waiting => Ok(vec![]),
            KitchenState::Cooking => order.advance(Some(&ids), CookTo::Cooking, NOW.plus(10)),
            KitchenState::Cooked => order.advance(Some(&ids), CookTo::Cooked, NOW.plus(20)),
            KitchenState::Served => order.serve(Some(&ids), true, NOW.plus(30)),
        }
        .unwrap();
    }
}

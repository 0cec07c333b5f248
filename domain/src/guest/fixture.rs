//! A party's page for tests.

use uuid::Uuid;

use super::{GuestCall, GuestEntity, GuestOrder, GuestPage, GuestStock, GuestStore, GuestTable};
use crate::call::{CallReason, CallState};
use crate::id::{CallId, CategoryId, MenuId, OrderId, StockId, TableId};
use crate::menu::MenuItem;
use crate::money::{Amount, Currency};
use crate::order::CheckoutStage;
use crate::settings::PaymentTiming;
use crate::stream::{Epoch, EventId};
use crate::text::{Language, LocalText};
use crate::time::Time;

pub(crate) fn id(seq: u64) -> EventId {
    EventId::new(Epoch(1), seq)
}

fn menu_item(number: u128, sold_out: bool) -> MenuItem {
    MenuItem {
        id: MenuId(Uuid::from_u128(number)),
        version: 1 + u64::from(sold_out),
        code: String::new(),
        category_id: CategoryId(Uuid::from_u128(1)),
        name: LocalText::both("김치찌개", "Kimchi stew"),
        description: LocalText::default(),
        price: Amount(9_900),
        station_id: None,
        sold_out,
        sort: 1,
        option_groups: Vec::new(),
        stock_id: None,
        image_url: None,
    }
}

/// A table and a menu of one item; no orders, no calls.
pub(crate) fn page() -> GuestPage {
    GuestPage {
        store: GuestStore {
            code: "demo".to_owned(),
            name: LocalText::both("한상차림", "Hansang"),
            language: Language::Ko,
            currency: Currency::KRW,
            time_zone: "Asia/Seoul".to_owned(),
            payment_timing: PaymentTiming::Prepaid,
        },
        table: GuestTable {
            id: TableId(Uuid::from_u128(1)),
            name: "A-1".to_owned(),
            covers: None,
        },
        categories: Vec::new(),
        items: vec![menu_item(1, false)],
        stock: Vec::new(),
        orders: Vec::new(),
        calls: Vec::new(),
    }
}

pub(crate) fn order(number: u32, version: u64) -> GuestEntity {
    GuestEntity::Order(GuestOrder {
        id: OrderId(Uuid::from_u128(u128::from(number))),
        version,
        number,
        placed_at: Time(0),
        checkout_stage: CheckoutStage::AwaitingPayment,
        reject_reason: None,
        closed_at: None,
        note: String::new(),
        lines: Vec::new(),
        total: Amount(9_900),
        currency: Currency::KRW,
    })
}

pub(crate) fn call(number: u128, version: u64) -> GuestEntity {
    GuestEntity::Call(GuestCall {
        id: CallId(Uuid::from_u128(number)),
        version,
        reason: CallReason::Water,
        count: 1,
        state: CallState::Requested,
        requested_at: Time(0),
    })
}

pub(crate) fn item(number: u128, sold_out: bool) -> GuestEntity {
    GuestEntity::Item(Box::new(menu_item(number, sold_out)))
}

pub(crate) fn stock(number: u128, version: u64, available: i64) -> GuestEntity {
    GuestEntity::Stock(GuestStock {
        id: StockId(Uuid::from_u128(number)),
        version,
        available,
    })
}

pub(crate) fn table(name: &str) -> GuestEntity {
    GuestEntity::Table(GuestTable {
        name: name.to_owned(),
        ..page().table
    })
}

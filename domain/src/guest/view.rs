//! Entities as guests see them.

use serde::{Deserialize, Serialize};

use crate::call::{Call, CallReason, CallState};
use crate::floor::Table;
use crate::id::{CallId, LineId, MenuId, OrderId, PartyId, StockId, TableId};
use crate::money::{Amount, Currency};
use crate::order::{CheckoutStage, ChosenOption, KitchenState, Line, Order};
use crate::settings::{PaymentTiming, Store};
use crate::stock::{GUESTS_SEE, Stock};
use crate::text::{Language, LocalText};
use crate::time::Time;

/// The restaurant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GuestStore {
    /// In addresses.
    pub code: String,
    /// Shown to people.
    pub name: LocalText,
    /// Of the page, unless the guest chooses another.
    pub language: Language,
    /// Of every price.
    pub currency: Currency,
    /// IANA name, such as `Asia/Seoul`.
    pub time_zone: String,
    /// Whether the kitchen waits for the payment.
    pub payment_timing: PaymentTiming,
}

impl GuestStore {
    /// What guests see of `store`.
    #[must_use]
    pub fn of(store: &Store) -> Self {
        Self {
            code: store.code.clone(),
            name: store.name.clone(),
            language: store.language,
            currency: store.currency,
            time_zone: store.time_zone.clone(),
            payment_timing: store.payment_timing,
        }
    }
}

/// Where this phone's party sits: the table whose code was scanned, while the party has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GuestTable {
    /// Its id.
    pub id: TableId,
    /// `A-12`
    pub name: String,
    /// How many guests, if somebody counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub covers: Option<u32>,
}

impl GuestTable {
    /// The table of `floor` that a phone of `party` shows: the one that was scanned, or the
    /// party's first when it has moved; `None` when the party sits nowhere.
    #[must_use]
    pub fn among(floor: &[Table], party: PartyId, scanned: TableId) -> Option<&Table> {
        let own = |table: &&Table| table.party.as_ref().is_some_and(|own| own.id == party);
        let tables = floor.iter().filter(own);
        tables.min_by_key(|table| (table.id != scanned, table.sort, table.id))
    }

    /// What the guests at `table` see of it.
    #[must_use]
    pub fn of(table: &Table) -> Self {
        Self {
            id: table.id,
            name: table.name.clone(),
            covers: table.party.as_ref().and_then(|party| party.covers),
        }
    }
}

/// An order of this party.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GuestOrder {
    /// Its id.
    pub id: OrderId,
    /// +1 with every command that changed it.
    pub version: u64,
    /// Said at the counter.
    pub number: u32,
    /// When it was placed.
    pub placed_at: Time,
    /// How far the payment is.
    pub checkout_stage: CheckoutStage,
    /// Why it was rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reject_reason: Option<String>,
    /// When it was over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<Time>,
    /// For the whole order.
    pub note: String,
    /// What was asked for, in that order; voided lines stay.
    pub lines: Vec<GuestLine>,
    /// The sum of the lines' amounts.
    pub total: Amount,
    /// Of every amount here.
    pub currency: Currency,
}

impl GuestOrder {
    /// What its party sees of `order`.
    #[must_use]
    pub fn of(order: &Order) -> Self {
        Self {
            id: order.id,
            version: order.version,
            number: order.number,
            placed_at: order.placed_at,
            checkout_stage: order.checkout_stage,
            reject_reason: order.reject_reason.clone(),
            closed_at: order.closed_at,
            note: order.note.clone(),
            lines: order.lines.iter().map(GuestLine::of).collect(),
            total: order.total,
            currency: order.currency,
        }
    }
}

/// One item of an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GuestLine {
    /// Its identity.
    pub id: LineId,
    /// Of the menu.
    pub menu_id: MenuId,
    /// As ordered.
    pub name: LocalText,
    /// As ordered; without options.
    pub unit_price: Amount,
    /// 1..=999
    pub quantity: u32,
    /// As ordered.
    pub options: Vec<ChosenOption>,
    /// For the cook.
    pub note: String,
    /// For the cook, in red.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub allergy: String,
    /// `(unit_price + Σ price_delta) × quantity`; 0 when voided.
    pub amount: Amount,
    /// How far the kitchen is; `Waiting` before it has it, too.
    pub kitchen_state: KitchenState,
    /// Cancelled.
    pub voided: bool,
}

impl GuestLine {
    /// What its party sees of `line`.
    #[must_use]
    pub fn of(line: &Line) -> Self {
        Self {
            id: line.id,
            menu_id: line.menu_id,
            name: line.name.clone(),
            unit_price: line.unit_price,
            quantity: line.quantity,
            options: line.options.clone(),
            note: line.note.clone(),
            allergy: line.allergy.clone(),
            amount: line.amount,
            kitchen_state: line.kitchen_state,
            voided: line.voided.is_some(),
        }
    }
}

/// A call of this party.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GuestCall {
    /// Its id.
    pub id: CallId,
    /// +1 with every update.
    pub version: u64,
    /// What for.
    pub reason: CallReason,
    /// How often the party asked while it was open.
    pub count: u32,
    /// How far it is.
    pub state: CallState,
    /// First asked.
    pub requested_at: Time,
}

impl GuestCall {
    /// What its party sees of `call`.
    #[must_use]
    pub fn of(call: &Call) -> Self {
        Self {
            id: call.id,
            version: call.version,
            reason: call.reason,
            count: call.count,
            state: call.state,
            requested_at: call.requested_at,
        }
    }
}

/// What is left of something counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GuestStock {
    /// The stock row, as items and options name it.
    pub id: StockId,
    /// +1 with every transaction that changed a count.
    pub version: u64,
    /// 0..=[`GUESTS_SEE`]; the most stands for that many or more.
    pub available: i64,
}

impl GuestStock {
    /// What guests see of `stock`.
    #[must_use]
    pub fn of(stock: &Stock) -> Self {
        Self {
            id: stock.id,
            version: stock.version,
            available: stock.available.clamp(0, GUESTS_SEE),
        }
    }
}

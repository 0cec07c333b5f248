//! Snapshots: what each scope holds, and the bodies of answers (realtime, section 4).
//!
//! Membership is computed from the payload, here for clients; the server's SQL is tested equal.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::call::Call;
use crate::event::Kind;
use crate::floor::{Table, Zone};
use crate::menu::{Category, MenuItem};
use crate::order::{CheckoutStage, Order};
use crate::stock::Stock;
use crate::stream::{EventId, Scope};

/// The header of every answer that carries entities: the store's seq, read together with them.
pub const WATERMARK_HEADER: &str = "x-pos-stream-watermark";

impl Scope {
    /// The kinds of entity whose events touch this scope.
    #[must_use]
    pub fn kinds(self) -> &'static [Kind] {
        match self {
            Self::Payments | Self::Servings | Self::HallOrders | Self::KitchenOrders => {
                &[Kind::Order]
            }
            Self::Calls => &[Kind::Call],
            Self::Tables => &[Kind::Table],
            Self::Menu => &[Kind::Menu, Kind::Stock],
            Self::Store => &[],
        }
    }

    /// Whether this scope holds `order`; no for scopes of other kinds.
    #[must_use]
    pub fn holds_order(self, order: &Order) -> bool {
        if !order.is_open() {
            return false;
        }
        match self {
            Self::HallOrders => true,
            Self::Payments => {
                order.payment_due && order.checkout_stage == CheckoutStage::AwaitingPayment
            }
            Self::Servings => order.cooked_lines().next().is_some(),
            Self::KitchenOrders => {
                order.unserved_lines().next().is_some() || order.open_voids().next().is_some()
            }
            Self::Calls | Self::Tables | Self::Menu | Self::Store => false,
        }
    }
}

/// Entities in an answer. A command's answer has those it changed, empty lists left out; a
/// snapshot has those of its scope.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Entities {
    /// Orders.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub orders: Vec<Order>,
    /// Zones; they change by marker only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub zones: Vec<Zone>,
    /// Tables.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<Table>,
    /// Calls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Call>,
    /// Categories; they change by marker only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<Category>,
    /// Menu items.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<MenuItem>,
    /// Stock rows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stock: Vec<Stock>,
}

/// Why changes cannot be listed and everything has to be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ChangesReason {
    /// `since` is missing or `0:0`.
    NoCursor,
    /// `since` is of another history.
    EpochChanged,
    /// `since` is ahead of the database.
    CursorAhead,
    /// Not every row after `since` is there.
    HistoryExpired,
    /// More rows than the limit.
    TooManyEvents,
    /// Over 100 in one list.
    TooManyChangedEntities,
    /// A marker is among them.
    ReloadMarker,
    /// A row's payload cannot be read.
    InvalidEventPayload,
    /// A row's type is unknown to the server.
    UnknownEventType,
    /// One this build does not know.
    #[serde(other)]
    Other,
}

/// The most ids in one list of [`Changes`].
pub const MAX_CHANGED: usize = 100;

/// What changed since a cursor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Changes {
    /// Orders, each once.
    pub changed_order_ids: Vec<Uuid>,
    /// Tables, each once.
    pub changed_table_ids: Vec<Uuid>,
    /// Menu items, each once.
    pub changed_menu_ids: Vec<Uuid>,
    /// Stock rows, each once.
    pub changed_stock_ids: Vec<Uuid>,
    /// Calls, each once.
    pub changed_call_request_ids: Vec<Uuid>,
    /// The store's seq, read together with the rows.
    pub current_watermark: EventId,
    /// No ids are given: load everything.
    pub requires_reload: bool,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<ChangesReason>,
}

impl Changes {
    /// Nothing changed up to `watermark`.
    #[must_use]
    pub fn none(watermark: EventId) -> Self {
        Self {
            changed_order_ids: Vec::new(),
            changed_table_ids: Vec::new(),
            changed_menu_ids: Vec::new(),
            changed_stock_ids: Vec::new(),
            changed_call_request_ids: Vec::new(),
            current_watermark: watermark,
            requires_reload: false,
            reason: None,
        }
    }

    /// Everything has to be loaded.
    #[must_use]
    pub fn reload(watermark: EventId, reason: ChangesReason) -> Self {
        Self {
            requires_reload: true,
            reason: Some(reason),
            ..Self::none(watermark)
        }
    }

    /// The list of ids of `kind`.
    pub fn ids_mut(&mut self, kind: Kind) -> &mut Vec<Uuid> {
        match kind {
            Kind::Order => &mut self.changed_order_ids,
            Kind::Table => &mut self.changed_table_ids,
            Kind::Menu => &mut self.changed_menu_ids,
            Kind::Stock => &mut self.changed_stock_ids,
            Kind::Call => &mut self.changed_call_request_ids,
        }
    }
}

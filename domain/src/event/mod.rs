//! Events: the only list of what travels from a command to every screen (realtime, section 2).
//!
//! An event carries the whole entity after the change. Its type says why; what the entity now
//! belongs to is computed from the payload ([`crate::snapshot`]), never from the type. The JSON
//! changes only by adding: `golden/` pins each variant.

mod frame;
mod read;

pub use frame::{Acknowledged, Control, Drain, Frame, Heartbeat, Ready, Reload, ReloadReason};

use serde::{Deserialize, Deserializer, Serialize};
use uuid::Uuid;

use read::Carried;

use crate::call::Call;
use crate::floor::Table;
use crate::id::{OutboxId, StoreId};
use crate::menu::MenuItem;
use crate::order::Order;
use crate::stock::Stock;
use crate::stream::EventId;
use crate::time::Time;

/// The largest payload of an event, in bytes of JSON; a larger one travels thin.
pub const MAX_PAYLOAD_BYTES: usize = 64 * 1024;

/// The kinds of entity that events carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// [`Order`]
    Order,
    /// [`Call`]
    Call,
    /// [`Table`]
    Table,
    /// [`MenuItem`]
    Menu,
    /// [`Stock`]
    Stock,
}

/// In place of a payload over [`MAX_PAYLOAD_BYTES`]: fetch the entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thin {
    /// The entity.
    pub id: Uuid,
    /// Its version after the change.
    pub version: u64,
    /// Always true.
    pub fetch: bool,
}

/// The entity after the change, or a note to fetch it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Payload<T> {
    /// The whole entity.
    Whole(Box<T>),
    /// Too large to travel.
    Thin(Thin),
}

/// Why every client loads again what it has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marker {
    /// `BUSINESS_DAY`, `SETTINGS`, or what an event that could never be published was.
    pub reason: String,
}

macro_rules! events {
    ($($(#[$doc:meta])* $variant:ident($payload:ty) = $name:literal, $kind:expr;)*) => {
        /// What happened, with the entity after it.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(tag = "type", content = "payload")]
        pub enum Event {$(
            $(#[$doc])*
            #[serde(rename = $name)]
            $variant($payload),
        )*}

        /// The types of event.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum EventType {$(
            $(#[$doc])*
            $variant,
        )*}

        impl EventType {
            /// Every type.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// As written in JSON, in the outbox and in the `event:` field.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The kind of entity it carries; `None` for the marker.
            #[must_use]
            pub fn kind(self) -> Option<Kind> {
                match self { $(Self::$variant => $kind,)* }
            }
        }

        impl Event {
            /// The event of `event_type` that `data` says.
            fn read<'de, D>(event_type: EventType, data: D) -> Option<Self>
            where
                D: Deserializer<'de> + Copy,
            {
                match event_type {$(
                    EventType::$variant => <$payload>::read(data).map(Self::$variant),
                )*}
            }

            /// Its type.
            #[must_use]
            pub fn event_type(&self) -> EventType {
                match self { $(Self::$variant(_) => EventType::$variant,)* }
            }
        }
    };
}

events! {
    /// An order entered the payment queue.
    HallPayment(Payload<Order>) = "HALL_PAYMENT", Some(Kind::Order);
    /// Its payment was confirmed, or it was rejected.
    HallPaymentResolved(Payload<Order>) = "HALL_PAYMENT_RESOLVED", Some(Kind::Order);
    /// Lines were fired to the kitchen.
    KitchenCook(Payload<Order>) = "KITCHEN_COOK", Some(Kind::Order);
    /// A line moved waiting → cooking → cooked, or was recalled.
    KitchenProgress(Payload<Order>) = "KITCHEN_PROGRESS", Some(Kind::Order);
    /// A line became ready to serve, or was served.
    HallServe(Payload<Order>) = "HALL_SERVE", Some(Kind::Order);
    /// Lines added or voided, note edited, moved, relabelled, closed.
    OrderChanged(Payload<Order>) = "ORDER_CHANGED", Some(Kind::Order);
    /// A guest called; someone accepted; done.
    CustomerCall(Payload<Call>) = "CUSTOMER_CALL", Some(Kind::Call);
    /// Seated, cleared, moved, joined.
    TableChanged(Payload<Table>) = "TABLE_CHANGED", Some(Kind::Table);
    /// Edited, sold out, back again.
    KitchenMenuChanged(Payload<MenuItem>) = "KITCHEN_MENU_CHANGED", Some(Kind::Menu);
    /// On hand or held changed.
    StockChanged(Payload<Stock>) = "STOCK_CHANGED", Some(Kind::Stock);
    /// A marker in the log: load everything again.
    ReloadRequired(Marker) = "RELOAD_REQUIRED", None;
}

impl EventType {
    /// The type of that name, if this build knows it.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|event_type| event_type.name() == name)
    }
}

impl Event {
    /// The event of `event_type` about an order, for the types that carry one.
    #[must_use]
    pub fn of_order(event_type: EventType, order: &Order) -> Option<Self> {
        let payload = || Payload::Whole(Box::new(order.clone()));
        match event_type {
            EventType::HallPayment => Some(Self::HallPayment(payload())),
            EventType::HallPaymentResolved => Some(Self::HallPaymentResolved(payload())),
            EventType::KitchenCook => Some(Self::KitchenCook(payload())),
            EventType::KitchenProgress => Some(Self::KitchenProgress(payload())),
            EventType::HallServe => Some(Self::HallServe(payload())),
            EventType::OrderChanged => Some(Self::OrderChanged(payload())),
            EventType::CustomerCall
            | EventType::TableChanged
            | EventType::KitchenMenuChanged
            | EventType::StockChanged
            | EventType::ReloadRequired => None,
        }
    }
}

/// An event with everything a client needs to place it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Envelope {
    /// Its place in the stream.
    pub event_id: EventId,
    /// Its identity in the outbox and in the log.
    pub outbox_id: OutboxId,
    /// Whose stream.
    pub store_id: StoreId,
    /// When its command committed, by the server's clock.
    pub at: Time,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

#[cfg(test)]
mod tests;

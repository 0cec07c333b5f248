//! Frames of a party's stream. None has an `id:` line: there is no cursor, a page that may have
//! missed something loads again. `drain` and `RELOAD_REQUIRED` are those of staff streams
//! ([`crate::event::Drain`], [`crate::event::Reload`]); `partyCleared` has `{}` and is the last.

use serde::{Deserialize, Serialize};

use crate::stream::EventId;
use crate::time::Time;

/// First frame: what the page loads from here on misses nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GuestReady {
    /// The store's last event.
    pub head: EventId,
    /// A heartbeat comes this often, in ms.
    pub heartbeat_ms: i64,
    /// The server's clock.
    pub server_time: Time,
    /// The server's build; another one than the page's means a new version is out.
    pub build: String,
}

/// Sent every `heartbeatMs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GuestHeartbeat {
    /// `eventId` of the last entity written on this connection, `0:0` before the first: when the
    /// page's last differs, it loads again.
    pub sent: EventId,
    /// The server's clock.
    pub server_time: Time,
}

/// Data of an entity's frame; the `event:` field has the type again. The payload is a
/// [`GuestOrder`](super::GuestOrder), [`GuestCall`](super::GuestCall),
/// [`GuestTable`](super::GuestTable), [`GuestStock`](super::GuestStock) or
/// [`MenuItem`](crate::menu::MenuItem), by the type's [`kind`](crate::event::EventType::kind).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GuestFrame<T> {
    /// As in the store's stream, such as `KITCHEN_COOK`.
    #[serde(rename = "type")]
    pub event_type: String,
    /// Its place in the store's stream.
    pub event_id: EventId,
    /// When its command committed.
    pub at: Time,
    /// The whole entity after the change.
    pub payload: T,
}

//! Frames of the stream as a client reads them: events of the log, and control frames, which
//! have no `eventId` in their data (realtime, section 5).

use serde::de::{DeserializeOwned, Deserializer};
use serde::{Deserialize, Serialize};

use super::{Envelope, EventType};
use crate::id::StationId;
use crate::stream::EventId;
use crate::time::Time;

/// First frame: the connection is registered at `head`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ready {
    /// As the server registered it.
    pub connection_id: String,
    /// The store's last event.
    pub head: EventId,
    /// A heartbeat comes this often, in ms.
    pub heartbeat_ms: i64,
    /// The server's clock.
    pub server_time: Time,
    /// Everything since the cursor follows.
    pub resumed: bool,
    /// The server's build; another one than the client's means a new version is out.
    pub build: String,
}

/// What a kitchen screen has applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Acknowledged {
    /// Which screen.
    pub connection_id: String,
    /// Its station; none shows every station.
    #[serde(default)]
    pub station_id: Option<StationId>,
    /// Its cursor.
    pub applied: EventId,
}

/// Sent every `heartbeatMs`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Heartbeat {
    /// This connection's position: the last id written, or the head after `RELOAD_REQUIRED`.
    pub sent: EventId,
    /// The store's last event.
    pub head: EventId,
    /// The server's clock.
    pub server_time: Time,
    /// What each kitchen screen has applied; on staff streams.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kitchen: Option<Vec<Acknowledged>>,
}

/// Events cannot continue this connection: load a baseline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reload {
    /// Why, for the log.
    pub reason: ReloadReason,
    /// Wait this long first, in ms, so that not every client asks at once.
    pub not_before_ms: i64,
}

/// Why events cannot continue a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ReloadReason {
    /// More events than a replay sends.
    TooManyEvents,
    /// The cursor is of another history.
    EpochChanged,
    /// The cursor is ahead of the database.
    CursorAhead,
    /// The history does not reach back to the cursor.
    HistoryExpired,
    /// The connection fell out of the ring and too far behind.
    LaggedOut,
    /// One this build does not know.
    #[serde(other)]
    Other,
}

/// The server is going away: come back after this delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Drain {
    /// In ms, spread over the clients.
    pub reconnect_in_ms: i64,
}

/// A frame that is not an event of the log and moves no cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Control {
    /// First frame.
    Ready(Ready),
    /// The beat.
    Heartbeat(Heartbeat),
    /// Load a baseline.
    Reload(Reload),
    /// The server goes away.
    Drain(Drain),
}

/// A frame of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// An event of the log.
    Log(Box<Envelope>),
    /// A control frame.
    Control(Control),
    /// An event whose type this build does not know.
    UnknownType(Option<EventId>),
    /// Not what the contract says; the id, if at least that could be read.
    Bad(Option<EventId>),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head {
    event_id: Option<EventId>,
    #[serde(rename = "type")]
    event_type: Option<String>,
}

impl Frame {
    /// Reads a frame: `name` is the `event:` field, `data` a deserializer over its JSON that can
    /// be used twice, such as a reference to a parsed value. It never fails: what cannot be read
    /// is [`Frame::Bad`].
    pub fn read<'de, D>(name: &str, data: D) -> Self
    where
        D: Deserializer<'de> + Copy,
    {
        let Ok(head) = Head::deserialize(data) else {
            return Self::Bad(None);
        };
        let Some(id) = head.event_id else {
            return match name {
                "ready" => control(data, Control::Ready),
                "heartbeat" => control(data, Control::Heartbeat),
                "RELOAD_REQUIRED" => control(data, Control::Reload),
                "drain" => control(data, Control::Drain),
                _ => Self::Bad(None),
            };
        };
        match head.event_type.as_deref().map(EventType::named) {
            Some(Some(event_type)) => Envelope::read(event_type, data)
                .map_or(Self::Bad(Some(id)), |envelope| {
                    Self::Log(Box::new(envelope))
                }),
            Some(None) => Self::UnknownType(Some(id)),
            None => Self::Bad(Some(id)),
        }
    }
}

fn control<'de, T, D>(data: D, wrap: fn(T) -> Control) -> Frame
where
    T: DeserializeOwned,
    D: Deserializer<'de>,
{
    T::deserialize(data).map_or(Frame::Bad(None), |control| Frame::Control(wrap(control)))
}

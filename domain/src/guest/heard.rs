//! Frames of a party's stream as its page reads them.

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer};

use super::{
    GuestCall, GuestFrame, GuestHeartbeat, GuestOrder, GuestReady, GuestStock, GuestTable,
};
use crate::event::{Drain, EventType, Kind, Payload, Reload};
use crate::menu::MenuItem;
use crate::stream::EventId;

/// An entity after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GuestEntity {
    /// An order of this party.
    Order(GuestOrder),
    /// A call of this party.
    Call(GuestCall),
    /// An item of the menu.
    Item(Box<MenuItem>),
    /// What is left of something.
    Stock(GuestStock),
    /// The party's table.
    Table(GuestTable),
}

/// A frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// First frame.
    Ready(GuestReady),
    /// The beat.
    Heartbeat(GuestHeartbeat),
    /// An entity changed.
    Entity(EventId, GuestEntity),
    /// Load the page again, after so many ms.
    Reload(i64),
    /// The server goes away; come back after so many ms.
    Drain(i64),
    /// The party is over; no frame follows.
    PartyCleared,
    /// Not what the contract says; the id, if at least that could be read.
    Bad(Option<EventId>),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head {
    event_id: Option<EventId>,
}

impl Heard {
    /// Reads a frame: `name` is the `event:` field, `data` a deserializer over its JSON that can
    /// be used twice. It never fails: what cannot be read is [`Heard::Bad`].
    pub fn read<'de, D>(name: &str, data: D) -> Self
    where
        D: Deserializer<'de> + Copy,
    {
        let head = Head::deserialize(data).ok();
        let read = match name {
            "ready" => GuestReady::deserialize(data).ok().map(Self::Ready),
            "heartbeat" => GuestHeartbeat::deserialize(data).ok().map(Self::Heartbeat),
            "drain" => Drain::deserialize(data)
                .ok()
                .map(|drain| Self::Drain(drain.reconnect_in_ms)),
            "partyCleared" => Some(Self::PartyCleared),
            name => EventType::named(name).and_then(|event| entity(event.kind(), data)),
        };
        read.unwrap_or_else(|| Self::Bad(head.and_then(|head| head.event_id)))
    }
}

fn entity<'de, D: Deserializer<'de>>(kind: Option<Kind>, data: D) -> Option<Heard> {
    let (id, entity) = match kind {
        // Whatever it says, the page is loaded again.
        None => {
            let wait = Reload::deserialize(data).map_or(0, |reload| reload.not_before_ms);
            return Some(Heard::Reload(wait));
        }
        Some(Kind::Order) => payload(data, GuestEntity::Order),
        Some(Kind::Call) => payload(data, GuestEntity::Call),
        Some(Kind::Table) => payload(data, GuestEntity::Table),
        Some(Kind::Menu) => payload(data, |item| GuestEntity::Item(Box::new(item))),
        Some(Kind::Stock) => payload(data, GuestEntity::Stock),
    }?;
    Some(Heard::Entity(id, entity))
}

fn payload<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    data: D,
    wrap: impl FnOnce(T) -> GuestEntity,
) -> Option<(EventId, GuestEntity)> {
    // As in the store's stream, so that a client has one reader of each type.
    let frame = GuestFrame::<Payload<T>>::deserialize(data).ok()?;
    match frame.payload {
        Payload::Whole(entity) => Some((frame.event_id, wrap(*entity))),
        Payload::Thin(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::fixture::{id, item, order, stock, table};
    use super::*;

    fn frame(name: &str, payload: &impl serde::Serialize) -> Heard {
        let data = json!({"type": name, "eventId": id(7), "at": 0, "payload": payload});
        Heard::read(name, &data)
    }

    #[test]
    fn entities_are_read_by_the_kind_of_their_event() {
        for name in ["HALL_PAYMENT", "KITCHEN_COOK", "ORDER_CHANGED"] {
            let GuestEntity::Order(order) = order(3, 2) else {
                panic!()
            };
            let heard = frame(name, &order);
            assert_eq!(heard, Heard::Entity(id(7), GuestEntity::Order(order)));
        }
        let (GuestEntity::Item(item), GuestEntity::Table(table)) = (item(1, true), table("A-2"))
        else {
            panic!()
        };
        assert_eq!(
            frame("KITCHEN_MENU_CHANGED", &item),
            Heard::Entity(id(7), GuestEntity::Item(item))
        );
        assert_eq!(
            frame("TABLE_CHANGED", &table),
            Heard::Entity(id(7), GuestEntity::Table(table))
        );
        let GuestEntity::Stock(row) = stock(5, 2, 9) else {
            panic!()
        };
        assert_eq!(
            frame("STOCK_CHANGED", &row),
            Heard::Entity(id(7), GuestEntity::Stock(row))
        );
    }

    #[test]
    fn control_frames_are_read_by_name() {
        let read = |name, data: Value| Heard::read(name, &data);
        assert_eq!(read("partyCleared", json!({})), Heard::PartyCleared);
        assert_eq!(
            read("drain", json!({"reconnectInMs": 300})),
            Heard::Drain(300)
        );
        let reload = json!({"reason": "LAGGED_OUT", "notBeforeMs": 40});
        assert_eq!(read("RELOAD_REQUIRED", reload), Heard::Reload(40));
        assert_eq!(read("RELOAD_REQUIRED", json!({})), Heard::Reload(0));
        let beat = json!({"sent": "0:0", "serverTime": 5});
        assert!(matches!(read("heartbeat", beat), Heard::Heartbeat(_)));
    }

    #[test]
    fn what_cannot_be_read_is_bad_and_keeps_its_id() {
        let thin = json!({"id": uuid::Uuid::nil(), "version": 3, "fetch": true});
        assert_eq!(frame("ORDER_CHANGED", &thin), Heard::Bad(Some(id(7))));
        assert_eq!(frame("SOMETHING_NEW", &thin), Heard::Bad(Some(id(7))));
        assert_eq!(frame("STOCK_CHANGED", &thin), Heard::Bad(Some(id(7))));
        for data in [json!(null), json!({"sent": 3}), json!("x")] {
            assert_eq!(Heard::read("heartbeat", &data), Heard::Bad(None));
        }
    }
}

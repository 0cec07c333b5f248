//! Reading an event whose type is known, straight from its data. What is derived for
//! [`Event`] keeps everything aside until it has met the type and reads it from there, with
//! code of its own for every entity; a client has no room for that.

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer};

use super::{Envelope, Event, EventType, Marker, Payload, Thin};
use crate::id::{OutboxId, StoreId};
use crate::stream::EventId;
use crate::time::Time;

/// An envelope without what happened.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Place {
    event_id: EventId,
    outbox_id: OutboxId,
    store_id: StoreId,
    at: Time,
}

#[derive(Deserialize)]
struct Body<T> {
    payload: T,
}

/// What an event carries.
pub(super) trait Carried: Sized {
    fn read<'de, D: Deserializer<'de> + Copy>(data: D) -> Option<Self>;
}

impl Carried for Marker {
    fn read<'de, D: Deserializer<'de> + Copy>(data: D) -> Option<Self> {
        body(data)
    }
}

impl<T: DeserializeOwned> Carried for Payload<T> {
    fn read<'de, D: Deserializer<'de> + Copy>(data: D) -> Option<Self> {
        let whole = body(data).map(|whole| Self::Whole(Box::new(whole)));
        whole.or_else(|| body::<Thin, D>(data).map(Self::Thin))
    }
}

fn body<'de, T: DeserializeOwned, D: Deserializer<'de>>(data: D) -> Option<T> {
    Body::deserialize(data).ok().map(|body| body.payload)
}

impl Envelope {
    pub(super) fn read<'de, D>(event_type: EventType, data: D) -> Option<Self>
    where
        D: Deserializer<'de> + Copy,
    {
        let place = Place::deserialize(data).ok()?;
        Some(Self {
            event_id: place.event_id,
            outbox_id: place.outbox_id,
            store_id: place.store_id,
            at: place.at,
            event: Event::read(event_type, data)?,
        })
    }
}

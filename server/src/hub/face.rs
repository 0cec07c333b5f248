//! What guests may see of an event: made once from the frame of staff, shared by every phone.
//!
//! Nothing of an event reaches a phone but through here. What cannot be read here is no reason
//! to show it: the phone loads its page again.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use domain::event::{Envelope, Event, Payload};
use domain::guest::{GuestCall, GuestFrame, GuestOrder, GuestStock, GuestTable};
use domain::id::{OrderId, PartyId, TableId};
use domain::order::Order;
use serde::Serialize;
use uuid::Uuid;

use super::frame::{Frame, encode};

/// An event as guests may see it.
#[derive(Debug)]
pub(super) enum Face {
    /// An order or a call: its party's alone.
    Of {
        /// Which.
        id: Uuid,
        /// Whose it is after the event.
        party: Option<PartyId>,
        /// The frame.
        bytes: Bytes,
    },
    /// A table: for who scanned its code.
    Table {
        /// Which.
        id: TableId,
        /// Who sits there after the event.
        party: Option<PartyId>,
        /// The frame.
        bytes: Bytes,
    },
    /// An item of the menu, or what is left of it: everybody's.
    Everyone(Bytes),
    /// An order too large to travel: it has to be read to know whose it is.
    Thin(OrderId),
    /// Load the page again.
    Reload,
}

/// The face of a frame, made when the first guest asks. Its bytes are fewer than the frame's, so
/// that a ring with guests holds at most twice its limit.
#[derive(Clone, Debug, Default)]
pub struct LazyFace(Arc<OnceLock<Face>>);

impl Frame {
    /// What guests may see of it.
    pub(super) fn face(&self) -> &Face {
        self.face
            .0
            .get_or_init(|| read(self).map_or(Face::Reload, |envelope| of(&envelope)))
    }
}

/// The envelope behind the frame's bytes.
fn read(frame: &Frame) -> Option<Envelope> {
    let text = std::str::from_utf8(&frame.bytes).ok()?;
    let lines = text.split('\n').filter_map(|it| it.strip_prefix("data: "));
    let data = lines.collect::<Vec<_>>().join("\n");
    serde_json::from_str(&data).ok()
}

fn of(envelope: &Envelope) -> Face {
    match &envelope.event {
        Event::HallPayment(order)
        | Event::HallPaymentResolved(order)
        | Event::KitchenCook(order)
        | Event::KitchenProgress(order)
        | Event::HallServe(order)
        | Event::OrderChanged(order) => match order {
            Payload::Whole(order) => of_order(envelope, order),
            Payload::Thin(thin) => Face::Thin(OrderId(thin.id)),
        },
        Event::CustomerCall(Payload::Whole(call)) => {
            let (id, party) = (call.id.0, Some(call.party_id));
            shown(envelope, &GuestCall::of(call), |bytes| Face::Of {
                id,
                party,
                bytes,
            })
        }
        Event::TableChanged(Payload::Whole(table)) => {
            let party = table.party.as_ref().map(|party| party.id);
            let id = table.id;
            shown(envelope, &GuestTable::of(table), |bytes| Face::Table {
                id,
                party,
                bytes,
            })
        }
        Event::KitchenMenuChanged(Payload::Whole(item)) => shown(envelope, item, Face::Everyone),
        Event::StockChanged(Payload::Whole(stock)) => {
            shown(envelope, &GuestStock::of(stock), Face::Everyone)
        }
        Event::CustomerCall(Payload::Thin(_))
        | Event::TableChanged(Payload::Thin(_))
        | Event::KitchenMenuChanged(Payload::Thin(_))
        | Event::StockChanged(Payload::Thin(_))
        | Event::ReloadRequired(_) => Face::Reload,
    }
}

/// The face of an event about this order.
pub(super) fn of_order(envelope: &Envelope, order: &Order) -> Face {
    let (id, party) = (order.id.0, order.party_id);
    shown(envelope, &GuestOrder::of(order), |bytes| Face::Of {
        id,
        party,
        bytes,
    })
}

/// The face of a thin event, with the order as it is meanwhile.
pub(super) fn of_thin(frame: &Frame, order: &Order) -> Face {
    read(frame).map_or(Face::Reload, |envelope| of_order(&envelope, order))
}

fn shown(envelope: &Envelope, payload: &impl Serialize, wrap: impl FnOnce(Bytes) -> Face) -> Face {
    let name = envelope.event.event_type().name();
    let frame = GuestFrame {
        event_type: name.to_owned(),
        event_id: envelope.event_id,
        at: envelope.at,
        payload,
    };
    let data = serde_json::to_string(&frame).ok();
    data.and_then(|data| encode(None, name, &data).ok())
        .map_or(Face::Reload, wrap)
}

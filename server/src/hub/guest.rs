//! The stream of a phone: what its party may see, and the end when the party is cleared.
//!
//! It reads the same ring as a stream of staff, in the same order. The order's party decides:
//! what was this party's and is another's makes the page load again, and never shows where it
//! went.

use std::collections::HashSet;

use domain::event::{Reload, ReloadReason};
use domain::guest::{GuestHeartbeat, GuestReady, GuestTable};
use domain::id::{OrderId, PartyId, SessionId, TableId};
use domain::stream::EventId;
use metrics::counter;
use serde::Serialize;
use uuid::Uuid;

use super::KitchenScreen;
use super::close::CloseReason;
use super::connection::{Connection, ms, spread};
use super::face::{self, Face};
use super::frame::Frame;
use crate::db::{Db, DbError};
use crate::store::floor::tables;
use crate::store::guest::{party_entities, token_find};
use crate::store::order::order_find;

/// Whom a connection serves.
pub(super) enum Audience {
    /// Somebody who is signed in: every event, as it is.
    Staff {
        /// The session that the ticket was bound to.
        session: SessionId,
        /// The stream feeds a kitchen screen.
        kitchen: Option<KitchenScreen>,
    },
    /// A phone at a table: views of what is its party's.
    Guest(Box<Guest>),
}

/// What is known of a phone.
pub(super) struct Guest {
    token_hash: String,
    place: Place,
    /// The last entity written.
    sent: EventId,
}

/// Where the phone belongs.
struct Place {
    party: PartyId,
    /// The table its page shows.
    table: Option<TableId>,
    /// Orders and calls that the page may show: as many as the party has.
    known: HashSet<Uuid>,
}

impl Audience {
    pub(super) fn guest(party: PartyId, token_hash: String) -> Self {
        let place = Place {
            party,
            table: None,
            known: HashSet::new(),
        };
        Self::Guest(Box::new(Guest {
            token_hash,
            place,
            sent: EventId::NONE,
        }))
    }

    pub(super) fn kitchen(&self) -> Option<KitchenScreen> {
        match self {
            Self::Staff { kitchen, .. } => *kitchen,
            Self::Guest(_) => None,
        }
    }
}

/// A frame without a field.
#[derive(Serialize)]
struct Nothing {}

/// What an event means to one phone.
enum News<'a> {
    Show(&'a bytes::Bytes),
    /// Its page has something that is no longer its party's.
    Lost,
    /// Somebody else sits at its table, or nobody.
    Moved,
    Nothing,
}

impl Guest {
    fn news<'a>(&mut self, face: &'a Face) -> News<'a> {
        let place = &mut self.place;
        match face {
            Face::Of { id, party, bytes } if *party == Some(place.party) => {
                place.known.insert(*id);
                News::Show(bytes)
            }
            Face::Of { id, .. } if place.known.remove(id) => News::Lost,
            Face::Table { id, party, bytes } if Some(*id) == place.table => {
                if *party == Some(place.party) {
                    News::Show(bytes)
                } else {
                    News::Moved
                }
            }
            Face::Everyone(bytes) => News::Show(bytes),
            Face::Reload => News::Moved,
            Face::Of { .. } | Face::Table { .. } | Face::Thin(_) => News::Nothing,
        }
    }
}

/// Where the token belongs at this moment; `None` when its party has left.
async fn place_of(db: &Db, token_hash: &str) -> Result<Option<Place>, DbError> {
    let mut tx = db.read().await?;
    let token = token_find(&mut tx, token_hash).await?;
    let Some(token) = token.filter(|token| token.closed_at.is_none()) else {
        return Ok(None);
    };
    let floor = tables(&mut tx, token.store_id).await?;
    let known = party_entities(&mut tx, token.party_id).await?;
    let table = GuestTable::among(&floor, token.party_id, token.table_id);
    Ok(Some(Place {
        party: token.party_id,
        table: table.map(|table| table.id),
        known: known.into_iter().collect(),
    }))
}

impl Connection {
    fn phone(&mut self) -> Result<&mut Guest, CloseReason> {
        match &mut self.audience {
            Audience::Guest(guest) => Ok(guest),
            Audience::Staff { .. } => Err(CloseReason::Error),
        }
    }

    /// `ready`, once it is known whose the phone is: what the page loads afterwards is at least
    /// as new.
    pub(super) async fn guest_begin(&mut self) -> Result<(), CloseReason> {
        self.look_again().await?;
        let ready = GuestReady {
            head: self.position,
            heartbeat_ms: ms(self.hub.config.heartbeat),
            server_time: self.hub.clock.now(),
            build: self.hub.config.build.clone(),
        };
        self.control("ready", &ready).await
    }

    pub(super) async fn guest_heartbeat(&mut self) -> Result<(), CloseReason> {
        let heartbeat = GuestHeartbeat {
            sent: self.phone()?.sent,
            server_time: self.hub.clock.now(),
        };
        self.hub.meters.heartbeats.increment(1);
        self.control("heartbeat", &heartbeat).await
    }

    /// Writes what the phone may see of the event; `false` when that is nothing.
    pub(super) async fn guest_write(&mut self, frame: &Frame) -> Result<bool, CloseReason> {
        let read;
        let face = match frame.face() {
            Face::Thin(order) => {
                read = self.read_thin(frame, *order).await?;
                &read
            }
            face => face,
        };
        match self.phone()?.news(face) {
            News::Show(bytes) => {
                let bytes = bytes.clone();
                self.send_event(bytes, frame).await?;
                self.phone()?.sent = frame.id;
                Ok(true)
            }
            News::Lost => {
                self.load_again(ReloadReason::Other, 0).await?;
                Ok(false)
            }
            News::Moved => {
                self.guest_reload(ReloadReason::Other).await?;
                Ok(false)
            }
            News::Nothing => Ok(false),
        }
    }

    /// The order of a thin event as it is meanwhile; its next event brings it again.
    async fn read_thin(&mut self, frame: &Frame, id: OrderId) -> Result<Face, CloseReason> {
        let (db, store) = (&self.hub.db, self.feed.store);
        let order = async { order_find(&mut db.read().await?, store, id).await };
        let order = order.await.map_err(|error| self.failed(&error))?;
        Ok(order.map_or(Face::Reload, |order| face::of_thin(frame, &order)))
    }

    /// Events cannot tell all: whose the phone is, from the start, and then its page.
    pub(super) async fn guest_reload(&mut self, reason: ReloadReason) -> Result<(), CloseReason> {
        self.look_again().await?;
        let not_before_ms = ms(spread(self.hub.config.spread));
        self.load_again(reason, not_before_ms).await
    }

    async fn load_again(
        &mut self,
        reason: ReloadReason,
        not_before_ms: i64,
    ) -> Result<(), CloseReason> {
        counter!("rt_reloads_total", "reason" => "guest").increment(1);
        let reload = Reload {
            reason,
            not_before_ms,
        };
        self.control("RELOAD_REQUIRED", &reload).await
    }

    /// Whose the phone is. When its party has left, that is the last it hears.
    async fn look_again(&mut self) -> Result<(), CloseReason> {
        let token_hash = self.phone()?.token_hash.clone();
        let found = place_of(&self.hub.db, &token_hash).await;
        match found.map_err(|error| self.failed(&error))? {
            Some(place) => {
                self.phone()?.place = place;
                Ok(())
            }
            None => {
                self.control("partyCleared", &Nothing {}).await?;
                Err(CloseReason::Cleared)
            }
        }
    }
}

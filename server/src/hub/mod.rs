//! The hub: from one ring per store to every stream of that store.
//!
//! It reads what is committed and never writes an event. Each connection pulls from its
//! own position; nothing is ever pushed at a client that does not read.

mod beat;
mod close;
mod config;
mod connection;
mod face;
mod feed;
mod frame;
mod guest;
mod history;
mod limits;
mod meters;
mod opening;
mod outgoing;
mod position;
mod reader;
mod ring;
mod socket;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use domain::id::{PartyId, SessionId, StationId, StoreId};
use domain::stream::EventId;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::clock::Clock;
use crate::db::Db;
use crate::log::Log;
use connection::Connection;
use feed::Feed;
use guest::Audience;
use history::History;
use limits::{Holder, Limits};
use meters::Meters;

pub use close::CloseReason;
pub use config::HubConfig;
#[doc(hidden)]
pub use config::{Guards, Hook};
pub use frame::{FrameError, encode};
pub use history::HistoryError;
pub use limits::Limit;
pub use outgoing::EventStream;
pub use ring::RingLimits;
pub use socket::{End, Health, Peer, Socket, Sockets};

/// Frames that wait for the HTTP layer, per connection.
const QUEUE: usize = 8;

/// Streams get this long to say goodbye when the process goes away.
const FAREWELL: Duration = Duration::from_secs(2);

/// A kitchen screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KitchenScreen {
    /// The station it shows; `None` for all.
    pub station: Option<StationId>,
}

/// Who opens a stream.
#[derive(Clone, Debug)]
pub struct Subscription {
    /// The store whose events follow.
    pub store: StoreId,
    /// The session that the ticket was bound to.
    pub session: SessionId,
    /// The bridge's own name for itself, at most 128 characters, never blank.
    pub connection_id: String,
    /// The last event the client has; `None` for one that is no event id.
    pub cursor: Option<EventId>,
    /// The stream feeds a kitchen screen.
    pub kitchen: Option<KitchenScreen>,
    /// The socket under the stream, where it is known.
    pub health: Option<Arc<Health>>,
}

/// A phone of a party that opens a stream. It has no cursor: after `ready` it loads its page.
#[derive(Clone, Debug)]
pub struct GuestSubscription {
    /// The store.
    pub store: StoreId,
    /// The party as its ticket was shown.
    pub party: PartyId,
    /// What the phone is known by; which party that is may change.
    pub token_hash: String,
    /// The socket under the stream, where it is known.
    pub health: Option<Arc<Health>>,
}

/// A stream that is let in.
struct Opened {
    store: StoreId,
    connection_id: String,
    cursor: Option<EventId>,
    health: Option<Arc<Health>>,
    audience: Audience,
}

/// Why there is no stream.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// The process is going away.
    #[error("no new streams: the process is going away")]
    Draining,
    /// There are as many as there may be.
    #[error("too many streams: {}", .0.name())]
    TooMany(Limit),
    /// The store's position cannot be read.
    #[error("the stream cannot begin")]
    History(#[from] HistoryError),
}

struct Inner {
    config: HubConfig,
    db: Db,
    clock: Clock,
    log: Log,
    history: History,
    limits: Arc<Limits>,
    feeds: Mutex<HashMap<StoreId, Arc<Feed>>>,
    /// Held while a feed begins, so that it begins once.
    opening: tokio::sync::Mutex<()>,
    meters: Meters,
    /// The process goes away: streams say goodbye, new ones are refused.
    draining: CancellationToken,
    /// Readers and beats end.
    stop: CancellationToken,
    streams: TaskTracker,
    workers: TaskTracker,
}

/// The streams of this process. Cheap to clone.
#[derive(Clone)]
pub struct Hub(Arc<Inner>);

impl std::fmt::Debug for Hub {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hub")
            .field("streams", &self.0.limits.open())
            .finish_non_exhaustive()
    }
}

impl Opened {
    fn kitchen_name(&self) -> Option<String> {
        let kitchen = self.audience.kitchen();
        kitchen.map(|_| self.connection_id.clone())
    }
}

impl Hub {
    /// A hub without streams.
    #[must_use]
    pub fn new(config: HubConfig, db: Db, clock: Clock, log: Log) -> Self {
        Self(Arc::new(Inner {
            limits: Arc::new(Limits::new(&config)),
            history: History::new(db.clone()),
            feeds: Mutex::default(),
            opening: tokio::sync::Mutex::default(),
            meters: Meters::new(&config),
            draining: CancellationToken::new(),
            stop: CancellationToken::new(),
            streams: TaskTracker::new(),
            workers: TaskTracker::new(),
            config,
            db,
            clock,
            log,
        }))
    }

    /// A command of the store committed: its reader looks at once.
    pub fn committed(&self, store: StoreId) {
        self.0.log.committed(store);
    }

    /// Opens a stream. The first bytes are there when this answers.
    ///
    /// # Errors
    /// [`Refused`], with nothing left behind.
    pub async fn subscribe(&self, who: Subscription) -> Result<EventStream, Refused> {
        let holder = Holder::Session(who.session);
        let opened = Opened {
            store: who.store,
            connection_id: who.connection_id,
            cursor: who.cursor,
            health: who.health,
            audience: Audience::Staff {
                session: who.session,
                kitchen: who.kitchen,
            },
        };
        self.open(holder, opened).await
    }

    /// Opens the stream of a phone.
    ///
    /// # Errors
    /// [`Refused`], with nothing left behind.
    pub async fn subscribe_guest(&self, who: GuestSubscription) -> Result<EventStream, Refused> {
        let opened = Opened {
            store: who.store,
            connection_id: uuid::Uuid::now_v7().to_string(),
            cursor: Some(EventId::NONE),
            health: who.health,
            audience: Audience::guest(who.party, who.token_hash),
        };
        self.open(Holder::Party(who.party), opened).await
    }

    async fn open(&self, holder: Holder, opened: Opened) -> Result<EventStream, Refused> {
        let hub = &self.0;
        if hub.draining.is_cancelled() {
            return Err(Refused::Draining);
        }
        let admitted = hub
            .limits
            .admit(opened.store, holder)
            .map_err(Refused::TooMany)?;
        let (feed, seat) = hub.seat(&opened).await?;
        let (out, frames) = mpsc::channel(QUEUE);
        // The queue is empty and its other end is here.
        let _ = out.try_send(Bytes::from_static(frame::RETRY.as_bytes()).into());
        let (position, generation) = feed.position();
        let connection = Connection {
            hub: Arc::clone(hub),
            connection_id: opened.connection_id,
            cursor: opened.cursor,
            health: opened.health,
            audience: opened.audience,
            out,
            news: feed.news.subscribe(),
            beat: feed.beat.subscribe(),
            generation,
            position,
            last: position,
            opened: Instant::now(),
            written: 0,
            feed,
            _held: (admitted, seat),
        };
        hub.streams.spawn(connection.run());
        Ok(EventStream {
            frames,
            clock: hub.clock.clone(),
            delivery: hub.meters.delivery.clone(),
        })
    }

    /// Streams open now.
    #[must_use]
    pub fn streams_open(&self) -> usize {
        self.0.limits.open()
    }

    /// Stores this process follows now.
    #[must_use]
    pub fn stores_followed(&self) -> usize {
        self.0.feeds().len()
    }

    /// Whether streams are refused because the process goes away.
    #[must_use]
    pub fn is_draining(&self) -> bool {
        self.0.draining.is_cancelled()
    }

    /// Ends every stream with `drain`, refuses new ones, and answers when the streams are
    /// gone, or after two seconds.
    pub async fn drain(&self) {
        let hub = &self.0;
        hub.draining.cancel();
        hub.streams.close();
        let _ = tokio::time::timeout(FAREWELL, hub.streams.wait()).await;
        hub.stop.cancel();
        hub.workers.close();
        let _ = tokio::time::timeout(FAREWELL, hub.workers.wait()).await;
    }
}

impl Inner {
    fn feeds(&self) -> MutexGuard<'_, HashMap<StoreId, Arc<Feed>>> {
        self.feeds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A seat at the store's feed, which begins with the first one.
    async fn seat(self: &Arc<Self>, who: &Opened) -> Result<(Arc<Feed>, feed::Seat), HistoryError> {
        if let Some(seated) = self.seat_at_open_feed(who) {
            return Ok(seated);
        }
        let _turn = self.opening.lock().await;
        if let Some(seated) = self.seat_at_open_feed(who) {
            return Ok(seated);
        }
        let newest = u32::try_from(self.config.replay).unwrap_or(u32::MAX);
        let newest = self.history.newest(who.store, newest).await?;
        let feed = Arc::new(Feed::new(who.store, newest, self.config.ring));
        let seat = feed.seat(who.kitchen_name());
        self.feeds().insert(who.store, Arc::clone(&feed));
        self.workers
            .spawn(reader::follow(Arc::clone(self), Arc::clone(&feed)));
        self.workers
            .spawn(beat::beat(Arc::clone(self), Arc::clone(&feed)));
        Ok((feed, seat))
    }

    fn seat_at_open_feed(&self, who: &Opened) -> Option<(Arc<Feed>, feed::Seat)> {
        let feeds = self.feeds();
        let feed = feeds.get(&who.store)?;
        Some((Arc::clone(feed), feed.seat(who.kitchen_name())))
    }

    /// Lets go of a feed that nobody needs; `true` when it is gone. Seats are taken under
    /// the same lock, so that nobody sits at a feed that has left.
    fn retire(&self, feed: &Feed) -> bool {
        let mut feeds = self.feeds();
        let idle = feed.is_idle(self.config.ring_idle);
        if idle {
            feeds.remove(&feed.store);
            feed.retired.cancel();
        }
        idle
    }
}

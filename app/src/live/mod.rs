//! The browser's side of a session: it carries out what [`domain::bridge`] says and tells it what
//! happened. It decides nothing. Events never travel through a signal: they go through the
//! bridge, and only what changed in its store is handed to the screen.

mod adapter;
pub mod resume;
pub mod source;
pub mod timer;

use std::cell::RefCell;
use std::rc::Rc;

use domain::bridge::{Link, Status};
use domain::event::{Acknowledged, EventType};
use domain::id::{ReservationId, StoreId};
use domain::store::{ClientStore, Touched};
use domain::stream::Scope;
use domain::time::Time;
use uuid::Uuid;

use crate::api::{Answer, Problem};
use adapter::Adapter;

/// What a screen is told.
pub enum News<'a> {
    /// These changed.
    Show(&'a ClientStore, &'a Touched),
    /// An event passed the cursor live: it may sound.
    Heard(EventType, Option<Uuid>),
    /// Changes that were missed are there: one sound for all.
    CaughtUp,
    /// The pill's word changed.
    Link(Status),
    /// The session is over.
    SignedOut,
}

/// What a screen follows.
pub struct Session {
    /// The store.
    pub store_id: StoreId,
    /// What the screen shows.
    pub scopes: Vec<Scope>,
    /// Its name, such as `kitchen:{stationId}`.
    pub screen: String,
    /// The build of this page.
    pub build: String,
    /// Hears of every change. It must not call back into this module at once.
    pub listener: Box<dyn Fn(News<'_>)>,
}

thread_local! {
    /// A page has one screen, a screen one session.
    static CURRENT: RefCell<Option<Rc<Adapter>>> = const { RefCell::new(None) };
}

/// Begins a session; the one before it ends.
pub fn start(session: Session) {
    let adapter = Adapter::new(session);
    CURRENT.with_borrow_mut(|current| *current = Some(Rc::clone(&adapter)));
    adapter.begin();
}

/// Ends the session: stream, timer and listeners go.
pub fn stop() {
    let ended = CURRENT.with_borrow_mut(Option::take);
    drop(ended);
}

fn current() -> Option<Rc<Adapter>> {
    CURRENT.with_borrow(Clone::clone)
}

/// Reads what is known; `None` without a session.
pub fn with_store<R>(read: impl FnOnce(&ClientStore) -> R) -> Option<R> {
    current().map(|adapter| adapter.with_bridge(|bridge| read(bridge.store())))
}

/// The connection pill as of this moment.
#[must_use]
pub fn status() -> Option<Status> {
    let now = timer::now();
    current().map(|adapter| adapter.with_bridge(|bridge| bridge.status(now)))
}

/// How many kitchen screens there are, and how many of them have applied `seq`; as of the last
/// beat.
#[must_use]
pub fn kitchen(seq: u64) -> (usize, usize) {
    let count = |adapter: Rc<Adapter>| {
        adapter.with_bridge(|bridge| {
            let wanted = bridge.cursor().at(seq);
            let has = |screen: &&Acknowledged| screen.applied >= wanted;
            let screens = bridge.kitchen();
            (screens.len(), screens.iter().filter(has).count())
        })
    };
    current().map(count).unwrap_or_default()
}

/// The device's own clock, for what has to do with this device only.
#[must_use]
pub fn device_now() -> Time {
    timer::now()
}

/// The server's clock, as measured; the device's own before the first measure.
#[must_use]
pub fn server_now() -> Time {
    let now = timer::now();
    current().map_or(now, |adapter| {
        adapter.with_bridge(|bridge| bridge.server_now(now))
    })
}

/// Sends a command under `key`, `path` below the store's address. Its answer decides the entities
/// it carries; then `done` is called.
pub fn command(
    key: String,
    path: String,
    body: String,
    done: impl FnOnce(Result<(), Problem>) + 'static,
) {
    if let Some(adapter) = current() {
        adapter.command(key, path, body, Box::new(done));
    }
}

/// Asks for the one extension of a hold. Nothing depends on the answer: an event tells its order.
pub fn extend(rid: ReservationId) {
    if let Some(adapter) = current() {
        adapter.extend(rid);
    }
}

/// Reads an endpoint below the store's address that is not a scope.
pub fn read(path: &'static str, done: impl FnOnce(Result<Answer, Problem>) + 'static) {
    if let Some(adapter) = current() {
        adapter.read(path, done);
    }
}

/// The state of the pill in the page's markup.
#[must_use]
pub fn state_name(link: Link) -> &'static str {
    match link {
        Link::Live => "live",
        Link::Delayed => "delayed",
        Link::Offline => "offline",
        Link::CatchingUp(_) => "catching-up",
        Link::SignedOut => "signed-out",
    }
}

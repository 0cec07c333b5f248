//! The bridge: a session of one screen with the server (realtime, section 6).
//!
//! A pure state machine. It is told the time and what happened, and says what to do; it does no
//! I/O, reads no clock, and takes its randomness from a seed it is given. The adapter that
//! carries out its effects only translates.
//!
//! - `link`: ticket → stream → `ready`, watchdog, reconnecting.
//! - `stream`: the cursor, duplicates, holes, markers.
//! - `reload`: baselines, part or all, one at a time.
//! - `status`: is what the screen shows true right now?

pub(crate) mod clock;
pub(crate) mod link;
pub(crate) mod random;
mod reload;
pub(crate) mod status;
mod stream;

pub use status::{Link, Status};

use std::collections::BTreeMap;

use uuid::Uuid;

use crate::event::{Acknowledged, Envelope, EventType, Frame, Kind};
use crate::settings::Store;
use crate::snapshot::{Changes, Entities};
use crate::store::{ClientStore, Guards, Touched};
use crate::stream::{EventId, Scope};
use crate::time::Time;

/// What a bridge is told when it is made.
#[derive(Clone, Debug)]
pub struct Config {
    /// The scopes its screen shows.
    pub scopes: Vec<Scope>,
    /// The build of this client.
    pub build: String,
    /// Randomness for delays.
    pub seed: u64,
    /// Every guard on, outside of tests.
    #[doc(hidden)]
    pub guards: Guards,
}

/// Why there is no ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoTicket {
    /// 401: the session is over.
    SignedOut,
    /// Anything else: try again later.
    Failed,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// 403: this scope is not for this role.
    Forbidden,
    /// Anything else.
    Failed,
}

/// An answer to a [`Load`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A scope, or some of its entities.
    Entities(EventId, Box<Entities>),
    /// The scope `store`.
    Settings(EventId, Box<Store>),
    /// What changed.
    Changes(Changes),
}

/// What happened.
#[derive(Clone, Debug)]
pub enum Input {
    /// Begin.
    Start,
    /// The screen needs one more scope.
    Use(Scope),
    /// The answer to [`Effect::FetchTicket`].
    Ticket {
        /// Of the effect.
        generation: u64,
        /// The ticket.
        result: Result<String, NoTicket>,
    },
    /// The stream failed or ended.
    Failed {
        /// Of the effect.
        generation: u64,
    },
    /// A frame arrived.
    Frame {
        /// Of the effect.
        generation: u64,
        /// As read.
        frame: Frame,
    },
    /// The answer to [`Effect::Load`].
    Loaded {
        /// Of the effect.
        request: u64,
        /// What came.
        result: Result<Answer, NoAnswer>,
    },
    /// A command of this screen was answered with these entities.
    Commanded {
        /// From the answer's header.
        watermark: EventId,
        /// From its body.
        entities: Box<Entities>,
    },
    /// The timer fired. Early or late is fine: times are compared, ticks never counted.
    Timer,
    /// The page may have slept: online, focus, visible, back from the page cache.
    Resume,
}

/// What to ask the server for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Load {
    /// The whole scope.
    Scope(Scope),
    /// These entities, at the scope's endpoint.
    Ids(Scope, Vec<Uuid>),
    /// What changed since.
    Changes(EventId),
}

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Ask for a ticket; answer with [`Input::Ticket`].
    FetchTicket {
        /// To be handed back.
        generation: u64,
    },
    /// Open a stream.
    Open {
        /// To be handed back.
        generation: u64,
        /// Good for one opening.
        ticket: String,
        /// Where to go on.
        last_event_id: EventId,
    },
    /// Close the stream; nothing of it matters from here.
    Close {
        /// Of the opening.
        generation: u64,
    },
    /// Ask for entities; answer with [`Input::Loaded`].
    Load {
        /// To be handed back.
        request: u64,
        /// What.
        what: Load,
    },
    /// Fire [`Input::Timer`] at this time; it replaces the timer set before.
    SetTimer(Time),
    /// The store changed: show it.
    Show(Touched),
    /// An event passed the cursor live: it may sound.
    Heard {
        /// Its type.
        event_type: EventType,
        /// Its entity.
        entity: Option<Uuid>,
    },
    /// The screen has caught up with changes it missed: one sound for all.
    CaughtUp,
    /// Tell the server what is applied.
    Ack(EventId),
    /// The session is over: to the login page, no further request.
    SignedOut,
}

/// What the bridge counted, for the console and for tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Events applied in order.
    pub applied: u64,
    /// Events dropped because the cursor had passed them.
    pub duplicates: u64,
    /// Times an event was missing.
    pub holes: u64,
    /// Frames that could not be read.
    pub bad_frames: u64,
    /// Baselines of everything.
    pub full_reloads: u64,
    /// Baselines of what changed.
    pub partial_reloads: u64,
    /// Streams opened.
    pub streams: u64,
}

/// The session of one screen.
#[derive(Debug)]
pub struct Bridge {
    build: String,
    guards: Guards,
    store: ClientStore,
    /// The last event applied, in the epoch of the last `ready`.
    cursor: EventId,
    /// Whether the first full baseline is complete; before it no event moves the cursor.
    based: bool,
    /// Events beyond the cursor, by seq: at most 500, the oldest dropped first.
    kept: BTreeMap<u64, Box<Envelope>>,
    last_received: u64,
    link: link::LinkState,
    reload: reload::ReloadState,
    status: status::Proof,
    kitchen: Vec<Acknowledged>,
    next_request: u64,
    random: random::Random,
    acked: EventId,
    ack_not_before: Time,
    /// Something changed while catching up.
    missed: bool,
    /// Events up to this one were missed: they came while there was no stream.
    catch_up_to: u64,
    timer: Option<Time>,
    clock: clock::Steady,
    counters: Counters,
}

impl Bridge {
    /// A bridge that has not begun.
    #[must_use]
    pub fn new(config: Config) -> Self {
        Self {
            build: config.build,
            guards: config.guards,
            store: ClientStore::new(&config.scopes, config.guards),
            cursor: EventId::NONE,
            based: false,
            kept: BTreeMap::new(),
            last_received: 0,
            link: link::LinkState::default(),
            reload: reload::ReloadState::default(),
            status: status::Proof::default(),
            kitchen: Vec::new(),
            next_request: 0,
            random: random::Random(config.seed),
            acked: EventId::NONE,
            ack_not_before: Time(0),
            missed: false,
            catch_up_to: 0,
            timer: None,
            clock: clock::Steady::default(),
            counters: Counters::default(),
        }
    }

    /// What is known.
    #[must_use]
    pub fn store(&self) -> &ClientStore {
        &self.store
    }

    /// The last event applied.
    #[must_use]
    pub fn cursor(&self) -> EventId {
        self.cursor
    }

    /// Whether the first baseline is complete: until then the screen is loading.
    #[must_use]
    pub fn is_based(&self) -> bool {
        self.based
    }

    /// What each kitchen screen has applied, as of the last beat.
    #[must_use]
    pub fn kitchen(&self) -> &[Acknowledged] {
        &self.kitchen
    }

    /// What it counted.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// One step: what happened at `now` (the client's wall clock), and what to do about it.
    pub fn step(&mut self, now: Time, input: Input) -> Vec<Effect> {
        let now = self.clock.step(now);
        let mut out = Vec::new();
        match input {
            Input::Start => self.start(now, &mut out),
            Input::Use(scope) => self.add_scope(now, scope, &mut out),
            Input::Ticket { generation, result } => {
                self.ticket(now, generation, result, &mut out);
            }
            Input::Failed { generation } => self.stream_failed(now, generation, &mut out),
            Input::Frame { generation, frame } => self.frame(now, generation, frame, &mut out),
            Input::Loaded { request, result } => self.loaded(now, request, result, &mut out),
            Input::Commanded {
                watermark,
                entities,
            } => {
                if watermark.epoch == self.cursor.epoch {
                    let touched = self.store.apply_command(watermark.seq, &entities);
                    Self::show(touched, &mut out);
                }
            }
            // It is gone; if it fired early it has to be set again.
            Input::Timer => self.timer = None,
            Input::Resume => self.resume(now, &mut out),
        }
        self.link_due(now, &mut out);
        self.reload_due(now, &mut out);
        self.ack_due(now, &mut out);
        self.set_timer(&mut out);
        out
    }

    fn show(touched: Touched, out: &mut Vec<Effect>) {
        if !touched.is_empty() {
            out.push(Effect::Show(touched));
        }
    }

    /// Moves the cursor forward, never back.
    fn advance(&mut self, seq: u64) {
        if seq > self.cursor.seq {
            self.cursor.seq = seq;
        }
        if self.based {
            self.store.forget(self.cursor.seq);
        }
    }

    fn ack_due(&mut self, now: Time, out: &mut Vec<Effect>) {
        if self.wants_ack() && now >= self.ack_not_before {
            self.acked = self.cursor;
            self.ack_not_before = now.plus(1_000);
            out.push(Effect::Ack(self.cursor));
        }
    }

    fn wants_ack(&self) -> bool {
        self.based && self.link.is_live() && self.acked != self.cursor && self.cursor.seq > 0
    }

    fn set_timer(&mut self, out: &mut Vec<Effect>) {
        let ack = self.wants_ack().then_some(self.ack_not_before);
        let due = [self.link.next(), self.reload_next(), ack];
        let next = due.into_iter().flatten().min();
        let next = next.map(|at| self.clock.wall(at));
        if next != self.timer {
            self.timer = next;
            out.extend(next.map(Effect::SetTimer));
        }
    }

    fn request(&mut self, what: Load, out: &mut Vec<Effect>) -> u64 {
        self.next_request += 1;
        out.push(Effect::Load {
            request: self.next_request,
            what,
        });
        self.next_request
    }

    /// Another history: nothing known is worth anything.
    fn change_epoch(&mut self, epoch: crate::stream::Epoch, out: &mut Vec<Effect>) {
        if self.cursor != EventId::NONE {
            Self::show(self.store.clear(), out);
        }
        self.cursor = EventId::new(epoch, 0);
        self.based = false;
        self.kept.clear();
        self.last_received = 0;
        self.acked = EventId::NONE;
        self.missed = false;
        self.catch_up_to = 0;
        self.reload.abandon();
    }
}

/// Whether `touched` has an order: what a catch-up sound is for.
fn touches_orders(touched: &Touched) -> bool {
    touched
        .entities
        .iter()
        .any(|(kind, _)| *kind == Kind::Order)
}

#[cfg(test)]
mod tests;

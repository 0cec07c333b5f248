//! The link: ticket → stream → `ready`. At most one stream is open; each attempt has a
//! generation, and whatever comes of an older one is ignored. The screens of staff and the page
//! of guests have the same one.

use super::random::Random;
use super::{Bridge, Effect, NoTicket};
use crate::event::{Frame, Ready};
use crate::time::Time;

/// A ticket must come within this, in ms.
const TICKET_TIMEOUT: i64 = 10_000;
/// `ready` must come within this, in ms: a buffering proxy opens and stays silent.
const READY_TIMEOUT: i64 = 5_000;
/// After this long, in ms, a stream counts as stable and the delays begin anew.
const STABLE: i64 = 30_000;
/// The longest delay between attempts, in ms.
const LONGEST_DELAY: i64 = 30_000;
/// The longest the server may send a client away, in ms.
const LONGEST_ABSENCE: i64 = 60_000;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Not begun.
    #[default]
    Down,
    /// A ticket was asked for.
    Ticket { since: Time },
    /// The stream was asked for and is not ready.
    Opening { since: Time },
    /// `ready` came.
    Live { since: Time },
    /// The next attempt comes then.
    Waiting { until: Time },
    /// The session is over.
    SignedOut,
}

/// What the link wants done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Ask for a ticket of this generation.
    Ticket(u64),
    /// Close the stream of this generation.
    Close(u64),
}

#[derive(Debug)]
pub(crate) struct LinkState {
    pub(crate) phase: Phase,
    pub(crate) generation: u64,
    attempt: u32,
    pub(crate) heartbeat_ms: i64,
    pub(crate) last_frame: Time,
}

impl Default for LinkState {
    fn default() -> Self {
        let (generation, attempt, last_frame) = (0, 0, Time(0));
        Self {
            phase: Phase::Down,
            generation,
            attempt,
            heartbeat_ms: 2_000,
            last_frame,
        }
    }
}

impl LinkState {
    pub(crate) fn is_live(&self) -> bool {
        matches!(self.phase, Phase::Live { .. })
    }

    /// Whether a stream object exists.
    fn has_stream(&self) -> bool {
        matches!(self.phase, Phase::Opening { .. } | Phase::Live { .. })
    }

    /// Whether what comes of `generation` is of the stream that exists.
    pub(crate) fn hears(&self, generation: u64) -> bool {
        generation == self.generation && self.has_stream()
    }

    /// Drops whatever attempt is under way and begins a new one.
    pub(crate) fn connect(&mut self, now: Time, out: &mut Vec<Wish>) {
        self.drop_stream(out);
        self.phase = Phase::Ticket { since: now };
        out.push(Wish::Ticket(self.generation));
    }

    fn drop_stream(&mut self, out: &mut Vec<Wish>) {
        if self.has_stream() {
            out.push(Wish::Close(self.generation));
        }
        self.generation += 1;
    }

    /// The session is over.
    pub(crate) fn end(&mut self, out: &mut Vec<Wish>) {
        self.drop_stream(out);
        self.phase = Phase::SignedOut;
    }

    /// The attempt failed: the next one comes after a growing, random delay.
    pub(crate) fn fail(&mut self, now: Time, random: &mut Random, out: &mut Vec<Wish>) {
        if let Phase::Live { since } = self.phase
            && now.since(since) >= STABLE
        {
            self.attempt = 0;
        }
        let delay = backoff(self.attempt, random);
        self.attempt = self.attempt.saturating_add(1);
        self.wait(now, delay, out);
    }

    pub(crate) fn wait(&mut self, now: Time, delay: i64, out: &mut Vec<Wish>) {
        self.drop_stream(out);
        self.phase = Phase::Waiting {
            until: now.plus(delay.clamp(0, LONGEST_ABSENCE)),
        };
    }

    /// Whether a ticket of `generation` is waited for.
    pub(crate) fn expects(&self, generation: u64) -> bool {
        matches!(self.phase, Phase::Ticket { .. }) && generation == self.generation
    }

    /// The ticket is there, the stream asked for.
    pub(crate) fn opening(&mut self, now: Time) {
        self.phase = Phase::Opening { since: now };
    }

    pub(crate) fn ready(&mut self, now: Time, heartbeat_ms: i64) {
        self.phase = Phase::Live { since: now };
        self.heartbeat_ms = heartbeat_ms.clamp(100, 600_000);
    }

    /// The page may have slept. A stream that is not proven alive is replaced at once.
    pub(crate) fn resume(&mut self, now: Time, out: &mut Vec<Wish>) {
        let beat = self.heartbeat_ms;
        match self.phase {
            Phase::Waiting { .. } => self.connect(now, out),
            // Asleep since before its time was up.
            Phase::Ticket { .. } | Phase::Opening { .. }
                if self.next().is_some_and(|due| now >= due) =>
            {
                self.connect(now, out);
            }
            Phase::Live { .. } if now.since(self.last_frame) * 2 > beat * 3 => {
                self.connect(now, out);
            }
            Phase::Down
            | Phase::Ticket { .. }
            | Phase::Opening { .. }
            | Phase::Live { .. }
            | Phase::SignedOut => {}
        }
    }

    /// When the phase ends by itself.
    pub(crate) fn next(&self) -> Option<Time> {
        match self.phase {
            Phase::Down | Phase::SignedOut => None,
            Phase::Ticket { since } => Some(since.plus(TICKET_TIMEOUT)),
            Phase::Opening { since } => Some(since.plus(READY_TIMEOUT)),
            Phase::Live { .. } => Some(self.last_frame.plus(3 * self.heartbeat_ms)),
            Phase::Waiting { until } => Some(until),
        }
    }

    pub(crate) fn due(&mut self, now: Time, random: &mut Random, out: &mut Vec<Wish>) {
        if self.next().is_none_or(|due| now < due) {
            return;
        }
        match self.phase {
            Phase::Waiting { .. } => self.connect(now, out),
            Phase::Ticket { .. } | Phase::Opening { .. } | Phase::Live { .. } => {
                self.fail(now, random, out);
            }
            Phase::Down | Phase::SignedOut => {}
        }
    }
}

/// How long to wait, in ms, after `attempt` failures before: growing, and spread.
pub(crate) fn backoff(attempt: u32, random: &mut Random) -> i64 {
    let cap = LONGEST_DELAY.min(1_000 << attempt.min(5));
    random.uniform(cap / 2, cap)
}

impl From<Wish> for Effect {
    fn from(wish: Wish) -> Self {
        match wish {
            Wish::Ticket(generation) => Self::FetchTicket { generation },
            Wish::Close(generation) => Self::Close { generation },
        }
    }
}

impl Bridge {
    /// Lets the link act, and hands on what it wants.
    fn link(
        &mut self,
        out: &mut Vec<Effect>,
        act: impl FnOnce(&mut LinkState, &mut Random, &mut Vec<Wish>),
    ) {
        let mut wishes = Vec::new();
        act(&mut self.link, &mut self.random, &mut wishes);
        out.extend(wishes.into_iter().map(Effect::from));
    }

    pub(super) fn start(&mut self, now: Time, out: &mut Vec<Effect>) {
        if self.link.phase == Phase::Down {
            self.status.begin(now);
            self.link(out, |link, _, wishes| link.connect(now, wishes));
        }
    }

    fn fail(&mut self, now: Time, out: &mut Vec<Effect>) {
        self.link(out, |link, random, wishes| link.fail(now, random, wishes));
    }

    pub(super) fn wait(&mut self, now: Time, delay: i64, out: &mut Vec<Effect>) {
        self.link(out, |link, _, wishes| link.wait(now, delay, wishes));
    }

    pub(super) fn ticket(
        &mut self,
        now: Time,
        generation: u64,
        result: Result<String, NoTicket>,
        out: &mut Vec<Effect>,
    ) {
        if !self.link.expects(generation) {
            return;
        }
        match result {
            Ok(ticket) => {
                self.link.opening(now);
                self.counters.streams += 1;
                // Before the first baseline the cursor says nothing: live from the head.
                let based = self.based.then_some(self.cursor);
                let last_event_id = based.unwrap_or_default();
                out.push(Effect::Open {
                    generation,
                    ticket,
                    last_event_id,
                });
            }
            Err(NoTicket::Failed) => self.fail(now, out),
            Err(NoTicket::SignedOut) => {
                self.link.phase = Phase::SignedOut;
                self.reload.abandon();
                out.push(Effect::SignedOut);
            }
        }
    }

    pub(super) fn stream_failed(&mut self, now: Time, generation: u64, out: &mut Vec<Effect>) {
        if self.link.hears(generation) {
            self.fail(now, out);
        }
    }

    pub(super) fn frame(
        &mut self,
        now: Time,
        generation: u64,
        frame: Frame,
        out: &mut Vec<Effect>,
    ) {
        if !self.link.hears(generation) {
            return;
        }
        self.link.last_frame = now;
        self.status.proven(now);
        self.handle(now, frame, out);
    }

    pub(super) fn linked(&mut self, now: Time, ready: &Ready) {
        self.link.ready(now, ready.heartbeat_ms);
        self.status.measure(now, ready.server_time);
    }

    pub(super) fn resume(&mut self, now: Time, out: &mut Vec<Effect>) {
        self.link(out, |link, _, wishes| link.resume(now, wishes));
    }

    pub(super) fn link_due(&mut self, now: Time, out: &mut Vec<Effect>) {
        self.link(out, |link, random, wishes| link.due(now, random, wishes));
    }
}

//! The link: ticket → stream → `ready`. At most one stream is open; each attempt has a
//! generation, and whatever comes of an older one is ignored.

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
pub(super) enum Phase {
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

#[derive(Debug)]
pub(super) struct LinkState {
    pub(super) phase: Phase,
    pub(super) generation: u64,
    attempt: u32,
    pub(super) heartbeat_ms: i64,
    pub(super) last_frame: Time,
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
    pub(super) fn is_live(&self) -> bool {
        matches!(self.phase, Phase::Live { .. })
    }

    /// Whether a stream object exists.
    fn has_stream(&self) -> bool {
        matches!(self.phase, Phase::Opening { .. } | Phase::Live { .. })
    }
}

impl Bridge {
    pub(super) fn start(&mut self, now: Time, out: &mut Vec<Effect>) {
        if self.link.phase == Phase::Down {
            self.status.begin(now);
            self.connect(now, out);
        }
    }

    /// Drops whatever attempt is under way and begins a new one.
    fn connect(&mut self, now: Time, out: &mut Vec<Effect>) {
        self.drop_stream(out);
        self.link.phase = Phase::Ticket { since: now };
        out.push(Effect::FetchTicket {
            generation: self.link.generation,
        });
    }

    fn drop_stream(&mut self, out: &mut Vec<Effect>) {
        if self.link.has_stream() {
            out.push(Effect::Close {
                generation: self.link.generation,
            });
        }
        self.link.generation += 1;
    }

    /// The attempt failed: the next one comes after a growing, random delay.
    fn fail(&mut self, now: Time, out: &mut Vec<Effect>) {
        if let Phase::Live { since } = self.link.phase
            && now.since(since) >= STABLE
        {
            self.link.attempt = 0;
        }
        let cap = LONGEST_DELAY.min(1_000 << self.link.attempt.min(5));
        self.link.attempt = self.link.attempt.saturating_add(1);
        let delay = self.uniform(cap / 2, cap);
        self.wait(now, delay, out);
    }

    pub(super) fn wait(&mut self, now: Time, delay: i64, out: &mut Vec<Effect>) {
        self.drop_stream(out);
        self.link.phase = Phase::Waiting {
            until: now.plus(delay.clamp(0, LONGEST_ABSENCE)),
        };
    }

    pub(super) fn ticket(
        &mut self,
        now: Time,
        generation: u64,
        result: Result<String, NoTicket>,
        out: &mut Vec<Effect>,
    ) {
        let expected = matches!(self.link.phase, Phase::Ticket { .. });
        if !expected || generation != self.link.generation {
            return;
        }
        match result {
            Ok(ticket) => {
                self.link.phase = Phase::Opening { since: now };
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
        if generation == self.link.generation && self.link.has_stream() {
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
        if generation != self.link.generation || !self.link.has_stream() {
            return;
        }
        self.link.last_frame = now;
        self.status.proven(now);
        self.handle(now, frame, out);
    }

    pub(super) fn linked(&mut self, now: Time, ready: &Ready) {
        self.link.phase = Phase::Live { since: now };
        self.link.heartbeat_ms = ready.heartbeat_ms.clamp(100, 600_000);
        self.status.measure(now, ready.server_time);
    }

    /// The page may have slept. A stream that is not proven alive is replaced at once.
    pub(super) fn resume(&mut self, now: Time, out: &mut Vec<Effect>) {
        let beat = self.link.heartbeat_ms;
        match self.link.phase {
            Phase::Waiting { .. } => self.connect(now, out),
            // Asleep since before its time was up.
            Phase::Ticket { .. } | Phase::Opening { .. }
                if self.link_next().is_some_and(|due| now >= due) =>
            {
                self.connect(now, out);
            }
            Phase::Live { .. } if now.since(self.link.last_frame) * 2 > beat * 3 => {
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
    pub(super) fn link_next(&self) -> Option<Time> {
        match self.link.phase {
            Phase::Down | Phase::SignedOut => None,
            Phase::Ticket { since } => Some(since.plus(TICKET_TIMEOUT)),
            Phase::Opening { since } => Some(since.plus(READY_TIMEOUT)),
            Phase::Live { .. } => Some(self.link.last_frame.plus(3 * self.link.heartbeat_ms)),
            Phase::Waiting { until } => Some(until),
        }
    }

    pub(super) fn link_due(&mut self, now: Time, out: &mut Vec<Effect>) {
        if self.link_next().is_none_or(|due| now < due) {
            return;
        }
        match self.link.phase {
            Phase::Waiting { .. } => self.connect(now, out),
            Phase::Ticket { .. } | Phase::Opening { .. } | Phase::Live { .. } => {
                self.fail(now, out)
            }
            Phase::Down | Phase::SignedOut => {}
        }
    }
}

//! The session of a phone at a table: join, load, follow, until the party is over.
//!
//! A pure state machine as the [bridge](crate::bridge) is one, with the same link and the same
//! clock. There is no cursor: what the page may have missed, it loads again.
//!
//! - `turn`: what it is told, and what it says to do.
//! - `loading`: when the page is loaded, and what an answer means.
//! - `frames`: what a frame means.

mod turn;

mod frames;
mod loading;

pub use turn::{Effect, Input, Known, NoAnswer, NoToken, Stage};

use super::{GuestPage, Held, Part};
use crate::bridge::clock::Steady;
use crate::bridge::link::{LinkState, Wish, backoff};
use crate::bridge::random::Random;
use crate::bridge::status::Proof;
use crate::bridge::{Link, Status};
use crate::stream::EventId;
use crate::time::Time;

/// How the session stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Down,
    /// A token was asked for.
    Joining,
    /// It is asked for again then.
    JoinAgain(Time),
    /// Only the guest can go on from here.
    Stopped(Stage),
    /// With a token: loading and following.
    Following,
}

/// The session of a phone.
#[derive(Debug)]
pub struct Session {
    build: String,
    phase: Phase,
    shown: Stage,
    joins: u32,
    held: Option<Held>,
    loads: loading::Loads,
    /// The page must be loaded until it covers this.
    need: EventId,
    needed_at: Time,
    /// The last entity of this connection.
    last: EventId,
    link: LinkState,
    proof: Proof,
    clock: Steady,
    random: Random,
    timer: Option<Time>,
}

impl Session {
    /// A session that has not begun: the build of this page, and randomness for delays.
    #[must_use]
    pub fn new(build: String, seed: u64) -> Self {
        Self {
            build,
            phase: Phase::Down,
            shown: Stage::Loading,
            joins: 0,
            held: None,
            loads: loading::Loads::default(),
            need: EventId::NONE,
            needed_at: Time(0),
            last: EventId::NONE,
            link: LinkState::default(),
            proof: Proof::default(),
            clock: Steady::default(),
            random: Random(seed),
            timer: None,
        }
    }

    /// The page, once it is there.
    #[must_use]
    pub fn page(&self) -> Option<&GuestPage> {
        self.held.as_ref().map(Held::page)
    }

    /// The server's time at the client's `now`, as measured.
    #[must_use]
    pub fn server_now(&self, now: Time) -> Time {
        self.proof.server_now(self.clock.at(now))
    }

    /// One step: what happened at `now` (the client's wall clock), and what to do about it.
    pub fn step(&mut self, now: Time, input: Input) -> Vec<Effect> {
        let now = self.clock.step(now);
        let mut out = Vec::new();
        match input {
            Input::Start(known) if self.phase == Phase::Down => self.start(now, known, &mut out),
            Input::Start(_) => {}
            Input::Joined(result) => self.joined(now, result, &mut out),
            Input::Loaded { request, result } => self.loaded(now, request, result, &mut out),
            Input::Ticket { generation, result } => {
                self.ticket(now, generation, result, &mut out);
            }
            Input::Failed { generation } if self.link.hears(generation) => {
                self.link(&mut out, |link, random, wishes| {
                    link.fail(now, random, wishes)
                });
            }
            Input::Failed { .. } => {}
            Input::Frame { generation, frame } => {
                if self.link.hears(generation) {
                    self.link.last_frame = now;
                    self.proof.proven(now);
                    self.frame(now, frame, &mut out);
                }
            }
            Input::Commanded {
                watermark,
                entities,
            } => self.commanded(watermark, entities, &mut out),
            Input::Cleared => self.over(&mut out),
            Input::Again => self.again(now, &mut out),
            Input::Timer => self.timer = None,
            Input::Resume => self.resume(now, &mut out),
        }
        self.due(now, &mut out);
        self.tell(&mut out);
        self.set_timer(&mut out);
        out
    }

    fn start(&mut self, now: Time, known: Known, out: &mut Vec<Effect>) {
        match known {
            Known::Nothing => self.join(out),
            Known::Token => self.follow(now, out),
            // A page that is loaded again does not sit down with the next guests.
            Known::Left => self.phase = Phase::Stopped(Stage::Over),
        }
    }

    fn join(&mut self, out: &mut Vec<Effect>) {
        self.phase = Phase::Joining;
        out.push(Effect::Join);
    }

    fn joined(&mut self, now: Time, result: Result<(), NoToken>, out: &mut Vec<Effect>) {
        if self.phase != Phase::Joining {
            return;
        }
        match result {
            Ok(()) => self.follow(now, out),
            Err(NoToken::NoTable) => self.phase = Phase::Stopped(Stage::NoTable),
            Err(NoToken::AskStaff) => self.phase = Phase::Stopped(Stage::AskStaff),
            Err(NoToken::Failed(wait)) => {
                let delay = backoff(self.joins, &mut self.random).max(wait);
                self.joins = self.joins.saturating_add(1);
                self.phase = Phase::JoinAgain(now.plus(delay));
            }
        }
    }

    /// With a token: the page is loaded while the stream is opened.
    fn follow(&mut self, now: Time, out: &mut Vec<Effect>) {
        self.phase = Phase::Following;
        self.joins = 0;
        self.proof.begin(now);
        self.loads.want(now);
        self.link(out, |link, _, wishes| link.connect(now, wishes));
    }

    fn ticket(
        &mut self,
        now: Time,
        generation: u64,
        result: Result<String, NoAnswer>,
        out: &mut Vec<Effect>,
    ) {
        if !self.link.expects(generation) {
            return;
        }
        match result {
            Ok(ticket) => {
                self.link.opening(now);
                out.push(Effect::Open { generation, ticket });
            }
            Err(NoAnswer::Failed) => {
                self.link(out, |link, random, wishes| link.fail(now, random, wishes));
            }
            Err(NoAnswer::Over) => self.over(out),
        }
    }

    fn again(&mut self, now: Time, out: &mut Vec<Effect>) {
        match self.phase {
            Phase::Stopped(_) | Phase::JoinAgain(_) => self.join(out),
            Phase::Following => self.resume(now, out),
            Phase::Down | Phase::Joining => {}
        }
    }

    /// The page may have slept: what waits for its time is done at once.
    fn resume(&mut self, now: Time, out: &mut Vec<Effect>) {
        match self.phase {
            Phase::JoinAgain(_) => self.join(out),
            Phase::Following => {
                self.loads.hurry(now);
                self.link(out, |link, _, wishes| link.resume(now, wishes));
            }
            Phase::Down | Phase::Joining | Phase::Stopped(_) => {}
        }
    }

    /// The party has left: nothing of it stays, and nothing is asked for any more.
    fn over(&mut self, out: &mut Vec<Effect>) {
        if self.phase == Phase::Stopped(Stage::Over) {
            return;
        }
        self.phase = Phase::Stopped(Stage::Over);
        self.held = None;
        self.loads.abandon();
        (self.need, self.last) = (EventId::NONE, EventId::NONE);
        self.link(out, |link, _, wishes| link.end(wishes));
    }

    fn link(
        &mut self,
        out: &mut Vec<Effect>,
        act: impl FnOnce(&mut LinkState, &mut Random, &mut Vec<Wish>),
    ) {
        let mut wishes = Vec::new();
        act(&mut self.link, &mut self.random, &mut wishes);
        out.extend(wishes.into_iter().map(|wish| match wish {
            Wish::Ticket(generation) => Effect::FetchTicket { generation },
            Wish::Close(generation) => Effect::Close { generation },
        }));
    }

    fn due(&mut self, now: Time, out: &mut Vec<Effect>) {
        match self.phase {
            Phase::JoinAgain(at) if now >= at => self.join(out),
            Phase::Following => {
                self.link(out, |link, random, wishes| link.due(now, random, wishes));
                self.load_due(now, out);
            }
            Phase::Down | Phase::Joining | Phase::JoinAgain(_) | Phase::Stopped(_) => {}
        }
    }

    fn stage(&self) -> Stage {
        match self.phase {
            Phase::Stopped(stage) => stage,
            Phase::Following if self.held.is_some() => Stage::Open,
            Phase::Following if self.loads.has_failed() => Stage::Unreachable,
            Phase::JoinAgain(_) => Stage::Unreachable,
            Phase::Joining if self.joins > 0 => Stage::Unreachable,
            Phase::Down | Phase::Joining | Phase::Following => Stage::Loading,
        }
    }

    fn tell(&mut self, out: &mut Vec<Effect>) {
        let stage = self.stage();
        if stage != self.shown {
            self.shown = stage;
            out.push(Effect::Stage(stage));
        }
    }

    fn set_timer(&mut self, out: &mut Vec<Effect>) {
        let next = match self.phase {
            Phase::JoinAgain(at) => Some(at),
            Phase::Following => [self.link.next(), self.load_next()]
                .into_iter()
                .flatten()
                .min(),
            Phase::Down | Phase::Joining | Phase::Stopped(_) => None,
        };
        let next = next.map(|at| self.clock.wall(at));
        if next != self.timer {
            self.timer = next;
            out.extend(next.map(Effect::SetTimer));
        }
    }

    /// The connection pill at `now`.
    #[must_use]
    pub fn status(&self, now: Time) -> Status {
        let now = self.clock.at(now);
        let (beat, age) = (self.link.heartbeat_ms, now.since(self.proof.last_proof()));
        let polled = now.since(self.proof.last_answer()) <= loading::POLLED_FOR;
        let link = if self.phase == Phase::Stopped(Stage::Over) {
            Link::SignedOut
        } else if self.link.is_live() && age * 2 <= beat * 3 && self.is_whole() {
            Link::Live
        } else if age < beat * 3 || (polled && !self.link.is_live()) {
            Link::Delayed
        } else {
            Link::Offline
        };
        let answered = now.since(self.proof.last_answer());
        let age_ms = if polled && !self.link.is_live() {
            age.min(answered)
        } else {
            age
        };
        Status {
            link,
            age_ms,
            new_version: self.proof.new_version,
        }
    }
}

#[cfg(test)]
mod tests;

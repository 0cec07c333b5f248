//! Is what the screen shows true right now? (screens, "On every screen")

use super::Bridge;
use super::link::Phase;
use crate::stream::EventId;
use crate::time::Time;

/// How the screen stands to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// 실시간: proof within one and a half beats.
    Live,
    /// 지연: proof is late, or there is no stream and the screen is polled.
    Delayed,
    /// 끊김: no proof for three beats.
    Offline,
    /// 따라잡는 중: connected, with so many events to go.
    CatchingUp(u64),
    /// The session is over.
    SignedOut,
}

/// The connection pill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// The word.
    pub link: Link,
    /// Since the last proof, in ms.
    pub age_ms: i64,
    /// The server runs another build than this page.
    pub new_version: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Proof {
    last_frame: Time,
    last_answer: Time,
    /// Server time minus client time, in ms; measured.
    offset: Option<i64>,
    /// A measure far below it, and when: a frame that was held up, or the clock was set.
    doubt: Option<(Time, i64)>,
    pub(crate) head: EventId,
    pub(crate) new_version: bool,
}

/// The client's clock was set if the offset moves by more than this, in ms, and stays there:
/// frames that were held up while the page slept arrive together, each less late.
const CLOCK_SET: i64 = 2_000;
/// Two measures that agree within this, in ms, and are at least as far apart, are no accident.
const AGREE: i64 = 1_000;

impl Proof {
    pub(crate) fn begin(&mut self, now: Time) {
        self.last_frame = now;
    }

    pub(crate) fn proven(&mut self, now: Time) {
        self.last_frame = now;
    }

    pub(crate) fn answered(&mut self, now: Time) {
        self.last_answer = now;
    }

    pub(crate) fn last_proof(&self) -> Time {
        self.last_frame
    }

    pub(crate) fn last_answer(&self) -> Time {
        self.last_answer
    }

    /// A frame takes time to arrive, so that each measure is at or below the true offset: the
    /// largest is the best, until a clock is set.
    pub(crate) fn measure(&mut self, now: Time, server: Time) {
        let measured = server.0.saturating_sub(now.0);
        let known = self.offset.unwrap_or(measured).max(measured);
        if known.saturating_sub(measured) < CLOCK_SET {
            self.offset = Some(known);
            self.doubt = None;
            return;
        }
        match self.doubt {
            Some((since, _)) if now.since(since) < AGREE => {}
            Some((_, doubt)) if doubt.abs_diff(measured) < AGREE.unsigned_abs() => {
                self.offset = Some(measured);
                self.doubt = None;
            }
            Some(_) | None => self.doubt = Some((now, measured)),
        }
    }

    pub(crate) fn server_now(&self, now: Time) -> Time {
        now.plus(self.offset.unwrap_or(0))
    }
}

impl Bridge {
    /// The server's time at the client's `now`, as measured.
    #[must_use]
    pub fn server_now(&self, now: Time) -> Time {
        self.status.server_now(self.clock.at(now))
    }

    /// The connection pill at `now`.
    #[must_use]
    pub fn status(&self, now: Time) -> Status {
        let now = self.clock.at(now);
        let age_ms = now.since(self.status.last_frame);
        let beat = self.link.heartbeat_ms;
        let polled = now.since(self.status.last_answer) <= 15_000;
        let behind = self.status.head.seq.saturating_sub(self.cursor.seq);
        let catching = !self.based || !self.reload.is_idle();
        let link = match self.link.phase {
            Phase::SignedOut => Link::SignedOut,
            Phase::Live { .. } if age_ms * 2 <= beat * 3 && catching => Link::CatchingUp(behind),
            Phase::Live { .. } if age_ms * 2 <= beat * 3 => Link::Live,
            Phase::Down
            | Phase::Ticket { .. }
            | Phase::Opening { .. }
            | Phase::Live { .. }
            | Phase::Waiting { .. } => {
                if age_ms < beat * 3 || (polled && !self.link.is_live()) {
                    Link::Delayed
                } else {
                    Link::Offline
                }
            }
        };
        let answered = if polled && !self.link.is_live() {
            self.status.last_answer
        } else {
            Time(0)
        };
        let age_ms = age_ms.min(now.since(answered));
        Status {
            link,
            age_ms,
            new_version: self.status.new_version,
        }
    }
}

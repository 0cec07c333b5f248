//! When the page is loaded, and what an answer means. One request at a time.

use super::{Effect, NoAnswer, Part, Session};
use crate::bridge::link::backoff;
use crate::guest::{GuestPage, Held};
use crate::stream::EventId;
use crate::time::Time;

/// No answer for so long, in ms, counts as none.
const TIMEOUT: i64 = 15_000;
/// Without a stream the page is loaded so often, in ms.
const POLL: i64 = 10_000;
/// An answer without a stream is proof for so long, in ms.
pub(super) const POLLED_FOR: i64 = 15_000;
/// An answer that does not have what the page needs is followed by another request after so
/// long, in ms.
const NOT_YET: i64 = 1_000;
/// The longest the server may spread requests, in ms.
const LONGEST_SPREAD: i64 = 60_000;

#[derive(Debug, Default)]
pub(super) struct Loads {
    next_request: u64,
    /// The request under way, and since when.
    current: Option<(u64, Time)>,
    /// Something may be missing that a request from here on would bring.
    wanted: bool,
    not_before: Time,
    failures: u32,
}

impl Loads {
    pub(super) fn want(&mut self, now: Time) {
        if !self.wanted {
            self.wanted = true;
            self.not_before = self.not_before.max(now);
        }
    }

    /// Wanted, but spread over the pages.
    pub(super) fn want_later(&mut self, now: Time, delay: i64) {
        self.wanted = true;
        self.not_before = now.plus(delay.clamp(0, LONGEST_SPREAD));
    }

    pub(super) fn hurry(&mut self, now: Time) {
        self.not_before = self.not_before.min(now);
    }

    pub(super) fn is_busy(&self) -> bool {
        self.current.is_some()
    }

    pub(super) fn has_failed(&self) -> bool {
        self.failures > 0
    }

    pub(super) fn abandon(&mut self) {
        *self = Self {
            next_request: self.next_request,
            ..Self::default()
        };
    }
}

impl Session {
    pub(super) fn loaded(
        &mut self,
        now: Time,
        request: u64,
        result: Result<(EventId, Box<GuestPage>), NoAnswer>,
        out: &mut Vec<Effect>,
    ) {
        let Some((_, since)) = self
            .loads
            .current
            .take_if(|(current, _)| *current == request)
        else {
            return;
        };
        match result {
            Ok((as_of, page)) => self.take_page((now, since), as_of, *page, out),
            Err(NoAnswer::Failed) => self.load_failed(now),
            Err(NoAnswer::Over) => self.over(out),
        }
    }

    /// An answer that came `now` to what was asked `since`.
    fn take_page(
        &mut self,
        (now, since): (Time, Time),
        as_of: EventId,
        page: GuestPage,
        out: &mut Vec<Effect>,
    ) {
        let foreign = self.need != EventId::NONE && self.need.epoch != as_of.epoch;
        if foreign && self.link.is_live() {
            // Of another history than the stream's.
            self.load_failed(now);
            return;
        }
        self.loads.failures = 0;
        self.proof.answered(now);
        let changed = match &mut self.held {
            Some(held) => held.load(as_of, page),
            None => {
                self.held = Some(Held::new(as_of, page));
                true
            }
        };
        if changed {
            out.push(Effect::Show(Part::Page));
        }
        if !self.is_whole() && !self.loads.wanted && self.link.is_live() {
            let asked_before = since < self.needed_at;
            self.loads
                .want_later(now, if asked_before { 0 } else { NOT_YET });
        }
    }

    fn load_failed(&mut self, now: Time) {
        let delay = backoff(self.loads.failures, &mut self.random);
        self.loads.failures = self.loads.failures.saturating_add(1);
        self.loads.want_later(now, delay);
    }

    /// When there is something to do about loading.
    pub(super) fn load_next(&self) -> Option<Time> {
        if let Some((_, since)) = self.loads.current {
            return Some(since.plus(TIMEOUT));
        }
        if self.loads.wanted {
            return Some(self.loads.not_before);
        }
        let polls = !self.link.is_live();
        polls.then(|| self.proof.last_answer().plus(POLL))
    }

    pub(super) fn load_due(&mut self, now: Time, out: &mut Vec<Effect>) {
        if self.load_next().is_none_or(|due| now < due) {
            return;
        }
        if self.loads.current.take().is_some() {
            self.load_failed(now);
            return;
        }
        self.loads.next_request += 1;
        self.loads.wanted = false;
        let request = self.loads.next_request;
        self.loads.current = Some((request, now));
        out.push(Effect::Load { request });
    }
}

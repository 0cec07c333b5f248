//! The stream: what each frame means for the cursor.

use super::{Bridge, Effect};
use crate::event::{Control, Envelope, Event, Frame, Heartbeat, Payload, Ready};
use crate::time::Time;

/// The most events kept beyond the cursor.
pub const KEPT: usize = 500;
/// An event older than this, in ms, makes no sound of its own.
const SOUND_WITHIN: i64 = 30_000;

/// Whether the cursor may pass an event by applying it.
enum Passing {
    /// Its entity is whole.
    Applies,
    /// Everything has to be loaded.
    Marker,
    /// A hole of one event: its entity has to be fetched.
    Thin,
}

fn passing(event: &Event) -> Passing {
    let thin = match event {
        Event::ReloadRequired(_) => return Passing::Marker,
        Event::HallPayment(payload)
        | Event::HallPaymentResolved(payload)
        | Event::KitchenCook(payload)
        | Event::KitchenProgress(payload)
        | Event::HallServe(payload)
        | Event::OrderChanged(payload) => matches!(payload, Payload::Thin(_)),
        Event::CustomerCall(payload) => matches!(payload, Payload::Thin(_)),
        Event::TableChanged(payload) => matches!(payload, Payload::Thin(_)),
        Event::KitchenMenuChanged(payload) => matches!(payload, Payload::Thin(_)),
        Event::StockChanged(payload) => matches!(payload, Payload::Thin(_)),
    };
    if thin {
        Passing::Thin
    } else {
        Passing::Applies
    }
}

impl Bridge {
    pub(super) fn handle(&mut self, now: Time, frame: Frame, out: &mut Vec<Effect>) {
        match frame {
            Frame::Log(envelope) => self.event(now, envelope, out),
            Frame::Control(Control::Ready(ready)) => self.ready(now, &ready, out),
            Frame::Control(Control::Heartbeat(beat)) => self.heartbeat(now, beat, out),
            Frame::Control(Control::Reload(reload)) => {
                self.want_partial(now, reload.not_before_ms.max(0), out);
            }
            Frame::Control(Control::Drain(drain)) => self.wait(now, drain.reconnect_in_ms, out),
            Frame::UnknownType(_) | Frame::Bad(_) => {
                self.counters.bad_frames += 1;
                self.hole(now, out);
            }
        }
    }

    fn ready(&mut self, now: Time, ready: &Ready, out: &mut Vec<Effect>) {
        self.linked(now, ready);
        self.status.head = ready.head;
        self.status.new_version = !self.build.is_empty() && ready.build != self.build;
        self.last_received = if ready.resumed { self.cursor.seq } else { 0 };
        if ready.head.epoch != self.cursor.epoch {
            self.change_epoch(ready.head.epoch, out);
        }
        self.catch_up_to = ready.head.seq;
        if !self.based {
            self.want_full(now, out);
        } else if !ready.resumed {
            self.want_partial(now, 0, out);
        }
    }

    fn heartbeat(&mut self, now: Time, beat: Heartbeat, out: &mut Vec<Effect>) {
        self.status.measure(now, beat.server_time);
        self.status.head = beat.head;
        let late = self.status.server_now(now).since(beat.server_time);
        if let Some(kitchen) = beat.kitchen {
            self.kitchen = kitchen;
        }
        if beat.sent.epoch != self.cursor.epoch {
            self.change_epoch(beat.sent.epoch, out);
        }
        let seen = if self.guards.sent_against_cursor {
            self.cursor.seq
        } else {
            self.last_received
        };
        if !self.based {
            self.want_full(now, out);
        } else if beat.sent.seq > seen {
            self.hole(now, out);
        } else if late <= self.link.heartbeat_ms {
            // Nothing is on its way but what this beat has overtaken.
            self.caught_up(out);
        }
    }

    /// Events are missing: a running reload absorbs it, and the next beat asks again.
    fn hole(&mut self, now: Time, out: &mut Vec<Effect>) {
        if self.based {
            self.counters.holes += 1;
            self.want_partial(now, 0, out);
        }
    }

    fn event(&mut self, now: Time, envelope: Box<Envelope>, out: &mut Vec<Effect>) {
        let id = envelope.event_id;
        if id.epoch != self.cursor.epoch {
            // Of another history: the next beat or `ready` names it and clears the store.
            self.counters.bad_frames += 1;
            return;
        }
        self.last_received = self.last_received.max(id.seq);
        if id.seq <= self.cursor.seq {
            self.counters.duplicates += 1;
            return;
        }
        let next = self.based && id.seq == self.cursor.seq + 1;
        match passing(&envelope.event) {
            Passing::Applies if next => {
                let live = !self.missed
                    && id.seq > self.catch_up_to
                    && self.reload.is_idle()
                    && self.status.server_now(now).since(envelope.at) <= SOUND_WITHIN;
                self.apply(&envelope, live, out);
                if self.kept.is_empty() {
                    // One sound for all that a replay brings; old events that a page finds on
                    // waking may be followed by more, until a beat says otherwise.
                    if id.seq == self.catch_up_to {
                        self.caught_up(out);
                    }
                } else {
                    self.drain(now, out);
                }
            }
            Passing::Marker if next && !self.guards.marker_waits => {
                self.advance(id.seq);
                self.want_full(now, out);
            }
            Passing::Marker if next => {
                self.keep(envelope);
                self.want_full(now, out);
            }
            Passing::Applies | Passing::Marker | Passing::Thin => {
                self.keep(envelope);
                self.hole(now, out);
            }
        }
    }

    fn keep(&mut self, envelope: Box<Envelope>) {
        self.kept.insert(envelope.event_id.seq, envelope);
        if self.kept.len() > KEPT {
            self.kept.pop_first();
        }
    }

    fn apply(&mut self, envelope: &Envelope, live: bool, out: &mut Vec<Effect>) {
        let seq = envelope.event_id.seq;
        let touched = self.store.apply_event(seq, &envelope.event);
        self.counters.applied += 1;
        self.advance(seq);
        let entity = touched.entities.first().map(|(_, id)| *id);
        let changed = !touched.is_empty();
        Self::show(touched, out);
        if live {
            let event_type = envelope.event.event_type();
            out.push(Effect::Heard { event_type, entity });
        } else {
            self.missed |= changed;
        }
    }

    /// Applies kept events that follow the cursor, up to the next hole or marker.
    pub(super) fn drain(&mut self, now: Time, out: &mut Vec<Effect>) {
        loop {
            let cursor = self.cursor.seq;
            while self
                .kept
                .first_key_value()
                .is_some_and(|(seq, _)| *seq <= cursor)
            {
                self.kept.pop_first();
            }
            let Some((seq, envelope)) = self.kept.first_key_value() else {
                break;
            };
            if *seq != cursor + 1 {
                self.want_partial(now, 0, out);
                return;
            }
            match passing(&envelope.event) {
                Passing::Applies => {
                    if let Some((_, envelope)) = self.kept.pop_first() {
                        self.apply(&envelope, false, out);
                    }
                }
                Passing::Marker => {
                    self.want_full(now, out);
                    return;
                }
                Passing::Thin => {
                    self.want_partial(now, 0, out);
                    return;
                }
            }
        }
        self.caught_up(out);
    }

    fn caught_up(&mut self, out: &mut Vec<Effect>) {
        let there = self.kept.is_empty() && self.cursor.seq >= self.catch_up_to;
        if self.missed && there && self.reload.is_idle() {
            self.missed = false;
            out.push(Effect::CaughtUp);
        }
    }
}

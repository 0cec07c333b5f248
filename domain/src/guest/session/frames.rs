//! What a frame of the party's stream means for its page.

use super::{Effect, Session};
use crate::guest::{GuestEntity, GuestHeartbeat, GuestReady, Heard};
use crate::stream::EventId;
use crate::time::Time;

impl Session {
    pub(super) fn frame(&mut self, now: Time, frame: Heard, out: &mut Vec<Effect>) {
        match frame {
            Heard::Ready(ready) => self.ready(now, &ready),
            Heard::Heartbeat(beat) => self.heartbeat(now, beat),
            Heard::Entity(id, entity) => self.entity(now, id, entity, out),
            Heard::Reload(wait) => {
                // Perhaps of another history: any answer will do.
                self.need = EventId::NONE;
                self.loads.want_later(now, wait);
            }
            Heard::Drain(wait) => self.link(out, |link, _, wishes| link.wait(now, wait, wishes)),
            Heard::PartyCleared => self.over(out),
            Heard::Bad(Some(id)) => {
                self.last = id;
                self.require(now, id);
            }
            Heard::Bad(None) => self.loads.want(now),
        }
    }

    /// Whatever the page holds that was loaded before may lack something: unless nothing has
    /// happened since, it is loaded again.
    fn ready(&mut self, now: Time, ready: &GuestReady) {
        self.link.ready(now, ready.heartbeat_ms);
        self.proof.measure(now, ready.server_time);
        self.proof.new_version = !self.build.is_empty() && ready.build != self.build;
        self.last = EventId::NONE;
        self.require(now, ready.head);
    }

    fn heartbeat(&mut self, now: Time, beat: GuestHeartbeat) {
        self.proof.measure(now, beat.server_time);
        if beat.sent != self.last {
            // A frame was lost.
            self.last = beat.sent;
            self.require(now, beat.sent);
        }
    }

    fn entity(&mut self, now: Time, id: EventId, entity: GuestEntity, out: &mut Vec<Effect>) {
        self.last = id;
        match &mut self.held {
            Some(held) if held.is_of(id) => out.extend(held.apply(id, entity).map(Effect::Show)),
            Some(_) | None => self.require(now, id),
        }
    }

    pub(super) fn commanded(
        &mut self,
        watermark: EventId,
        entities: Vec<GuestEntity>,
        out: &mut Vec<Effect>,
    ) {
        if let Some(held) = &mut self.held {
            let shown = entities
                .into_iter()
                .filter_map(|entity| held.apply(watermark, entity));
            out.extend(shown.map(Effect::Show));
        }
    }

    /// The page must hold everything up to `id`. An answer under way may have it.
    fn require(&mut self, now: Time, id: EventId) {
        self.need = id;
        self.needed_at = now;
        if !self.is_whole() && !self.loads.is_busy() {
            self.loads.want(now);
        }
    }

    /// Whether the page holds what it must.
    pub(super) fn is_whole(&self) -> bool {
        let held = self.held.as_ref();
        held.is_some_and(|held| held.covers(self.need))
    }
}

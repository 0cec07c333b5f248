//! What one screen was sent, counted: on every stream each event once, in order, without a hole
//! (realtime, section 7: dense, no duplicate effect).

use domain::event::{Control, Frame};
use domain::stream::EventId;

/// The auditor of one screen's streams. It sees frames as they arrive, before the bridge does.
#[derive(Clone, Debug, Default)]
pub struct Density {
    /// The last event of the stream that is open, or where it began.
    position: Option<EventId>,
    /// Where the stream was asked to go on.
    asked: EventId,
    /// Events received.
    pub received: u64,
    /// Events that had been sent before.
    pub repeated: u64,
    /// Events that were skipped.
    pub skipped: u64,
    /// Frames that could not be read.
    pub unreadable: u64,
}

impl Density {
    /// A stream opens, to go on after `last_event_id`.
    pub fn opened(&mut self, last_event_id: EventId) {
        self.asked = last_event_id;
        self.position = None;
    }

    /// A frame of it arrived.
    pub fn saw(&mut self, frame: &Frame) {
        match frame {
            Frame::Log(envelope) => self.event(envelope.event_id),
            Frame::UnknownType(Some(id)) | Frame::Bad(Some(id)) => {
                self.unreadable += 1;
                self.event(*id);
            }
            Frame::UnknownType(None) | Frame::Bad(None) => self.unreadable += 1,
            Frame::Control(Control::Ready(ready)) => {
                self.position = Some(if ready.resumed {
                    self.asked
                } else {
                    ready.head
                });
            }
            // From here the stream goes on at a place it does not name.
            Frame::Control(Control::Reload(_)) => self.position = None,
            Frame::Control(Control::Heartbeat(beat)) => {
                let last = *self.position.get_or_insert(beat.sent);
                if last.epoch == beat.sent.epoch {
                    self.skipped += beat.sent.seq.saturating_sub(last.seq);
                    self.position = Some(last.at(last.seq.max(beat.sent.seq)));
                } else {
                    self.position = Some(beat.sent);
                }
            }
            Frame::Control(Control::Drain(_)) => {}
        }
    }

    fn event(&mut self, id: EventId) {
        self.received += 1;
        match self.position {
            Some(last) if last.epoch == id.epoch && id.seq <= last.seq => {
                self.repeated += 1;
                return;
            }
            Some(last) if last.epoch == id.epoch => self.skipped += id.seq - last.seq - 1,
            Some(_) | None => {}
        }
        self.position = Some(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::event::{Heartbeat, Ready, Reload, ReloadReason};
    use domain::stream::Epoch;
    use domain::time::Time;

    fn id(seq: u64) -> EventId {
        EventId::new(Epoch(7), seq)
    }

    fn ready(head: u64, resumed: bool) -> Frame {
        Frame::Control(Control::Ready(Ready {
            connection_id: "c".to_owned(),
            head: id(head),
            heartbeat_ms: 2_000,
            server_time: Time(0),
            resumed,
            build: String::new(),
        }))
    }

    fn beat(sent: u64) -> Frame {
        Frame::Control(Control::Heartbeat(Heartbeat {
            sent: id(sent),
            head: id(sent),
            server_time: Time(0),
            kitchen: None,
        }))
    }

    /// Any event will do: only its id is looked at.
    fn event(seq: u64) -> Frame {
        Frame::UnknownType(Some(id(seq)))
    }

    /// Received, repeated, skipped.
    fn audit(streams: &[(u64, Vec<Frame>)]) -> (u64, u64, u64) {
        let mut density = Density::default();
        for (asked, frames) in streams {
            density.opened(id(*asked));
            frames.iter().for_each(|frame| density.saw(frame));
        }
        (density.received, density.repeated, density.skipped)
    }

    #[test]
    fn a_dense_stream_and_its_continuation_are_clean() {
        let first = vec![ready(4, false), event(5), beat(5), event(6)];
        let second = vec![ready(8, true), event(7), event(8), beat(8), event(9)];
        assert_eq!(audit(&[(0, first), (6, second)]), (5, 0, 0));
    }

    #[test]
    fn an_event_sent_twice_is_a_duplicate() {
        let stream = vec![ready(4, false), event(5), event(5), event(6)];
        assert_eq!(audit(&[(0, stream)]), (3, 1, 0));
    }

    #[test]
    fn an_event_from_before_the_cursor_is_a_duplicate() {
        assert_eq!(
            audit(&[(6, vec![ready(8, true), event(6), event(7)])]),
            (2, 1, 0)
        );
    }

    #[test]
    fn skipped_events_are_counted_also_when_only_the_beat_tells() {
        assert_eq!(audit(&[(0, vec![ready(4, false), event(7)])]), (1, 0, 2));
        assert_eq!(
            audit(&[(0, vec![ready(4, false), event(5), beat(6)])]),
            (1, 0, 1)
        );
    }

    #[test]
    fn after_a_reload_the_stream_may_go_on_elsewhere() {
        let reload = Frame::Control(Control::Reload(Reload {
            reason: ReloadReason::LaggedOut,
            not_before_ms: 0,
        }));
        let stream = vec![ready(4, false), reload, event(400), event(401)];
        assert_eq!(audit(&[(0, stream)]), (2, 0, 0));
    }
}

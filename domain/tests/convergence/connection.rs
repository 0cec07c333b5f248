//! Connections of the hub: each pulls from its own position, and one place writes (realtime,
//! section 5).

use std::collections::VecDeque;
use std::rc::Rc;

use domain::event::{Control, Frame, Heartbeat, Ready, Reload, ReloadReason};
use domain::stream::EventId;
use serde_json::Value;

use super::rng::Rng;
use super::server::{Row, Server};
use super::setting::Action;

/// A frame on its way.
#[derive(Clone)]
pub struct Sent {
    pub name: &'static str,
    pub data: Rc<Value>,
    /// For events of the log.
    pub seq: Option<u64>,
}

impl Sent {
    /// As the bridge's adapter reads it.
    pub fn read(&self) -> Frame {
        Frame::read(self.name, &*self.data)
    }

    fn control(control: &Control) -> Self {
        let (name, data) = match control {
            Control::Ready(ready) => ("ready", serde_json::to_value(ready)),
            Control::Heartbeat(beat) => ("heartbeat", serde_json::to_value(beat)),
            Control::Reload(reload) => ("RELOAD_REQUIRED", serde_json::to_value(reload)),
            Control::Drain(drain) => ("drain", serde_json::to_value(drain)),
        };
        Self {
            name,
            data: Rc::new(data.unwrap()),
            seq: None,
        }
    }
}

#[derive(Default)]
pub struct Connection {
    pub last: u64,
    /// The last seq written, which is not the position after `RELOAD_REQUIRED`.
    written: u64,
    /// The oracle's own count; `None` after `RELOAD_REQUIRED`.
    dense: Option<u64>,
    joined: bool,
    pub wire: VecDeque<Sent>,
    pub dead: bool,
    muted: bool,
}

impl Connection {
    /// The server side is gone, and what was on its way with it.
    pub fn cut(&mut self) {
        self.dead = true;
        self.wire.clear();
    }
}

impl Server {
    /// A client subscribes with its cursor.
    pub fn subscribe(&mut self, cursor: EventId) -> Result<usize, String> {
        let head = self.head;
        let fresh = cursor == EventId::NONE;
        let behind = head.saturating_sub(cursor.seq);
        let reason = if fresh {
            None
        } else if cursor.epoch != self.epoch {
            Some(ReloadReason::EpochChanged)
        } else if cursor.seq > self.seq {
            Some(ReloadReason::CursorAhead)
        } else if cursor.seq + 1 < self.first && cursor.seq < head {
            Some(ReloadReason::HistoryExpired)
        } else if behind > self.limits.replay {
            Some(ReloadReason::TooManyEvents)
        } else {
            None
        };
        let resumed = !fresh && reason.is_none();
        let mut connection = Connection {
            joined: self.rules.subscribe_first,
            ..Connection::default()
        };
        let ready = Ready {
            connection_id: "sim".to_owned(),
            head: self.id(head),
            heartbeat_ms: 2_000,
            server_time: self.now,
            resumed,
            build: "sim".to_owned(),
        };
        connection
            .wire
            .push_back(Sent::control(&Control::Ready(ready)));
        if resumed {
            connection.last = cursor.seq;
            connection.written = cursor.seq;
            connection.dense = Some(cursor.seq);
        } else {
            connection.last = head;
        }
        if let Some(reason) = reason {
            let reload = Reload {
                reason,
                not_before_ms: 300,
            };
            connection
                .wire
                .push_back(Sent::control(&Control::Reload(reload)));
        }
        self.note(|| format!("subscribed at {cursor} head {head} resumed {resumed}"));
        self.connections.push(connection);
        let index = self.connections.len() - 1;
        if resumed && !self.rules.subscribe_first {
            for seq in cursor.seq + 1..=head {
                let row = self.rows.get(&seq).cloned();
                row.map_or(Ok(()), |row| self.write(index, &row))?;
            }
        }
        Ok(index)
    }

    /// The one place that writes events to a connection. §7.3 is checked here.
    fn write(&mut self, index: usize, row: &Rc<Row>) -> Result<(), String> {
        let connection = &mut self.connections[index];
        if connection.dense.is_some_and(|last| row.seq != last + 1) {
            let last = connection.dense;
            return Err(format!("not dense: {} after {last:?}", row.seq));
        }
        connection.dense = Some(row.seq);
        connection.last = row.seq;
        connection.written = row.seq;
        connection.wire.push_back(Sent {
            name: row.name,
            data: row.frame.clone(),
            seq: Some(row.seq),
        });
        Ok(())
    }

    /// The connection takes its next frame: from the ring, from history, or gives up.
    pub fn pull(&mut self, index: usize) -> Result<bool, String> {
        let head = self.head;
        let connection = &mut self.connections[index];
        if connection.dead || connection.muted {
            return Ok(false);
        }
        if !connection.joined {
            connection.joined = true;
            connection.last = head;
            return Ok(false);
        }
        if connection.last >= head {
            return Ok(false);
        }
        let next = connection.last + 1;
        let behind = head - connection.last;
        let in_ring = self.ring.iter().find(|row| row.seq == next).cloned();
        let kept = behind <= self.limits.replay;
        let row = in_ring.or_else(|| self.rows.get(&next).filter(|_| kept).cloned());
        if let Some(row) = row {
            self.write(index, &row)?;
            return Ok(true);
        }
        let reload = Reload {
            reason: ReloadReason::LaggedOut,
            not_before_ms: 300,
        };
        connection
            .wire
            .push_back(Sent::control(&Control::Reload(reload)));
        connection.last = head;
        connection.dense = None;
        self.note(|| format!("connection {index} fell out, goes on at {head}"));
        Ok(false)
    }

    pub fn heartbeat(&mut self, index: usize) {
        let position = self.rules.sent_is_position;
        let (head, now) = (self.id(self.head), self.now);
        let connection = &self.connections[index];
        let sent = if position {
            connection.last
        } else {
            connection.written
        };
        let beat = Heartbeat {
            sent: head.at(sent),
            head,
            server_time: now,
            kitchen: None,
        };
        if !self.connections[index].dead && !self.connections[index].muted {
            self.connections[index]
                .wire
                .push_back(Sent::control(&Control::Heartbeat(beat)));
        }
    }
}

impl Connection {
    /// The network swallows what is on its way and what follows, without an error.
    pub fn mute(&mut self) {
        self.wire.clear();
        self.muted = true;
    }

    /// Something happens to an event on its way.
    pub fn disturb(&mut self, action: Action, rng: &mut Rng) {
        let events: Vec<usize> = (0..self.wire.len())
            .filter(|at| self.wire[*at].seq.is_some())
            .collect();
        let Some(at) = rng.pick(&events).copied() else {
            return;
        };
        match action {
            Action::Lose => drop(self.wire.remove(at)),
            Action::Duplicate => {
                let copy = self.wire[at].clone();
                let later = at + rng.below(self.wire.len() - at);
                self.wire.insert(later, copy);
            }
            Action::Swap => {
                let other = events[rng.below(events.len())];
                self.wire.swap(at, other);
            }
            _ if self.wire[at].data.is_object() => {
                let mut data = (*self.wire[at].data).clone();
                match rng.below(4) {
                    0 => data["type"] = Value::String("FROM_THE_FUTURE".to_owned()),
                    1 => data["payload"]["version"] = Value::Null,
                    2 => data["eventId"] = Value::String("garbled".to_owned()),
                    _ => data = Value::String("not an object".to_owned()),
                }
                self.wire[at].data = Rc::new(data);
            }
            _ => {}
        }
    }
}

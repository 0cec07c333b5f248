//! A screen of the simulation: the real bridge, its network, its clock, and the oracles that
//! watch it (realtime, section 7).

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use domain::bridge::{Answer, Bridge, Config, Effect, Input, Load, NoAnswer};
use domain::event::{Frame, Kind};
use domain::snapshot::Entities;
use domain::store::Guards;
use domain::stream::{EventId, Scope};
use domain::time::Time;
use uuid::Uuid;

use super::connection::Sent;
use super::server::Server;

/// A request on its way; the server reads when `answer` is made, the client hears of it later.
pub struct Pending {
    pub request: u64,
    pub what: Load,
    pub answer: Option<Result<Answer, NoAnswer>>,
}

struct Stream {
    generation: u64,
    connection: usize,
}

pub type Seen = BTreeMap<(Scope, Kind, Uuid), u64>;

pub struct Client {
    pub bridge: Bridge,
    pub scopes: Vec<Scope>,
    /// The client's clock minus the server's, in ms.
    pub skew: i64,
    timer: Option<Time>,
    stream: Option<Stream>,
    pub tickets: VecDeque<u64>,
    pub pending: Vec<Pending>,
    /// Answers to commands of this screen.
    pub commanded: Vec<(EventId, Entities)>,
    /// Frames of streams that were closed.
    pub ghosts: VecDeque<(u64, Sent)>,
    pub forbidden: Option<Scope>,
    /// Requests so far, tickets among them.
    pub requests: u64,
    pub heard: u64,
    pub caught_up: u64,
    pub(super) heard_ids: BTreeSet<String>,
    // The oracle of "no scope goes backwards": by which information each entity was decided.
    pub(super) view: Seen,
    pub(super) known_scope: BTreeMap<Scope, u64>,
    pub(super) known_entity: Seen,
    pub(super) last_cursor: EventId,
    pub(super) loss_expected: bool,
}

fn wire_closed() -> String {
    "a stream was closed that is not open".to_owned()
}

impl Client {
    pub fn new(scopes: &[Scope], guards: Guards, seed: u64) -> Self {
        let config = Config {
            scopes: scopes.to_vec(),
            build: "sim".to_owned(),
            seed,
            guards,
        };
        Self {
            bridge: Bridge::new(config),
            scopes: scopes.to_vec(),
            skew: 0,
            timer: None,
            stream: None,
            tickets: VecDeque::new(),
            pending: vec![],
            commanded: vec![],
            ghosts: VecDeque::new(),
            forbidden: None,
            requests: 0,
            heard: 0,
            caught_up: 0,
            heard_ids: BTreeSet::new(),
            view: Seen::new(),
            known_scope: BTreeMap::new(),
            known_entity: Seen::new(),
            last_cursor: EventId::NONE,
            loss_expected: false,
        }
    }

    pub fn wall(&self, server: &Server) -> Time {
        server.now.plus(self.skew)
    }

    pub fn step(&mut self, server: &mut Server, input: Input) -> Result<(), String> {
        let frame_id = match &input {
            Input::Frame {
                frame: Frame::Log(envelope),
                ..
            } => Some(envelope.event_id),
            _ => None,
        };
        let decided = self.information(&input);
        let now = self.wall(server);
        let effects = self.bridge.step(now, input);
        let (mut heard, mut shown) = (0, false);
        for effect in effects {
            match effect {
                Effect::Heard { .. } => heard += 1,
                Effect::Show(_) => shown = true,
                Effect::CaughtUp => self.caught_up += 1,
                Effect::Ack(id) => {
                    if id != self.bridge.cursor() {
                        return Err("an ack of something else than the cursor".to_owned());
                    }
                }
                Effect::SignedOut => return Err("signed out".to_owned()),
                Effect::SetTimer(at) => {
                    self.timer = Some(server.now.plus(at.0.saturating_sub(now.0).max(0)));
                }
                Effect::FetchTicket { generation } => {
                    self.requests += 1;
                    self.tickets.push_back(generation);
                }
                Effect::Open {
                    generation,
                    last_event_id,
                    ..
                } => {
                    if self.stream.is_some() {
                        return Err("two streams are open".to_owned());
                    }
                    let connection = server.subscribe(last_event_id)?;
                    self.stream = Some(Stream {
                        generation,
                        connection,
                    });
                }
                Effect::Close { generation } => self.close(server, generation)?,
                Effect::Load { request, what } => {
                    self.requests += 1;
                    server.note(|| format!("  asks {what:?} ({request})"));
                    self.pending.push(Pending {
                        request,
                        what,
                        answer: None,
                    });
                }
            }
        }
        self.check_sound(heard, frame_id)?;
        self.check_cursor()?;
        self.check_view(server, shown, decided)
    }

    fn close(&mut self, server: &mut Server, generation: u64) -> Result<(), String> {
        let stream = self.stream.take().ok_or_else(wire_closed)?;
        if stream.generation != generation {
            return Err(wire_closed());
        }
        let connection = &mut server.connections[stream.connection];
        let left = std::mem::take(&mut connection.wire);
        connection.dead = true;
        self.ghosts
            .extend(left.into_iter().map(|sent| (generation, sent)));
        self.ghosts.truncate(8);
        Ok(())
    }

    // ---- the network

    pub fn connection(&self) -> Option<usize> {
        self.stream.as_ref().map(|stream| stream.connection)
    }

    pub fn start(&mut self, server: &mut Server) -> Result<(), String> {
        self.step(server, Input::Start)
    }

    /// The timer fires if it is due.
    pub fn fire(&mut self, server: &mut Server) -> Result<(), String> {
        if self.timer.is_some_and(|at| server.now >= at) {
            self.timer = None;
            self.step(server, Input::Timer)?;
        }
        Ok(())
    }

    pub fn answer_ticket(&mut self, server: &mut Server, ok: bool) -> Result<(), String> {
        let Some(generation) = self.tickets.pop_front() else {
            return Ok(());
        };
        let result = if ok {
            Ok("ticket".to_owned())
        } else {
            Err(domain::bridge::NoTicket::Failed)
        };
        self.step(server, Input::Ticket { generation, result })
    }

    /// The next frame arrives, or the end of the stream.
    pub fn receive(&mut self, server: &mut Server) -> Result<bool, String> {
        let Some(stream) = &self.stream else {
            return Ok(false);
        };
        let generation = stream.generation;
        let connection = &mut server.connections[stream.connection];
        if let Some(sent) = connection.wire.pop_front() {
            let frame = sent.read();
            if server.trace.is_some() {
                let (name, seq, cursor) = (sent.name, sent.seq, self.bridge.cursor());
                server.note(|| format!("  receives {name} {seq:?} at {cursor}"));
            }
            self.step(server, Input::Frame { generation, frame })?;
            return Ok(true);
        }
        if connection.dead {
            server.note(|| "  stream ends".to_owned());
            self.step(server, Input::Failed { generation })?;
            return Ok(true);
        }
        Ok(false)
    }

    /// Late bytes of a stream that was closed.
    pub fn haunt(&mut self, server: &mut Server) -> Result<(), String> {
        match self.ghosts.pop_front() {
            Some((generation, sent)) => {
                let frame = sent.read();
                // Whatever is due anyway is not the ghost's doing.
                self.step(server, Input::Timer)?;
                let before = self.bridge.cursor();
                self.step(server, Input::Frame { generation, frame })?;
                if before == self.bridge.cursor() {
                    Ok(())
                } else {
                    Err("a frame of an old stream moved the cursor".to_owned())
                }
            }
            None => Ok(()),
        }
    }

    /// The server reads for the request at `index`.
    pub fn serve(&mut self, server: &Server, index: usize) {
        let forbidden = self.forbidden;
        let pending = &mut self.pending[index];
        if pending.answer.is_none() {
            let refused = match &pending.what {
                Load::Scope(scope) | Load::Ids(scope, _) => Some(*scope) == forbidden,
                Load::Changes(_) => false,
            };
            pending.answer = Some(if refused {
                Err(NoAnswer::Forbidden)
            } else {
                Ok(server.answer(&pending.what))
            });
        }
    }

    /// The answer of the request at `index` arrives, or its failure.
    pub fn deliver(&mut self, server: &mut Server, index: usize, ok: bool) -> Result<(), String> {
        let pending = self.pending.remove(index);
        let mut result = match pending.answer {
            Some(answer) if ok => answer,
            Some(_) | None => Err(NoAnswer::Failed),
        };
        if !server.rules.watermark_with_data {
            let late = server.seq;
            if let Ok(Answer::Entities(id, _) | Answer::Settings(id, _)) = &mut result {
                *id = id.at(late);
            }
        }
        let request = pending.request;
        if server.trace.is_some() {
            let shown = match &result {
                Ok(Answer::Entities(id, entities)) => {
                    let orders: Vec<_> = entities.orders.iter().map(|o| o.id.0.as_u128()).collect();
                    format!("at {id}, orders {orders:?}")
                }
                Ok(Answer::Settings(id, _)) => format!("at {id}"),
                Ok(Answer::Changes(changes)) => format!("{changes:?}"),
                Err(error) => format!("{error:?}"),
            };
            server.note(|| format!("  answer ({request}) {shown}"));
        }
        self.step(server, Input::Loaded { request, result })
    }

    pub fn deliver_command(&mut self, server: &mut Server) -> Result<(), String> {
        if self.commanded.is_empty() {
            return Ok(());
        }
        let (watermark, entities) = self.commanded.remove(0);
        server.note(|| format!("  command answered at {watermark}"));
        let entities = Box::new(entities);
        let input = Input::Commanded {
            watermark,
            entities,
        };
        self.step(server, input)
    }

    pub fn use_scope(&mut self, server: &mut Server, scope: Scope) -> Result<(), String> {
        server.note(|| format!("  uses {scope:?}"));
        self.scopes.push(scope);
        self.step(server, Input::Use(scope))
    }

    /// Everything that is on its way arrives, in order.
    pub fn pump(&mut self, server: &mut Server, beat: bool) -> Result<(), String> {
        self.fire(server)?;
        let mut beat = beat;
        for _ in 0..400 {
            let mut busy = false;
            while !self.tickets.is_empty() {
                self.answer_ticket(server, true)?;
                busy = true;
            }
            if let Some(connection) = self.connection() {
                while server.pull(connection)? {}
                if std::mem::take(&mut beat) {
                    server.heartbeat(connection);
                }
            }
            while self.receive(server)? {
                busy = true;
            }
            while !self.pending.is_empty() {
                self.serve(server, 0);
                self.deliver(server, 0, true)?;
                busy = true;
            }
            self.fire(server)?;
            if !busy {
                return Ok(());
            }
        }
        Err("busy without end".to_owned())
    }
}

//! The bridge at a desk: the test plays network, server and clock.

mod bad_input;
mod link;
mod reload;
mod sound;
mod status;

use uuid::Uuid;

use super::*;
use crate::event::{Control, Drain, Event, Heartbeat, Payload, Ready, Reload, ReloadReason};
use crate::id::{OrderId, OutboxId, StoreId};
use crate::order::tests::paid;
use crate::stream::Epoch;

const EPOCH: Epoch = Epoch(1);
/// The client's wall clock when a test begins.
const START: Time = Time(1_770_000_000_000);
/// Where a desk's cursor stands once it is live.
const BASE: u64 = 10;

struct Desk {
    bridge: Bridge,
    now: Time,
    /// When the bridge wants to be woken.
    timer: Option<Time>,
    generation: u64,
    build: &'static str,
}

fn id(seq: u64) -> EventId {
    EventId::new(EPOCH, seq)
}

fn loads(effects: &[Effect]) -> Vec<(u64, Load)> {
    let load = |effect: &Effect| match effect {
        Effect::Load { request, what } => Some((*request, what.clone())),
        _ => None,
    };
    effects.iter().filter_map(load).collect()
}

fn tickets(effects: &[Effect]) -> Vec<u64> {
    let ticket = |effect: &Effect| match effect {
        Effect::FetchTicket { generation } => Some(*generation),
        _ => None,
    };
    effects.iter().filter_map(ticket).collect()
}

fn opened(effects: &[Effect]) -> Option<(u64, String, EventId)> {
    effects.iter().find_map(|effect| match effect {
        Effect::Open {
            generation,
            ticket,
            last_event_id,
        } => Some((*generation, ticket.clone(), *last_event_id)),
        _ => None,
    })
}

fn sounds(effects: &[Effect]) -> (usize, usize) {
    let count = |test: fn(&Effect) -> bool| effects.iter().filter(|effect| test(effect)).count();
    let heard = count(|effect| matches!(effect, Effect::Heard { .. }));
    (heard, count(|effect| matches!(effect, Effect::CaughtUp)))
}

impl Desk {
    fn seeded(scopes: &[Scope], seed: u64) -> Self {
        let config = Config {
            scopes: scopes.to_vec(),
            build: "b1".to_owned(),
            seed,
            guards: Guards::default(),
        };
        Self {
            bridge: Bridge::new(config),
            now: START,
            timer: None,
            generation: 0,
            build: "b1",
        }
    }

    /// A desk whose stream is open and whose first baseline is complete, at the cursor 10.
    fn live(scopes: &[Scope]) -> Self {
        let mut desk = Self::seeded(scopes, 1);
        desk.step(Input::Start);
        let effects = desk.open(BASE, false);
        desk.answer_all(effects, BASE);
        assert_eq!(desk.bridge.cursor(), id(BASE));
        desk
    }

    fn step(&mut self, input: Input) -> Vec<Effect> {
        let effects = self.bridge.step(self.now, input);
        for effect in &effects {
            match effect {
                Effect::SetTimer(at) => self.timer = Some(*at),
                Effect::FetchTicket { generation } => self.generation = *generation,
                _ => {}
            }
        }
        effects
    }

    /// Time passes; the timer fires when it is due, as often as it is.
    fn wait(&mut self, ms: i64) -> Vec<Effect> {
        let until = self.now.plus(ms);
        let mut effects = Vec::new();
        while let Some(at) = self.timer.filter(|at| *at <= until) {
            self.now = self.now.max(at);
            self.timer = None;
            effects.extend(self.step(Input::Timer));
        }
        self.now = until;
        effects
    }

    fn frame(&mut self, frame: Frame) -> Vec<Effect> {
        let generation = self.generation;
        self.step(Input::Frame { generation, frame })
    }

    fn ticket(&mut self) -> Vec<Effect> {
        let generation = self.generation;
        let result = Ok(format!("ticket-{generation}"));
        self.step(Input::Ticket { generation, result })
    }

    /// A ticket, a stream, `ready`.
    fn open(&mut self, head: u64, resumed: bool) -> Vec<Effect> {
        self.ticket();
        let ready = self.ready(id(head), resumed);
        self.frame(ready)
    }

    fn fail(&mut self) -> Vec<Effect> {
        let generation = self.generation;
        self.step(Input::Failed { generation })
    }

    fn ready(&self, head: EventId, resumed: bool) -> Frame {
        Frame::Control(Control::Ready(Ready {
            connection_id: "desk".to_owned(),
            head,
            heartbeat_ms: 2_000,
            server_time: self.now,
            resumed,
            build: self.build.to_owned(),
        }))
    }

    fn beat(&mut self, sent: u64) -> Vec<Effect> {
        let beat = Heartbeat {
            sent: id(sent),
            head: id(sent),
            server_time: self.now,
            kitchen: None,
        };
        self.frame(Frame::Control(Control::Heartbeat(beat)))
    }

    /// An order's event, committed just now.
    fn event(&mut self, seq: u64) -> Vec<Effect> {
        let frame = Frame::Log(envelope(seq, self.now));
        self.frame(frame)
    }

    fn answer(&mut self, request: u64, answer: Answer) -> Vec<Effect> {
        let result = Ok(answer);
        self.step(Input::Loaded { request, result })
    }

    fn refuse(&mut self, request: u64, error: NoAnswer) -> Vec<Effect> {
        let result = Err(error);
        self.step(Input::Loaded { request, result })
    }

    /// Every request, and what follows from the answers, is answered: nothing there, as of `at`.
    fn answer_all(&mut self, effects: Vec<Effect>, at: u64) -> Vec<Effect> {
        let mut all = effects;
        let mut next = 0;
        while next < all.len() {
            let request = loads(&all[next..=next]).pop();
            next += 1;
            if let Some((request, what)) = request {
                let answer = match what {
                    Load::Changes(_) => Answer::Changes(Changes::none(id(at))),
                    Load::Scope(_) | Load::Ids(..) => Answer::Entities(id(at), Box::default()),
                };
                all.extend(self.answer(request, answer));
            }
        }
        all
    }
}

/// `KITCHEN_COOK` of an order of its own.
fn envelope(seq: u64, at: Time) -> Box<Envelope> {
    let mut order = paid(&[(1, 1)]);
    order.id = OrderId(Uuid::from_u128(u128::from(seq)));
    Box::new(Envelope {
        event_id: id(seq),
        outbox_id: OutboxId(Uuid::from_u128(u128::from(seq))),
        store_id: StoreId(Uuid::from_u128(1)),
        at,
        event: Event::KitchenCook(Payload::Whole(Box::new(order))),
    })
}

fn reload_required(not_before_ms: i64) -> Frame {
    Frame::Control(Control::Reload(Reload {
        reason: ReloadReason::LaggedOut,
        not_before_ms,
    }))
}

fn drain(reconnect_in_ms: i64) -> Frame {
    Frame::Control(Control::Drain(Drain { reconnect_in_ms }))
}

fn marker(seq: u64, at: Time) -> Frame {
    let reason = "SETTINGS".to_owned();
    let event = Event::ReloadRequired(crate::event::Marker { reason });
    Frame::Log(Box::new(Envelope {
        event,
        ..*envelope(seq, at)
    }))
}

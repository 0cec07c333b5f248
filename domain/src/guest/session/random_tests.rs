//! Once all is quiet the page is what the server has, whatever was lost, late or cut before; and
//! then nothing is asked for any more.

use std::collections::{BTreeMap, VecDeque};

use proptest::prelude::*;

use super::super::super::fixture::{id, order, page};
use super::super::super::{GuestHeartbeat, GuestReady};
use super::*;

#[derive(Clone, Copy, Debug)]
enum Op {
    /// An order of the party changes.
    Change(u32),
    /// Something else in the store does.
    Elsewhere,
    /// A frame arrives; or the last one cannot be read, or is lost before a beat. A stream loses
    /// nothing in its midst.
    Receive,
    Garble,
    Lose,
    /// The server answers a load; the answer arrives, or does not.
    Answer,
    Deliver,
    LoseAnswer,
    Ticket,
    Beat,
    Break,
    Wait(i64),
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let op = prop_oneof![
        4 => (1..4_u32).prop_map(Op::Change),
        2 => Just(Op::Elsewhere),
        6 => Just(Op::Receive),
        2 => Just(Op::Garble),
        2 => Just(Op::Lose),
        4 => Just(Op::Answer),
        4 => Just(Op::Deliver),
        1 => Just(Op::LoseAnswer),
        3 => Just(Op::Ticket),
        2 => Just(Op::Beat),
        1 => Just(Op::Break),
        2 => (1..8_000_i64).prop_map(Op::Wait),
    ];
    prop::collection::vec(op, 0..160)
}

/// A server with one party, the way to it, and a phone.
struct World {
    phone: Phone,
    seq: u64,
    orders: BTreeMap<u32, u64>,
    /// Frames on their way, while there is a stream.
    stream: Option<VecDeque<Heard>>,
    sent: EventId,
    asked: bool,
    answer: Option<(EventId, Box<GuestPage>)>,
    ticket_asked: bool,
    loads: u32,
}

impl World {
    fn new() -> Self {
        let mut world = Self {
            phone: Phone::new(),
            seq: HEAD,
            orders: BTreeMap::new(),
            stream: None,
            sent: EventId::NONE,
            asked: false,
            answer: None,
            ticket_asked: false,
            loads: 0,
        };
        let out = world.phone.step(Input::Start(Known::Token));
        world.take(out);
        world
    }

    fn take(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Load { .. } => {
                    assert!(!self.asked, "one request at a time");
                    (self.asked, self.answer) = (true, None);
                    self.loads += 1;
                }
                Effect::FetchTicket { .. } => self.ticket_asked = true,
                Effect::Open { .. } => {
                    assert!(self.stream.is_none(), "one stream at a time");
                    self.sent = EventId::NONE;
                    self.stream = Some(VecDeque::from([self.ready()]));
                }
                Effect::Close { .. } => self.stream = None,
                Effect::Join | Effect::SetTimer(_) | Effect::Show(_) | Effect::Stage(_) => {}
            }
        }
    }

    fn ready(&self) -> Heard {
        Heard::Ready(GuestReady {
            head: id(self.seq),
            heartbeat_ms: BEAT,
            server_time: self.phone.now,
            build: "b1".to_owned(),
        })
    }

    fn write(&mut self, frame: Heard) {
        if let Some(stream) = &mut self.stream {
            stream.push_back(frame);
        }
    }

    fn act(&mut self, op: Op) {
        match op {
            Op::Change(number) => {
                self.seq += 1;
                let version = self.orders.entry(number).or_default();
                *version += 1;
                let frame = Heard::Entity(id(self.seq), order(number, *version));
                self.sent = id(self.seq);
                self.write(frame);
            }
            Op::Elsewhere => self.seq += 1,
            Op::Receive => {
                if let Some(frame) = self.stream.as_mut().and_then(VecDeque::pop_front) {
                    let out = self.phone.frame(frame);
                    self.take(out);
                }
            }
            Op::Garble => {
                if let Some(last) = self.stream.as_mut().and_then(VecDeque::back_mut)
                    && let Heard::Entity(id, _) = last
                {
                    *last = Heard::Bad(Some(*id));
                }
            }
            Op::Lose => {
                if let Some(stream) = &mut self.stream {
                    stream.pop_back_if(|frame| matches!(frame, Heard::Entity(..)));
                }
                self.act(Op::Beat);
            }
            Op::Answer if self.asked => {
                let mut page = page();
                for (number, version) in &self.orders {
                    if let GuestEntity::Order(order) = order(*number, *version) {
                        page.orders.push(order);
                    }
                }
                self.answer = Some((id(self.seq), Box::new(page)));
            }
            Op::Deliver => {
                if let Some(answer) = self.answer.take() {
                    self.answered(Ok(answer));
                }
            }
            Op::LoseAnswer if self.asked => self.answered(Err(NoAnswer::Failed)),
            Op::Ticket if self.ticket_asked => {
                self.ticket_asked = false;
                let out = self.phone.ticket();
                self.take(out);
            }
            Op::Beat => {
                let beat = GuestHeartbeat {
                    sent: self.sent,
                    server_time: self.phone.now,
                };
                self.write(Heard::Heartbeat(beat));
            }
            Op::Break => {
                if self.stream.take().is_some() {
                    let generation = self.phone.generation;
                    let out = self.phone.step(Input::Failed { generation });
                    self.take(out);
                }
            }
            Op::Wait(ms) => self.wait(ms),
            Op::Answer | Op::LoseAnswer | Op::Ticket => {}
        }
    }

    fn answered(&mut self, result: Result<(EventId, Box<GuestPage>), NoAnswer>) {
        self.asked = false;
        let out = self.phone.answer(result);
        self.take(out);
    }

    /// Time passes; a request that is given up frees the line.
    fn wait(&mut self, ms: i64) {
        let until = self.phone.now.plus(ms);
        while let Some(at) = self.phone.timer.filter(|at| *at <= until) {
            self.phone.timer = None;
            self.phone.now = self.phone.now.max(at);
            let given_up = self.phone.session.loads.is_busy();
            let out = self.phone.step(Input::Timer);
            if given_up && (!self.phone.session.loads.is_busy() || loads(&out) > 0) {
                (self.asked, self.answer) = (false, None);
            }
            self.take(out);
        }
        self.phone.now = until;
    }

    /// Everything works for a beat.
    fn calm(&mut self) {
        self.act(Op::Ticket);
        self.act(Op::Beat);
        for _ in 0..100 {
            self.act(Op::Receive);
            self.act(Op::Answer);
            self.act(Op::Deliver);
        }
        self.wait(BEAT / 2);
    }

    fn shown(&self) -> BTreeMap<u32, u64> {
        let page = self.phone.session.page();
        let orders = page.iter().flat_map(|page| &page.orders);
        orders.map(|order| (order.number, order.version)).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn once_quiet_the_page_is_what_the_server_has(ops in ops()) {
        let mut world = World::new();
        let mut before = BTreeMap::new();
        for op in &ops {
            world.act(*op);
            let shown = world.shown();
            let back = before.iter().find(|(number, version)| shown.get(number) < Some(version));
            prop_assert_eq!(back, None, "nothing goes back");
            let ahead = shown.iter().find(|(number, version)| world.orders.get(number) < Some(version));
            prop_assert_eq!(ahead, None, "nothing is shown that never was");
            before = shown;
        }
        for _ in 0..60 {
            world.calm();
        }
        prop_assert_eq!(&world.shown(), &world.orders);
        prop_assert_eq!(world.phone.session.status(world.phone.now).link, Link::Live);
        let loads = world.loads;
        for _ in 0..8 {
            world.calm();
        }
        prop_assert_eq!(world.loads, loads, "no loop");
    }
}

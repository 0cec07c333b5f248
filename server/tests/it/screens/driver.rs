//! Carries out the effects of a bridge over HTTP, as the adapter of a browser does. It decides
//! nothing; what it adds is bad weather, a clock that may run faster, and counting.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use domain::bridge::{Bridge, Config, Effect, Input, Load, NoAnswer, NoTicket};
use domain::event::{Control, Frame};
use domain::store::Guards;
use domain::stream::EventId;
use domain::time::Time;
use tokio::sync::{mpsc, watch};
use tokio::task::{AbortHandle, JoinSet};
use uuid::Uuid;

use super::screen::{Setup, Told};
use super::seen::{Memory, Opened, Seen};
use super::storm::{Answering, Fate};
use super::wire::{ask, follow, tell};
use super::{Dice, Staff};

pub struct Driver {
    setup: Setup,
    staff: Staff,
    name: String,
    bridge: Bridge,
    dice: Dice,
    began: (Instant, i64),
    /// For the tasks it starts; it never sends to itself.
    told: mpsc::Sender<Told>,
    tasks: JoinSet<()>,
    stream: Option<(u64, AbortHandle)>,
    timer: Option<Time>,
    held: Vec<(u64, Frame)>,
    memory: Memory,
    seen: watch::Sender<Seen>,
}

impl Driver {
    pub fn new(
        staff: &Staff,
        setup: Setup,
        told: mpsc::Sender<Told>,
        seen: watch::Sender<Seen>,
    ) -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let config = Config {
            scopes: setup.scopes.clone(),
            build: String::new(),
            seed: setup.seed,
            guards: Guards::default(),
        };
        Self {
            bridge: Bridge::new(config),
            dice: Dice(setup.seed),
            staff: staff.clone(),
            name: Uuid::now_v7().to_string(),
            began: (Instant::now(), i64::try_from(since.as_millis()).unwrap()),
            told,
            tasks: JoinSet::new(),
            stream: None,
            timer: None,
            held: Vec::new(),
            memory: Memory::default(),
            seen,
            setup,
        }
    }

    pub async fn run(mut self, mut inbox: mpsc::Receiver<Told>) {
        self.step(Input::Start);
        loop {
            let left = self.timer.map(|at| at.since(self.now()).unsigned_abs());
            let left = left.filter(|_| self.setup.pace > 0);
            let left = left.map(|ms| Duration::from_millis(ms.div_ceil(self.setup.pace as u64)));
            tokio::select! {
                told = inbox.recv() => match told {
                    Some(Told::Bridge(input)) => self.step(input),
                    Some(Told::Frame(generation, frame)) => self.arrive(generation, frame),
                    Some(Told::Bad(text)) => self.seen.send_modify(|seen| seen.bad.push(text)),
                    Some(Told::Pace(pace)) => {
                        self.began = (Instant::now(), self.now().0);
                        self.setup.pace = pace;
                    }
                    Some(Told::Look(answer)) => {
                        let status = self.bridge.status(self.now());
                        let store = self.bridge.store().clone();
                        let _ = answer.send((store, self.seen.borrow().clone(), status));
                    }
                    None => return,
                },
                () = tokio::time::sleep(left.unwrap_or_default()), if left.is_some() => {
                    self.timer = None;
                    self.step(Input::Timer);
                }
                Some(_) = self.tasks.join_next() => {}
            }
        }
    }

    fn now(&self) -> Time {
        let (began, wall) = self.began;
        let passed = i64::try_from(began.elapsed().as_millis()).unwrap();
        Time(wall + passed * self.setup.pace)
    }

    fn arrive(&mut self, generation: u64, frame: Frame) {
        match self.setup.storm.frame(&mut self.dice) {
            Fate::Dropped => {}
            Fate::Arrives => self.pass(generation, frame),
            Fate::Twice => {
                self.pass(generation, frame.clone());
                self.pass(generation, frame);
            }
            Fate::Held => {
                self.held.push((generation, frame));
                return;
            }
            Fate::Cut => {
                self.close(generation);
                self.step(Input::Failed { generation });
            }
        }
        // What was held comes late, in any order.
        while !self.held.is_empty() && self.dice.one_in(2) {
            let place = self.dice.below(self.held.len());
            let (generation, frame) = self.held.swap_remove(place);
            self.pass(generation, frame);
        }
    }

    /// Hands a frame to the bridge. With a clock that runs faster, a beat lasts longer.
    fn pass(&mut self, generation: u64, mut frame: Frame) {
        let now = self.now();
        let open = self
            .stream
            .as_ref()
            .is_some_and(|(of, _)| *of == generation);
        if let Frame::Control(control) = &mut frame {
            match control {
                Control::Ready(ready) => {
                    ready.heartbeat_ms *= self.setup.pace;
                    ready.server_time = now;
                }
                Control::Heartbeat(beat) => beat.server_time = now,
                Control::Reload(_) | Control::Drain(_) => {}
            }
        }
        self.seen.send_modify(|seen| match &frame {
            _ if !open => seen.late += 1,
            Frame::Control(Control::Heartbeat(_)) => seen.beats += 1,
            Frame::Control(Control::Drain(_)) => seen.drained += 1,
            _ => {}
        });
        self.step(Input::Frame { generation, frame });
    }

    fn step(&mut self, input: Input) {
        let now = self.now();
        if let Input::Failed { .. } = input {
            self.seen.send_modify(|seen| seen.failed.push(now));
        }
        let effects = self.bridge.step(now, input);
        if effects
            .iter()
            .any(|effect| matches!(effect, Effect::Show(_)))
        {
            let (bridge, memory) = (&self.bridge, &mut self.memory);
            self.seen.send_modify(|seen| seen.shown(bridge, memory));
        }
        for effect in effects {
            self.carry_out(now, effect);
        }
        let (bridge, memory) = (&self.bridge, &mut self.memory);
        self.seen.send_modify(|seen| seen.stepped(bridge, memory));
    }

    fn carry_out(&mut self, now: Time, effect: Effect) {
        match effect {
            Effect::FetchTicket { generation } => {
                self.seen.send_modify(|seen| {
                    seen.requests += 1;
                    seen.tickets.push(now);
                });
                self.fetch_ticket(generation);
            }
            Effect::Open {
                generation,
                ticket,
                last_event_id,
            } => self.open(generation, ticket, last_event_id),
            Effect::Close { generation } => self.close(generation),
            Effect::Load { request, what } => {
                self.seen.send_modify(|seen| seen.requests += 1);
                self.load(request, what);
            }
            Effect::SetTimer(at) => self.timer = Some(at),
            Effect::Ack(applied) => {
                let (staff, name) = (self.staff.clone(), self.name.clone());
                self.tasks.spawn(async move {
                    // The next one says more than this one; a lost one is no loss.
                    let _ = staff.ack(&name, applied).await;
                });
            }
            Effect::Heard { event_type, entity } => {
                self.seen
                    .send_modify(|seen| seen.heard.push((event_type, entity)));
            }
            Effect::SignedOut => panic!("the session is over"),
            Effect::Show(_) | Effect::CaughtUp => {}
        }
    }

    fn close(&mut self, generation: u64) {
        if let Some((_, stream)) = self.stream.take_if(|(open, _)| *open == generation)
            && !self.setup.keeps_closed_streams
        {
            stream.abort();
        }
    }

    fn fetch_ticket(&mut self, generation: u64) {
        let (staff, told) = (self.staff.clone(), self.told.clone());
        let fate = self.setup.storm.request(&mut self.dice);
        self.tasks.spawn(async move {
            let reply = match fate {
                Answering::Never => None,
                Answering::After(late) => {
                    let reply = staff.ticket().await.ok();
                    tokio::time::sleep(late).await;
                    reply
                }
            };
            let result = match reply {
                Some(reply) if reply.status == 200 => {
                    Ok(reply.json()["ticket"].as_str().unwrap().to_owned())
                }
                Some(reply) if reply.status == 401 => Err(NoTicket::SignedOut),
                Some(_) | None => Err(NoTicket::Failed),
            };
            tell(&told, Input::Ticket { generation, result }).await;
        });
    }

    fn open(&mut self, generation: u64, ticket: String, cursor: EventId) {
        let opened = Opened {
            ticket: ticket.clone(),
            cursor,
        };
        self.seen.send_modify(|seen| seen.opened.push(opened));
        let (staff, told, name) = (self.staff.clone(), self.told.clone(), self.name.clone());
        let stream = self.tasks.spawn(async move {
            if let Ok(answer) = staff.subscribe(&ticket, &name, cursor).await {
                let media = answer.headers().get("content-type");
                let is_stream = media.is_some_and(|media| media == "text/event-stream");
                if answer.status() == 200 && is_stream {
                    follow(answer, generation, &told).await;
                }
            }
            tell(&told, Input::Failed { generation }).await;
        });
        self.stream = Some((generation, stream));
    }

    fn load(&mut self, request: u64, what: Load) {
        let (staff, told) = (self.staff.clone(), self.told.clone());
        let fate = self.setup.storm.request(&mut self.dice);
        self.tasks.spawn(async move {
            let result = match fate {
                Answering::Never => Err(NoAnswer::Failed),
                Answering::After(late) => {
                    let answer = ask(&staff, what).await;
                    tokio::time::sleep(late).await;
                    answer
                }
            };
            tell(&told, Input::Loaded { request, result }).await;
        });
    }
}

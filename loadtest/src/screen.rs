//! A screen without a picture: carries out the effects of a bridge over HTTP and keeps its
//! store. It decides nothing; what it adds is counting.

use std::time::Duration;

use domain::bridge::{Answer, Bridge, Config, Counters, Effect, Input, Load, NoAnswer, NoTicket};
use domain::event::Frame;
use domain::snapshot::Entities;
use domain::store::{ClientStore, Guards};
use domain::stream::{EventId, Scope};
use domain::time::Time;
use hdrhistogram::Histogram;
use reqwest::StatusCode;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::{AbortHandle, JoinSet};
use uuid::Uuid;

use crate::api::{Api, ApiError};
use crate::density::Density;
use crate::sse::{Message, Parser};
use crate::tally::{Tally, wall_micros};

/// Messages read ahead of the bridge; a screen that is slower makes the socket wait.
const READ_AHEAD: usize = 1_024;

/// Where a screen stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The last event applied.
    pub cursor: EventId,
    /// The first baseline is complete.
    pub based: bool,
    /// The session is over: nothing more will come.
    pub signed_out: bool,
}

/// What a screen has and what it counted.
#[derive(Clone, Debug)]
pub struct View {
    /// The last event applied.
    pub cursor: EventId,
    /// Its entities.
    pub store: ClientStore,
    /// As counted by the bridge.
    pub counters: Counters,
    /// As counted on the wire.
    pub density: Density,
    /// Events whose effect was applied more than once.
    pub applied_twice: u64,
    /// From an event's `at` until this screen's store had it, in µs. The server's times are
    /// whole milliseconds, so that up to one too many is measured.
    pub latency: Histogram<u64>,
}

enum Told {
    Bridge(Input),
    Message { generation: u64, message: Message },
    Look(oneshot::Sender<View>),
}

/// A running screen; it stops when this is dropped.
#[derive(Debug)]
pub struct Screen {
    told: mpsc::Sender<Told>,
    position: watch::Receiver<Position>,
    driver: AbortHandle,
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

impl Screen {
    /// Starts a screen of these scopes. `name` is what it calls itself on the stream, such as
    /// `kitchen:{stationId}`.
    #[must_use]
    pub fn start(api: Api, scopes: &[Scope], name: Option<String>) -> Self {
        let id = Uuid::new_v4();
        let (told, inbox) = mpsc::channel(READ_AHEAD);
        let (tell_position, position) = watch::channel(Position::default());
        let config = Config {
            scopes: scopes.to_vec(),
            build: String::new(),
            seed: id.as_u64_pair().0,
            guards: Guards::default(),
        };
        let driver = Driver {
            api,
            name,
            connection_id: id.to_string(),
            bridge: Bridge::new(config),
            told: told.clone(),
            tasks: JoinSet::new(),
            stream: None,
            timer: None,
            density: Density::default(),
            tally: Tally::new(),
            position: tell_position,
        };
        let driver = tokio::spawn(driver.run(inbox)).abort_handle();
        Self {
            told,
            position,
            driver,
        }
    }

    /// Waits until the screen stands where `wanted` says. `false`: it never will, or not within
    /// `patience`.
    pub async fn reaches(&self, patience: Duration, wanted: impl Fn(&Position) -> bool) -> bool {
        let mut position = self.position.clone();
        let reached = position.wait_for(|at| at.signed_out || wanted(at));
        let reached = tokio::time::timeout(patience, reached).await;
        matches!(reached, Ok(Ok(at)) if wanted(&at))
    }

    /// What it has; `None` when it stopped.
    pub async fn look(&self) -> Option<View> {
        let (answer, view) = oneshot::channel();
        self.told.send(Told::Look(answer)).await.ok()?;
        view.await.ok()
    }
}

fn wall() -> Time {
    Time(wall_micros() / 1_000)
}

struct Driver {
    api: Api,
    name: Option<String>,
    connection_id: String,
    bridge: Bridge,
    /// For the tasks it starts; it never sends to itself.
    told: mpsc::Sender<Told>,
    tasks: JoinSet<()>,
    /// The stream that is open, by generation.
    stream: Option<(u64, AbortHandle)>,
    timer: Option<Time>,
    density: Density,
    tally: Tally,
    position: watch::Sender<Position>,
}

impl Driver {
    async fn run(mut self, mut inbox: mpsc::Receiver<Told>) {
        self.step(Input::Start);
        loop {
            let timer = self.timer;
            tokio::select! {
                told = inbox.recv() => match told {
                    Some(told) => self.hear(told),
                    None => return,
                },
                () = sleep_until(timer), if timer.is_some() => {
                    self.timer = None;
                    self.step(Input::Timer);
                }
                // Finished tasks are let go of.
                Some(_) = self.tasks.join_next() => {}
            }
        }
    }

    fn hear(&mut self, told: Told) {
        match told {
            Told::Bridge(input) => self.step(input),
            Told::Message {
                generation,
                message,
            } => self.message(generation, &message),
            Told::Look(answer) => {
                // Who asked may have gone.
                let _ = answer.send(self.view());
            }
        }
    }

    fn message(&mut self, generation: u64, message: &Message) {
        if self
            .stream
            .as_ref()
            .is_none_or(|(open, _)| *open != generation)
        {
            return;
        }
        let frame = match serde_json::from_str::<Value>(&message.data) {
            Ok(data) => Frame::read(&message.event, &data),
            Err(_) => Frame::Bad(None),
        };
        self.density.saw(&frame);
        self.tally.arrived(&frame);
        self.step(Input::Frame { generation, frame });
    }

    fn step(&mut self, input: Input) {
        for effect in self.bridge.step(wall(), input) {
            self.carry_out(effect);
        }
        self.tally.stepped(&self.bridge);
        let (cursor, based) = (self.bridge.cursor(), self.bridge.is_based());
        self.position.send_if_modified(|at| {
            let next = Position {
                cursor,
                based,
                ..*at
            };
            std::mem::replace(at, next) != next
        });
    }

    fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::FetchTicket { generation } => self.fetch_ticket(generation),
            Effect::Open {
                generation,
                ticket,
                last_event_id,
            } => self.open(generation, ticket, last_event_id),
            Effect::Close { generation } => {
                if let Some((_, stream)) = self.stream.take_if(|(open, _)| *open == generation) {
                    stream.abort();
                }
            }
            Effect::Load { request, what } => self.load(request, what),
            Effect::SetTimer(at) => self.timer = Some(at),
            Effect::Ack(applied) => self.ack(applied),
            Effect::SignedOut => self.position.send_modify(|at| at.signed_out = true),
            // Nobody looks and nobody listens.
            Effect::Show(_) | Effect::Heard { .. } | Effect::CaughtUp => {}
        }
    }

    fn fetch_ticket(&mut self, generation: u64) {
        let (api, told) = (self.api.clone(), self.told.clone());
        self.tasks.spawn(async move {
            let result = api.ticket().await.map_err(|error| match error.status() {
                Some(StatusCode::UNAUTHORIZED) => NoTicket::SignedOut,
                Some(_) | None => NoTicket::Failed,
            });
            tell(&told, Input::Ticket { generation, result }).await;
        });
    }

    fn open(&mut self, generation: u64, ticket: String, last_event_id: EventId) {
        self.density.opened(last_event_id);
        let (api, told) = (self.api.clone(), self.told.clone());
        let (id, name) = (self.connection_id.clone(), self.name.clone());
        let stream = self.tasks.spawn(async move {
            let opened = api
                .subscribe(&ticket, &id, last_event_id, name.as_deref())
                .await;
            if let Ok(stream) = opened {
                follow(stream, generation, &told).await;
            }
            tell(&told, Input::Failed { generation }).await;
        });
        self.stream = Some((generation, stream));
    }

    fn load(&mut self, request: u64, what: Load) {
        let (api, told) = (self.api.clone(), self.told.clone());
        self.tasks.spawn(async move {
            let result = ask(&api, what).await.map_err(|error| match error.status() {
                Some(StatusCode::FORBIDDEN) => NoAnswer::Forbidden,
                Some(_) | None => NoAnswer::Failed,
            });
            tell(&told, Input::Loaded { request, result }).await;
        });
    }

    fn ack(&mut self, applied: EventId) {
        let (api, id) = (self.api.clone(), self.connection_id.clone());
        self.tasks.spawn(async move {
            // The next one says more than this one; a lost one is no loss.
            let _ = api.ack(&id, applied).await;
        });
    }

    fn view(&self) -> View {
        View {
            cursor: self.bridge.cursor(),
            store: self.bridge.store().clone(),
            counters: self.bridge.counters(),
            density: self.density.clone(),
            applied_twice: self.tally.applied_twice,
            latency: self.tally.latency.clone(),
        }
    }
}

/// The driver may have stopped; then nobody wants to know.
async fn tell(told: &mpsc::Sender<Told>, input: Input) {
    let _ = told.send(Told::Bridge(input)).await;
}

/// Until the wall clock shows `at`, which the bridge compares with. Never early: the bridge
/// would see nothing due and set no other timer.
async fn sleep_until(at: Option<Time>) {
    let Some(at) = at else { return };
    loop {
        let left = at.since(wall());
        if left == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(left.unsigned_abs())).await;
    }
}

/// Reads a stream to its end.
async fn follow(mut stream: reqwest::Response, generation: u64, told: &mpsc::Sender<Told>) {
    let mut parser = Parser::new();
    while let Ok(Some(bytes)) = stream.chunk().await {
        for message in parser.take(&bytes) {
            let message = Told::Message {
                generation,
                message,
            };
            if told.send(message).await.is_err() {
                return;
            }
        }
    }
}

async fn ask(api: &Api, what: Load) -> Result<Answer, ApiError> {
    let entities = |(watermark, entities): (EventId, Entities)| {
        Answer::Entities(watermark, Box::new(entities))
    };
    match what {
        Load::Scope(Scope::Store) => {
            let (watermark, settings) = api.snapshot_once(Scope::Store.path()).await?;
            Ok(Answer::Settings(watermark, Box::new(settings)))
        }
        Load::Scope(scope) => api.snapshot_once(scope.path()).await.map(entities),
        Load::Ids(scope, ids) => {
            let ids: Vec<String> = ids.iter().map(Uuid::to_string).collect();
            let path = format!("{}?ids={}", scope.path(), ids.join(","));
            api.snapshot_once(&path).await.map(entities)
        }
        Load::Changes(since) => api.changes(since).await.map(Answer::Changes),
    }
}

#[cfg(test)]
mod tests;

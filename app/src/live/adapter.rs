//! Carries out the bridge's effects: one `match`.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use domain::bridge::{
    Answer as Loaded, Bridge, Config, Effect, Input, Link, Load, NoAnswer, NoTicket,
};
use domain::event::Frame;
use domain::id::ReservationId;
use domain::settings::Store;
use domain::snapshot::Entities;
use domain::stream::{EventId, Scope};
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use wasm_bindgen_futures::spawn_local;

use super::resume::Resume;
use super::source::Source;
use super::timer::{self, Timer};
use super::{News, Session};
use crate::api::{Answer, Method, Problem, request};
use crate::browser::random;

/// A command that got no answer is sent again with the same key, so often.
const RETRIES: u32 = 2;
/// After this many milliseconds each.
const RETRY_AFTER_MS: i32 = 1_000;

pub(super) struct Adapter {
    me: Weak<Self>,
    /// `/api/pos/{storeId}`
    base: String,
    /// Random per bridge: the server knows the screen by it.
    connection: String,
    screen: String,
    bridge: RefCell<Bridge>,
    source: RefCell<Option<Source>>,
    timer: RefCell<Option<Timer>>,
    resume: RefCell<Option<Resume>>,
    link: Cell<Option<Link>>,
    listener: Box<dyn Fn(News<'_>)>,
}

#[derive(Deserialize)]
struct Ticket {
    ticket: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Ack<'a> {
    connection_id: &'a str,
    applied: EventId,
}

impl Adapter {
    pub(super) fn new(session: Session) -> Rc<Self> {
        let config = Config {
            scopes: session.scopes,
            build: session.build,
            seed: random::seed(),
            guards: domain::store::Guards::default(),
        };
        Rc::new_cyclic(|me| Self {
            me: me.clone(),
            base: ["/api/pos/", &session.store_id.to_string()].concat(),
            connection: random::uuid().to_string(),
            screen: session.screen,
            bridge: RefCell::new(Bridge::new(config)),
            source: RefCell::new(None),
            timer: RefCell::new(None),
            resume: RefCell::new(None),
            link: Cell::new(None),
            listener: session.listener,
        })
    }

    pub(super) fn begin(&self) {
        let me = self.me.clone();
        let resume = Resume::listen(move || tell(&me, Input::Resume));
        *self.resume.borrow_mut() = Some(resume);
        self.input(Input::Start);
    }

    pub(super) fn with_bridge<R>(&self, read: impl FnOnce(&Bridge) -> R) -> R {
        read(&self.bridge.borrow())
    }

    fn input(&self, input: Input) {
        let now = timer::now();
        let effects = self.bridge.borrow_mut().step(now, input);
        for effect in effects {
            self.carry_out(effect);
        }
        let status = self.bridge.borrow().status(now);
        if self.link.replace(Some(status.link)) != Some(status.link) {
            (self.listener)(News::Link(status));
        }
    }

    fn carry_out(&self, effect: Effect) {
        match effect {
            Effect::FetchTicket { generation } => self.fetch_ticket(generation),
            Effect::Open {
                generation,
                ticket,
                last_event_id,
            } => {
                self.open(generation, &ticket, last_event_id);
            }
            Effect::Close { generation } => {
                let mut source = self.source.borrow_mut();
                source.take_if(|source| source.generation() == generation);
            }
            Effect::Load { request, what } => self.load(request, what),
            Effect::SetTimer(at) => {
                let me = self.me.clone();
                let timer = Timer::at(at, move || tell(&me, Input::Timer));
                *self.timer.borrow_mut() = Some(timer);
            }
            Effect::Show(touched) => {
                (self.listener)(News::Show(self.bridge.borrow().store(), &touched));
            }
            Effect::Heard { event_type, entity } => {
                (self.listener)(News::Heard(event_type, entity))
            }
            Effect::CaughtUp => (self.listener)(News::CaughtUp),
            Effect::Ack(applied) => self.ack(applied),
            Effect::SignedOut => (self.listener)(News::SignedOut),
        }
    }

    fn fetch_ticket(&self, generation: u64) {
        let path = [&self.base, "/notifications/ticket"].concat();
        let me = self.me.clone();
        spawn_local(async move {
            let result = match request(Method::Get, &path, None, None).await {
                Ok(answer) if answer.status == 401 => Err(NoTicket::SignedOut),
                Ok(answer) => answer.read::<Ticket>().map_err(|_| NoTicket::Failed),
                Err(_) => Err(NoTicket::Failed),
            };
            let result = result.map(|ticket| ticket.ticket);
            tell(&me, Input::Ticket { generation, result });
        });
    }

    fn open(&self, generation: u64, ticket: &str, last_event_id: EventId) {
        let last = last_event_id.to_string();
        let url = [
            &self.base,
            "/notifications/subscribe?ticket=",
            ticket,
            "&connectionId=",
            &self.connection,
            "&lastEventId=",
            &last,
            "&screen=",
            &self.screen,
        ]
        .concat();
        let (frames, errors) = (self.me.clone(), self.me.clone());
        *self.source.borrow_mut() = Source::open(
            generation,
            &url,
            move |name, data| {
                let frame = Frame::read(name, data);
                tell(&frames, Input::Frame { generation, frame });
            },
            move || tell(&errors, Input::Failed { generation }),
        );
    }

    fn load(&self, number: u64, what: Load) {
        let path = [&self.base, load_path(&what).as_str()].concat();
        let me = self.me.clone();
        spawn_local(async move {
            let result = match request(Method::Get, &path, None, None).await {
                Ok(answer) if answer.status == 403 => Err(NoAnswer::Forbidden),
                Ok(answer) => loaded(&answer, &what).ok_or(NoAnswer::Failed),
                Err(_) => Err(NoAnswer::Failed),
            };
            tell(
                &me,
                Input::Loaded {
                    request: number,
                    result,
                },
            );
        });
    }

    fn ack(&self, applied: EventId) {
        let path = [&self.base, "/notifications/ack"].concat();
        let ack = Ack {
            connection_id: &self.connection,
            applied,
        };
        let body = serde_json::to_string(&ack).unwrap_or_default();
        spawn_local(async move {
            // A lost acknowledgement is followed by the next.
            drop(request(Method::Post, &path, Some(body), None).await);
        });
    }

    pub(super) fn command(
        &self,
        key: String,
        path: String,
        body: String,
        done: Box<dyn FnOnce(Result<(), Problem>)>,
    ) {
        let path = [&self.base, path.as_str()].concat();
        let me = self.me.clone();
        spawn_local(async move {
            let answer = send_command(&key, &path, body).await;
            let result = match &answer {
                Ok(answer) if answer.is_success() => Ok(()),
                Ok(answer) => Err(Problem::of(answer)),
                Err(problem) => Err(problem.clone()),
            };
            if let Some(input) = answer.ok().as_ref().and_then(commanded) {
                tell(&me, input);
            }
            done(result);
        });
    }

    pub(super) fn extend(&self, rid: ReservationId) {
        let path = [&self.base, "/reservations/", &rid.to_string()].concat();
        let key = random::uuid().to_string();
        let body = Some("{\"extend\":true}".to_owned());
        spawn_local(async move {
            drop(request(Method::Patch, &path, body, Some(&key)).await);
        });
    }

    pub(super) fn read(
        &self,
        path: &'static str,
        done: impl FnOnce(Result<Answer, Problem>) + 'static,
    ) {
        let path = [&self.base, path].concat();
        spawn_local(async move { done(request(Method::Get, &path, None, None).await) });
    }
}

/// Tells the bridge, if its screen is still there.
fn tell(adapter: &Weak<Adapter>, input: Input) {
    if let Some(adapter) = adapter.upgrade() {
        adapter.input(input);
    }
}

/// One key for all attempts: the server does it once.
async fn send_command(key: &str, path: &str, body: String) -> Result<Answer, Problem> {
    let mut attempt = 0;
    loop {
        let answer = request(Method::Post, path, Some(body.clone()), Some(key)).await;
        let settled = answer.as_ref().is_ok_and(|answer| answer.status < 500);
        if settled || attempt == RETRIES {
            return answer;
        }
        attempt += 1;
        timer::sleep(RETRY_AFTER_MS).await;
    }
}

/// What a command's answer, refusals included, says of the entities.
fn commanded(answer: &Answer) -> Option<Input> {
    let watermark = answer.watermark?;
    let entities: Entities = answer.json()?;
    Some(Input::Commanded {
        watermark,
        entities: Box::new(entities),
    })
}

fn load_path(what: &Load) -> String {
    match what {
        Load::Scope(scope) => scope.path().to_owned(),
        Load::Ids(scope, ids) => {
            let ids: Vec<String> = ids.iter().map(Uuid::to_string).collect();
            [scope.path(), "?ids=", &ids.join(",")].concat()
        }
        Load::Changes(since) => ["/notifications/changes?since=", &since.to_string()].concat(),
    }
}

fn loaded(answer: &Answer, what: &Load) -> Option<Loaded> {
    if !answer.is_success() {
        return None;
    }
    match what {
        Load::Changes(_) => answer.json().map(Loaded::Changes),
        Load::Scope(Scope::Store) | Load::Ids(Scope::Store, _) => {
            let settings: Store = answer.json()?;
            Some(Loaded::Settings(answer.watermark?, Box::new(settings)))
        }
        Load::Scope(_) | Load::Ids(_, _) => {
            let entities: Entities = answer.json()?;
            Some(Loaded::Entities(answer.watermark?, Box::new(entities)))
        }
    }
}

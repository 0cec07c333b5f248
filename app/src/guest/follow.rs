//! Carries out what the session says, and tells it what happened. It decides nothing.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use domain::bridge::Status;
use domain::guest::session::{Effect, Input, Known, NoAnswer, Session, Stage};
use domain::guest::{GuestJoined, GuestPage, Heard};
use domain::time::Time;
use serde::Deserialize;
use wasm_bindgen_futures::spawn_local;

use super::ask::{Ask, Changed, is_over, no_token};
use super::keep::{self, Keep};
use super::left;
use super::state::Guest;
use crate::api::{Answer, Method, Problem};
use crate::browser::{device, random};
use crate::live::resume::Resume;
use crate::live::source::Source;
use crate::live::timer::{self, Timer};

thread_local! {
    /// A page has one session.
    static CURRENT: RefCell<Option<Rc<Follower>>> = const { RefCell::new(None) };
}

struct Follower {
    me: Weak<Self>,
    guest: Guest,
    code: String,
    joined: RefCell<Option<GuestJoined>>,
    session: RefCell<Session>,
    source: RefCell<Option<Source>>,
    timer: RefCell<Option<Timer>>,
    resume: RefCell<Option<Resume>>,
}

#[derive(Deserialize)]
struct Ticket {
    ticket: String,
}

/// Begins the session of the table of that code. What it shows comes later, in tasks of its own: the
/// effect that opens the page writes no signal.
pub fn start(guest: Guest, code: String) {
    let build = device::page_build().unwrap_or_default();
    let joined = keep::token(&code);
    let follower = Rc::new_cyclic(|me: &Weak<Follower>| Follower {
        me: me.clone(),
        guest,
        code,
        joined: RefCell::new(joined),
        session: RefCell::new(Session::new(build, random::seed())),
        source: RefCell::new(None),
        timer: RefCell::new(None),
        resume: RefCell::new(None),
    });
    CURRENT.set(Some(Rc::clone(&follower)));
    follower.begin();
}

/// Ends it: stream, timer and listeners go.
pub fn stop() {
    drop(CURRENT.take());
}

fn current() -> Option<Rc<Follower>> {
    CURRENT.with_borrow(Clone::clone)
}

/// The guest tries again.
pub fn again() {
    if let Some(follower) = current() {
        follower.input(Input::Again);
    }
}

/// The pill as of this moment, and the server's clock.
#[must_use]
pub fn look() -> Option<(Status, Time)> {
    let now = timer::now();
    current().map(|follower| {
        let session = follower.session.borrow();
        (session.status(now), session.server_now(now))
    })
}

/// Where this party's things are kept; `None` before it has joined.
#[must_use]
pub fn kept() -> Option<Keep> {
    let follower = current()?;
    let joined = follower.joined.borrow();
    Some(Keep::of(&follower.code, joined.as_ref()?))
}

/// Sends a command under its key. What it changes is shown, then `done` is called; it is not
/// when the party is over.
pub fn command(
    path: String,
    body: String,
    key: String,
    done: impl FnOnce(Result<(), Problem>) + 'static,
) {
    if let Some(follower) = current() {
        follower.command(path, body, key, Box::new(done));
    }
}

/// Tells the session, if its page is still there.
fn tell(follower: &Weak<Follower>, input: Input) {
    if let Some(follower) = follower.upgrade() {
        follower.input(input);
    }
}

impl Follower {
    fn begin(&self) {
        let me = self.me.clone();
        let resume = Resume::listen(move || tell(&me, Input::Resume));
        *self.resume.borrow_mut() = Some(resume);
        let (me, known) = (self.me.clone(), self.known());
        spawn_local(async move { tell(&me, Input::Start(known)) });
    }

    fn known(&self) -> Known {
        if self.joined.borrow().is_some() {
            Known::Token
        } else if left::is_marked(&self.code, timer::now()) {
            Known::Left
        } else {
            Known::Nothing
        }
    }

    fn input(&self, input: Input) {
        let effects = self.session.borrow_mut().step(timer::now(), input);
        for effect in effects {
            self.carry_out(effect);
        }
        self.guest.look();
    }

    fn carry_out(&self, effect: Effect) {
        match effect {
            Effect::Join => self.join(),
            Effect::Load { request } => self.load(request),
            Effect::FetchTicket { generation } => self.fetch_ticket(generation),
            Effect::Open { generation, ticket } => self.open(generation, &ticket),
            Effect::Close { generation } => {
                let mut source = self.source.borrow_mut();
                source.take_if(|source| source.generation() == generation);
            }
            Effect::SetTimer(at) => {
                let me = self.me.clone();
                let timer = Timer::at(at, move || tell(&me, Input::Timer));
                *self.timer.borrow_mut() = Some(timer);
            }
            Effect::Show(part) => {
                if let Some(page) = self.session.borrow().page() {
                    self.guest.show(part, page);
                }
            }
            Effect::Stage(stage) => self.stage(stage),
        }
    }

    fn stage(&self, stage: Stage) {
        if stage == Stage::Over
            && let Some(joined) = self.joined.take()
        {
            keep::forget(&self.code, &joined);
            // Another page of this phone may have joined anew.
            if keep::token(&self.code).is_none() {
                left::mark(&self.code, timer::now());
            }
        }
        self.guest.set_stage(stage);
    }

    fn join(&self) {
        let code = String::from(js_sys::encode_uri_component(&self.code));
        let path = ["/api/guest/", &code, "/join"].concat();
        let me = self.me.clone();
        let answered = move |answer: Result<Answer, Problem>| {
            let result = answer.and_then(|answer| answer.read::<GuestJoined>());
            let result = result.map_err(|problem| no_token(&problem));
            if let (Ok(joined), Some(follower)) = (&result, me.upgrade()) {
                keep::keep_token(&follower.code, joined);
                left::unmark(&follower.code);
                *follower.joined.borrow_mut() = Some(joined.clone());
            }
            tell(&me, Input::Joined(result.map(|_| ())));
        };
        let ask = Ask {
            method: Method::Post,
            path,
            body: Some("{}".to_owned()),
            token: None,
            key: None,
        };
        ask.send(Box::new(answered));
    }

    fn token(&self) -> Option<String> {
        let joined = self.joined.borrow();
        joined.as_ref().map(|joined| joined.token.clone())
    }

    fn get(&self, path: &str, answered: impl FnOnce(Result<Answer, NoAnswer>) + 'static) {
        let answered = move |answer: Result<Answer, Problem>| {
            answered(match answer {
                Ok(answer) if answer.is_success() => Ok(answer),
                Ok(answer) if is_over(&answer) => Err(NoAnswer::Over),
                Ok(_) | Err(_) => Err(NoAnswer::Failed),
            });
        };
        let ask = Ask {
            method: Method::Get,
            path: path.to_owned(),
            body: None,
            token: self.token(),
            key: None,
        };
        ask.send(Box::new(answered));
    }

    fn load(&self, request: u64) {
        let me = self.me.clone();
        self.get("/api/guest", move |answer| {
            let result = answer.and_then(|answer| {
                let page: GuestPage = answer.json().ok_or(NoAnswer::Failed)?;
                let as_of = answer.watermark.ok_or(NoAnswer::Failed)?;
                Ok((as_of, Box::new(page)))
            });
            tell(&me, Input::Loaded { request, result });
        });
    }

    fn fetch_ticket(&self, generation: u64) {
        let me = self.me.clone();
        self.get("/api/guest/ticket", move |answer| {
            let ticket = answer.and_then(|answer| answer.json::<Ticket>().ok_or(NoAnswer::Failed));
            let result = ticket.map(|ticket| ticket.ticket);
            tell(&me, Input::Ticket { generation, result });
        });
    }

    fn open(&self, generation: u64, ticket: &str) {
        let url = ["/api/guest/events?ticket=", ticket].concat();
        let (frames, errors) = (self.me.clone(), self.me.clone());
        *self.source.borrow_mut() = Source::open(
            generation,
            &url,
            move |name, data| {
                let frame = Heard::read(name, data);
                tell(&frames, Input::Frame { generation, frame });
            },
            move || tell(&errors, Input::Failed { generation }),
        );
    }

    fn command(
        &self,
        path: String,
        body: String,
        key: String,
        done: Box<dyn FnOnce(Result<(), Problem>)>,
    ) {
        let (me, token) = (self.me.clone(), self.token());
        let asked_as = token.clone();
        let answered = move |answer: Result<Answer, Problem>| {
            // The page may be gone, or of another party by then.
            let Some(follower) = me.upgrade().filter(|follower| follower.token() == asked_as)
            else {
                return;
            };
            match answer {
                Ok(answer) if is_over(&answer) => follower.input(Input::Cleared),
                Ok(answer) => {
                    follower.changed(&answer);
                    done(if answer.is_success() {
                        Ok(())
                    } else {
                        Err(Problem::of(&answer))
                    });
                }
                Err(problem) => done(Err(problem)),
            }
        };
        let ask = Ask {
            method: Method::Post,
            path,
            body: Some(body),
            token,
            key: Some(key),
        };
        ask.send(Box::new(answered));
    }

    fn changed(&self, answer: &Answer) {
        let (Some(watermark), Some(changed)) = (answer.watermark, answer.json::<Changed>()) else {
            return;
        };
        self.input(Input::Commanded {
            watermark,
            entities: changed.entities(),
        });
    }
}

//! The real server, told each step through HTTP.

use std::marker::PhantomData;

use proptest_state_machine::StateMachineTest;
use reqwest::Method;
use serde_json::{Value, json};
use server::db::Value as Param;
use tokio::runtime::Runtime;
use uuid::Uuid;

use super::super::Larder;
use super::super::later::{by_hand, deliver};
use super::books::Books;
use super::rules::{INITIAL, Lines, Model};
use super::steps::Step;
use crate::support::{Answer, Engine};
use domain::id::ReservationId;
use domain::settings::PaymentTiming::{Postpaid, Prepaid};
use domain::time::Time;

/// The engine of a life.
pub trait On: 'static {
    const ENGINE: Engine;
}

pub struct OnSqlite;
pub struct OnPostgres;

impl On for OnSqlite {
    const ENGINE: Engine = Engine::Sqlite;
}

impl On for OnPostgres {
    const ENGINE: Engine = Engine::Postgres;
}

/// An order of the model: its id, and those of its lines.
pub(super) struct Made {
    pub(super) id: String,
    pub(super) lines: Vec<String>,
}

/// The real thing.
pub struct Real<E> {
    runtime: Runtime,
    life: Life,
    engine: PhantomData<E>,
}

/// What has happened to it so far.
pub(super) struct Life {
    pub(super) larder: Larder,
    pub(super) tables: [String; 2],
    /// Of the holds of the model.
    pub(super) rids: Vec<String>,
    pub(super) orders: Vec<Made>,
    /// The last press: key, body, answer.
    pressed: Option<(String, Value, String)>,
    books: Books,
    steps: usize,
    refused: bool,
}

impl Life {
    async fn begin(engine: Engine) -> Self {
        let larder = Larder::on(engine, &[('A', INITIAL[0]), ('B', INITIAL[1])]).await;
        // One day, however often the clock is moved.
        larder
            .house
            .set(|store| store.next_cut_at = Time(i64::MAX / 2))
            .await;
        let mut tx = larder.house.server.app.db.write().await.unwrap();
        let sql = "update store set next_cut_at = 4611686018427387903 where id = $1";
        tx.execute(sql, [Param::from(larder.store)]).await.unwrap();
        tx.commit().await.unwrap();
        let mut tables = Vec::new();
        for name in ["A-1", "A-2"] {
            let table = larder.house.table_id(name).await;
            let path = format!("/tables/{table}/seat");
            larder.house.done(&path, json!({ "covers": 2 })).await;
            tables.push(table);
        }
        let books = Books::open(&larder).await;
        Self {
            larder,
            tables: tables.try_into().unwrap(),
            rids: Vec::new(),
            orders: Vec::new(),
            pressed: None,
            books,
            steps: 0,
            refused: false,
        }
    }

    async fn later(&self, body: &Value) -> Answer {
        let house = &self.larder.house;
        let path = format!("{}/reservations/batch?mode=async", house.path);
        let request = house.owner.request(Method::POST, &path).json(body);
        let answer = house.owner.send(request).await;
        if answer.status == 202 {
            let rid = super::super::rid(&answer);
            while self.larder.get_hold(&rid).await["status"] == "pending" {
                tokio::time::sleep(std::time::Duration::from_millis(1)).await;
            }
        }
        answer
    }

    async fn press(&mut self, key: String, body: Value) -> Answer {
        let path = format!("{}/reservations/batch", self.larder.house.path);
        let owner = &self.larder.house.owner;
        let answer = owner.post_keyed(&path, &key, body.clone()).await;
        self.pressed = Some((key, body, answer.text.clone()));
        answer
    }

    async fn again(&mut self) -> Answer {
        let (key, body, text) = self.pressed.clone().unwrap();
        let answer = self.press(key, body).await;
        assert_eq!(answer.text, text, "remembered");
        answer
    }

    async fn order(&self, lines: &Lines, adopts: Option<usize>) -> Answer {
        let body = json!({
            "channel": "hall",
            "tableId": self.tables[0],
            "lines": self.lines(lines),
            "rid": self.rid(adopts),
        });
        self.larder.house.post("/hall/orders", body).await
    }

    async fn sell(&self, lines: &Lines) -> Answer {
        let house = &self.larder.house;
        house.set(|store| store.payment_timing = Postpaid).await;
        let answer = self.order(lines, None).await;
        house.set(|store| store.payment_timing = Prepaid).await;
        answer
    }

    /// `None`: nothing that answers.
    async fn take(&mut self, model: &Model, step: &Step) -> Option<Answer> {
        match step {
            Step::Hold { cart, lines } => {
                Some(self.larder.batch(self.batch(*cart, lines, None)).await)
            }
            Step::Press { cart, lines } => {
                let body = self.batch(*cart, lines, None);
                Some(self.press(Uuid::now_v7().to_string(), body).await)
            }
            Step::Again => Some(self.again().await),
            Step::Replace { hold, cart, lines } => {
                let body = self.batch(*cart, lines, Some(*hold));
                Some(self.larder.batch(body).await)
            }
            Step::Later {
                cart,
                lines,
                ghost,
                replaces,
            } => {
                let mut body = self.batch(*cart, lines, *replaces);
                if *ghost {
                    let line = json!({ "menuId": Uuid::now_v7(), "quantity": 1 });
                    body["lines"].as_array_mut().unwrap().push(line);
                }
                Some(self.later(&body).await)
            }
            Step::Order { lines, adopts } => Some(self.order(lines, *adopts).await),
            Step::Sell { lines } => Some(self.sell(lines).await),
            Step::End { hold, success } => {
                Some(self.larder.finalize(&self.rids[*hold], *success).await)
            }
            Step::Extend { hold } => Some(self.larder.extend(&self.rids[*hold]).await),
            Step::Aside { .. }
            | Step::Deliver { .. }
            | Step::Tick { .. }
            | Step::Wait
            | Step::Sweep => {
                self.pass(model, step).await;
                None
            }
            Step::Break { .. }
            | Step::Pay { .. }
            | Step::Reject { .. }
            | Step::Grow { .. }
            | Step::Split { .. }
            | Step::Void { .. }
            | Step::Cook { .. }
            | Step::Adjust { .. }
            | Step::Stale { .. } => {
                let (path, body) = self.asked(step);
                Some(self.larder.house.post(&path, body).await)
            }
        }
    }

    /// What happens by itself.
    async fn pass(&mut self, model: &Model, step: &Step) {
        let larder = &self.larder;
        match step {
            Step::Aside { lines } => {
                let body = json!({ "actor": "aside", "lines": self.lines(lines) });
                let (app, never) = (&larder.house.server.app, Time(i64::MAX / 2));
                let now = app.clock.now();
                let rid = by_hand(&app.db, larder, now, &body, Some(never)).await;
                self.rids.push(rid.to_string());
            }
            Step::Deliver { hold } => {
                let rid = ReservationId(self.rids[*hold].parse().unwrap());
                deliver(&larder.house.server.app.services, larder, rid).await;
            }
            Step::Sweep => {
                larder.sweep().await;
            }
            _ => {
                let clock = &larder.house.clock;
                clock.advance(model.now - clock.now().0);
            }
        }
    }

    /// What is new in the model has a name.
    fn learn(&mut self, model: &Model, step: &Step, answer: &Value) {
        let orders = answer["orders"].as_array();
        let last = orders.and_then(|orders| orders.last());
        if self.orders.len() < model.orders.len() {
            let order = last.unwrap();
            let lines = match step {
                Step::Split { order, leaving } => self.split(*order, leaving),
                _ => line_ids(order, model.orders.last().unwrap().lines.len()),
            };
            let id = order["id"].as_str().unwrap().to_owned();
            self.orders.push(Made { id, lines });
        } else if let Step::Grow { order, .. } = step {
            let known = &mut self.orders[*order].lines;
            let more = model.orders[*order].lines.len() - known.len();
            if more > 0 {
                known.extend(line_ids(last.unwrap(), more));
            }
        }
        if self.rids.len() < model.holds.len() {
            let own = answer["rid"].as_str();
            let rid = own.or_else(|| last.and_then(|order| order["rid"].as_str()));
            self.rids.push(rid.unwrap().to_owned());
        }
    }

    fn split(&mut self, order: usize, leaving: &[usize]) -> Vec<String> {
        let lines = &mut self.orders[order].lines;
        let gone: Vec<String> = leaving.iter().map(|line| lines[*line].clone()).collect();
        lines.retain(|line| !gone.contains(line));
        gone
    }

    async fn step(&mut self, model: &Model, step: &Step) {
        let answer = self.take(model, step).await;
        let status = answer.as_ref().map_or(0, |answer| answer.status);
        assert_eq!(status, model.status, "{step:?}: {answer:?}");
        self.refused = status >= 400
            && !matches!(
                step,
                Step::Pay {
                    money_taken: true,
                    ..
                }
            );
        if let Some(answer) = answer.filter(|answer| answer.status < 300) {
            self.learn(model, step, &answer.json());
        }
        self.steps += 1;
    }

    async fn check(&self, model: &Model) {
        if let Some(hold) = model.touched {
            let held = &model.holds[hold];
            let shown = self.larder.get_hold(&self.rids[hold]).await;
            if let Some(status) = held.shown(model.now) {
                assert_eq!(shown["status"], status, "{shown}");
            }
            if held.in_time(model.now) {
                assert_eq!(shown["remainingMs"], held.expires_at - model.now, "{shown}");
            }
        }
        self.books.check(&self.larder, model, self.refused).await;
        if self.steps.is_multiple_of(500) {
            self.larder.assert_sound().await;
        }
    }
}

/// The last lines of an order.
fn line_ids(order: &Value, count: usize) -> Vec<String> {
    let lines = order["lines"].as_array().unwrap();
    let ids = lines[lines.len() - count..].iter();
    ids.map(|line| line["id"].as_str().unwrap().to_owned())
        .collect()
}

impl<E: On> StateMachineTest for Real<E> {
    type SystemUnderTest = Self;
    type Reference = Model;

    fn init_test(_: &Model) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let life = runtime.block_on(Life::begin(E::ENGINE));
        Self {
            runtime,
            life,
            engine: PhantomData,
        }
    }

    fn apply(mut real: Self, model: &Model, step: Step) -> Self {
        let Self { runtime, life, .. } = &mut real;
        runtime.block_on(life.step(model, &step));
        real
    }

    fn check_invariants(real: &Self, model: &Model) {
        real.runtime.block_on(real.life.check(model));
    }

    fn teardown(real: Self, _: Model) {
        real.runtime.block_on(real.life.larder.assert_sound());
    }
}

//! A model of the whole beside the real server, step by step: what each command answers, and what
//! the counters are after it. The clock stops before, on and after each end.

use proptest::prelude::*;
use proptest::test_runner::Config;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::{Larder, TTL};
use crate::commands::NOON;
use crate::support::{Answer, Engine};

const ROWS: [char; 2] = ['A', 'B'];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Held,
    Sold,
    Released,
}

/// A cart's hold, or an order with its hold.
#[derive(Clone, Debug)]
struct Held {
    cart: u8,
    order: Option<Stage>,
    units: [i64; 2],
    status: Status,
    expires_at: i64,
    max_until: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Unpaid,
    Paid,
    Rejected,
}

#[derive(Clone, Debug)]
struct Model {
    now: i64,
    on_hand: [i64; 2],
    holds: Vec<Held>,
    /// What the last command answers; 0 for none.
    status: u16,
}

#[derive(Clone, Debug)]
enum Step {
    Hold { cart: u8, units: [i64; 2] },
    End { index: usize, success: bool },
    Extend { index: usize },
    Tick { index: usize, off: i64 },
    Wait,
    Sweep,
    Order { units: [i64; 2] },
    Pay { index: usize },
    Reject { index: usize },
    Void { index: usize, row: usize },
    Adjust { row: usize, delta: i64 },
}

impl Held {
    fn in_time(&self, now: i64) -> bool {
        self.status == Status::Held && now < self.expires_at
    }
}

impl Model {
    fn held(&self, row: usize) -> i64 {
        let open = self.holds.iter().filter(|held| held.in_time(self.now));
        open.map(|held| held.units[row]).sum()
    }

    fn overdue(&self, row: usize) -> i64 {
        let over = |held: &&Held| held.status == Status::Held && !held.in_time(self.now);
        self.holds
            .iter()
            .filter(over)
            .map(|held| held.units[row])
            .sum()
    }

    fn has(&self, units: [i64; 2]) -> bool {
        (0..2).all(|row| self.on_hand[row] - self.held(row) >= units[row])
    }

    fn sell(&mut self, index: usize) {
        for row in 0..2 {
            self.on_hand[row] -= self.holds[index].units[row];
        }
        self.holds[index].status = Status::Sold;
    }

    fn open(&mut self, cart: u8, order: Option<Stage>, units: [i64; 2]) -> u16 {
        if !self.has(units) {
            return 409;
        }
        let expires_at = self.now + TTL;
        self.holds.push(Held {
            cart,
            order,
            units,
            status: Status::Held,
            expires_at,
            max_until: expires_at + domain::stock::EXTENSION,
        });
        201
    }

    fn hold(&mut self, cart: u8, units: [i64; 2]) -> u16 {
        let same = |held: &Held| {
            held.order.is_none()
                && held.cart == cart
                && held.units == units
                && held.in_time(self.now)
        };
        if self.holds.iter().any(same) {
            return 200;
        }
        self.open(cart, None, units)
    }

    /// Confirmed in time, or past it if everything is free.
    fn confirm(&mut self, index: usize) -> u16 {
        let held = &self.holds[index];
        match held.status {
            Status::Sold => 200,
            Status::Released => 409,
            Status::Held if held.in_time(self.now) || self.has(held.units) => {
                self.sell(index);
                200
            }
            Status::Held => 409,
        }
    }

    fn fail(&mut self, index: usize) -> u16 {
        let now = self.now;
        let held = &mut self.holds[index];
        match held.status {
            Status::Sold => 409,
            Status::Released => 200,
            Status::Held => {
                if held.in_time(now) {
                    held.status = Status::Released;
                }
                200
            }
        }
    }

    fn pay(&mut self, index: usize) -> u16 {
        match self.holds[index].order.unwrap() {
            Stage::Paid => 200,
            Stage::Rejected => 409,
            Stage::Unpaid => {
                let status = self.confirm(index);
                if status == 200 {
                    self.holds[index].order = Some(Stage::Paid);
                }
                status
            }
        }
    }

    fn reject(&mut self, index: usize) -> u16 {
        match self.holds[index].order.unwrap() {
            Stage::Paid => 409,
            Stage::Rejected => 200,
            Stage::Unpaid => {
                self.fail(index);
                self.holds[index].order = Some(Stage::Rejected);
                200
            }
        }
    }

    /// Before it is paid its units are free, after it they are back: nothing is ever cooked here.
    fn void(&mut self, index: usize, row: usize) -> u16 {
        let held = &mut self.holds[index];
        let units = std::mem::take(&mut held.units[row]);
        match held.order.unwrap() {
            Stage::Paid => self.on_hand[row] += units,
            Stage::Unpaid if held.units == [0, 0] => {
                held.order = Some(Stage::Rejected);
                held.status = Status::Released;
            }
            Stage::Unpaid | Stage::Rejected => {}
        }
        200
    }

    fn adjust(&mut self, row: usize, delta: i64) -> u16 {
        let after = self.on_hand[row] + delta;
        if after < 0 {
            return 422;
        }
        if after < self.held(row) {
            return 409;
        }
        self.on_hand[row] = after;
        200
    }
}

fn units() -> impl Strategy<Value = [i64; 2]> {
    [0..4_i64, 0..4_i64].prop_filter("nothing", |units| *units != [0, 0])
}

impl ReferenceStateMachine for Model {
    type State = Self;
    type Transition = Step;

    fn init_state() -> BoxedStrategy<Self> {
        let model = Self {
            now: NOON.0,
            on_hand: [6, 4],
            holds: Vec::new(),
            status: 0,
        };
        Just(model).boxed()
    }

    fn transitions(_: &Self) -> BoxedStrategy<Step> {
        let index = 0..8_usize;
        prop_oneof![
            4 => (0..2_u8, units()).prop_map(|(cart, units)| Step::Hold { cart, units }),
            4 => (index.clone(), any::<bool>())
                .prop_map(|(index, success)| Step::End { index, success }),
            1 => index.clone().prop_map(|index| Step::Extend { index }),
            3 => (index.clone(), -1..2_i64).prop_map(|(index, off)| Step::Tick { index, off }),
            1 => Just(Step::Wait),
            1 => Just(Step::Sweep),
            4 => units().prop_map(|units| Step::Order { units }),
            3 => index.clone().prop_map(|index| Step::Pay { index }),
            1 => index.clone().prop_map(|index| Step::Reject { index }),
            2 => (index, 0..2_usize).prop_map(|(index, row)| Step::Void { index, row }),
            2 => (0..2_usize, -4..5_i64).prop_map(|(row, delta)| Step::Adjust { row, delta }),
        ]
        .boxed()
    }

    fn preconditions(state: &Self, step: &Step) -> bool {
        let hold = |index: &usize| state.holds.get(*index);
        let order = |index: &usize| hold(index).and_then(|held| held.order);
        match step {
            Step::End { index, .. } => hold(index).is_some_and(|held| held.order.is_none()),
            Step::Extend { index } => hold(index).is_some(),
            Step::Tick { index, off } => {
                hold(index).is_some_and(|held| held.expires_at + off > state.now)
            }
            Step::Pay { index } | Step::Reject { index } => order(index).is_some(),
            Step::Void { index, row } => {
                let alive = order(index).is_some_and(|stage| stage != Stage::Rejected);
                alive && hold(index).is_some_and(|held| held.units[*row] > 0)
            }
            Step::Adjust { delta, .. } => *delta != 0,
            Step::Hold { .. } | Step::Order { .. } | Step::Wait | Step::Sweep => true,
        }
    }

    fn apply(mut state: Self, step: &Step) -> Self {
        state.status = match step {
            Step::Hold { cart, units } => state.hold(*cart, *units),
            Step::End {
                index,
                success: true,
            } => state.confirm(*index),
            Step::End {
                index,
                success: false,
            } => state.fail(*index),
            Step::Extend { index } => {
                let now = state.now;
                let held = &mut state.holds[*index];
                if held.in_time(now) {
                    held.expires_at = held.max_until;
                    200
                } else {
                    409
                }
            }
            Step::Tick { index, off } => {
                state.now = state.holds[*index].expires_at + off;
                0
            }
            Step::Wait => {
                state.now += 60_000;
                0
            }
            Step::Sweep => 0,
            Step::Order { units } => state.open(0, Some(Stage::Unpaid), *units),
            Step::Pay { index } => state.pay(*index),
            Step::Reject { index } => state.reject(*index),
            Step::Void { index, row } => state.void(*index, *row),
            Step::Adjust { row, delta } => state.adjust(*row, *delta),
        };
        state
    }
}

/// The real thing; `made` has for each hold of the model its rid, or its order.
struct Real {
    runtime: Runtime,
    larder: Larder,
    made: Vec<Value>,
}

impl Real {
    fn lines(units: [i64; 2]) -> Vec<(char, i64)> {
        let pairs = ROWS.into_iter().zip(units);
        pairs.filter(|(_, units)| *units > 0).collect()
    }

    async fn step(larder: &Larder, made: &[Value], model: &Model, step: &Step) -> Option<Answer> {
        let of = |index: &usize| made[*index]["id"].as_str().unwrap().to_owned();
        let house = &larder.house;
        let posted = match step {
            Step::Hold { cart, units } => {
                let lines = larder.lines(&Self::lines(*units));
                let body = json!({ "actor": format!("c{cart}"), "lines": lines });
                return Some(larder.batch(body).await);
            }
            Step::Order { units } => {
                return Some(larder.try_order(&Self::lines(*units), None).await);
            }
            Step::Tick { .. } | Step::Wait => {
                house.clock.advance(model.now - house.clock.now().0);
                return None;
            }
            Step::Sweep => {
                larder.sweep().await;
                return None;
            }
            Step::End { index, success } => {
                return Some(larder.finalize(&of(index), *success).await);
            }
            Step::Extend { index } => {
                let rid = made[*index]["rid"].as_str().unwrap().to_owned();
                return Some(larder.extend(&rid).await);
            }
            Step::Pay { index } => (
                format!("/hall/orders/{}/confirm", of(index)),
                json!({ "tender": "card" }),
            ),
            Step::Reject { index } => (
                format!("/hall/orders/{}/reject", of(index)),
                json!({ "reason": "재료 소진" }),
            ),
            Step::Void { index, row } => {
                let name = ROWS[*row].to_string();
                let lines = made[*index]["lines"].as_array().unwrap();
                let line = lines.iter().find(|line| line["name"]["ko"] == json!(name));
                let line = line.unwrap()["id"].as_str().unwrap();
                let path = format!("/hall/orders/{}/lines/{line}/void", of(index));
                (path, json!({ "reason": "변심" }))
            }
            Step::Adjust { row, delta } => (
                format!("/stock/{}/adjust", larder.rows[&ROWS[*row]].1),
                json!({ "delta": delta, "reason": "실사" }),
            ),
        };
        Some(house.post(&posted.0, posted.1).await)
    }

    async fn check(larder: &Larder, model: &Model) {
        for (row, name) in ROWS.into_iter().enumerate() {
            let counts = larder.counts(name).await;
            assert_eq!(counts.on_hand, model.on_hand[row], "{name}: {model:?}");
            // The house sweeps in its own time.
            let (least, most) = (model.held(row), model.held(row) + model.overdue(row));
            assert!(
                (least..=most).contains(&counts.held),
                "{name}: {counts:?}, {model:?}"
            );
        }
        larder.assert_sound().await;
    }
}

impl StateMachineTest for Real {
    type SystemUnderTest = Self;
    type Reference = Model;

    fn init_test(_: &Model) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let larder = runtime.block_on(Larder::on(Engine::Sqlite, &[('A', 6), ('B', 4)]));
        let made = Vec::new();
        Self {
            runtime,
            larder,
            made,
        }
    }

    fn apply(mut real: Self, model: &Model, step: Step) -> Self {
        let Self {
            runtime,
            larder,
            made,
        } = &mut real;
        let answer = runtime.block_on(Self::step(larder, made, model, &step));
        let status = answer.as_ref().map_or(0, |answer| answer.status);
        assert_eq!(status, model.status, "{step:?}: {answer:?}");
        if let Some(answer) = answer.filter(|answer| answer.status == 201) {
            let body = answer.json();
            made.push(match &step {
                Step::Order { .. } => body["orders"][0].clone(),
                _ => json!({ "id": body["rid"], "rid": body["rid"] }),
            });
        }
        real
    }

    fn check_invariants(real: &Self, model: &Model) {
        real.runtime.block_on(Self::check(&real.larder, model));
    }
}

/// Lives of the model; `PROPTEST_CASES` says how many when there is time.
fn config() -> Config {
    let asked = std::env::var("PROPTEST_CASES").ok();
    Config {
        cases: asked.and_then(|n| n.parse().ok()).unwrap_or(20),
        failure_persistence: None,
        max_shrink_iters: 60,
        ..Config::default()
    }
}

prop_state_machine! {
    #![proptest_config(config())]
    #[test]
    fn whatever_happens_in_whatever_order_the_counters_are_the_models(sequential 1..40 => Real);
}

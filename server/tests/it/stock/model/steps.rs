//! What can happen, and what the model makes of it.

use proptest::prelude::*;
use proptest_state_machine::ReferenceStateMachine;

use super::orders::{Ordered, Stage};
use super::rules::{Lines, Model};

/// Moments around an end.
const HOUR: i64 = 3_600_000;
/// As far back as a step reaches.
const RECENT: usize = 6;

/// Holds and orders by their place in the model.
#[derive(Clone, Debug)]
pub enum Step {
    Hold {
        cart: u8,
        lines: Lines,
    },
    Press {
        cart: u8,
        lines: Lines,
    },
    /// The last press again.
    Again,
    Replace {
        hold: usize,
        cart: u8,
        lines: Lines,
    },
    Later {
        cart: u8,
        lines: Lines,
        ghost: bool,
        replaces: Option<usize>,
    },
    Aside {
        lines: Lines,
    },
    Deliver {
        hold: usize,
    },
    End {
        hold: usize,
        success: bool,
    },
    Break {
        hold: usize,
    },
    Extend {
        hold: usize,
    },
    /// So many ms after the end of a hold.
    Tick {
        hold: usize,
        off: i64,
    },
    Wait,
    Sweep,
    Order {
        lines: Lines,
        adopts: Option<usize>,
    },
    Sell {
        lines: Lines,
    },
    Pay {
        order: usize,
        money_taken: bool,
    },
    Reject {
        order: usize,
    },
    Grow {
        order: usize,
        lines: Lines,
    },
    Split {
        order: usize,
        leaving: Vec<usize>,
    },
    Void {
        order: usize,
        line: usize,
        quantity: i64,
    },
    Cook {
        order: usize,
    },
    Adjust {
        row: usize,
        delta: i64,
    },
    /// A count as of a version that is not the row's.
    Stale {
        row: usize,
    },
}

fn lines() -> impl Strategy<Value = Lines> {
    proptest::collection::vec((0..3_u8, 1..4_i64), 1..3)
}

/// One of the latest of so many.
fn recent(count: usize) -> impl Strategy<Value = usize> {
    (0..RECENT).prop_map(move |back| count.saturating_sub(1 + back))
}

fn anything() -> BoxedStrategy<Step> {
    prop_oneof![
        4 => (0..2_u8, lines()).prop_map(|(cart, lines)| Step::Hold { cart, lines }),
        1 => (0..2_u8, lines()).prop_map(|(cart, lines)| Step::Press { cart, lines }),
        1 => Just(Step::Again),
        1 => (0..2_u8, lines(), any::<bool>()).prop_map(|(cart, lines, ghost)| Step::Later {
            cart,
            lines,
            ghost,
            replaces: None,
        }),
        1 => lines().prop_map(|lines| Step::Aside { lines }),
        1 => Just(Step::Wait),
        1 => Just(Step::Sweep),
        4 => lines().prop_map(|lines| Step::Order { lines, adopts: None }),
        1 => lines().prop_map(|lines| Step::Sell { lines }),
        4 => (0..2_usize, -4..8_i64).prop_map(|(row, delta)| Step::Adjust { row, delta }),
        1 => (0..2_usize).prop_map(|row| Step::Stale { row }),
    ]
    .boxed()
}

fn with_holds(count: usize) -> BoxedStrategy<Step> {
    prop_oneof![
        2 => (recent(count), 0..2_u8, lines())
            .prop_map(|(hold, cart, lines)| Step::Replace { hold, cart, lines }),
        1 => (recent(count), 0..2_u8, lines()).prop_map(|(hold, cart, lines)| Step::Later {
            cart,
            lines,
            ghost: false,
            replaces: Some(hold),
        }),
        2 => recent(count).prop_map(|hold| Step::Deliver { hold }),
        4 => (recent(count), any::<bool>()).prop_map(|(hold, success)| Step::End { hold, success }),
        1 => recent(count).prop_map(|hold| Step::Break { hold }),
        2 => recent(count).prop_map(|hold| Step::Extend { hold }),
        3 => (recent(count), -1..2_i64).prop_map(|(hold, off)| Step::Tick { hold, off }),
        2 => (recent(count), lines())
            .prop_map(|(hold, lines)| Step::Order { lines, adopts: Some(hold) }),
        // In the model, the content of a hold is known: most often it is that.
        2 => (recent(count), 1..3_i64).prop_map(|(hold, n)| Step::Order {
            lines: vec![(0, n)],
            adopts: Some(hold),
        }),
    ]
    .boxed()
}

fn with_orders(count: usize) -> BoxedStrategy<Step> {
    let leaving = proptest::collection::btree_set(0..4_usize, 1..3);
    prop_oneof![
        4 => (recent(count), any::<bool>())
            .prop_map(|(order, money_taken)| Step::Pay { order, money_taken }),
        1 => recent(count).prop_map(|order| Step::Reject { order }),
        2 => (recent(count), lines()).prop_map(|(order, lines)| Step::Grow { order, lines }),
        2 => (recent(count), leaving).prop_map(|(order, leaving)| Step::Split {
            order,
            leaving: leaving.into_iter().collect(),
        }),
        4 => (recent(count), 0..4_usize, 1..4_i64)
            .prop_map(|(order, line, quantity)| Step::Void { order, line, quantity }),
        1 => recent(count).prop_map(|order| Step::Cook { order }),
    ]
    .boxed()
}

/// A line that has so many left.
fn has(order: &Ordered, line: usize, quantity: i64) -> bool {
    let line = order.lines.get(line);
    line.is_some_and(|line| line.quantity >= quantity)
}

impl ReferenceStateMachine for Model {
    type State = Self;
    type Transition = Step;

    fn init_state() -> BoxedStrategy<Self> {
        Just(Self::new()).boxed()
    }

    fn transitions(state: &Self) -> BoxedStrategy<Step> {
        let (holds, orders) = (state.holds.len(), state.orders.len());
        match (holds, orders) {
            (0, _) => anything(),
            (_, 0) => prop_oneof![anything(), with_holds(holds)].boxed(),
            (_, _) => prop_oneof![anything(), with_holds(holds), with_orders(orders)].boxed(),
        }
    }

    fn preconditions(state: &Self, step: &Step) -> bool {
        let is_hold = |hold: &usize| *hold < state.holds.len();
        let order = |order: &usize| state.orders.get(*order);
        match step {
            Step::Again => state
                .pressed
                .is_some_and(|pressed| state.now < pressed.at + 23 * HOUR),
            Step::Replace { hold, .. }
            | Step::Deliver { hold }
            | Step::End { hold, .. }
            | Step::Break { hold }
            | Step::Extend { hold } => is_hold(hold),
            Step::Tick { hold, off } => {
                let held = state.holds.get(*hold);
                held.is_some_and(|held| held.expires_at + off > state.now)
            }
            Step::Later { replaces: at, .. } | Step::Order { adopts: at, .. } => {
                at.as_ref().is_none_or(is_hold)
            }
            Step::Pay { order: at, .. }
            | Step::Reject { order: at }
            | Step::Grow { order: at, .. } => order(at).is_some(),
            Step::Split { order: at, leaving } => {
                order(at).is_some_and(|of| leaving.iter().all(|line| has(of, *line, 1)))
            }
            Step::Void {
                order: at,
                line,
                quantity,
            } => {
                order(at).is_some_and(|of| of.stage != Stage::Rejected && has(of, *line, *quantity))
            }
            Step::Cook { order: at } => order(at).is_some_and(|of| {
                let waits = of
                    .lines
                    .iter()
                    .any(|line| !line.cooking && line.quantity > 0);
                of.fired && of.stage != Stage::Rejected && waits
            }),
            Step::Adjust { delta, .. } => *delta != 0,
            Step::Hold { .. }
            | Step::Press { .. }
            | Step::Aside { .. }
            | Step::Wait
            | Step::Sweep
            | Step::Sell { .. }
            | Step::Stale { .. } => true,
        }
    }

    fn apply(mut state: Self, step: &Step) -> Self {
        state.touched = None;
        state.status = state.take(step);
        state
    }
}

impl Model {
    fn take(&mut self, step: &Step) -> u16 {
        match step {
            Step::Hold { cart, lines } => self.hold(*cart, lines, false, None),
            Step::Press { cart, lines } => self.press(*cart, lines),
            Step::Again => self.pressed.map_or(0, |pressed| pressed.status),
            Step::Replace { hold, cart, lines } => self.hold(*cart, lines, false, Some(*hold)),
            Step::Later {
                cart,
                lines,
                ghost,
                replaces,
            } => self.later(*cart, lines, *ghost, *replaces),
            Step::Aside { lines } => {
                self.aside(lines);
                0
            }
            Step::Deliver { hold } => {
                self.deliver(*hold, None);
                0
            }
            Step::End {
                hold,
                success: true,
            } => self.confirm(*hold),
            Step::End {
                hold,
                success: false,
            }
            | Step::Break { hold } => self.fail(*hold),
            Step::Extend { hold } => self.extend(*hold),
            Step::Tick { hold, off } => {
                self.now = self.holds[*hold].expires_at + off;
                self.touched = Some(*hold);
                0
            }
            Step::Wait => {
                self.now += 60_000;
                0
            }
            Step::Sweep => 0,
            Step::Order { lines, adopts } => self.order(lines, *adopts),
            Step::Sell { lines } => self.sell_at_once(lines),
            Step::Pay { order, money_taken } => self.pay(*order, *money_taken),
            Step::Reject { order } => self.reject(*order),
            Step::Grow { order, lines } => self.grow(*order, lines),
            Step::Split { order, leaving } => self.split(*order, leaving),
            Step::Void {
                order,
                line,
                quantity,
            } => self.void(*order, *line, *quantity),
            Step::Cook { order } => self.cook(*order),
            Step::Adjust { row, delta } => self.adjust(*row, *delta),
            Step::Stale { .. } => 409,
        }
    }
}

//! Random lives of orders.

use proptest::prelude::*;

use super::*;
use crate::kitchen::{CookTo, Ticket};
use crate::stream::Scope;

#[derive(Clone, Debug)]
struct Step {
    command: u8,
    line: usize,
    all: bool,
    party: bool,
}

fn step() -> impl Strategy<Value = Step> {
    (0..12u8, 0..6usize, any::<bool>(), any::<bool>()).prop_map(|(command, line, all, party)| {
        Step {
            command,
            line,
            all,
            party,
        }
    })
}

fn apply(order: &mut Order, step: &Step, n: usize) -> Result<Happened, Refused> {
    let now = NOW.plus(100 * n as i64);
    let line = order.lines[step.line % order.lines.len()].id;
    let one = [line];
    let ids = (!step.all).then_some(&one[..]);
    let new = line_id(1_000 + n as u128);
    match step.command {
        0 => order.confirm(Tender::Card, step.party, now),
        1 => order.reject("품절", step.party, now),
        2 | 3 => order.advance(ids, CookTo::Cooking, now),
        4 | 5 => order.advance(ids, CookTo::Cooked, now),
        6 | 7 => order.serve(ids, step.party, now),
        8 => order.recall(ids, now),
        9 => {
            let quantity = (!step.all).then_some(1);
            order.void(line, quantity, BY_MANAGER, new, step.party, now)
        }
        10 => order.acknowledge_voids(&one, step.party, now),
        _ => order.party_cleared(now),
    }
}

fn holds(order: &Order) {
    let hall = Scope::HallOrders.holds_order(order);
    for scope in [Scope::Payments, Scope::Servings, Scope::KitchenOrders] {
        assert!(hall || !scope.holds_order(order), "{scope:?} ⊄ hallOrders");
    }
    for scope in [Scope::Calls, Scope::Tables, Scope::Menu, Scope::Store] {
        assert!(!scope.holds_order(order));
    }
    let kitchen = Scope::KitchenOrders.holds_order(order);
    assert_eq!(
        kitchen,
        Ticket::of(order, None).is_some(),
        "a ticket is on the board"
    );
    if !order.is_open() {
        assert!(order.unserved_lines().next().is_none());
        assert!(order.open_voids().next().is_none());
    }
    let sum: i64 = order.lines.iter().map(|line| line.amount.0).sum();
    assert_eq!(order.total, Amount(sum));
    for line in &order.lines {
        let due = if line.voided.is_some() {
            Amount(0)
        } else {
            line.full_amount()
        };
        assert_eq!(line.amount, due);
    }
    let nothing_left = order.live_lines().next().is_none();
    let waits = order.checkout_stage == CheckoutStage::AwaitingPayment;
    assert!(!(nothing_left && waits), "an order of voids is not paid");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_an_order_stays_consistent(
        postpaid_store in any::<bool>(),
        steps in proptest::collection::vec(step(), 1..40),
    ) {
        let items = [(1, 3), (2, 1), (3, 2)];
        let mut order = if postpaid_store { postpaid(&items) } else { unpaid(&items) };
        holds(&order);
        for (n, step) in steps.iter().enumerate() {
            let before = order.clone();
            match apply(&mut order, step, n) {
                Err(_) => prop_assert_eq!(&order, &before, "refused and changed: {:?}", step),
                Ok(events) if events.is_empty() => {
                    prop_assert_eq!(&order, &before, "nothing happened: {:?}", step);
                }
                Ok(_) => prop_assert_eq!(order.version, before.version + 1),
            }
            holds(&order);
            let again = apply(&mut order.clone(), step, n);
            let idempotent = !matches!(step.command, 8 | 9) || !step.all;
            let repeats = matches!(step.command, 0..=7 | 10) && step.all;
            if repeats && idempotent && order != before {
                prop_assert_eq!(again, Ok(vec![]), "the same again is nothing: {:?}", step);
            }
        }
    }
}

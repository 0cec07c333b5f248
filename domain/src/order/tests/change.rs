use rstest::rstest;

use super::*;
use crate::event::EventType as E;

const PART: u128 = 77;

fn void(order: &mut Order, n: u128, quantity: Option<u32>) -> Result<Happened, Refused> {
    let new = line_id(PART);
    order.void(line_id(n), quantity, BY_MANAGER, new, true, NOW.plus(50))
}

#[rstest]
#[case(KitchenState::Waiting, true)]
#[case(KitchenState::Cooking, true)]
#[case(KitchenState::Cooked, true)]
#[case(KitchenState::Served, false)]
fn a_line_is_voided_in_any_state_but_served(#[case] state: KitchenState, #[case] allowed: bool) {
    let mut order = paid(&[(1, 2), (2, 1)]);
    bring(&mut order, 1, state);
    let before = order.clone();
    let happened = void(&mut order, 1, None);
    if allowed {
        assert_eq!(happened, Ok(vec![E::OrderChanged]));
        assert_eq!(order.total, Amount(2_000), "a void costs nothing");
        assert!(order.lines[0].is_open_void());
        assert_eq!(order.lines[0].kitchen_state, state, "it stays where it was");
        assert_eq!(void(&mut order, 1, None), Ok(vec![]), "voided already");
    } else {
        assert_eq!(happened, Err(Refused::InvalidTransition));
        assert_eq!(order, before);
    }
}

#[test]
fn only_a_manager_voids_what_was_fired() {
    let mut waiting = unpaid(&[(1, 1), (2, 1)]);
    let new = line_id(PART);
    let happened = waiting.void(line_id(1), None, BY_HALL, new, true, NOW);
    assert_eq!(happened, Ok(vec![E::OrderChanged]));
    let mut fired = paid(&[(1, 1), (2, 1)]);
    let refused = fired.void(line_id(1), None, BY_HALL, new, true, NOW);
    assert_eq!(refused, Err(Refused::ManagerOnly));
}

#[rstest]
#[case(0)]
#[case(3)]
#[case(u32::MAX)]
fn no_more_is_voided_than_the_line_has(#[case] quantity: u32) {
    let mut order = paid(&[(1, 2)]);
    let before = order.clone();
    let refused = void(&mut order, 1, Some(quantity));
    assert_eq!(refused, Err(Refused::Quantity(quantity)));
    assert_eq!(order, before);
}

// Trial C47.
#[test]
fn the_kitchen_sees_what_was_cancelled_and_what_was_added() {
    let mut order = postpaid(&[(1, 2)]);
    bring(&mut order, 1, KitchenState::Cooking);
    void(&mut order, 1, Some(1)).unwrap();
    let more = lines(20, &[(2, 1)], NOW.plus(60));
    let added = order.add_lines(more, PaymentTiming::Postpaid, NOW.plus(60));
    assert_eq!(added, Ok(Ok(vec![E::KitchenCook])));
    assert_eq!(order.total, Amount(11_900));
    let [kept, cancelled, cola] = &order.lines[..] else {
        panic!("three lines: {:?}", order.lines);
    };
    assert_eq!((kept.id, kept.quantity), (line_id(1), 1));
    assert_eq!((cancelled.id, cancelled.quantity), (line_id(PART), 1));
    assert!(cancelled.is_open_void() && cancelled.kitchen_state == KitchenState::Cooking);
    let first = order.lines.iter().filter_map(|line| line.fired_at).min();
    assert!(cola.fired_at > first, "추가");

    // Then the whole order, from another terminal.
    for (n, new) in [(1, 78), (20, 79)] {
        let last = n == 20;
        let happened = order.void(line_id(n), None, BY_MANAGER, line_id(new), false, NOW);
        let expected = if last {
            vec![E::OrderChanged, E::HallPaymentResolved]
        } else {
            vec![E::OrderChanged]
        };
        assert_eq!(happened, Ok(expected));
    }
    assert_eq!(order.checkout_stage, CheckoutStage::Rejected);
    assert!(
        order.is_open(),
        "marked, not gone, until the kitchen has seen it"
    );
    assert!(crate::stream::Scope::KitchenOrders.holds_order(&order));
    let all: Vec<LineId> = order.lines.iter().map(|line| line.id).collect();
    order.acknowledge_voids(&all, false, NOW).unwrap();
    assert!(!order.is_open());
    assert!(!crate::stream::Scope::KitchenOrders.holds_order(&order));
}

#[test]
fn an_unpaid_order_of_which_nothing_is_left_is_rejected() {
    let mut order = unpaid(&[(1, 1), (2, 1)]);
    void(&mut order, 1, None).unwrap();
    assert_eq!(order.checkout_stage, CheckoutStage::AwaitingPayment);
    let happened = void(&mut order, 2, None);
    assert_eq!(happened, Ok(vec![E::OrderChanged, E::HallPaymentResolved]));
    assert_eq!(order.checkout_stage, CheckoutStage::Rejected);
    assert_eq!(order.reject_reason.as_deref(), Some(BY_MANAGER.reason));
    assert_eq!((order.total, order.payment_due), (Amount(0), false));
}

#[test]
fn a_rejected_order_is_changed_no_more() {
    let mut order = unpaid(&[(1, 2)]);
    order.reject("품절", false, NOW).unwrap();
    let before = order.clone();
    let refused = Err(Refused::InvalidTransition);
    assert_eq!(void(&mut order, 1, None), refused);
    assert_eq!(order.set_note("빨리"), refused);
    assert_eq!(order.set_line_note(line_id(1), "덜 맵게", NOW), refused);
    assert_eq!(order.set_priority(true), refused);
    assert_eq!(order.confirm(Tender::Card, false, NOW), refused);
    assert_eq!(order, before);
}

#[test]
fn a_void_is_acknowledged_all_or_nothing() {
    let mut order = paid(&[(1, 1), (2, 1)]);
    void(&mut order, 1, None).unwrap();
    let before = order.clone();
    let both = [line_id(1), line_id(2)];
    let refused = order.acknowledge_voids(&both, true, NOW);
    assert_eq!(refused, Err(Refused::InvalidTransition));
    assert_eq!(order, before);
    let stranger = [line_id(99)];
    let refused = order.acknowledge_voids(&stranger, true, NOW);
    assert_eq!(refused, Err(Refused::UnknownLine(line_id(99))));
    let one = [line_id(1)];
    let seen = order.acknowledge_voids(&one, true, NOW.plus(60));
    assert_eq!(seen, Ok(vec![E::OrderChanged]));
    assert_eq!(order.acknowledge_voids(&one, true, NOW), Ok(vec![]));
}

#[test]
fn a_void_before_firing_is_nothing_the_kitchen_acknowledges() {
    let mut order = unpaid(&[(1, 1), (2, 1)]);
    void(&mut order, 1, None).unwrap();
    let refused = order.acknowledge_voids(&[line_id(1)], true, NOW);
    assert_eq!(refused, Err(Refused::InvalidTransition));
    order.confirm(Tender::Card, true, NOW).unwrap();
    assert!(!order.lines[0].is_fired(), "a void is never fired");
}

#[test]
fn a_note_keeps_the_line_and_flags_it() {
    let mut order = paid(&[(1, 1)]);
    let note = "땅콩 빼고\r\n포장 따로\n🍲 두 개";
    let happened = order.set_line_note(line_id(1), note, NOW.plus(9));
    assert_eq!(happened, Ok(vec![E::OrderChanged]));
    assert_eq!(order.lines[0].note, note);
    assert_eq!(order.lines[0].note_changed_at, Some(NOW.plus(9)));
    assert_eq!(order.set_line_note(line_id(1), note, NOW), Ok(vec![]));
    let long = "가".repeat(501);
    let refused = Err(Refused::NoteTooLong);
    assert_eq!(order.set_line_note(line_id(1), &long, NOW), refused);
    assert_eq!(order.set_note(&long), refused);
    bring(&mut order, 1, KitchenState::Served);
    let refused = order.set_line_note(line_id(1), "늦음", NOW);
    assert_eq!(refused, Err(Refused::InvalidTransition));
}

#[test]
fn priority_is_set_once_and_only_on_open_orders() {
    let mut order = paid(&[(1, 1)]);
    assert_eq!(order.set_priority(true), Ok(vec![E::OrderChanged]));
    assert_eq!(order.set_priority(true), Ok(vec![]));
    bring(&mut order, 1, KitchenState::Cooked);
    order.serve(None, false, NOW).unwrap();
    assert_eq!(order.set_priority(false), Err(Refused::InvalidTransition));
}

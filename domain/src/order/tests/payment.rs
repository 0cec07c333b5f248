use rstest::rstest;

use super::*;
use crate::event::EventType as E;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Stage {
    Unpaid,
    UnpaidFired,
    PaidByCard,
    Rejected,
    Refunded,
}

fn at(stage: Stage) -> Order {
    match stage {
        Stage::Unpaid => unpaid(&[(1, 1)]),
        Stage::UnpaidFired => postpaid(&[(1, 1)]),
        Stage::PaidByCard => paid(&[(1, 1)]),
        Stage::Rejected => {
            let mut order = unpaid(&[(1, 1)]);
            order.reject("재료 없음", true, NOW).unwrap();
            order
        }
        Stage::Refunded => {
            let mut order = paid(&[(1, 1)]);
            order.checkout_stage = CheckoutStage::Refunded;
            order
        }
    }
}

#[rstest]
#[case(Stage::Unpaid, Tender::Card, Ok(vec![E::HallPaymentResolved, E::KitchenCook]))]
#[case(Stage::UnpaidFired, Tender::Card, Ok(vec![E::HallPaymentResolved]))]
#[case(Stage::PaidByCard, Tender::Card, Ok(vec![]))]
#[case(Stage::PaidByCard, Tender::Cash, Err(Refused::InvalidTransition))]
#[case(Stage::Rejected, Tender::Card, Err(Refused::InvalidTransition))]
#[case(Stage::Refunded, Tender::Card, Err(Refused::InvalidTransition))]
fn a_payment_is_confirmed_once(
    #[case] stage: Stage,
    #[case] tender: Tender,
    #[case] expected: Result<Happened, Refused>,
) {
    let mut order = at(stage);
    let before = order.clone();
    let happened = order.confirm(tender, true, NOW.plus(5));
    assert_eq!(happened, expected);
    match expected {
        Ok(events) if !events.is_empty() => {
            assert_eq!(order.checkout_stage, CheckoutStage::Confirmed);
            assert_eq!(
                order.version,
                before.version + 1,
                "one command, one version"
            );
            assert!(!order.payment_due);
            assert!(order.lines.iter().all(Line::is_fired));
        }
        Ok(_) | Err(_) => assert_eq!(order, before),
    }
}

#[rstest]
#[case(Stage::Unpaid, Ok(vec![E::HallPaymentResolved]))]
#[case(Stage::UnpaidFired, Err(Refused::InvalidTransition))]
#[case(Stage::PaidByCard, Err(Refused::InvalidTransition))]
#[case(Stage::Rejected, Ok(vec![]))]
#[case(Stage::Refunded, Err(Refused::InvalidTransition))]
fn an_order_is_rejected_only_before_it_fired(
    #[case] stage: Stage,
    #[case] expected: Result<Happened, Refused>,
) {
    let mut order = at(stage);
    let before = order.clone();
    assert_eq!(order.reject("품절", true, NOW.plus(5)), expected);
    if stage != Stage::Unpaid {
        assert_eq!(order, before);
    }
}

#[test]
fn a_rejected_order_closes_unless_its_party_sits() {
    let mut alone = unpaid(&[(1, 1)]);
    alone.reject("품절", false, NOW).unwrap();
    assert_eq!(alone.closed_at, Some(NOW));
    let mut seated = unpaid(&[(1, 1)]);
    seated.reject("품절", true, NOW).unwrap();
    assert!(seated.is_open());
    assert_eq!(seated.party_cleared(NOW), Ok(vec![E::OrderChanged]));
    assert!(!seated.is_open());
    assert_eq!(seated.party_cleared(NOW), Ok(vec![]), "closed already");
}

#[test]
fn a_postpaid_order_enters_the_queue_when_the_bill_is_asked_for() {
    let mut order = postpaid(&[(1, 2)]);
    assert!(!Scope::Payments.holds_order(&order));
    assert!(Scope::KitchenOrders.holds_order(&order));
    assert_eq!(order.ask_for_bill(), vec![E::HallPayment]);
    assert!(Scope::Payments.holds_order(&order));
    assert_eq!(order.ask_for_bill(), vec![], "asked already");
    order.confirm(Tender::Cash, true, NOW).unwrap();
    assert_eq!(order.ask_for_bill(), vec![], "paid");
    assert!(!Scope::Payments.holds_order(&order));
}

#[test]
fn an_unpaid_order_keeps_its_party_at_the_table() {
    let mut order = unpaid(&[(1, 1)]);
    assert_eq!(order.party_cleared(NOW), Err(Refused::InvalidTransition));
    assert!(order.is_open());
}

#[test]
fn a_cleared_partys_order_stays_open_while_the_kitchen_has_it() {
    let mut order = paid(&[(1, 1)]);
    assert_eq!(order.party_cleared(NOW), Ok(vec![]));
    assert!(order.is_open());
    bring(&mut order, 1, KitchenState::Cooked);
    order.serve(None, false, NOW.plus(40)).unwrap();
    assert_eq!(order.closed_at, Some(NOW.plus(40)));
}

#[test]
fn an_order_without_a_party_closes_when_paid_and_served_in_either_order() {
    let mut first = paid(&[(1, 1)]);
    bring(&mut first, 1, KitchenState::Cooked);
    first.serve(None, false, NOW).unwrap();
    assert!(!first.is_open());
    let mut later = postpaid(&[(1, 1)]);
    bring(&mut later, 1, KitchenState::Cooked);
    later.serve(None, false, NOW).unwrap();
    assert!(later.is_open(), "unpaid");
    later.confirm(Tender::Cash, false, NOW).unwrap();
    assert!(!later.is_open());
}

#[test]
fn a_recall_reopens_a_closed_order_and_serving_closes_it_again() {
    let mut order = paid(&[(1, 1)]);
    bring(&mut order, 1, KitchenState::Cooked);
    order.serve(None, false, NOW.plus(40)).unwrap();
    assert_eq!(order.recall(None, NOW.plus(50)), Ok(vec![E::HallServe]));
    assert!(order.is_open());
    order.serve(None, false, NOW.plus(60)).unwrap();
    assert_eq!(order.closed_at, Some(NOW.plus(60)));
}

#[test]
fn only_closed_orders_of_earlier_days_are_silent() {
    let mut order = paid(&[(1, 1)]);
    let (today, tomorrow) = (order.business_day, order.business_day.tomorrow());
    assert!(!order.is_silent(true, tomorrow), "open before and after");
    bring(&mut order, 1, KitchenState::Cooked);
    order.serve(None, false, NOW).unwrap();
    assert!(!order.is_silent(true, tomorrow), "it closes now");
    assert!(!order.is_silent(false, today), "of today");
    assert!(order.is_silent(false, tomorrow));
    order.recall(None, NOW).unwrap();
    assert!(!order.is_silent(false, tomorrow), "it opens now");
}

use crate::stream::Scope;

#![cfg(test)]

use serde_json::json;

use super::*;
use crate::kitchen::fixture::{id, line, order};

const NOW: Time = Time(1_000_000);

fn waiting(number: u128, placed_at: i64) -> Known {
    let mut order = order(number, &[line(1, 1, "waiting", 0)]);
    order.checkout_stage = CheckoutStage::AwaitingPayment;
    order.confirmed_at = None;
    order.placed_at = Time(placed_at);
    Known {
        order: Arc::new(order),
        pending: false,
        confirmed_by: None,
    }
}

fn paid(number: u128, confirmed_at: i64, confirmed_by: u64) -> Known {
    let mut order = order(number, &[line(1, 1, "waiting", 0)]);
    order.payment_due = false;
    order.confirmed_at = Some(Time(confirmed_at));
    Known {
        order: Arc::new(order),
        pending: false,
        confirmed_by: Some(confirmed_by),
    }
}

fn numbers(rows: &[Row]) -> Vec<u32> {
    rows.iter().map(|row| row.order.number).collect()
}

#[test]
fn who_waits_longest_is_first_and_the_last_paid_follow() {
    let known = vec![
        paid(1, 900_000, 7),
        waiting(4, 30),
        paid(2, 950_000, 9),
        waiting(3, 20),
    ];
    let rows = rows(known, &mut Confirmed::new(), NOW);
    assert_eq!(numbers(&rows), [3, 4, 2, 1]);
    assert_eq!(rows[2].stage, Stage::Paid(9));
}

#[test]
fn a_postpaid_order_waits_from_the_bill_on() {
    let mut known = waiting(1, 0);
    Arc::make_mut(&mut known.order).payment_due = false;
    assert!(rows(vec![known], &mut Confirmed::new(), NOW).is_empty());
}

#[test]
fn paid_rows_go_after_five_minutes_and_are_ten_at_most() {
    let old = paid(1, NOW.0 - 5 * 60_000, 1);
    let many = (2..20).map(|n| paid(n, NOW.0 - 60_000 + n as i64, 1));
    let known = std::iter::once(old).chain(many).collect();
    let rows = rows(known, &mut Confirmed::new(), NOW);
    assert_eq!((rows.len(), rows[0].order.number), (10, 19));
}

#[test]
fn the_first_seq_at_which_a_payment_was_confirmed_counts() {
    let mut confirmed = Confirmed::new();
    let first = rows(vec![paid(1, 990_000, 7)], &mut confirmed, NOW);
    assert_eq!(first[0].stage, Stage::Paid(7));
    let later = rows(vec![paid(1, 990_000, 12)], &mut confirmed, NOW);
    assert_eq!(later[0].stage, Stage::Paid(7));
    // Foreseen only: nobody knows the seq.
    let foreseen = Known {
        pending: true,
        confirmed_by: None,
        ..paid(2, 990_000, 0)
    };
    let shown = rows(vec![foreseen], &mut confirmed, NOW);
    assert_eq!(shown[0].stage, Stage::Paid(0));
    assert!(confirmed.is_empty(), "what is not shown is forgotten");
}

#[test]
fn a_kitchen_without_a_screen_is_never_told_as_received() {
    let row = rows(vec![paid(1, NOW.0 - 1_000, 7)], &mut Confirmed::new(), NOW).remove(0);
    let at = |screens, later: i64| Delivery::of(&row, screens, NOW.plus(later));
    assert_eq!(at((0, 0), 0), Delivery::NoScreen);
    assert_eq!(at((2, 0), 0), Delivery::Sending(2));
    assert_eq!(at((2, 0), 20_000), Delivery::Missing(2));
    assert_eq!(at((2, 1), 20_000), Delivery::Received(1));
    let pending = Row {
        pending: true,
        ..row
    };
    assert_eq!(Delivery::of(&pending, (2, 2), NOW), Delivery::Confirming);
}

#[test]
fn a_hold_counts_down_and_is_lost_at_its_last_moment_told_or_not() {
    let mut known = waiting(1, 0);
    Arc::make_mut(&mut known.order).hold_expires_at = Some(NOW.plus(252_000));
    let row = rows(vec![known.clone()], &mut Confirmed::new(), NOW).remove(0);
    let at = |later: i64| Holding::of(&row, NOW.plus(later));
    assert_eq!(at(0), Holding::Held(252_000));
    assert_eq!((at(0).name(), at(192_001).name()), ("held", "ending"));
    assert_eq!(
        (at(251_999), at(252_000)),
        (Holding::Held(1), Holding::Lost)
    );
    let order = Arc::make_mut(&mut known.order);
    (order.hold_expires_at, order.hold_lost) = (None, true);
    let lost = rows(vec![known], &mut Confirmed::new(), NOW).remove(0);
    assert_eq!(Holding::of(&lost, NOW).name(), "lost");
    let plain = rows(vec![waiting(2, 0)], &mut Confirmed::new(), NOW).remove(0);
    assert_eq!(Holding::of(&plain, NOW).name(), "none");
}

#[test]
fn what_is_being_cooked_has_reached_the_kitchen() {
    let mut known = paid(1, NOW.0 - 60_000, 7);
    known.order = Arc::new({
        let mut order = order(1, &[line(1, 1, "cooking", 0)]);
        order.confirmed_at = Some(Time(NOW.0 - 60_000));
        order
    });
    let row = rows(vec![known], &mut Confirmed::new(), NOW).remove(0);
    assert_eq!(Delivery::of(&row, (0, 0), NOW), Delivery::Begun);
}

#[test]
fn lines_are_told_in_short_without_what_was_voided() {
    let mut first = line(1, 1, "waiting", 0);
    first["options"] = json!([
        {"id": id(9), "name": {"ko": "매운맛", "en": "Hot"}, "priceDelta": 0},
        {"id": id(8), "name": {"ko": "공깃밥 추가"}, "priceDelta": 1000},
    ]);
    let mut voided = line(2, 1, "waiting", 0);
    voided["voided"] = json!({"reason": "x", "by": "y", "at": 0});
    let order = order(1, &[first, voided, line(3, 1, "waiting", 0)]);
    assert_eq!(
        summary(&order, Language::Ko),
        "김치찌개 1 (매운맛, 공깃밥 추가) · 김치찌개 1"
    );
}

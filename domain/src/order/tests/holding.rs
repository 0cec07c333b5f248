//! The order's hold on stock.

use uuid::Uuid;

use super::*;
use crate::id::ReservationId;

#[test]
fn a_hold_that_ends_before_the_payment_marks_its_order_once() {
    let mut order = unpaid(&[(1, 1)]);
    let rid = ReservationId(Uuid::from_u128(9));
    order.hold(rid, Some(NOW.plus(600_000)));
    assert_eq!(order.version, 1, "told by the change it is a part of");
    let longer = NOW.plus(1_200_000);
    assert_eq!(order.hold_extended(longer), [EventType::OrderChanged]);
    assert_eq!(order.hold_extended(longer), []);
    assert_eq!(order.hold_ended(), [EventType::OrderChanged]);
    assert_eq!((order.hold_lost, order.hold_expires_at), (true, None));
    assert_eq!(order.hold_ended(), []);
    assert_eq!((order.version, order.rid), (3, Some(rid)));
}

#[test]
fn a_paid_order_has_lost_nothing() {
    let mut order = unpaid(&[(1, 1)]);
    order.hold(ReservationId(Uuid::from_u128(9)), Some(NOW.plus(600_000)));
    order.confirm(Tender::Card, false, NOW).unwrap();
    assert_eq!(order.hold_ended(), []);
    assert!(!order.hold_lost);
}

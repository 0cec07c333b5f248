#![cfg(test)]

use domain::id::OrderId;
use domain::kitchen::CookTo;
use domain::order::KitchenState;

use super::*;
use crate::kitchen::fixture::{id, line, order};

fn start() -> Intent {
    Intent::Advance(None, CookTo::Cooking)
}

fn finish() -> Intent {
    Intent::Advance(None, CookTo::Cooked)
}

fn known() -> Arc<Order> {
    Arc::new(order(1, &[line(1, 1, "waiting", 10)]))
}

fn state(presses: &Presses) -> KitchenState {
    presses.order(&known()).lines[0].kitchen_state
}

const OF: fn(u128) -> Uuid = |number| {
    let OrderId(id) = id(number);
    id
};

#[test]
fn a_press_shows_at_once_and_settles_with_the_answer() {
    let mut presses = Presses::default();
    presses.press(OF(1), start(), Time(20));
    assert_eq!(state(&presses), KitchenState::Cooking);
    assert!(presses.is_pending(OF(1)));
    let (serial, intent) = presses.next_to_send(OF(1)).unwrap();
    assert_eq!(intent, start());
    presses.settle(OF(1), serial, true);
    assert!(!presses.is_pending(OF(1)));
}

#[test]
fn a_refusal_puts_the_state_back() {
    let mut presses = Presses::default();
    presses.press(OF(1), start(), Time(20));
    let (serial, _) = presses.next_to_send(OF(1)).unwrap();
    presses.settle(OF(1), serial, false);
    assert_eq!(state(&presses), KitchenState::Waiting);
}

#[test]
fn presses_on_one_entity_are_sent_one_after_the_other() {
    let mut presses = Presses::default();
    presses.press(OF(1), start(), Time(20));
    let (first, _) = presses.next_to_send(OF(1)).unwrap();
    presses.press(OF(1), finish(), Time(21));
    assert_eq!(state(&presses), KitchenState::Cooked);
    assert_eq!(presses.next_to_send(OF(1)), None, "the first is under way");
    presses.settle(OF(1), first, true);
    assert_eq!(
        presses.next_to_send(OF(1)).map(|(_, intent)| intent),
        Some(finish())
    );
}

#[test]
fn presses_on_two_entities_do_not_wait_for_each_other() {
    let mut presses = Presses::default();
    presses.press(OF(1), start(), Time(20));
    presses.press(OF(2), start(), Time(20));
    assert!(presses.next_to_send(OF(1)).is_some());
    assert!(presses.next_to_send(OF(2)).is_some());
}

#[test]
fn a_refusal_takes_the_presses_behind_it_along() {
    let mut presses = Presses::default();
    presses.press(OF(1), start(), Time(20));
    let (first, _) = presses.next_to_send(OF(1)).unwrap();
    presses.press(OF(1), finish(), Time(21));
    presses.settle(OF(1), first, false);
    assert_eq!(state(&presses), KitchenState::Waiting);
    assert_eq!(presses.next_to_send(OF(1)), None);
}

#[test]
fn what_no_press_touches_is_not_copied() {
    let order = known();
    assert!(Arc::ptr_eq(&order, &Presses::default().order(&order)));
}

#![cfg(test)]

use domain::kitchen::CookTo;
use domain::time::Time;

use super::*;
use crate::kitchen::fixture::{id, line, order};
use crate::screen::Intent;

fn board() -> Board {
    let mut board = Board::default();
    board.put(
        id(1),
        Some(Arc::new(order(1, &[line(1, 1, "waiting", 10)]))),
    );
    board
}

fn started() -> Presses {
    let mut presses = Presses::default();
    presses.press(id(1).0, Intent::Advance(None, CookTo::Cooking), Time(20));
    presses
}

#[test]
fn a_press_moves_the_card_and_marks_it_pending() {
    let card = board().card(&started(), id(1), None).unwrap();
    assert_eq!((card.ticket.column, card.pending), (Column::Cooking, true));
}

#[test]
fn an_event_under_a_press_keeps_what_the_press_foresees() {
    let mut board = board();
    let lines = [line(1, 1, "waiting", 10), line(2, 1, "waiting", 15)];
    board.put(id(1), Some(Arc::new(order(1, &lines))));
    let card = board.card(&started(), id(1), None).unwrap();
    assert_eq!(
        (card.ticket.column, card.order.lines.len()),
        (Column::Cooking, 2)
    );
}

#[test]
fn an_order_that_left_has_no_card_whatever_was_pressed() {
    let mut board = board();
    board.put(id(1), None);
    assert_eq!(board.card(&started(), id(1), None), None);
}

#[test]
fn columns_are_by_priority_then_firing_then_number() {
    let ticket = |number: u128, fired_at: i64, priority: bool| {
        let mut order = order(number, &[line(number, 1, "waiting", fired_at)]);
        order.priority = priority;
        Ticket::of(&order, None).unwrap()
    };
    let tickets = [
        ticket(1, 30, false),
        ticket(2, 10, false),
        ticket(3, 10, false),
        ticket(4, 40, true),
    ];
    let placed = columns([1, 2, 3, 4].map(id).into_iter().zip(&tickets));
    assert_eq!(placed[0], [4, 2, 3, 1].map(id));
    assert_eq!(placed[1], []);
}

#![cfg(test)]

use domain::kitchen::CookTo;

use super::*;
use crate::kitchen::fixture::{id, line, order};

fn start() -> Intent {
    Intent::Advance(None, CookTo::Cooking)
}

fn finish() -> Intent {
    Intent::Advance(None, CookTo::Cooked)
}

fn board() -> Board {
    let mut board = Board::default();
    board.put(
        id(1),
        Some(Arc::new(order(1, &[line(1, 1, "waiting", 10)]))),
    );
    board
}

fn column(board: &Board) -> Column {
    board.card(id(1), None).unwrap().ticket.column
}

#[test]
fn a_press_shows_at_once_and_settles_with_the_answer() {
    let mut board = board();
    board.press(id(1), start(), Time(20));
    let card = board.card(id(1), None).unwrap();
    assert_eq!((card.ticket.column, card.pending), (Column::Cooking, true));
    let (serial, intent) = board.next_to_send(id(1)).unwrap();
    assert_eq!(intent, start());
    board.put(
        id(1),
        Some(Arc::new(order(1, &[line(1, 1, "cooking", 10)]))),
    );
    board.settle(id(1), serial, true);
    let card = board.card(id(1), None).unwrap();
    assert_eq!((card.ticket.column, card.pending), (Column::Cooking, false));
}

#[test]
fn a_refusal_puts_the_state_back() {
    let mut board = board();
    board.press(id(1), start(), Time(20));
    let (serial, _) = board.next_to_send(id(1)).unwrap();
    board.settle(id(1), serial, false);
    assert_eq!(column(&board), Column::Waiting);
}

#[test]
fn presses_on_one_ticket_are_sent_one_after_the_other() {
    let mut board = board();
    board.press(id(1), start(), Time(20));
    let (first, _) = board.next_to_send(id(1)).unwrap();
    board.press(id(1), finish(), Time(21));
    assert_eq!(column(&board), Column::Cooked);
    assert_eq!(board.next_to_send(id(1)), None, "the first is under way");
    board.settle(id(1), first, true);
    assert_eq!(
        board.next_to_send(id(1)).map(|(_, intent)| intent),
        Some(finish())
    );
}

#[test]
fn a_refusal_takes_the_presses_behind_it_along() {
    let mut board = board();
    board.press(id(1), start(), Time(20));
    let (first, _) = board.next_to_send(id(1)).unwrap();
    board.press(id(1), finish(), Time(21));
    board.settle(id(1), first, false);
    assert_eq!(column(&board), Column::Waiting);
    assert_eq!(board.next_to_send(id(1)), None);
}

#[test]
fn an_event_under_a_press_keeps_what_the_press_foresees() {
    let mut board = board();
    board.press(id(1), start(), Time(20));
    let lines = [line(1, 1, "waiting", 10), line(2, 1, "waiting", 15)];
    board.put(id(1), Some(Arc::new(order(1, &lines))));
    let card = board.card(id(1), None).unwrap();
    assert_eq!(
        (card.ticket.column, card.order.lines.len()),
        (Column::Cooking, 2)
    );
}

#[test]
fn an_order_that_left_has_no_card_whatever_was_pressed() {
    let mut board = board();
    board.press(id(1), start(), Time(20));
    board.put(id(1), None);
    assert_eq!(board.card(id(1), None), None);
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

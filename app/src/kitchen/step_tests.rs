#![cfg(test)]

use domain::kitchen::{CookTo, Ticket};

use super::*;
use crate::kitchen::fixture::{line, line_id, order, station};

fn ticket_intent(order: &Order, of: Option<StationId>) -> Intent {
    of_ticket(order, &Ticket::of(order, of).unwrap(), of)
}

#[test]
fn the_button_starts_finishes_and_takes_back_the_whole_ticket() {
    let button = |states: &[&str]| {
        let lines: Vec<_> = (1..)
            .zip(states)
            .map(|(at, state)| line(at, 1, state, 0))
            .collect();
        ticket_intent(&order(1, &lines), None)
    };
    let start = Intent::Advance(None, CookTo::Cooking);
    let finish = Intent::Advance(None, CookTo::Cooked);
    assert_eq!(button(&["waiting", "waiting"]), start);
    assert_eq!(button(&["cooking", "waiting"]), finish);
    assert_eq!(button(&["cooked", "waiting"]), start, "nothing is cooking");
    assert_eq!(button(&["cooked", "served"]), Intent::Recall(None));
}

#[test]
fn a_station_moves_its_own_lines_only() {
    let lines = [line(1, 1, "waiting", 0), line(2, 2, "waiting", 0)];
    let intent = ticket_intent(&order(1, &lines), Some(station(2)));
    assert_eq!(
        intent,
        Intent::Advance(Some(vec![line_id(2)]), CookTo::Cooking)
    );
}

#[test]
fn a_tap_on_a_line_moves_that_line() {
    let tap = |state: &str| of_line(&order(1, &[line(1, 1, state, 0)]).lines[0]);
    let this = || Some(vec![line_id(1)]);
    assert_eq!(
        tap("waiting"),
        Some(Intent::Advance(this(), CookTo::Cooking))
    );
    assert_eq!(
        tap("cooking"),
        Some(Intent::Advance(this(), CookTo::Cooked))
    );
    assert_eq!(tap("cooked"), Some(Intent::Recall(this())));
    assert_eq!(tap("served"), None);
}

#[test]
fn an_undo_brings_back_exactly_what_moved() {
    let lines = [line(1, 1, "cooking", 0), line(2, 1, "waiting", 0)];
    let before = order(1, &lines);
    let back = undo(&Intent::Advance(None, CookTo::Cooked), &before);
    assert_eq!(back, Some(Intent::Recall(Some(vec![line_id(1)]))));
    assert_eq!(undo(&Intent::Recall(None), &before), None);
    assert_eq!(
        undo(
            &Intent::Advance(Some(vec![line_id(2)]), CookTo::Cooked),
            &before
        ),
        None
    );
}

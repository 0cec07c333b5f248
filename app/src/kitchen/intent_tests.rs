#![cfg(test)]

use domain::kitchen::{CookTo, Ticket};
use domain::time::Time;

use super::*;
use crate::kitchen::fixture::{id, line, line_id, order, station};

fn ticket_intent(order: &Order, of: Option<StationId>) -> Intent {
    Intent::of_ticket(order, &Ticket::of(order, of).unwrap(), of)
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
    let tap = |state: &str| Intent::of_line(&order(1, &[line(1, 1, state, 0)]).lines[0]);
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
    let undo = Intent::Advance(None, CookTo::Cooked).undo(&before);
    assert_eq!(undo, Some(Intent::Recall(Some(vec![line_id(1)]))));
    assert_eq!(Intent::Recall(None).undo(&before), None);
    assert_eq!(
        Intent::Advance(Some(vec![line_id(2)]), CookTo::Cooked).undo(&before),
        None
    );
}

#[test]
fn what_does_not_fit_changes_nothing_until_the_server_says_so() {
    let before = order(1, &[line(1, 1, "cooked", 0)]);
    let mut foreseen = before.clone();
    Intent::Advance(None, CookTo::Cooking).foresee(&mut foreseen, Time(5));
    assert_eq!(foreseen, before);
}

#[test]
fn a_request_says_where_and_what() {
    let intent = Intent::Advance(Some(vec![line_id(7)]), CookTo::Cooked);
    let path = intent.path(id(1));
    assert_eq!(
        path,
        "/kitchen/orders/00000000-0000-0000-0000-000000000001/advance"
    );
    let lines = r#"["00000000-0000-0000-0000-000000000007"]"#;
    assert_eq!(
        intent.body(),
        format!(r#"{{"lineIds":{lines},"to":"cooked"}}"#)
    );
    assert_eq!(Intent::Recall(None).body(), "{}");
    assert_eq!(Intent::Priority(true).body(), r#"{"priority":true}"#);
    assert_eq!(
        Intent::SeeVoids(vec![line_id(7)]).body(),
        format!(r#"{{"lineIds":{lines}}}"#)
    );
}

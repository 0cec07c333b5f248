#![cfg(test)]

use std::sync::Arc;

use domain::floor::Table;
use domain::order::Order;
use uuid::Uuid;

use super::*;
use crate::hall::fixture::{id, line, order, table};

/// The party of table 11, with two orders of two lines each, and a free table.
fn house() -> House {
    let lines = |first: u128| [line(first, "cooking", 0), line(first + 1, "waiting", 0)];
    House {
        tables: vec![table(11, Some(&[11])), table(12, None)],
        orders: vec![
            order(20, Some(11), "confirmed", &lines(1)),
            order(21, Some(11), "confirmed", &lines(3)),
        ],
        ..House::default()
    }
}

fn picking(what: Move) -> Picking {
    Picking::of(&house().tiles()[0], what).unwrap()
}

fn moving(orders: &[(u128, &[u128])]) -> Move {
    let lines = |lines: &[u128]| lines.iter().map(|line| LineId(id(*line))).collect();
    let under = |(order, own): &(u128, &[u128])| (OrderId(id(*order)), lines(own));
    Move::Lines(orders.iter().map(under).collect())
}

#[test]
fn a_move_is_given_up_when_its_party_has_left() {
    let mut left = house();
    left.tables[0] = table(11, None);
    for what in [Move::Party, Move::Join, moving(&[(20, &[1])])] {
        let picking = picking(what);
        assert_eq!(picking.still(&house()), Some(picking.clone()));
        assert_eq!(picking.still(&left), None);
    }
}

#[test]
fn other_guests_at_the_table_are_not_moved_in_its_place() {
    let mut others = house();
    let mut seated = Table::clone(&others.tables[0]);
    if let Some(party) = &mut seated.party {
        party.id = PartyId(id(99));
    }
    others.tables[0] = Arc::new(seated);
    assert_eq!(picking(Move::Party).still(&others), None);
}

#[test]
fn a_move_begins_where_its_party_sits_by_then() {
    let mut moved = house();
    let mut taken = Table::clone(&table(12, Some(&[12])));
    if let Some(party) = &mut taken.party {
        party.id = PartyId(id(11));
    }
    moved.tables = vec![table(11, None), Arc::new(taken)];
    let still = picking(Move::Party).still(&moved).unwrap();
    assert_eq!((still.from, still.label.as_str()), (TableId(id(12)), "12"));
}

#[test]
fn a_party_that_the_server_names_meanwhile_is_the_same() {
    let unnamed = Picking {
        party: PartyId(Uuid::nil()),
        ..picking(Move::Join)
    };
    assert_eq!(unnamed.still(&house()), Some(picking(Move::Join)));
}

#[test]
fn lines_that_are_gone_are_not_moved() {
    let mut house = house();
    let mut fewer = Order::clone(&house.orders[0]);
    fewer.lines.remove(0);
    house.orders[0] = Arc::new(fewer);
    let still = |house: &House| picking(moving(&[(20, &[1, 2]), (21, &[3])])).still(house);
    let what = |still: Option<Picking>| still.map(|picking| picking.what);
    assert_eq!(what(still(&house)), Some(moving(&[(20, &[2]), (21, &[3])])));
    house.orders[0] = order(20, Some(11), "rejected", &[line(2, "unfired", 0)]);
    assert_eq!(what(still(&house)), Some(moving(&[(21, &[3])])));
    house.orders.truncate(1);
    assert_eq!(what(still(&house)), None);
}

#[test]
fn a_move_that_was_sent_waits_for_its_answer() {
    let sent = Picking {
        sent: true,
        ..picking(Move::Party)
    };
    assert_eq!(sent.still(&House::default()), Some(sent.clone()));
}

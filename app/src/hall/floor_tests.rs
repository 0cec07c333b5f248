#![cfg(test)]

use domain::floor::Seating;
use domain::id::{LineId, OrderId};
use uuid::Uuid;

use super::*;
use crate::hall::fixture::{call, id, line, order, table, zone};
use crate::hall::picking::{Move, Picking};

/// Table 11 with a party and these orders.
fn party_with(orders: Vec<Arc<Order>>) -> House {
    House {
        zones: vec![zone(1)],
        tables: vec![table(11, Some(&[11]))],
        orders,
        ..House::default()
    }
}

const MINUTE: i64 = 60_000;

fn state_of(orders: &[(&str, &[&str])]) -> State {
    let orders = (20..).zip(orders).map(|(number, (stage, lines))| {
        let lines: Vec<_> = (1..)
            .zip(*lines)
            .map(|(n, state)| line(n, state, 0))
            .collect();
        order(number, Some(11), stage, &lines)
    });
    party_with(orders.collect()).tiles()[0].state
}

#[test]
fn a_party_is_what_is_still_to_be_done() {
    let (paid, unpaid) = ("confirmed", "awaitingPayment");
    assert_eq!(state_of(&[]), State::Seated);
    assert_eq!(state_of(&[(paid, &["served"])]), State::Dining);
    assert_eq!(
        state_of(&[(paid, &["served", "cooked"])]),
        State::ReadyToServe
    );
    assert_eq!(state_of(&[(paid, &["cooked", "waiting"])]), State::Cooking);
    assert_eq!(state_of(&[(unpaid, &["unfired"])]), State::AwaitingPayment);
    let both = [(unpaid, &["unfired"][..]), (paid, &["cooking"][..])];
    assert_eq!(state_of(&both), State::Cooking);
    assert_eq!(state_of(&[("rejected", &["unfired"])]), State::Seated);
}

#[test]
fn free_and_dirty_tables_are_tiles_of_their_own() {
    let dirty = Table {
        state: TableState::Dirty,
        ..Table::clone(&table(12, None))
    };
    let house = House {
        tables: vec![table(11, None), Arc::new(dirty)],
        ..House::default()
    };
    let states = house
        .tiles()
        .iter()
        .map(|tile| tile.state)
        .collect::<Vec<_>>();
    assert_eq!(states, [State::Free, State::Dirty]);
}

#[test]
fn joined_tables_are_one_tile_at_the_first() {
    let house = House {
        tables: vec![
            table(6, Some(&[6, 7])),
            table(7, Some(&[6, 7])),
            table(8, None),
        ],
        ..House::default()
    };
    let tiles = house.tiles();
    let labels: Vec<&str> = tiles.iter().map(|tile| tile.label.as_str()).collect();
    assert_eq!(labels, ["6+7", "8"]);
    assert_eq!(
        (tiles[0].joined, tiles[0].seats, tiles[0].covers),
        (true, 8, Some(3))
    );
    assert_eq!(house.tile_at(TableId(id(7))), Some(tiles[0].clone()));
}

#[test]
fn parties_the_server_has_not_named_stay_apart() {
    let unnamed = |number| {
        let mut table = Table::clone(&table(number, Some(&[number])));
        if let Some(party) = &mut table.party {
            party.id = PartyId(Uuid::nil());
        }
        Arc::new(table)
    };
    let house = House {
        tables: vec![unnamed(6), unnamed(7)],
        ..House::default()
    };
    assert_eq!(house.tiles().len(), 2);
}

#[test]
fn the_amount_is_what_is_owed_or_paid() {
    let house = party_with(vec![
        order(20, Some(11), "confirmed", &[line(1, "served", 0)]),
        order(21, Some(11), "awaitingPayment", &[line(2, "unfired", 0)]),
        order(22, Some(11), "rejected", &[line(3, "unfired", 0)]),
        order(23, Some(99), "confirmed", &[line(4, "served", 0)]),
    ]);
    assert_eq!(house.tiles()[0].amount, Amount(19_800));
}

#[test]
fn a_call_comes_before_dishes_and_dishes_before_money() {
    let mut house = party_with(vec![
        order(
            20,
            Some(11),
            "confirmed",
            &[line(1, "cooked", 0), line(2, "cooking", 0)],
        ),
        order(21, Some(11), "awaitingPayment", &[line(3, "unfired", 0)]),
    ]);
    house.calls = vec![call(30, 11, 0)];
    let badge = |house: &House| house.tiles()[0].badge;
    assert_eq!(badge(&house), Some(Badge::Call(CallReason::Water)));
    house.calls.clear();
    assert_eq!(badge(&house), Some(Badge::Ready(1)));
    house.orders.remove(0);
    assert_eq!(badge(&house), None, "the state says it already");
    house
        .orders
        .push(order(22, Some(11), "confirmed", &[line(4, "cooking", 0)]));
    assert_eq!(badge(&house), Some(Badge::Unpaid));
}

#[test]
fn the_kitchen_is_late_from_the_first_line_that_is() {
    let house = party_with(vec![order(
        20,
        Some(11),
        "confirmed",
        &[
            line(1, "waiting", 0),
            line(2, "cooking", -8 * MINUTE),
            line(3, "cooked", 0),
        ],
    )]);
    assert_eq!(house.tiles()[0].late_at, Some(Time(4 * MINUTE)));
}

#[test]
fn a_zone_counts_its_calls_and_its_dishes() {
    let house = House {
        zones: vec![zone(2), zone(1)],
        tables: vec![table(11, Some(&[11])), table(21, None)],
        orders: vec![
            order(
                20,
                Some(11),
                "confirmed",
                &[line(1, "cooked", 0), line(2, "cooked", 0)],
            ),
            order(21, None, "confirmed", &[line(3, "cooked", 0)]),
        ],
        calls: vec![call(30, 11, 0)],
        settings: None,
    }
    .sorted();
    let counts: Vec<_> = house
        .tabs()
        .iter()
        .map(|tab| (tab.tables, tab.calls, tab.ready))
        .collect();
    assert_eq!(counts, [(1, 1, 2), (1, 0, 0)]);
}

#[test]
fn dishes_are_grouped_by_party_the_oldest_first() {
    let house = House {
        orders: vec![
            order(
                20,
                Some(11),
                "confirmed",
                &[line(1, "cooked", 50), line(2, "cooking", 0)],
            ),
            order(21, None, "confirmed", &[line(3, "cooked", 30)]),
            order(22, Some(11), "confirmed", &[line(4, "cooked", 10)]),
        ],
        ..House::default()
    };
    let groups = house.serving(&|order| order.number.to_string());
    let shown: Vec<_> = groups
        .iter()
        .map(|group| (group.label.as_str(), group.since, group.dishes.len()))
        .collect();
    assert_eq!(shown, [("22", Time(10), 2), ("21", Time(30), 1)]);
    assert_eq!(
        (groups[0].warn_at, groups[0].late_at),
        (Time(10 + 2 * MINUTE), Time(10 + 4 * MINUTE))
    );
    assert_eq!(
        groups[0].by_order(),
        [
            (OrderId(id(22)), vec![LineId(id(4))]),
            (OrderId(id(20)), vec![LineId(id(1))]),
        ]
    );
}

#[test]
fn each_move_has_its_own_targets() {
    let dirty = Table {
        state: TableState::Dirty,
        ..Table::clone(&table(14, None))
    };
    let house = House {
        tables: vec![
            table(11, Some(&[11])),
            table(12, None),
            table(13, Some(&[13])),
            Arc::new(dirty),
        ],
        ..House::default()
    };
    let tiles = house.tiles();
    let targets = |what: Move| {
        let picking = Picking::of(&tiles[0], what).unwrap();
        let allowed = tiles.iter().filter(|tile| picking.allows(tile));
        allowed.map(|tile| tile.label.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(targets(Move::Party), ["12"]);
    assert_eq!(targets(Move::Join), ["12", "13"]);
    assert_eq!(targets(Move::Lines(Vec::new())), ["13"]);
    let sent = Picking {
        sent: true,
        ..Picking::of(&tiles[0], Move::Join).unwrap()
    };
    assert!(!tiles.iter().any(|tile| sent.allows(tile)));
}

#[test]
fn orders_follow_joined_tables_to_their_one_tile() {
    let mut joined = House {
        tables: vec![table(6, Some(&[6, 7])), table(7, Some(&[6, 7]))],
        ..House::default()
    };
    let party = joined.tables[0].party.clone().unwrap();
    let tables: Vec<Table> = joined
        .tables
        .iter()
        .map(|table| Table::clone(table))
        .collect();
    let mut placed = Order::clone(&order(20, Some(7), "confirmed", &[line(1, "cooking", 0)]));
    let home = placed.table_ids.first().copied();
    placed.relabel(&Seating::of(
        &party,
        &tables,
        home,
        &std::collections::BTreeMap::new(),
    ));
    joined.orders = vec![Arc::new(placed)];
    assert_eq!(joined.tiles()[0].state, State::Cooking);
}

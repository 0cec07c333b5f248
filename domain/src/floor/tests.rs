use super::*;
use std::collections::BTreeSet;
use uuid::Uuid;

fn table(n: u128) -> Table {
    Table {
        id: TableId(Uuid::from_u128(n)),
        version: 1,
        zone_id: ZoneId(Uuid::from_u128(1)),
        name: n.to_string(),
        seats: 4,
        sort: n as i64,
        code: format!("demo-{n}"),
        state: TableState::Free,
        party: None,
    }
}

fn floor() -> Vec<Table> {
    (1..=9).map(table).collect()
}

fn id(n: u128) -> TableId {
    TableId(Uuid::from_u128(n))
}

fn party(n: u128) -> PartyId {
    PartyId(Uuid::from_u128(100 + n))
}

const NOW: Time = Time(60_000);

fn at(tables: &[Table], n: u128) -> &Table {
    tables.iter().find(|table| table.id == id(n)).unwrap()
}

#[test]
fn a_table_goes_from_free_to_seated_to_dirty_and_back() {
    let mut tables = floor();
    seat(&mut tables, id(3), party(1), Some(2), NOW).unwrap();
    assert_eq!(at(&tables, 3).state, TableState::Seated);
    assert_eq!(
        seat(&mut tables, id(3), party(2), Some(2), NOW),
        Err(RefusedSeating::Occupied(id(3)))
    );
    assert_eq!(
        cleaned(&mut tables, id(3)),
        Err(RefusedSeating::Occupied(id(3)))
    );
    assert_eq!(clear(&mut tables, id(3)).unwrap().id, party(1));
    assert_eq!(at(&tables, 3).state, TableState::Dirty);
    assert_eq!(
        seat(&mut tables, id(3), party(2), Some(2), NOW),
        Err(RefusedSeating::Dirty(id(3)))
    );
    assert_eq!(
        clear(&mut tables, id(3)),
        Err(RefusedSeating::NotSeated(id(3)))
    );
    cleaned(&mut tables, id(3)).unwrap();
    assert_eq!(
        (at(&tables, 3).state, at(&tables, 3).version),
        (TableState::Free, 4)
    );
    cleaned(&mut tables, id(3)).unwrap();
    assert_eq!(at(&tables, 3).version, 4, "cleaned twice changes nothing");
}

#[test]
fn covers_are_one_to_ninety_nine() {
    let mut tables = floor();
    for bad in [0, 100] {
        let refused = seat(&mut tables, id(1), party(1), Some(bad), NOW);
        assert_eq!(refused, Err(RefusedSeating::Covers));
    }
    assert_eq!(
        covers(&mut tables, id(1), 3),
        Err(RefusedSeating::NotSeated(id(1)))
    );
    seat(&mut tables, id(1), party(1), None, NOW).unwrap();
    covers(&mut tables, id(1), 3).unwrap();
    assert_eq!(at(&tables, 1).party.as_ref().unwrap().covers, Some(3));
}

#[test]
fn a_transfer_moves_the_party_and_leaves_a_table_to_clean() {
    let mut tables = floor();
    seat(&mut tables, id(1), party(1), Some(2), NOW).unwrap();
    seat(&mut tables, id(2), party(2), Some(2), NOW).unwrap();
    assert_eq!(
        transfer(&mut tables, id(1), id(1)),
        Err(RefusedSeating::SameTable)
    );
    assert_eq!(
        transfer(&mut tables, id(1), id(2)),
        Err(RefusedSeating::Occupied(id(2)))
    );
    assert_eq!(
        transfer(&mut tables, id(4), id(5)),
        Err(RefusedSeating::NotSeated(id(4)))
    );
    transfer(&mut tables, id(1), id(5)).unwrap();
    assert_eq!(at(&tables, 5).party.as_ref().unwrap().id, party(1));
    assert_eq!(
        (at(&tables, 1).state, &at(&tables, 1).party),
        (TableState::Dirty, &None)
    );
}

#[test]
fn joined_tables_share_one_party_and_part_by_where_orders_were_placed() {
    let mut tables = floor();
    seat(&mut tables, id(6), party(1), Some(2), NOW).unwrap();
    seat(&mut tables, id(7), party(2), Some(3), NOW).unwrap();
    assert_eq!(
        join(&mut tables, id(6), &[id(6)]),
        Err(RefusedSeating::SameTable)
    );
    let (joined, ended) = join(&mut tables, id(6), &[id(8), id(7)]).unwrap();
    assert_eq!(joined.table_ids, [id(6), id(7), id(8)]);
    assert_eq!((joined.covers, ended), (Some(5), vec![party(2)]));
    let zones = BTreeMap::from([(ZoneId(Uuid::from_u128(1)), LocalText::both("홀", "Hall"))]);
    let seating = Seating::of(&joined, &tables, Some(id(7)), &zones);
    assert_eq!(seating.label, "6+7+8");
    assert_eq!(seating.table_ids, [id(7), id(6), id(8)]);

    let apart = unjoin(&mut tables, id(6), &BTreeSet::from([id(7)]), || party(9)).unwrap();
    assert_eq!(apart.stays.table_ids, [id(6)]);
    assert_eq!(apart.split[0].table_ids, [id(7)]);
    assert_eq!(at(&tables, 7).party.as_ref().unwrap().id, party(9));
    assert_eq!(at(&tables, 8).state, TableState::Free);
    let again = unjoin(&mut tables, id(6), &BTreeSet::new(), || party(9));
    assert_eq!(again, Err(RefusedSeating::SameTable));
}

#[test]
fn a_dirty_table_does_not_join_and_nothing_changes() {
    let mut tables = floor();
    seat(&mut tables, id(6), party(1), Some(2), NOW).unwrap();
    seat(&mut tables, id(7), party(2), Some(2), NOW).unwrap();
    clear(&mut tables, id(7)).unwrap();
    let before = tables.clone();
    assert_eq!(
        join(&mut tables, id(6), &[id(5), id(7)]),
        Err(RefusedSeating::Dirty(id(7)))
    );
    assert_eq!(tables, before);
}

#[test]
fn the_first_time_the_bill_is_asked_for_counts() {
    let mut tables = floor();
    assert_eq!(
        bill(&mut tables, id(1), NOW),
        Err(RefusedSeating::NotSeated(id(1)))
    );
    seat(&mut tables, id(1), party(1), None, NOW).unwrap();
    bill(&mut tables, id(1), Time(70_000)).unwrap();
    bill(&mut tables, id(1), Time(80_000)).unwrap();
    let asked = at(&tables, 1).party.as_ref().unwrap().bill_requested_at;
    assert_eq!(asked, Some(Time(70_000)));
}

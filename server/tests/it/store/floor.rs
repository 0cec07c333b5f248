//! Zones, tables, parties.

use domain::floor::Table;
use domain::id::{PartyId, StoreId, TableId};
use domain::text::LocalText;
use rstest::rstest;
use server::store::floor::{
    party_close, party_insert, party_open, table_doc, table_docs, table_save, tables, zone_docs,
    zone_names, zone_save,
};
use uuid::Uuid;

use super::house::{House, NOW, table, zone};
use crate::support::Engine::{self, Postgres, Sqlite};

#[rstest]
#[tokio::test]
async fn tables_stand_in_their_place_and_each_code_is_on_one_of_them(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::open(engine).await;
    let (store, other) = (house.store, StoreId(Uuid::now_v7()));
    house.another(other, "two").await;
    let mut tx = house.write().await;
    let (hall, mut terrace) = (zone(2), zone(1));
    zone_save(&mut tx, store, &hall).await.unwrap();
    zone_save(&mut tx, store, &terrace).await.unwrap();
    terrace.name = LocalText::both("테라스", "Terrace");
    zone_save(&mut tx, store, &terrace).await.unwrap();
    let json = |entity: &domain::floor::Zone| serde_json::to_string(entity).unwrap();
    assert_eq!(
        zone_docs(&mut tx, store).await.unwrap(),
        [json(&terrace), json(&hall)]
    );
    let names = zone_names(&mut tx, store).await.unwrap();
    assert_eq!(names[&terrace.id], terrace.name);
    assert_eq!(names.len(), 2);
    assert!(zone_docs(&mut tx, other).await.unwrap().is_empty());

    let second = table(hall.id, "a-2", 2);
    let mut first = table(hall.id, "a-1", 3);
    let json = |table: &Table| serde_json::to_string(table).unwrap();
    for one in [&second, &first] {
        assert_eq!(table_save(&mut tx, store, one).await.unwrap(), json(one));
    }
    first.sort = 1;
    first.version += 1;
    table_save(&mut tx, store, &first).await.unwrap();
    let both = [first.clone(), second.clone()];
    assert_eq!(tables(&mut tx, store).await.unwrap(), both);
    assert_eq!(
        table_docs(&mut tx, store).await.unwrap(),
        both.each_ref().map(json)
    );
    for (of, id, doc) in [
        (store, first.id, Some(json(&first))),
        (other, first.id, None),
        (store, TableId(Uuid::now_v7()), None),
    ] {
        assert_eq!(table_doc(&mut tx, of, id).await.unwrap(), doc);
    }
    let copy = table(hall.id, "a-2", 9);
    let taken = table_save(&mut tx, other, &copy).await.unwrap_err();
    assert!(taken.is_constraint("dining_table_code_key"), "{taken:?}");
}

#[rstest]
#[tokio::test]
async fn a_party_sits_until_it_has_left_once(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::open(engine).await;
    let (store, other) = (house.store, StoreId(Uuid::now_v7()));
    let party = PartyId(Uuid::now_v7());
    let mut tx = house.write().await;
    assert_eq!(party_open(&mut tx, store, party).await.unwrap(), None);
    party_insert(&mut tx, store, party).await.unwrap();
    assert_eq!(party_open(&mut tx, store, party).await.unwrap(), Some(true));
    assert_eq!(party_open(&mut tx, other, party).await.unwrap(), None);
    party_close(&mut tx, other, party, NOW).await.unwrap();
    assert_eq!(party_open(&mut tx, store, party).await.unwrap(), Some(true));
    party_close(&mut tx, store, party, NOW).await.unwrap();
    party_close(&mut tx, store, party, NOW.plus(9))
        .await
        .unwrap();
    assert_eq!(
        party_open(&mut tx, store, party).await.unwrap(),
        Some(false)
    );
}

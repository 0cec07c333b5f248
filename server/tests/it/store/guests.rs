//! Phones at tables, their tickets, and what guests call for.

use domain::call::{Call, CallReason};
use domain::id::{CallId, PartyId, StoreId};
use rstest::rstest;
use server::db::Tx;
use server::store::call::{call_docs, call_find, call_save, calls_open_of_party};
use server::store::floor::party_close;
use server::store::guest::{
    guest_expire, guest_ticket_exists, guest_ticket_insert, guest_ticket_take, party_entities,
    press_find, press_save, table_by_code, token_find, token_follow, token_insert, token_move,
};
use uuid::Uuid;

use super::house::{House, NOW};
use crate::support::Engine::{self, Postgres, Sqlite};

const HOUR: i64 = 3_600_000;

#[rstest]
#[tokio::test]
async fn a_token_is_of_the_party_that_its_guests_went_with(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::open(engine).await;
    let store = house.store;
    let (a, first) = house.seated("a-1").await;
    let (b, second) = house.seated("a-2").await;
    let mut tx = house.write().await;
    assert!(table_by_code(&mut tx, "A-1").await.unwrap().is_none());
    let found = table_by_code(&mut tx, "a-1").await.unwrap();
    assert_eq!(found, Some((store, a.clone())));
    for (hash, party, table) in [
        ("one", first, a.id),
        ("two", first, b.id),
        ("three", second, b.id),
    ] {
        token_insert(&mut tx, hash, store, (party, table), NOW)
            .await
            .unwrap();
    }
    let party = async |tx: &mut Tx, hash: &str| {
        let row = token_find(tx, hash).await.unwrap().unwrap();
        assert_eq!(row.store_id, store);
        row.party_id
    };
    assert_eq!(token_find(&mut tx, "none").await.unwrap(), None);
    let row = token_find(&mut tx, "two").await.unwrap().unwrap();
    assert_eq!((row.table_id, row.closed_at), (b.id, None));
    token_follow(&mut tx, first, second, Some(b.id))
        .await
        .unwrap();
    assert_eq!(party(&mut tx, "one").await, first);
    assert_eq!(party(&mut tx, "two").await, second);
    token_follow(&mut tx, second, first, None).await.unwrap();
    assert_eq!(party(&mut tx, "two").await, first);
    assert_eq!(party(&mut tx, "three").await, first);
    token_move(&mut tx, first, a.id).await.unwrap();
    let row = token_find(&mut tx, "two").await.unwrap().unwrap();
    assert_eq!(row.table_id, a.id);
    party_close(&mut tx, store, first, NOW).await.unwrap();
    let row = token_find(&mut tx, "one").await.unwrap().unwrap();
    assert_eq!(row.closed_at, Some(NOW.0));
}

#[rstest]
#[tokio::test]
async fn of_too_many_phones_of_a_party_the_oldest_goes(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::open(engine).await;
    let (table, party) = house.seated("a-1").await;
    let (next, other) = house.seated("a-2").await;
    let mut tx = house.write().await;
    token_insert(&mut tx, "other", house.store, (other, next.id), NOW)
        .await
        .unwrap();
    for n in 0..102 {
        let at = NOW.plus(n / 2);
        token_insert(
            &mut tx,
            &format!("{n:03}"),
            house.store,
            (party, table.id),
            at,
        )
        .await
        .unwrap();
    }
    for (hash, there) in [
        ("000", false),
        ("001", false),
        ("002", true),
        ("101", true),
        ("other", true),
    ] {
        let found = token_find(&mut tx, hash).await.unwrap();
        assert_eq!(found.is_some(), there, "{hash}");
    }
}

#[rstest]
#[tokio::test]
async fn tickets_presses_and_phones_of_those_who_left_are_forgotten_in_time(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::open(engine).await;
    let store = house.store;
    let (table, party) = house.seated("a-1").await;
    let soon = NOW.plus(30_000);
    let mut tx = house.write().await;
    token_insert(&mut tx, "token", store, (party, table.id), NOW)
        .await
        .unwrap();
    for hash in ["a", "b", "c"] {
        guest_ticket_insert(&mut tx, hash, "token", soon)
            .await
            .unwrap();
    }
    let token = Some("token".to_owned());
    for (hash, there) in [("a", true), ("z", false)] {
        let found = guest_ticket_exists(&mut tx, hash).await.unwrap();
        assert_eq!(found, there, "{hash}");
    }
    for (hash, now, taken) in [("a", NOW, &token), ("a", NOW, &None), ("b", soon, &None)] {
        let answer = guest_ticket_take(&mut tx, hash, now).await.unwrap();
        assert_eq!(answer, *taken, "{hash}");
    }
    assert_eq!(press_find(&mut tx, party, "water").await.unwrap(), None);
    press_save(&mut tx, party, "water", NOW.plus(-HOUR))
        .await
        .unwrap();
    press_save(&mut tx, party, "bill", NOW.plus(-HOUR))
        .await
        .unwrap();
    press_save(&mut tx, party, "water", NOW).await.unwrap();
    assert_eq!(
        press_find(&mut tx, party, "water").await.unwrap(),
        Some(NOW)
    );

    let past = NOW.plus(-1);
    assert_eq!(guest_expire(&mut tx, past, NOW, 9).await.unwrap(), 1);
    assert_eq!(press_find(&mut tx, party, "bill").await.unwrap(), None);
    assert_eq!(guest_expire(&mut tx, past, soon, 9).await.unwrap(), 2);
    party_close(&mut tx, store, party, NOW).await.unwrap();
    assert_eq!(guest_expire(&mut tx, past, soon, 9).await.unwrap(), 0);
    guest_ticket_insert(&mut tx, "d", "token", soon.plus(HOUR))
        .await
        .unwrap();
    assert_eq!(guest_expire(&mut tx, NOW, soon, 9).await.unwrap(), 1);
    assert_eq!(token_find(&mut tx, "token").await.unwrap(), None);
    let gone = guest_ticket_take(&mut tx, "d", NOW).await.unwrap();
    assert_eq!(gone, None, "its tickets go with it");
    let late = guest_ticket_insert(&mut tx, "e", "token", soon).await;
    assert!(late.unwrap_err().is_constraint("foreign_key"));
}

#[rstest]
#[tokio::test]
async fn calls_are_open_until_they_are_done_and_follow_their_party(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::open(engine).await;
    let store = house.store;
    let (table, party) = house.seated("a-1").await;
    let (other, stranger) = house.seated("a-2").await;
    let call = |of: PartyId, table: &domain::floor::Table, after: i64| {
        let (id, at) = (CallId(Uuid::now_v7()), NOW.plus(after));
        Call::request(id, table.id, of, CallReason::Water, at)
    };
    let mut late = call(party, &table, 2);
    let early = call(party, &table, 1);
    let foreign = call(stranger, &other, 0);
    let mut tx = house.write().await;
    let json = |call: &Call| serde_json::to_string(call).unwrap();
    for one in [&late, &early, &foreign] {
        assert_eq!(call_save(&mut tx, store, one).await.unwrap(), json(one));
    }
    assert_eq!(
        call_find(&mut tx, store, late.id).await.unwrap(),
        Some(late.clone())
    );
    let nowhere = StoreId(Uuid::now_v7());
    assert_eq!(call_find(&mut tx, nowhere, late.id).await.unwrap(), None);
    let open = calls_open_of_party(&mut tx, store, party).await.unwrap();
    assert_eq!(open, [early.clone(), late.clone()]);
    let docs = call_docs(&mut tx, store).await.unwrap();
    assert_eq!(docs, [json(&foreign), json(&early), json(&late)]);

    late.accept("Hana", NOW.plus(3)).unwrap();
    call_save(&mut tx, store, &late).await.unwrap();
    assert_eq!(
        call_find(&mut tx, store, late.id).await.unwrap(),
        Some(late.clone())
    );
    let ids = party_entities(&mut tx, party).await.unwrap();
    assert_eq!(ids.len(), 2);
    assert!(ids.contains(&late.id.0) && ids.contains(&early.id.0));
    late.finish(NOW.plus(4)).unwrap();
    call_save(&mut tx, store, &late).await.unwrap();
    assert_eq!(party_entities(&mut tx, party).await.unwrap(), [early.id.0]);
    assert_eq!(call_docs(&mut tx, store).await.unwrap().len(), 2);
}

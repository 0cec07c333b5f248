//! The outbox as history: relaying, tidying, `changes`.

use domain::stream::{Epoch, EventId};
use domain::time::Time;
use rstest::rstest;
use serde_json::json;
use server::clock::Clock;
use server::db::Value;
use server::service::changes::changes_since;
use tokio_util::sync::CancellationToken;

use super::house::{House, eventually, id, quick};
use crate::support::Engine::{self, Postgres, Sqlite};

async fn seqs(house: &House) -> Vec<u64> {
    let mut tx = house.db.read().await.unwrap();
    let rows = server::store::outbox::outbox_between(&mut tx, house.store, 0, 10_000, 10_000);
    rows.await.unwrap().iter().map(|row| row.seq).collect()
}

#[rstest]
#[tokio::test]
async fn unpublished_rows_are_published_by_the_relays_own_polling(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine, quick(), Clock::system()).await;
    house.emit_many(250).await;
    house
        .execute("update outbox set published_at = null where seq > 20", &[])
        .await;
    let stop = CancellationToken::new();
    let relay = tokio::spawn(house.relay.clone().run(stop.clone()));
    eventually("all is published", async || {
        let mut tx = house.db.read().await.unwrap();
        let waiting = server::store::outbox::outbox_waiting(&mut tx).await;
        waiting.unwrap().is_empty()
    })
    .await;
    assert!(house.relay.is_well());
    stop.cancel();
    relay.await.unwrap();
}

#[rstest]
#[tokio::test]
async fn history_goes_three_days_after_publication_lowest_number_first(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let clock = Clock::manual(Time(1_000_000));
    let house = House::on(engine, quick(), clock.clone()).await;
    house.emit_many(205).await;
    clock.advance(72 * 3_600_000);
    house.relay.tidy().await.unwrap();
    assert_eq!(seqs(&house).await.len(), 205, "not yet");
    clock.advance(1);
    house.emit_many(3).await;
    assert!(house.relay.tidy().await.unwrap(), "more is left");
    assert_eq!(
        seqs(&house).await.first(),
        Some(&201),
        "200 at once; 1,000 are allowed"
    );
    assert!(!house.relay.tidy().await.unwrap());
    assert_eq!(seqs(&house).await, [206, 207, 208]);
}

#[rstest]
#[tokio::test]
async fn history_never_goes_past_an_event_that_has_to_stay(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let clock = Clock::manual(Time(1_000_000));
    let house = House::on(engine, quick(), clock.clone()).await;
    house.emit_many(5).await;
    house
        .execute("update outbox set published_at = null where seq = 3", &[])
        .await;
    clock.advance(80 * 3_600_000);
    house.relay.tidy().await.unwrap();
    assert_eq!(seqs(&house).await, [3, 4, 5]);
}

async fn changes(house: &House, since: Option<EventId>, limit: u32) -> serde_json::Value {
    let changes = changes_since(&house.db, house.store, since, limit)
        .await
        .unwrap();
    serde_json::to_value(changes.unwrap()).unwrap()
}

/// The reason, with no ids beside it.
async fn reason(house: &House, since: Option<EventId>, limit: u32) -> serde_json::Value {
    let changes = changes(house, since, limit).await;
    for (name, value) in changes.as_object().unwrap() {
        if name.starts_with("changed") {
            assert_eq!(*value, json!([]), "{name}");
        }
    }
    assert_eq!(changes["requiresReload"], true);
    changes["reason"].clone()
}

#[rstest]
#[tokio::test]
async fn changes_name_each_entity_once_in_the_list_of_its_kind(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine, quick(), Clock::system()).await;
    let named = |n: u128| json!({ "id": uuid::Uuid::from_u128(n) }).to_string();
    house.emit().await;
    for (kind, n) in [
        ("KITCHEN_COOK", 1),
        ("HALL_SERVE", 1),
        ("TABLE_CHANGED", 2),
        ("KITCHEN_MENU_CHANGED", 3),
        ("STOCK_CHANGED", 4),
        ("CUSTOMER_CALL", 5),
    ] {
        house.emit_as(house.store, kind, named(n)).await;
    }
    let uuid = |n: u128| uuid::Uuid::from_u128(n).to_string();
    assert_eq!(
        changes(&house, Some(id(1)), 500).await,
        json!({
            "changedOrderIds": [uuid(1)],
            "changedTableIds": [uuid(2)],
            "changedMenuIds": [uuid(3)],
            "changedStockIds": [uuid(4)],
            "changedCallRequestIds": [uuid(5)],
            "currentWatermark": id(7).to_string(),
            "requiresReload": false,
        })
    );
    assert_eq!(
        changes(&house, Some(id(7)), 500).await["requiresReload"],
        false
    );
}

#[rstest]
#[tokio::test]
async fn changes_that_cannot_be_named_say_why(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::on(engine, quick(), Clock::system()).await;
    house.emit_many(5).await;
    assert_eq!(reason(&house, None, 500).await, "NO_CURSOR");
    assert_eq!(reason(&house, Some(EventId::NONE), 500).await, "NO_CURSOR");
    assert_eq!(
        reason(&house, Some(EventId::new(Epoch(1), 2)), 500).await,
        "EPOCH_CHANGED"
    );
    assert_eq!(reason(&house, Some(id(6)), 500).await, "CURSOR_AHEAD");
    assert_eq!(reason(&house, Some(id(2)), 2).await, "TOO_MANY_EVENTS");
    assert_eq!(
        changes(&house, Some(id(3)), 2).await["requiresReload"],
        false
    );
    // Outside of 1..=1000 the nearest is taken.
    assert_eq!(
        changes(&house, Some(id(4)), 0).await["requiresReload"],
        false
    );

    let store = house.store;
    house
        .emit_as(
            store,
            "RELOAD_REQUIRED",
            r#"{"reason":"SETTINGS"}"#.to_owned(),
        )
        .await;
    assert_eq!(reason(&house, Some(id(5)), 500).await, "RELOAD_MARKER");
    house
        .emit_as(store, "ORDER_CHANGED", r#"{"id":7}"#.to_owned())
        .await;
    assert_eq!(
        reason(&house, Some(id(6)), 500).await,
        "INVALID_EVENT_PAYLOAD"
    );
    house
        .emit_as(store, "FROM_THE_FUTURE", "{}".to_owned())
        .await;
    assert_eq!(reason(&house, Some(id(7)), 500).await, "UNKNOWN_EVENT_TYPE");
    house.emit().await;
    house
        .execute("update outbox set dead = true where seq = 9", &[])
        .await;
    assert_eq!(reason(&house, Some(id(8)), 500).await, "RELOAD_MARKER");
    house
        .execute("delete from outbox where seq <= 3", &[])
        .await;
    assert_eq!(reason(&house, Some(id(2)), 500).await, "HISTORY_EXPIRED");
}

#[rstest]
#[tokio::test]
async fn a_hundred_changed_entities_are_named_and_one_more_is_not(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine, quick(), Clock::system()).await;
    house.emit_many(101).await;
    let named = changes(&house, Some(id(1)), 500).await;
    assert_eq!(named["changedOrderIds"].as_array().unwrap().len(), 100);
    house.emit().await;
    assert_eq!(
        reason(&house, Some(id(1)), 500).await,
        "TOO_MANY_CHANGED_ENTITIES"
    );
    assert_eq!(reason(&house, Some(id(1)), 1).await, "TOO_MANY_EVENTS");
}

#[rstest]
#[tokio::test]
async fn changes_of_a_store_that_is_not_there_are_none(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::on(engine, quick(), Clock::system()).await;
    let nobody = domain::id::StoreId(uuid::Uuid::nil());
    assert!(
        changes_since(&house.db, nobody, None, 9)
            .await
            .unwrap()
            .is_none()
    );
    let _: Value = nobody.into();
}

//! Limits, and how streams end.

use domain::stream::EventId;
use rstest::rstest;
use server::clock::Clock;
use server::hub::{HubConfig, Limit, Refused};
use tokio::time::Instant;

use super::house::{House, eventually, ms, quick};
use super::reading::{Reader, deaf};
use crate::support::Engine::{self, Postgres, Sqlite};

#[tokio::test]
async fn beyond_a_limit_a_stream_is_refused_and_an_ended_one_makes_room() {
    let house = House::open(HubConfig {
        streams_per_session: 2,
        ..quick()
    })
    .await;
    let first = house.hub.subscribe(house.who(None)).await.unwrap();
    let _second = house.hub.subscribe(house.who(None)).await.unwrap();
    let refused = house.hub.subscribe(house.who(None)).await.unwrap_err();
    assert!(matches!(refused, Refused::TooMany(Limit::Session)));
    drop(first);
    eventually("there is room", async || house.hub.streams_open() == 1).await;
    house.hub.subscribe(house.who(None)).await.unwrap();
}

#[tokio::test]
async fn a_store_that_does_not_exist_has_no_stream_and_leaves_nothing_behind() {
    let house = House::open(quick()).await;
    let store = domain::id::StoreId(uuid::Uuid::nil());
    let who = server::hub::Subscription {
        store,
        ..house.who(None)
    };
    assert!(matches!(
        house.hub.subscribe(who).await,
        Err(Refused::History(_))
    ));
    assert_eq!(house.hub.streams_open(), 0);
    assert_eq!(house.hub.stores_followed(), 0);
}

#[rstest]
#[tokio::test]
async fn a_revoked_session_loses_its_streams_within_a_beat_and_no_other_does(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine, quick(), Clock::system()).await;
    let other = house.another_session(house.store).await;
    let who = server::hub::Subscription {
        session: other,
        ..house.who(Some(EventId::NONE))
    };
    let mut theirs = Reader::new(house.hub.subscribe(who).await.unwrap());
    let mut ours = Reader::connect(&house, EventId::NONE).await;
    theirs.find("heartbeat").await;
    ours.find("heartbeat").await;
    house
        .execute("delete from session where id = $1", &[other.into()])
        .await;
    theirs.ends_within_a_beat().await;
    ours.find("heartbeat").await;
    assert_eq!(house.hub.streams_open(), 1);
}

#[tokio::test]
async fn a_stream_ends_after_its_lifetime_and_asks_its_client_back() {
    let house = House::open(HubConfig {
        lifetime: ms(300),
        ..quick()
    })
    .await;
    let mut reader = Reader::connect(&house, EventId::NONE).await;
    let drain = reader.find("drain").await;
    assert!(drain.data["reconnectInMs"].is_i64());
    assert!(reader.next().await.is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn drain_says_goodbye_to_all_refuses_new_ones_and_waits_for_no_stuck_client() {
    let house = House::open(quick()).await;
    let mut readers = Vec::new();
    for _ in 0..20 {
        let mut reader = Reader::connect(&house, EventId::NONE).await;
        reader.ready().await;
        readers.push(reader);
    }
    let _stuck = deaf(house.addr, "/stream").await;
    let never_read = house
        .hub
        .subscribe(house.who(Some(EventId::NONE)))
        .await
        .unwrap();
    house.emit_many(40).await;
    let begun = Instant::now();
    house.hub.drain().await;
    assert!(begun.elapsed() < ms(3_000), "{:?}", begun.elapsed());
    assert_eq!(house.hub.streams_open(), 0);
    for reader in &mut readers {
        assert!(reader.find("drain").await.data["reconnectInMs"].is_i64());
        assert!(reader.next().await.is_none());
    }
    drop(never_read);
    let refused = house.hub.subscribe(house.who(None)).await;
    assert!(matches!(refused, Err(Refused::Draining)));
    assert!(house.hub.is_draining());
}

#[rstest]
#[tokio::test]
async fn heartbeats_go_on_when_the_database_cannot_be_read(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine, quick(), Clock::system()).await;
    let mut reader = Reader::connect(&house, EventId::NONE).await;
    reader.find("heartbeat").await;
    house.db.close().await;
    for _ in 0..3 {
        reader.find("heartbeat").await;
    }
}

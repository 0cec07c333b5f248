//! How a stream opens, for each kind of cursor.

use domain::stream::{Epoch, EventId};
use rstest::rstest;
use server::clock::Clock;
use server::hub::{HubConfig, RingLimits};

use super::house::{House, eventually, id, ms, quick};
use super::reading::Reader;
use crate::support::Engine::{self, Postgres, Sqlite};

async fn open(house: &House, cursor: Option<EventId>) -> Reader {
    Reader::new(house.hub.subscribe(house.who(cursor)).await.unwrap())
}

/// Opens with a cursor that cannot be continued: the marker, then live from the head.
async fn reason(house: &House, cursor: Option<EventId>) -> String {
    let mut reader = open(house, cursor).await;
    assert_eq!(reader.ready().await.data["resumed"], false);
    let reload = reader.next().await.unwrap();
    assert_eq!(
        (reload.event.as_str(), reload.id),
        ("RELOAD_REQUIRED", None)
    );
    assert!(reload.data["notBeforeMs"].is_i64());
    let next = house.emit().await;
    assert_eq!(reader.next_but_beats().await.unwrap().id, Some(next));
    reload.data["reason"].as_str().unwrap().to_owned()
}

#[rstest]
#[tokio::test]
async fn the_first_bytes_tell_the_browser_not_to_reconnect_by_itself(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine, quick(), Clock::system()).await;
    let mut reader = Reader::connect(&house, EventId::NONE).await;
    reader.ready().await;
    assert!(reader.first_bytes.starts_with(b"retry: 3600000\n\n"));
}

#[rstest]
#[tokio::test]
async fn a_client_that_has_seen_nothing_goes_live_from_the_head(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine, quick(), Clock::system()).await;
    house.emit_many(3).await;
    let mut reader = open(&house, Some(EventId::NONE)).await;
    let ready = reader.ready().await;
    assert_eq!(ready.data["resumed"], false);
    assert_eq!(ready.data["head"], id(3).to_string());
    assert_eq!(ready.data["heartbeatMs"], 100);
    assert_eq!(ready.data["connectionId"], "bridge");
    house.emit().await;
    assert_eq!(reader.next_but_beats().await.unwrap().id, Some(id(4)));
}

#[rstest]
#[tokio::test]
async fn a_cursor_at_the_head_is_resumed_with_nothing_to_replay(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine, quick(), Clock::system()).await;
    house.emit_many(3).await;
    let mut reader = open(&house, Some(id(3))).await;
    assert_eq!(reader.ready().await.data["resumed"], true);
    house.emit().await;
    assert_eq!(reader.next_but_beats().await.unwrap().id, Some(id(4)));
}

#[rstest]
#[tokio::test]
async fn three_hundred_events_are_replayed_and_three_hundred_and_one_are_not(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let config = HubConfig {
        heartbeat: ms(60_000),
        ring: RingLimits {
            frames: 10,
            ..RingLimits::default()
        },
        ..quick()
    };
    let house = House::on(engine, config, Clock::system()).await;
    house.emit_many(301).await;
    // From history: the ring holds the last ten only.
    let mut reader = open(&house, Some(id(1))).await;
    assert_eq!(reader.ready().await.data["resumed"], true);
    assert_eq!(reader.seqs_upto(301).await, (2..=301).collect::<Vec<_>>());
    // From the ring.
    house.emit().await;
    assert_eq!(reader.seqs_upto(302).await, [302]);
    let mut again = open(&house, Some(id(301))).await;
    assert_eq!(again.ready().await.data["resumed"], true);
    assert_eq!(again.seqs_upto(302).await, [302]);
    assert_eq!(reason(&house, Some(id(1))).await, "TOO_MANY_EVENTS");
}

#[rstest]
#[tokio::test]
async fn a_cursor_that_cannot_be_continued_gets_one_marker_and_goes_live(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine, quick(), Clock::system()).await;
    house.emit_many(3).await;
    assert_eq!(
        reason(&house, Some(EventId::new(Epoch(7), 2))).await,
        "EPOCH_CHANGED"
    );
    assert_eq!(reason(&house, Some(id(99))).await, "CURSOR_AHEAD");
    assert_eq!(reason(&house, None).await, "HISTORY_EXPIRED");
}

#[rstest]
#[tokio::test]
async fn a_cursor_older_than_the_history_gets_a_marker_and_the_edge_does_not(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine, quick(), Clock::system()).await;
    house.emit_many(3).await;
    house
        .execute("delete from outbox where seq <= 2", &[])
        .await;
    assert_eq!(reason(&house, Some(id(1))).await, "HISTORY_EXPIRED");
    let mut edge = open(&house, Some(id(2))).await;
    assert_eq!(edge.ready().await.data["resumed"], true);
    assert_eq!(edge.next_but_beats().await.unwrap().id, Some(id(3)));
}

#[rstest]
#[tokio::test]
async fn a_cursor_ahead_of_the_ring_but_not_of_the_database_is_resumed(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine, quick(), Clock::system()).await;
    let mut first = open(&house, Some(EventId::NONE)).await;
    first.ready().await;
    // Committed elsewhere: this process has not looked yet.
    let seen = house
        .commit(house.store, "ORDER_CHANGED", "{}".to_owned())
        .await;
    let mut reader = open(&house, Some(seen)).await;
    assert_eq!(reader.ready().await.data["resumed"], true);
    let next = house.emit().await;
    assert_eq!(reader.next_but_beats().await.unwrap().id, Some(next));
}

#[rstest]
#[tokio::test]
async fn another_epoch_ends_every_stream_with_a_marker_and_the_next_one_names_it(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine, quick(), Clock::system()).await;
    house.emit_many(3).await;
    let mut reader = open(&house, Some(id(3))).await;
    reader.ready().await;
    house
        .execute("update store_stream set epoch = 5, seq = 1", &[])
        .await;
    house.execute("delete from outbox where seq > 1", &[]).await;
    let reload = reader.next_but_beats().await.unwrap();
    assert_eq!(reload.event, "RELOAD_REQUIRED");
    assert_eq!(reload.data["reason"], "EPOCH_CHANGED");
    assert_eq!(reader.next_but_beats().await.unwrap().event, "drain");
    assert!(reader.next_but_beats().await.is_none());

    let mut again = open(&house, Some(id(3))).await;
    assert_eq!(again.ready().await.data["head"], "00000005:1");
    assert_eq!(again.next().await.unwrap().data["reason"], "EPOCH_CHANGED");
    house.emit().await;
    let next = again.next_but_beats().await.unwrap();
    assert_eq!(next.id, Some(EventId::new(Epoch(5), 2)));
}

#[rstest]
#[tokio::test]
async fn a_stream_that_opens_before_the_new_epoch_is_seen_belongs_to_it(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let config = HubConfig {
        heartbeat: ms(60_000),
        ..quick()
    };
    let house = House::on(engine, config, Clock::system()).await;
    let mut first = open(&house, Some(EventId::NONE)).await;
    first.ready().await;
    house.emit_many(2).await;
    first.seqs_upto(2).await;
    house
        .execute("update store_stream set epoch = 5", &[])
        .await;
    let mut reader = open(&house, Some(EventId::new(Epoch(5), 1))).await;
    let ready = reader.ready().await;
    assert_eq!(ready.data["head"], "00000005:2");
    assert_eq!(ready.data["resumed"], true);
    eventually("the older stream ends", async || {
        house.hub.streams_open() == 1
    })
    .await;
}

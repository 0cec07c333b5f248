//! What is on the wire.

use domain::id::StationId;
use domain::stream::EventId;
use rstest::rstest;
use server::clock::Clock;
use server::service::ack::acknowledge;
use uuid::Uuid;

use super::house::{House, id, quick};
use super::reading::Reader;
use crate::support::Engine::{self, Postgres, Sqlite};

/// Trials C07 and C17, server side.
#[rstest]
#[tokio::test]
async fn heartbeats_are_named_events_without_an_id_and_say_where_the_stream_stands(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine, quick(), Clock::system()).await;
    house.emit_many(2).await;
    let mut reader = Reader::connect(&house, id(1)).await;
    reader.ready().await;
    let mut beats = 0;
    let mut sent = 1;
    while beats < 5 {
        let frame = reader.next().await.unwrap();
        match frame.id {
            Some(event) => {
                assert_eq!(frame.data["eventId"], event.to_string());
                sent = event.seq;
            }
            None => {
                assert_eq!(frame.event, "heartbeat");
                assert!(frame.data.get("eventId").is_none());
                assert_eq!(frame.data["sent"], id(sent).to_string());
                assert_eq!(frame.data["head"], id(2).to_string());
                assert!(frame.data["serverTime"].is_i64());
                beats += 1;
            }
        }
    }
    assert_eq!(sent, 2);
}

#[rstest]
#[tokio::test]
async fn after_a_marker_the_heartbeat_stands_at_the_head(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine, quick(), Clock::system()).await;
    house.emit_many(3).await;
    let mut reader = Reader::connect(&house, id(99)).await;
    reader.ready().await;
    reader.find("RELOAD_REQUIRED").await;
    assert_eq!(
        reader.find("heartbeat").await.data["sent"],
        id(3).to_string()
    );
}

/// Trial C10, from the outbox to the wire.
#[rstest]
#[tokio::test]
async fn a_note_with_line_breaks_arrives_character_for_character(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine, quick(), Clock::system()).await;
    let mut reader = Reader::connect(&house, EventId::NONE).await;
    reader.ready().await;
    let note = "땅콩 빼고\r\n포장 따로\n🍲 두 개";
    let payload = serde_json::json!({ "id": Uuid::nil(), "note": note }).to_string();
    house.emit_as(house.store, "ORDER_CHANGED", payload).await;
    assert_eq!(
        reader.next_but_beats().await.unwrap().data["payload"]["note"],
        note
    );
}

/// Trial C11.
#[rstest]
#[tokio::test]
async fn a_huge_event_travels_thin_and_the_small_ones_after_it_follow(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine, quick(), Clock::system()).await;
    let mut reader = Reader::connect(&house, EventId::NONE).await;
    reader.ready().await;
    let notes = vec!["가".repeat(500); 400];
    let huge = serde_json::json!({ "id": Uuid::nil(), "version": 4, "notes": notes });
    assert!(huge.to_string().len() > 600_000);
    house
        .emit_as(house.store, "KITCHEN_COOK", huge.to_string())
        .await;
    house.emit_many(3).await;
    let thin = reader.next_but_beats().await.unwrap();
    assert_eq!(
        thin.data["payload"],
        serde_json::json!({ "id": Uuid::nil(), "version": 4, "fetch": true })
    );
    assert_eq!(reader.seqs_upto(4).await, [2, 3, 4]);
}

#[rstest]
#[tokio::test]
async fn a_dead_event_reads_as_a_marker_under_its_own_number(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine, quick(), Clock::system()).await;
    house.emit_many(3).await;
    house
        .execute("update outbox set dead = true where seq = 2", &[])
        .await;
    let mut reader = Reader::connect(&house, id(1)).await;
    reader.ready().await;
    let marker = reader.next_but_beats().await.unwrap();
    assert_eq!(
        (marker.id, marker.event.as_str()),
        (Some(id(2)), "RELOAD_REQUIRED")
    );
    assert_eq!(marker.data["type"], "RELOAD_REQUIRED");
    assert!(marker.data["payload"]["reason"].is_string());
    assert_eq!(reader.seqs_upto(3).await, [3]);
}

#[rstest]
#[tokio::test]
async fn every_stream_hears_what_each_kitchen_screen_has_applied(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine, quick(), Clock::system()).await;
    let station = StationId(Uuid::from_u128(9));
    let grill = house.who_cooks("grill", Some(station));
    let _grill = house.hub.subscribe(grill).await.unwrap();
    let _pass = house
        .hub
        .subscribe(house.who_cooks("pass", None))
        .await
        .unwrap();
    let mut reader = Reader::connect(&house, EventId::NONE).await;
    reader.ready().await;
    house.emit_many(5).await;
    let ack = async |who: &str, applied| {
        acknowledge(&house.db, &house.clock, house.store, who, applied)
            .await
            .unwrap();
    };
    ack("grill", id(4)).await;
    // Neither back, nor ahead of what happened, nor from a screen without a kitchen.
    ack("grill", id(2)).await;
    ack("pass", id(6)).await;
    ack("hall", id(3)).await;
    loop {
        let beat = reader.find("heartbeat").await;
        let mut kitchen = beat.data["kitchen"].as_array().unwrap().clone();
        kitchen.sort_by_key(|screen| screen["connectionId"].to_string());
        let applied: Vec<_> = kitchen
            .iter()
            .map(|screen| screen["applied"].clone())
            .collect();
        if applied == [id(4).to_string().as_str(), "0:0"] {
            assert_eq!(kitchen[0]["stationId"], station.to_string());
            assert_eq!(kitchen[1]["stationId"], serde_json::Value::Null);
            return;
        }
    }
}

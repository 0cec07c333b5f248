//! Streams that fall out of the ring, and rings that go.

use domain::stream::EventId;
use server::hub::{HubConfig, RingLimits};

use super::house::{House, eventually, id, ms, quick};
use super::reading::Reader;

fn small(frames: usize, replay: u64) -> HubConfig {
    let ring = RingLimits {
        frames,
        ..RingLimits::default()
    };
    HubConfig {
        ring,
        replay,
        heartbeat: ms(60_000),
        ..quick()
    }
}

/// A stream that nobody reads while more passes than the ring and its queue hold.
async fn lagging(house: &House, events: usize) -> Reader {
    let stream = house
        .hub
        .subscribe(house.who(Some(EventId::NONE)))
        .await
        .unwrap();
    let mut observer = Reader::connect(house, EventId::NONE).await;
    observer.ready().await;
    let last = house.emit_many(events).await;
    observer.seqs_upto(last.seq).await;
    Reader::new(stream)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_that_fell_out_of_the_ring_catches_up_from_history() {
    let house = House::open(small(4, 300)).await;
    let mut reader = lagging(&house, 200).await;
    reader.ready().await;
    assert_eq!(reader.seqs_upto(200).await, (1..=200).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_fell_too_far_behind_gets_a_marker_and_goes_on_at_the_head() {
    let house = House::open(small(4, 50)).await;
    let mut reader = lagging(&house, 200).await;
    reader.ready().await;
    let before = reader.seqs_upto(200).await;
    assert_eq!(before, (1..=before.len() as u64).collect::<Vec<_>>());
    assert!(
        before.len() < 150,
        "{} events were not lagging",
        before.len()
    );
    // `seqs_upto` took the marker; what follows is dense again.
    house.emit_many(3).await;
    let after = reader.seqs_upto(203).await;
    let from = after[0];
    assert_eq!(after, (from..=203).collect::<Vec<_>>());
    assert!(from > 150, "went on at {from}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_that_history_lost_are_never_passed_over_in_silence() {
    let house = House::open(quick()).await;
    house.emit_many(3).await;
    let mut reader = Reader::connect(&house, id(3)).await;
    reader.ready().await;
    // Numbers were given out and their rows are gone.
    house.execute("update store_stream set seq = 7", &[]).await;
    house.emit().await;
    let marker = reader.next_but_beats().await.unwrap();
    assert_eq!(marker.event, "RELOAD_REQUIRED");
    assert_eq!(marker.data["reason"], "HISTORY_EXPIRED");
    let next = house.emit().await;
    let mut frame = reader.next_but_beats().await.unwrap();
    // The gap may have been noticed before there was an event behind it.
    if frame.id == Some(id(8)) {
        frame = reader.next_but_beats().await.unwrap();
    }
    assert_eq!(frame.id, Some(next));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_ring_goes_some_time_after_its_last_stream() {
    let house = House::open(HubConfig {
        ring_idle: ms(50),
        ..quick()
    })
    .await;
    let mut reader = Reader::connect(&house, EventId::NONE).await;
    reader.ready().await;
    assert_eq!(house.hub.stores_followed(), 1);
    drop(reader);
    eventually("the ring goes", async || house.hub.stores_followed() == 0).await;
    house.emit().await;
    let mut again = Reader::connect(&house, EventId::NONE).await;
    assert_eq!(again.ready().await.data["head"], id(1).to_string());
    house.emit().await;
    assert_eq!(again.seqs_upto(2).await, [2]);
}

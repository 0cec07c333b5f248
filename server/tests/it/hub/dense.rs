//! No connection ever receives seq n+2 after n (realtime, section 7.3).

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use domain::event::ReloadReason;
use server::hub::{Guards, Hook, HubConfig};
use tokio::sync::{Mutex, Notify};
use tokio::task::JoinSet;

use super::house::{House, id, ms, quick};
use super::reading::Reader;

/// Trial C20 without failpoints, scaled: many connects at random times against a stream of
/// events.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_connect_at_any_time_sees_a_gapless_ascending_sequence_from_its_cursor() {
    const EVENTS: u64 = 150;
    let house = House::open(HubConfig {
        heartbeat: ms(1_000),
        ..quick()
    })
    .await;
    let committed = Arc::new(AtomicU64::new(house.emit().await.seq));
    let mut readers = JoinSet::new();
    for n in 0..500 {
        let (house, committed) = (house.clone(), committed.clone());
        readers.spawn(async move {
            tokio::time::sleep(ms(rand::random_range(0..750))).await;
            let cursor = rand::random_range(1..=committed.load(Ordering::SeqCst));
            // A quarter over sockets; the others at the hub itself.
            let mut reader = if n % 4 == 0 {
                Reader::connect(&house, id(cursor)).await
            } else {
                let who = house.who(Some(id(cursor)));
                Reader::new(house.hub.subscribe(who).await.unwrap())
            };
            reader.ids_only = true;
            assert_eq!(reader.ready().await.data["resumed"], true);
            let seqs = reader.seqs_upto(EVENTS).await;
            assert_eq!(seqs, (cursor + 1..=EVENTS).collect::<Vec<_>>());
        });
    }
    let mut pace = tokio::time::interval(ms(5));
    for _ in 1..EVENTS {
        pace.tick().await;
        committed.store(house.emit().await.seq, Ordering::SeqCst);
    }
    while let Some(reader) = readers.join_next().await {
        reader.unwrap();
    }
}

/// An event is committed, and reaches the ring, between the replay and the first live one.
async fn numbers_with_an_event_after_the_replay(ring_before_replay: bool) -> Vec<u64> {
    let house: Arc<OnceLock<House>> = Arc::default();
    let observer: Arc<Mutex<Option<Reader>>> = Arc::default();
    let hooked = Arc::new(Notify::new());
    let hook: Hook = {
        let (house, observer, hooked) = (house.clone(), observer.clone(), hooked.clone());
        Arc::new(move || {
            let (house, observer, hooked) = (house.clone(), observer.clone(), hooked.clone());
            Box::pin(async move {
                let Some(reader) = &mut *observer.lock().await else {
                    return;
                };
                let emitted = house.get().unwrap().emit().await;
                reader.seqs_upto(emitted.seq).await;
                hooked.notify_one();
            })
        })
    };
    let guards = Guards {
        ring_before_replay,
        after_replay: Some(hook),
        ..Guards::default()
    };
    let opened = House::open(HubConfig { guards, ..quick() }).await;
    let house = house.get_or_init(|| opened);
    house.emit_many(5).await;
    // The observer's own opening finds no observer, so that its hook does nothing.
    let mut first = Reader::connect(house, id(5)).await;
    first.ready().await;
    house.emit().await;
    first.seqs_upto(6).await;
    *observer.lock().await = Some(first);

    let mut reader = Reader::connect(house, id(2)).await;
    reader.ready().await;
    hooked.notified().await;
    *observer.lock().await = None;
    house.emit().await;
    reader.seqs_upto(8).await
}

/// Trial C20 at its failpoint.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_between_the_replay_and_the_first_live_one_is_not_lost() {
    assert_eq!(
        numbers_with_an_event_after_the_replay(true).await,
        [3, 4, 5, 6, 7, 8]
    );
}

/// Negative control (realtime, section 7.7): the test above does see the hole.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_the_ring_subscribed_after_the_replay_the_event_is_lost() {
    assert_eq!(
        numbers_with_an_event_after_the_replay(false).await,
        [3, 4, 5, 6, 8]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_of_another_process_arrives_without_any_wake_up() {
    let house = House::open(quick()).await;
    let mut reader = Reader::connect(&house, domain::stream::EventId::NONE).await;
    reader.ready().await;
    house
        .commit(house.store, "ORDER_CHANGED", "{}".to_owned())
        .await;
    assert_eq!(reader.seqs_upto(1).await, [1]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_event_of_one_store_reaches_another() {
    let house = House::open(quick()).await;
    let (other, session) = house.another_store("two").await;
    let mut here = Reader::connect(&house, domain::stream::EventId::NONE).await;
    here.ready().await;
    let who = server::hub::Subscription {
        store: other,
        session,
        ..house.who(None)
    };
    let mut there = Reader::new(house.hub.subscribe(who).await.unwrap());
    there.ready().await;
    assert_eq!(
        there.next().await.unwrap().data["reason"],
        json_reason(ReloadReason::HistoryExpired)
    );
    for _ in 0..20 {
        house.emit().await;
        house.emit_for(other).await;
    }
    for (reader, store) in [(&mut here, house.store), (&mut there, other)] {
        for seq in 1..=20 {
            let frame = reader.next_but_beats().await.unwrap();
            assert_eq!(frame.id, Some(id(seq)));
            assert_eq!(frame.data["storeId"], store.to_string());
        }
    }
}

fn json_reason(reason: ReloadReason) -> serde_json::Value {
    serde_json::to_value(reason).unwrap()
}

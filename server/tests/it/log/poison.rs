//! Events that can never be published as themselves.

use domain::snapshot::ChangesReason;
use rstest::rstest;
use server::clock::Clock;
use server::log::Log;
use server::relay::RelayConfig;
use server::service::changes::changes_since;
use server::store::outbox::outbox_waiting;
use tokio_util::sync::CancellationToken;

use super::outbox::stuck;
use super::witness::{Witness, key, numbers, rows};
use crate::hub::house::{House, id, quick};
use crate::support::Redis;

/// An event whose payload no command would write.
async fn reads_as_a_marker(payload: &str) {
    let redis = Redis::start().await;
    let log = Log::redis(redis.config()).unwrap();
    let house = House::over(quick(), Clock::system(), log, RelayConfig::default()).await;
    let mut witness = Witness::of(&house).await;
    house.emit_many(3).await;
    let poison = house.row("ORDER_CHANGED", payload.to_owned());
    let seq = house.commit_row(poison).await.seq;
    house.emit().await;
    house.relay.round().await.unwrap();
    let row = rows(&house, seq - 1, 1).await.remove(0);
    assert!(row.dead && row.published_at.is_some(), "{row:?}");
    // In the log, on the stream, and to who asks what changed it is the marker; the next one is
    // itself.
    let mut range = redis::cmd("XRANGE");
    range.arg(key(&house)).arg(seq).arg(seq);
    let stored: Vec<(String, Vec<String>)> = redis.ask(&range).await;
    assert_eq!(stored[0].1[3], "RELOAD_REQUIRED");
    assert_eq!(stored[0].1[7], r#"{"reason":"UNPUBLISHABLE"}"#);
    for expected in [
        "ORDER_CHANGED",
        "ORDER_CHANGED",
        "ORDER_CHANGED",
        "RELOAD_REQUIRED",
    ] {
        assert_eq!(witness.next().await.told().0, expected);
    }
    assert_eq!(witness.next().await.told().0, "ORDER_CHANGED");
    let changes = changes_since(&house.db, house.store, Some(id(seq - 1)), 500);
    let changes = changes.await.unwrap().unwrap();
    assert_eq!(changes.reason, Some(ChangesReason::ReloadMarker));
    let left = outbox_waiting(&mut house.db.read().await.unwrap()).await;
    assert!(left.unwrap().is_empty());
    witness.has_all().await;
}

/// Trials C25 and C26: the event behind it goes at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_that_is_not_json_is_dead_at_once_and_holds_up_nobody() {
    reads_as_a_marker("{\"id\":").await;
}

/// Trials C25 and C26.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_that_is_too_large_to_travel_is_dead_at_once_and_holds_up_nobody() {
    reads_as_a_marker(&format!("\"{}\"", "x".repeat(70_000))).await;
}

/// Trial C26: a store's order is kept, and what can never be published takes its turn at once.
#[rstest]
#[case::one(1)]
#[case::fifteen(15)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dead_events_hold_up_none_of_three_hundred_good_ones_behind_them(#[case] dead: u64) {
    const GOOD: u64 = 300;
    let redis = Redis::start().await;
    let log = Log::redis(redis.config()).unwrap();
    let house = House::over(quick(), Clock::system(), log, RelayConfig::default()).await;
    let mut witness = Witness::of(&house).await;
    for _ in 0..dead {
        let poison = house.row("ORDER_CHANGED", "{\"id\":".to_owned());
        house.commit_row(poison).await;
    }
    for _ in 0..GOOD {
        let good = house.row("ORDER_CHANGED", "{}".to_owned());
        house.commit_row(good).await;
    }
    let stop = CancellationToken::new();
    tokio::spawn(house.relay.clone().run(stop.clone()));
    witness.all_is_published().await;
    witness.has_all().await;
    let there = numbers(&redis, &key(&house)).await;
    assert_eq!(there, (1..=dead + GOOD).collect::<Vec<_>>());
    let told = &stuck(&house).await[0];
    assert_eq!(
        (&told["unpublished"], &told["dead"], &told["attempts"]),
        (&0.into(), &dead.into(), &0.into())
    );
    let named = told["deadEvents"].as_array().unwrap();
    assert_eq!(named.len() as u64, dead);
    // Each was offered once, and none is again: the next event is all that there is to do.
    let offered = redis.calls("xadd").await;
    assert!(offered < 2 * (dead + GOOD), "{offered}");
    house.emit().await;
    witness.has_all().await;
    witness.all_is_published().await;
    assert_eq!(redis.calls("xadd").await, offered + 1);
    stop.cancel();
}

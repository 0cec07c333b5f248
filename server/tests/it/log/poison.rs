//! Events that can never be published as themselves.

use domain::snapshot::ChangesReason;
use server::clock::Clock;
use server::log::Log;
use server::relay::RelayConfig;
use server::service::changes::changes_since;
use server::store::outbox::outbox_waiting;

use super::witness::{Witness, key, rows};
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_that_is_not_json_is_dead_at_once_and_holds_up_nobody() {
    reads_as_a_marker("{\"id\":").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_that_is_too_large_to_travel_is_dead_at_once_and_holds_up_nobody() {
    reads_as_a_marker(&format!("\"{}\"", "x".repeat(70_000))).await;
}

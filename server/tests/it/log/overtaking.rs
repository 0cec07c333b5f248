//! Nothing overtakes an event of its own store, whatever becomes of it; other stores go on.

use redis::cmd;
use server::clock::Clock;
use server::log::Log;
use server::relay::RelayConfig;
use server::store::outbox::OutboxRow;
use uuid::Uuid;

use super::control::added;
use super::outbox::stuck;
use super::witness::{Witness, key, key_of, numbers, rows};
use crate::hub::house::{House, quick};
use crate::support::Redis;

/// A house whose relay goes round when the test says so.
async fn house(redis: &Redis, tail_check: bool) -> House {
    let log = Log::redis(redis.config()).unwrap();
    let mut hub = quick();
    hub.guards.tail_check = tail_check;
    House::over(hub, Clock::system(), log, RelayConfig::default()).await
}

/// Order 7 is created, and then cancelled.
async fn created_and_cancelled(house: &House) {
    let order = Uuid::from_u128(7);
    for (kind, version) in [("KITCHEN_COOK", 1), ("ORDER_CHANGED", 2)] {
        let payload = format!(r#"{{"id":"{order}","version":{version}}}"#);
        house.commit(house.store, kind, payload).await;
    }
}

/// Trial C25.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_whose_publishing_fails_waits_in_order_and_another_goes_on() {
    let redis = Redis::start().await;
    let house = house(&redis, true).await;
    let (other, _) = house.another_store("two").await;
    let mut witness = Witness::of(&house).await;
    // A key of another kind: what is added there is refused, and not for its own sake.
    redis.ask::<()>(cmd("SET").arg(key(&house)).arg("x")).await;
    created_and_cancelled(&house).await;
    house.emit_for(other).await;
    house.relay.round().await.unwrap();
    assert_eq!(numbers(&redis, &key_of(other)).await, [1]);
    let told = &stuck(&house).await[0];
    assert_eq!(
        (&told["store"], &told["attempts"]),
        (&"one".into(), &1.into())
    );
    assert_eq!(
        (&told["unpublished"], &told["dead"]),
        (&2.into(), &0.into())
    );

    // It could be published again, and waits for its time: both of its events do.
    redis.ask::<()>(cmd("DEL").arg(key(&house))).await;
    let longer = "update relay_state set next_attempt_at = next_attempt_at + 60000 \
        where attempts > 0";
    house.execute(longer, &[]).await;
    house.emit_for(other).await;
    house.relay.round().await.unwrap();
    assert_eq!(numbers(&redis, &key_of(other)).await, [1, 2]);
    assert_eq!(stuck(&house).await[0]["unpublished"], 2);

    let due = "update relay_state set next_attempt_at = 0";
    house.execute(due, &[]).await;
    house.relay.round().await.unwrap();
    assert_eq!(numbers(&redis, &key(&house)).await, [1, 2]);
    assert_eq!(stuck(&house).await, serde_json::json!([]));
    witness.has_all().await;
}

/// Trial C25, where the failure was over in the middle of the batch: the log has the later event
/// and will never take the earlier one. Nobody sees them in that order.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_that_the_log_took_before_an_earlier_one_is_seen_after_it() {
    let redis = Redis::start().await;
    // Without any other way to hear of them than the log.
    let house = house(&redis, false).await;
    let mut witness = Witness::of(&house).await;
    created_and_cancelled(&house).await;
    let cancelled: OutboxRow = rows(&house, 1, 1).await.remove(0);
    redis.ask::<()>(&added(&house, &cancelled)).await;
    assert_eq!(witness.next().await.kind, "KITCHEN_COOK");
    assert_eq!(witness.next().await.kind, "ORDER_CHANGED");
    house.relay.round().await.unwrap();
    witness.all_is_published().await;
    assert_eq!(numbers(&redis, &key(&house)).await, [2]);
    witness.has_all().await;
}

//! Two relays at one outbox.

use std::sync::Arc;
use std::time::Duration;

use server::clock::Clock;
use server::db::Value;
use server::hub::Hook;
use server::log::Log;
use server::relay::{Relay, RelayConfig};
use tokio::sync::{Notify, Semaphore};
use tokio_util::sync::CancellationToken;

use super::witness::{Witness, entries, key, rows};
use crate::hub::house::{House, quick};
use crate::support::Redis;

/// A step at which a relay stands still until it is let go.
#[derive(Clone)]
struct Gate {
    reached: Arc<Notify>,
    open: Arc<Semaphore>,
}

impl Gate {
    fn new() -> Self {
        Self {
            reached: Arc::default(),
            open: Arc::new(Semaphore::new(0)),
        }
    }

    fn hook(&self) -> Hook {
        let gate = self.clone();
        Arc::new(move || {
            let gate = gate.clone();
            Box::pin(async move {
                gate.reached.notify_one();
                gate.open.acquire().await.unwrap().forget();
            })
        })
    }
}

struct Pair {
    redis: Redis,
    house: House,
    /// Stands still in the middle of its round.
    paused: Relay,
    /// Goes on.
    other: Relay,
    gate: Gate,
    witness: Witness,
}

impl Pair {
    async fn open(config: fn(Hook) -> RelayConfig) -> Self {
        let redis = Redis::start().await;
        let clock = Clock::system();
        let log = Log::redis(redis.config()).unwrap();
        let gate = Gate::new();
        let relay = config(gate.hook());
        let house = House::over(quick(), clock.clone(), log, relay).await;
        // Another process has a log of its own.
        let other = Relay::new(
            house.db.clone(),
            clock,
            Log::redis(redis.config()).unwrap(),
            house.hub.clone(),
        );
        let witness = Witness::of(&house).await;
        Self {
            redis,
            paused: house.relay.clone(),
            house,
            other,
            gate,
            witness,
        }
    }

    async fn lease_is_over(&self) {
        let sql = "update relay_state set lease_until = 0";
        self.house.execute(sql, &[]).await;
    }

    async fn published(&self) -> usize {
        let rows = rows(&self.house, 0, 1_000).await;
        rows.iter().filter(|row| row.published_at.is_some()).count()
    }
}

async fn one_that_is_paused_beyond_its_lease(config: fn(Hook) -> RelayConfig) {
    let mut pair = Pair::open(config).await;
    pair.house.emit_many(5).await;
    let paused = pair.paused.clone();
    let paused = tokio::spawn(async move { paused.round().await });
    pair.gate.reached.notified().await;
    // Its lease holds: nobody else takes the store.
    pair.other.round().await.unwrap();
    assert_eq!(pair.published().await, 0);
    pair.lease_is_over().await;
    pair.other.round().await.unwrap();
    assert_eq!(pair.published().await, 5);
    pair.house.emit_many(5).await;
    pair.other.round().await.unwrap();
    // A failure of the other one's later attempt is not to be forgotten by the first.
    let held =
        "update relay_state set lease = $1, lease_until = $2, attempts = 3, last_error = 'x'";
    let lease = uuid::Uuid::from_u128(9);
    let until = pair.house.clock.now().plus(10_000);
    pair.house
        .execute(held, &[Value::from(lease), Value::from(until)])
        .await;
    pair.house.emit_many(5).await;

    pair.gate.open.add_permits(1);
    paused.await.unwrap().unwrap();
    // It has said nothing: neither that its rows are out, nor that the attempt is over.
    assert_eq!(pair.published().await, 10);
    let mut tx = pair.house.db.read().await.unwrap();
    let kept: Option<(i64, String)> = tx
        .fetch_optional(
            "select attempts, last_error from relay_state where lease = $1",
            [Value::from(lease)],
        )
        .await
        .unwrap();
    assert_eq!(kept, Some((3, "x".to_owned())));
    drop(tx);
    pair.lease_is_over().await;
    pair.other.round().await.unwrap();
    assert_eq!(pair.published().await, 15);
    pair.witness.has_all().await;
    // Each event is in the log once, in order.
    let there = entries(&pair.redis, &key(&pair.house)).await;
    let stored = rows(&pair.house, 0, 1_000).await;
    let stored: Vec<_> = stored
        .iter()
        .map(|row| (row.seq, row.outbox_id.0))
        .collect();
    assert_eq!(there, stored);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_relay_that_wakes_with_rows_that_another_has_published_does_no_harm() {
    one_that_is_paused_beyond_its_lease(|hook| RelayConfig {
        before_publish: Some(hook),
        ..RelayConfig::default()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_relay_that_wakes_after_it_has_published_does_no_harm() {
    one_that_is_paused_beyond_its_lease(|hook| RelayConfig {
        after_publish: Some(hook),
        ..RelayConfig::default()
    })
    .await;
}

/// Another process commits while a lease keeps its own relay out, and is not woken again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_gives_a_lease_back_looks_again_and_nobody_waits_for_a_poll() {
    let mut pair = Pair::open(|hook| RelayConfig {
        poll: Duration::from_secs(3_600),
        after_publish: Some(hook),
        ..RelayConfig::default()
    })
    .await;
    let stop = CancellationToken::new();
    let store = pair.house.store;
    pair.house
        .commit(store, "ORDER_CHANGED", "{}".to_owned())
        .await;
    tokio::spawn(pair.paused.clone().run(stop.clone()));
    pair.gate.reached.notified().await;
    pair.house
        .commit(store, "ORDER_CHANGED", "{}".to_owned())
        .await;
    pair.other.round().await.unwrap();
    assert_eq!(pair.published().await, 0);
    pair.gate.open.add_permits(10);
    pair.witness.all_is_published().await;
    pair.witness.has_all().await;
    stop.cancel();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_relays_at_work_publish_everything_once() {
    let redis = Redis::start().await;
    let log = Log::redis(redis.config()).unwrap();
    let house = House::over(quick(), Clock::system(), log, RelayConfig::default()).await;
    let other = Log::redis(redis.config()).unwrap();
    let other = Relay::new(
        house.db.clone(),
        house.clock.clone(),
        other,
        house.hub.clone(),
    );
    let stop = CancellationToken::new();
    tokio::spawn(house.relay.clone().run(stop.clone()));
    tokio::spawn(other.clone().run(stop.clone()));
    let mut witness = Witness::of(&house).await;
    for n in 0..300 {
        house.emit().await;
        if n % 3 == 0 {
            other.committed(house.store);
        }
    }
    witness.has_all().await;
    witness.all_is_published().await;
    let there = entries(&redis, &key(&house)).await;
    let there: Vec<u64> = there.iter().map(|(seq, _)| *seq).collect();
    assert_eq!(there, (1..=300).collect::<Vec<_>>());
    stop.cancel();
}

//! A log that somebody wrote to whose clock is an hour ahead.

use redis::cmd;
use server::clock::Clock;
use server::log::Log;
use server::relay::{Relay, RelayConfig};
use tokio_util::sync::CancellationToken;

use super::witness::{Witness, key};
use crate::hub::house::{House, quick};
use crate::support::Redis;

/// Trial C32. The log refuses every number, for good, and no event depends on it: each is
/// offered once, and its readers have it from the outbox.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_that_refuses_every_number_loses_no_event_and_is_not_asked_for_ever() {
    const ORDERS: u64 = 5;
    const EVENTS: u64 = 500;
    let redis = Redis::start().await;
    let log = Log::redis(redis.config()).unwrap();
    let house = House::over(quick(), Clock::system(), log, RelayConfig::default()).await;
    let ahead = format!("{}-0", house.clock.now().plus(3_600_000).0);
    let mut seed = cmd("XADD");
    seed.arg(key(&house)).arg(&ahead).arg("x").arg("y");
    assert_eq!(redis.ask::<String>(&seed).await, ahead);
    let stop = CancellationToken::new();
    tokio::spawn(house.relay.clone().run(stop.clone()));
    let mut witness = Witness::of(&house).await;
    for _ in 0..ORDERS {
        house.emit().await;
    }
    witness.has_all().await;
    witness.all_is_published().await;

    let other = Relay::new(
        house.db.clone(),
        house.clock.clone(),
        Log::redis(redis.config()).unwrap(),
        house.hub.clone(),
    );
    tokio::spawn(other.clone().run(stop.clone()));
    for n in 0..EVENTS {
        house.emit().await;
        if n % 3 == 0 {
            other.committed(house.store);
        }
    }
    witness.has_all().await;
    witness.all_is_published().await;
    let offered = redis.calls("xadd").await;
    assert!(offered < 2 * (ORDERS + EVENTS), "{offered}");
    witness.beats(10).await;
    assert_eq!(redis.calls("xadd").await, offered);
    stop.cancel();
}

//! A key that goes while its reader waits for it.

use redis::cmd;
use rstest::rstest;
use tokio::time::Instant;

use super::Shop;
use super::errors::Errors;
use super::outbox::stuck;
use super::witness::{key, numbers};
use crate::hub::house::{House, eventually, ms};
use crate::support::Redis;

/// How it goes.
#[derive(Clone, Copy)]
enum Loss {
    Deleted,
    Flushed,
    /// Redis needs the memory for something else.
    Evicted,
}

impl Loss {
    async fn strike(self, redis: &Redis, key: &str) {
        match self {
            Self::Deleted => redis.ask::<()>(cmd("DEL").arg(key)).await,
            Self::Flushed => redis.ask::<()>(&cmd("FLUSHALL")).await,
            Self::Evicted => {
                let told: String = redis.ask(cmd("INFO").arg("memory")).await;
                let used = told
                    .lines()
                    .find_map(|line| line.strip_prefix("used_memory:"));
                let used: u64 = used.unwrap().parse().unwrap();
                let mut set = cmd("CONFIG");
                set.arg("SET").arg("maxmemory-policy").arg("allkeys-lru");
                set.arg("maxmemory").arg(used - FREED / 2);
                redis.ask::<()>(&set).await;
            }
        }
        eventually("the key is gone", async || {
            !redis.ask::<bool>(cmd("EXISTS").arg(key)).await
        })
        .await;
    }
}

/// What the log of a shop takes at least after [`large_orders`].
const FREED: u64 = 20 * 50_000;

async fn large_orders(house: &House) {
    for n in 0..20 {
        let id = uuid::Uuid::from_u128(n);
        let note = "x".repeat(50_000);
        let payload = format!(r#"{{"id":"{id}","version":1,"note":"{note}"}}"#);
        house.emit_as(house.store, "ORDER_CHANGED", payload).await;
    }
}

/// Trial C34. The reader goes on waiting, without a word and without a turn more than its
/// time, and has the next event when it is there.
#[rstest]
#[case::deleted(Loss::Deleted)]
#[case::flushed(Loss::Flushed)]
#[case::evicted(Loss::Evicted)]
#[tokio::test]
async fn a_reader_whose_key_is_gone_waits_and_has_what_comes_next(#[case] loss: Loss) {
    let errors = Errors::counted();
    let (mut shop, mut witness) = Shop::followed().await;
    let house = shop.house.clone();
    large_orders(&house).await;
    witness.has_all().await;
    witness.all_is_published().await;
    let key = key(&house);
    loss.strike(shop.redis(), &key).await;

    let block = shop.redis().config().block;
    let (begun, before) = (Instant::now(), shop.redis().calls("xread").await);
    witness.beats(12).await;
    let reads = shop.redis().calls("xread").await - before;
    let turns = begun.elapsed().as_millis() / block.as_millis();
    assert!(u128::from(reads) <= turns + 2, "{reads} of {turns}");

    let committed = Instant::now();
    house.emit().await;
    witness.next().await;
    assert!(committed.elapsed() <= block + ms(2_000));
    house.emit_many(4).await;
    witness.has_all().await;
    witness.all_is_published().await;
    // What came later is there, from its first one on.
    let there = numbers(shop.redis(), &key).await;
    assert_eq!(there, (41..=45).collect::<Vec<_>>());
    assert_eq!(errors.lines(), 0);
}

/// Trial C34: an operator reads of it once, however often it is tried.
#[tokio::test]
async fn a_log_that_is_away_is_not_told_with_each_attempt() {
    let errors = Errors::counted();
    let (mut shop, mut witness) = Shop::followed().await;
    let house = shop.house.clone();
    witness.all_is_published().await;
    assert_eq!(errors.lines(), 0);
    shop.redis().kill();
    house.emit_many(3).await;
    eventually("a second attempt failed", async || {
        stuck(&house).await[0]["attempts"].as_i64() >= Some(2)
    })
    .await;
    witness.has_all().await;
    // One of who publishes and one of who reads.
    assert_eq!(errors.lines(), 2);
    shop.redis().revive_empty().await;
    witness.all_is_published().await;
    assert_eq!(errors.lines(), 2);
}

//! What an operator sees of a log that takes nothing.

use redis::cmd;
use serde_json::Value;
use server::cli;
use server::config::Database;
use server::store::stuck::outbox_stuck;

use super::Shop;
use crate::hub::house::{House, eventually, quick};

async fn stuck(house: &House) -> Value {
    let mut tx = house.db.read().await.unwrap();
    let stuck = outbox_stuck(&mut tx, house.clock.now()).await.unwrap();
    serde_json::to_value(stuck).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_waits_is_told_with_how_long_how_often_and_why() {
    let (mut shop, mut witness) = Shop::followed().await;
    witness.all_is_published().await;
    assert_eq!(stuck(&shop.house).await, serde_json::json!([]));
    shop.redis().kill();
    shop.house.emit_many(3).await;
    let house = shop.house.clone();
    eventually("a second attempt failed", async || {
        stuck(&house).await[0]["attempts"].as_i64() >= Some(2)
    })
    .await;
    let told = &stuck(&house).await[0];
    assert_eq!(
        (&told["store"], &told["unpublished"]),
        (&"one".into(), &3.into())
    );
    let age = told["oldestAgeMs"].as_i64().unwrap();
    assert!((500..10_000).contains(&age), "{age}");
    // After the second failure two seconds pass.
    let next = told["nextAttemptAt"].as_i64().unwrap() - house.clock.now().0;
    assert!((0..=2_000).contains(&next), "{next}");
    let why = told["lastError"].as_str().unwrap();
    assert!(why.starts_with("the event log takes no events: "), "{why}");
    witness.has_all().await;
    shop.redis().revive_empty().await;
    witness.all_is_published().await;
    assert_eq!(stuck(&house).await, serde_json::json!([]));
    assert_eq!(shop.redis().ask::<String>(&cmd("PING")).await, "PONG");
}

#[tokio::test]
async fn the_command_prints_a_store_a_line() {
    let house = House::open(quick()).await;
    let database = || Database {
        database_url: house.url(),
    };
    assert_eq!(
        cli::outbox(database()).await.unwrap(),
        "every event is published"
    );
    house.emit_many(3).await;
    house
        .execute("update outbox set published_at = null where seq = 3", &[])
        .await;
    house
        .execute("update outbox set dead = true where seq = 2", &[])
        .await;
    let told = cli::outbox(database()).await.unwrap();
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(
        (&told["unpublished"], &told["dead"]),
        (&1.into(), &1.into())
    );
    assert_eq!(told["deadEvents"][0]["seq"], 2);
    assert_eq!(told["lastError"], Value::Null);
}

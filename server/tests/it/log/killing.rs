//! `kill -9` of Redis, and of a relay, in the middle of publishing.

use std::sync::{Arc, Mutex};

use server::hub::Hook;
use server::relay::RelayConfig;

use super::witness::Witness;
use super::{Kind, Shop};
use crate::hub::house::{ms, quick};
use crate::support::Redis;

/// Kills the server once, at that step of the relay.
fn killing(redis: &Arc<Mutex<Option<Redis>>>) -> Hook {
    let redis = Arc::clone(redis);
    Arc::new(move || {
        if let Some(redis) = &mut *redis.lock().unwrap() {
            redis.kill();
        }
        Box::pin(async {})
    })
}

/// Events are on their way when the server dies, before it has them or after; then it comes back
/// with nothing.
async fn killed_once(relay: fn(Hook) -> RelayConfig) {
    let server: Arc<Mutex<Option<Redis>>> = Arc::default();
    let hook = killing(&server);
    let mut shop = Shop::with(Kind::Redis, quick(), relay(hook)).await;
    let mut witness = Witness::of(&shop.house).await;
    shop.house.emit_many(5).await;
    witness.has_all().await;
    witness.all_is_published().await;
    // From here on the hook has it.
    *server.lock().unwrap() = shop.redis.take();
    shop.house.emit_many(5).await;
    witness.has_all().await;
    let mut redis = server.lock().unwrap().take().unwrap();
    redis.kill();
    redis.revive_empty().await;
    shop.redis = Some(redis);
    witness.all_is_published().await;
    shop.house.emit_many(5).await;
    witness.has_all().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redis_killed_before_it_has_the_events() {
    killed_once(|hook| RelayConfig {
        before_publish: Some(hook),
        ..RelayConfig::default()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redis_killed_when_it_has_them_and_nobody_has_noted_it() {
    killed_once(|hook| RelayConfig {
        after_publish: Some(hook),
        ..RelayConfig::default()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redis_killed_again_and_again_while_orders_flow() {
    let (mut shop, mut witness) = Shop::followed().await;
    let house = shop.house.clone();
    let orders = tokio::spawn(async move {
        let mut pace = tokio::time::interval(ms(5));
        for _ in 0..400 {
            pace.tick().await;
            house.emit().await;
        }
    });
    for round in 0..6 {
        tokio::time::sleep(ms(rand::random_range(50..250))).await;
        if round == 2 {
            shop.redis().save().await;
        }
        shop.redis().kill();
        tokio::time::sleep(ms(rand::random_range(0..100))).await;
        match round % 3 {
            0 => shop.redis().revive_empty().await,
            _ => shop.redis().revive().await,
        }
    }
    orders.await.unwrap();
    witness.has_all().await;
    witness.all_is_published().await;
    shop.house.emit_many(5).await;
    witness.has_all().await;
}

/// The relay dies when the log has the events and nobody has noted it: the next one finds them
/// there already, when the lease is over.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_relay_killed_before_it_notes_what_it_has_published() {
    let stuck: Hook = Arc::new(|| Box::pin(std::future::pending()));
    let relay = RelayConfig {
        lease: ms(300),
        after_publish: Some(stuck),
        ..RelayConfig::default()
    };
    let shop = Shop::with(Kind::Redis, quick(), relay).await;
    let mut witness = Witness::of(&shop.house).await;
    shop.house.emit_many(5).await;
    witness.has_all().await;
    let house = &shop.house;
    let next = server::relay::Relay::new(
        house.db.clone(),
        house.clock.clone(),
        house.log.clone(),
        house.hub.clone(),
    );
    let stop = tokio_util::sync::CancellationToken::new();
    tokio::spawn(next.clone().run(stop.clone()));
    witness.all_is_published().await;
    house.emit_many(5).await;
    next.committed(house.store);
    witness.has_all().await;
    witness.all_is_published().await;
    stop.cancel();
}

//! A Redis that loses what it had, or does not answer. After each fault the stream that was open
//! all along has seen every number once, and the database agrees.

use std::time::Duration;

use domain::stream::EventId;
use redis::cmd;
use tokio::time::Instant;

use super::Shop;
use super::control::published_and_then;
use super::witness::{Witness, entries, key, rows};
use crate::hub::house::{eventually, id};
use crate::hub::reading::Reader;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restarted_empty() {
    let (mut shop, mut witness) = Shop::followed().await;
    shop.redis().kill();
    shop.house.emit_many(5).await;
    witness.has_all().await;
    shop.redis().revive_empty().await;
    shop.house.emit_many(5).await;
    witness.has_all().await;
    witness.all_is_published().await;
    // What it lost stays lost; what came later is there.
    let (house, redis) = (shop.house.clone(), shop.redis());
    let there = entries(redis, &key(&house)).await;
    let there: Vec<u64> = there.iter().map(|(seq, _)| *seq).collect();
    assert_eq!(there, (21..=30).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn flushed_while_events_flow() {
    let (mut shop, mut witness) = Shop::followed().await;
    for _ in 0..10 {
        shop.house.emit_many(7).await;
        shop.redis().ask::<()>(&cmd("FLUSHALL")).await;
    }
    witness.has_all().await;
    witness.all_is_published().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_key_deleted_before_an_event_was_read() {
    let (mut shop, mut witness) = Shop::followed().await;
    let house = shop.house.clone();
    witness.all_is_published().await;
    published_and_then(&house, shop.redis(), &["DEL", &key(&house)]).await;
    witness.has_all().await;
    house.emit_many(3).await;
    witness.has_all().await;
    witness.all_is_published().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trimmed_below_a_cursor() {
    let (mut shop, mut witness) = Shop::followed().await;
    let house = shop.house.clone();
    witness.all_is_published().await;
    let trim = ["XTRIM", &key(&house), "MAXLEN", "0"];
    published_and_then(&house, shop.redis(), &trim).await;
    // The next one shows the hole.
    house.emit_many(3).await;
    witness.has_all().await;
    witness.all_is_published().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restored_from_an_older_dump() {
    let (mut shop, mut witness) = Shop::followed().await;
    witness.all_is_published().await;
    shop.redis().save().await;
    shop.house.emit_many(10).await;
    witness.has_all().await;
    witness.all_is_published().await;
    shop.redis().kill();
    shop.redis().revive().await;
    // Numbers 21 to 30 are published and not there; some are even offered again, after later ones.
    shop.house.emit_many(5).await;
    witness.has_all().await;
    witness.all_is_published().await;
    shop.house
        .execute(
            "update outbox set published_at = null where seq in (10, 25)",
            &[],
        )
        .await;
    witness.all_is_published().await;
    shop.house.emit_many(5).await;
    witness.has_all().await;
    let (house, redis) = (shop.house.clone(), shop.redis());
    let there = entries(redis, &key(&house)).await;
    let there: Vec<u64> = there.iter().map(|(seq, _)| *seq).collect();
    assert_eq!(there, (1..=20).chain(31..=40).collect::<Vec<_>>());
}

/// Connections stay and nobody answers: commands and beats go on, events come by the outbox.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn frozen_and_thawed() {
    let (mut shop, mut witness) = Shop::followed().await;
    witness.all_is_published().await;
    shop.redis().freeze();
    let begun = Instant::now();
    shop.house.emit_many(5).await;
    assert!(begun.elapsed() < Duration::from_secs(1), "a command waited");
    witness.has_all().await;
    eventually("the log counts as unwell", async || {
        !shop.house.relay.is_log_well()
    })
    .await;
    assert!(shop.house.relay.is_well(), "a warning, no more");
    shop.house.emit_many(5).await;
    witness.has_all().await;
    shop.redis().thaw();
    witness.all_is_published().await;
    eventually("the log is well again", async || {
        shop.house.relay.is_log_well()
    })
    .await;
    shop.house.emit_many(5).await;
    witness.has_all().await;
    witness.all_is_published().await;
}

/// It answers, and takes nothing: its memory is full.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn full() {
    let (mut shop, mut witness) = Shop::followed().await;
    let limit = |bytes: &str| {
        let mut set = cmd("CONFIG");
        set.arg("SET").arg("maxmemory").arg(bytes);
        set
    };
    shop.redis().ask::<()>(&limit("1")).await;
    shop.house.emit_many(5).await;
    witness.has_all().await;
    shop.redis().ask::<()>(&limit("0")).await;
    witness.all_is_published().await;
    shop.house.emit_many(5).await;
    witness.has_all().await;
}

/// The database was put back and keeps its epoch, against the rule: the log has events that never
/// happened. It does not keep them from those that do.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ahead_of_a_database_that_was_put_back() {
    let (mut shop, witness) = Shop::followed().await;
    witness.all_is_published().await;
    drop(witness);
    let house = shop.house.clone();
    for sql in [
        "delete from outbox where seq > 12",
        "update store_stream set seq = 12",
    ] {
        house.execute(sql, &[]).await;
    }
    // The reader has noticed when a stream opens at the database's position.
    eventually("the reader follows the database", async || {
        let mut reader = Reader::connect(&house, EventId::NONE).await;
        reader.ready().await.data["head"] == id(12).to_string()
    })
    .await;
    let mut witness = Witness::of(&house).await;
    house.emit_many(30).await;
    witness.has_all().await;
    witness.all_is_published().await;
    let there = entries(shop.redis(), &key(&house)).await;
    let stored = rows(&house, 12, 100).await;
    let stored: Vec<_> = stored
        .iter()
        .map(|row| (row.seq, row.outbox_id.0))
        .collect();
    assert_eq!(there, stored);
}

/// A log that was never there: the house opens without it, and with it later.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn not_there_at_first() {
    let mut redis = crate::support::Redis::start().await;
    redis.kill();
    let log = server::log::Log::redis(redis.config()).unwrap();
    let clock = server::clock::Clock::system();
    let (hub, relay) = (crate::hub::house::quick(), Default::default());
    let house = crate::hub::house::House::over(hub, clock, log, relay).await;
    let stop = tokio_util::sync::CancellationToken::new();
    tokio::spawn(house.relay.clone().run(stop.clone()));
    let mut witness = Witness::of(&house).await;
    house.emit_many(3).await;
    witness.has_all().await;
    redis.revive_empty().await;
    witness.all_is_published().await;
    house.emit_many(3).await;
    witness.has_all().await;
    stop.cancel();
}

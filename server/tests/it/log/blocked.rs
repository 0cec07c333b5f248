//! Reads that wait hold up nobody but themselves.

use std::time::Duration;

use domain::id::StoreId;
use domain::stream::{Epoch, EventId};
use server::log::{Log, RedisConfig};
use server::service::ticket::{ticket_issue, ticket_redeem};
use tokio::time::Instant;
use uuid::Uuid;

use super::joining::{follow, patient_house};
use super::witness::{key_of, numbers};
use crate::hub::house::{eventually, id, quick};
use crate::support::Redis;

/// The reads of [`patient_house`].
const BLOCK: Duration = Duration::from_secs(60);

/// Trial C35.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tickets_and_events_do_not_wait_for_twenty_idle_streams() {
    let redis = Redis::start().await;
    let house = patient_house(&redis, quick()).await;
    let mut idle = Vec::new();
    for n in 0..20 {
        let (store, session) = house.another_store(&format!("s{n}")).await;
        idle.push((store, session, follow(&house, store).await));
    }
    // Twenty random stores are not all of one shard.
    eventually("shards wait in their reads", async || {
        redis.reading().await > 1
    })
    .await;
    let (db, clock) = (&house.db, &house.clock);
    let (mut tickets, mut events) = (Vec::new(), Vec::new());
    for n in 0..50 {
        let (store, session, reader) = &mut idle[n % 20];
        let begun = Instant::now();
        let ticket = ticket_issue(db, clock, *store, *session).await.unwrap();
        let whose = ticket_redeem(db, clock, *store, ticket.reveal(), None).await;
        tickets.push(begun.elapsed());
        assert_eq!(whose.unwrap(), *session);
        let begun = Instant::now();
        let event = house.emit_for(*store).await;
        // It was published, and read.
        assert_eq!(reader.next_soon().await.unwrap().id, Some(event));
        events.push(begun.elapsed());
    }
    // A hundred things that wait for a read each would take a hundred times its time. All of
    // them together take a part of one.
    let all: Duration = tickets.iter().chain(&events).sum();
    assert!(all < BLOCK / 4, "{tickets:?} {events:?}");
    for (n, (store, ..)) in idle.iter().enumerate() {
        let events = if n < 10 { 3 } else { 2 };
        let there = numbers(&redis, &key_of(*store)).await;
        assert_eq!(there, (1..=events).collect::<Vec<_>>());
    }
}

/// Trial C35: reads end with their process, not with their time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_blocked_read_ends_with_its_log_and_another_log_goes_on() {
    let redis = Redis::start().await;
    let config = RedisConfig {
        block: BLOCK,
        ..redis.config()
    };
    let leaving = Log::redis(config).unwrap();
    let followers: Vec<_> = (0..20)
        .map(|n| leaving.follow(StoreId(Uuid::from_u128(n)), EventId::new(Epoch(1), 0)))
        .collect();
    eventually("all sixteen shards wait", async || {
        redis.reading().await == 16
    })
    .await;
    let house = patient_house(&redis, quick()).await;
    let mut reader = follow(&house, house.store).await;
    drop((leaving, followers));
    house.emit().await;
    assert_eq!(reader.next_soon().await.unwrap().id, Some(id(1)));
    eventually("its reads are over", async || redis.reading().await == 1).await;
}

//! Stores that come to a shard and leave it.

use domain::id::StoreId;
use domain::stream::EventId;
use redis::cmd;
use server::clock::Clock;
use server::hub::{HubConfig, Subscription};
use server::log::{Log, RedisConfig};
use server::relay::RelayConfig;
use tokio_util::sync::CancellationToken;

use crate::hub::house::{House, eventually, id, ms, quick};
use crate::hub::reading::Reader;
use crate::support::Redis;

/// Reads that block for longer than a test takes, and no other way for an event to come.
async fn patient_house(redis: &Redis, hub: HubConfig) -> House {
    let config = RedisConfig {
        block: ms(60_000),
        ..redis.config()
    };
    let mut hub = hub;
    hub.guards.tail_check = false;
    let log = Log::redis(config).unwrap();
    let house = House::over(hub, Clock::system(), log, RelayConfig::default()).await;
    tokio::spawn(house.relay.clone().run(CancellationToken::new()));
    house
}

async fn follow(house: &House, store: StoreId) -> Reader {
    let session = house.another_session(store).await;
    let who = Subscription {
        store,
        session,
        ..house.who(Some(EventId::NONE))
    };
    let mut reader = Reader::new(house.hub.subscribe(who).await.unwrap());
    reader.ready().await;
    reader
}

/// Connections that wait in a read.
async fn reading(redis: &Redis) -> usize {
    let list: String = redis.ask(cmd("CLIENT").arg("LIST")).await;
    list.lines()
        .filter(|client| client.contains("cmd=xread"))
        .count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_joins_interrupts_the_blocked_read_of_its_shard() {
    let redis = Redis::start().await;
    let house = patient_house(&redis, quick()).await;
    // Forty stores on sixteen shards: some share one. Nothing but the join itself ends the read
    // of those that are there already.
    let mut readers = Vec::new();
    for n in 0..40 {
        let (store, _) = house.another_store(&format!("s{n}")).await;
        let mut reader = follow(&house, store).await;
        house.emit_for(store).await;
        assert_eq!(reader.next_soon().await.unwrap().id, Some(id(1)));
        readers.push((store, reader));
    }
    assert!(reading(&redis).await <= 16);
    for (store, reader) in &mut readers {
        house.emit_for(*store).await;
        assert_eq!(reader.next_soon().await.unwrap().id, Some(id(2)));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shards_begin_with_their_first_store_and_are_quiet_after_the_last() {
    let redis = Redis::start().await;
    let config = RedisConfig {
        block: ms(100),
        ..redis.config()
    };
    let hub = HubConfig {
        ring_idle: ms(50),
        ..quick()
    };
    let log = Log::redis(config).unwrap();
    let house = House::over(hub, Clock::system(), log, RelayConfig::default()).await;
    tokio::spawn(house.relay.clone().run(CancellationToken::new()));
    house.emit().await;
    assert_eq!(reading(&redis).await, 0);
    let reader = Reader::connect(&house, EventId::NONE).await;
    eventually("its shard reads", async || reading(&redis).await == 1).await;
    drop(reader);
    eventually("nobody reads", async || {
        house.hub.stores_followed() == 0 && reading(&redis).await == 0
    })
    .await;
    let mut again = Reader::connect(&house, EventId::NONE).await;
    again.ready().await;
    house.emit().await;
    assert_eq!(again.seqs_upto(2).await, [2]);
}

/// Readers whose connections the server closes come back by themselves.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_whose_connection_is_closed_comes_back() {
    let redis = Redis::start().await;
    let house = patient_house(&redis, quick()).await;
    let mut reader = Reader::connect(&house, EventId::NONE).await;
    reader.ready().await;
    for seq in 1..=4 {
        house.emit().await;
        assert_eq!(reader.next_soon().await.unwrap().id, Some(id(seq)));
        let mut kill = cmd("CLIENT");
        kill.arg("KILL")
            .arg("TYPE")
            .arg("normal")
            .arg("SKIPME")
            .arg("yes");
        let _: i64 = redis.ask(&kill).await;
    }
}

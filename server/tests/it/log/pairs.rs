//! Reads that end without anything, between events that come two at a time.

use domain::id::StoreId;
use domain::stream::EventId;
use rand::random_range;
use server::clock::Clock;
use server::log::{Log, RedisConfig};
use server::relay::RelayConfig;
use server::store::outbox::{OutboxRow, outbox_insert};
use server::store::stream::stream_take;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::witness::{Witness, key, numbers};
use crate::hub::house::{House, id, ms, quick};
use crate::support::Redis;

/// Scaled: in full it is 5 000.
const EVENTS: u64 = 1_000;

/// Two events of one command: they are published in the same millisecond.
async fn pair(house: &House) -> EventId {
    let mut tx = house.db.write().await.unwrap();
    let first = stream_take(&mut tx, house.store, 2).await.unwrap();
    let rows = [first.seq, first.seq + 1].map(|seq| OutboxRow {
        seq,
        ..house.row("ORDER_CHANGED", "{}".to_owned())
    });
    outbox_insert(&mut tx, &rows).await.unwrap();
    tx.commit().await.unwrap();
    house.relay.committed(house.store);
    first
}

/// Another store of the same shard, which its id's last byte decides.
fn neighbour(store: StoreId) -> StoreId {
    let mut id = *Uuid::from_u128(rand::random()).as_bytes();
    id[15] = store.0.as_bytes()[15];
    StoreId(Uuid::from_bytes(id))
}

/// Trial C37, scaled. Reads of 5 ms end between the events, and stores join and leave the shard
/// all the time; there is no other way for an event to come than by the log.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_event_falls_between_two_reads() {
    let redis = Redis::start().await;
    let config = RedisConfig {
        block: ms(5),
        ..redis.config()
    };
    let mut hub = quick();
    hub.guards.tail_check = false;
    let log = Log::redis(config).unwrap();
    let house = House::over(hub, Clock::system(), log, RelayConfig::default()).await;
    let stop = CancellationToken::new();
    tokio::spawn(house.relay.clone().run(stop.clone()));
    let mut witness = Witness::of(&house).await;
    let mut neighbours = Vec::new();
    for n in 0..EVENTS / 2 {
        if n % 20 == 0 {
            neighbours.truncate(3);
            let store = neighbour(house.store);
            neighbours.insert(0, house.log.follow(store, id(0)));
        }
        pair(&house).await;
        tokio::time::sleep(ms(random_range(4..=6))).await;
    }
    witness.all_is_published().await;
    // Nobody doubts the last ones: the next one would show that they are missing.
    pair(&house).await;
    witness.has_all().await;
    let there = numbers(&redis, &key(&house)).await;
    assert_eq!(there, (1..=EVENTS + 2).collect::<Vec<_>>());
    stop.cancel();
}

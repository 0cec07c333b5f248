//! What every log keeps.

use domain::stream::{Epoch, EventId};
use rstest::rstest;
use server::db::Value;
use server::hub::Subscription;
use server::relay::RelayConfig;
use server::store::outbox::{OutboxRow, outbox_insert};
use server::store::stream::stream_take;
use tokio::task::JoinSet;

use super::witness::{Witness, entries, head, key, rows};
use super::{Kind, Shop};
use crate::hub::house::{House, eventually, id, ms, quick};
use crate::hub::reading::Reader;

#[rstest]
#[case::local(Kind::Local)]
#[case::redis(Kind::Redis)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_sees_every_event_once_and_in_order(#[case] kind: Kind) {
    let shop = Shop::open(kind).await;
    let mut witness = Witness::of(&shop.house).await;
    shop.house.emit_many(350).await;
    witness.has_all().await;
    witness.all_is_published().await;
}

#[rstest]
#[case::local(Kind::Local)]
#[case::redis(Kind::Redis)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_another_process_commits_arrives_without_a_wake_up(#[case] kind: Kind) {
    let shop = Shop::open(kind).await;
    let mut witness = Witness::of(&shop.house).await;
    for _ in 0..3 {
        let store = shop.house.store;
        shop.house
            .commit(store, "ORDER_CHANGED", "{}".to_owned())
            .await;
    }
    witness.has_all().await;
    witness.all_is_published().await;
}

#[rstest]
#[case::local(Kind::Local)]
#[case::redis(Kind::Redis)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_that_are_offered_again_are_not_seen_again(#[case] kind: Kind) {
    let shop = Shop::open(kind).await;
    let mut witness = Witness::of(&shop.house).await;
    shop.house.emit_many(120).await;
    witness.has_all().await;
    witness.all_is_published().await;
    shop.house
        .execute("update outbox set published_at = null where seq > 5", &[])
        .await;
    witness.all_is_published().await;
    shop.house.emit_many(3).await;
    witness.has_all().await;
}

#[rstest]
#[case::local(Kind::Local)]
#[case::redis(Kind::Redis)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_event_of_one_store_reaches_another(#[case] kind: Kind) {
    let shop = Shop::open(kind).await;
    let house = &shop.house;
    let (other, session) = house.another_store("two").await;
    let mut here = Witness::of(house).await;
    let who = Subscription {
        store: other,
        session,
        ..house.who(Some(EventId::NONE))
    };
    let mut there = Reader::new(house.hub.subscribe(who).await.unwrap());
    there.ready().await;
    for _ in 0..20 {
        house.emit().await;
        house.emit_for(other).await;
    }
    here.has_all().await;
    for seq in 1..=20 {
        let frame = there.next_soon().await.unwrap();
        assert_eq!(frame.id, Some(id(seq)));
        assert_eq!(frame.data["storeId"], other.to_string());
    }
}

#[rstest]
#[case::local(Kind::Local)]
#[case::redis(Kind::Redis)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_connect_at_any_time_is_dense_from_its_cursor(#[case] kind: Kind) {
    const EVENTS: u64 = 100;
    let shop = Shop::open(kind).await;
    shop.house.emit().await;
    let mut readers = JoinSet::new();
    for _ in 0..60 {
        let house = shop.house.clone();
        readers.spawn(async move {
            tokio::time::sleep(ms(rand::random_range(0..500))).await;
            let cursor = rand::random_range(1..=head(&house).await.seq);
            let mut reader = Reader::connect(&house, id(cursor)).await;
            assert_eq!(reader.ready().await.data["resumed"], true);
            let seqs = reader.seqs_upto(EVENTS).await;
            assert_eq!(seqs, (cursor + 1..=EVENTS).collect::<Vec<_>>());
        });
    }
    let mut pace = tokio::time::interval(ms(5));
    for _ in 1..EVENTS {
        pace.tick().await;
        shop.house.emit().await;
    }
    while let Some(reader) = readers.join_next().await {
        reader.unwrap();
    }
}

/// Puts the store back to nothing, as a restore does.
async fn replace_history(house: &House, epoch: Epoch) {
    house.execute("delete from outbox", &[]).await;
    house
        .execute(
            "update store_stream set seq = 0, epoch = $1",
            &[Value::from(epoch.0)],
        )
        .await;
}

#[rstest]
#[case::local(Kind::Local)]
#[case::redis(Kind::Redis)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_epoch_in_the_database_makes_every_stream_load_again(#[case] kind: Kind) {
    let shop = Shop::open(kind).await;
    let house = &shop.house;
    let mut witness = Witness::of(house).await;
    house.emit_many(5).await;
    witness.has_all().await;
    witness.all_is_published().await;
    let epoch = Epoch(0x0000_0abc);
    replace_history(house, epoch).await;
    house.emit_many(2).await;

    let marker = witness.reader.next_soon().await.unwrap();
    assert_eq!(
        (marker.event.as_str(), marker.id),
        ("RELOAD_REQUIRED", None)
    );
    assert_eq!(marker.data["reason"], "EPOCH_CHANGED");

    let mut again = Reader::connect(house, EventId::new(epoch, 1)).await;
    assert_eq!(again.ready().await.data["resumed"], true);
    assert_eq!(
        again.next_soon().await.unwrap().id,
        Some(EventId::new(epoch, 2))
    );
    house.emit().await;
    assert_eq!(
        again.next_soon().await.unwrap().id,
        Some(EventId::new(epoch, 3))
    );
}

/// Without the comparison with the database, all there is comes by the log.
#[rstest]
#[case::local(Kind::Local)]
#[case::redis(Kind::Redis)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_come_by_the_log_and_not_by_the_tail_check_alone(#[case] kind: Kind) {
    let mut hub = quick();
    hub.guards.tail_check = false;
    let shop = Shop::with(kind, hub, RelayConfig::default()).await;
    let mut witness = Witness::of(&shop.house).await;
    for _ in 0..5 {
        shop.house.emit_many(30).await;
        witness.has_all().await;
    }
}

#[rstest]
#[case::local(Kind::Local)]
#[case::redis(Kind::Redis)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_over_the_limit_travels_thin(#[case] kind: Kind) {
    let shop = Shop::open(kind).await;
    let mut witness = Witness::of(&shop.house).await;
    let order = uuid::Uuid::from_u128(7);
    let large = format!(
        r#"{{"id":"{order}","version":3,"note":"{}"}}"#,
        "x".repeat(70_000)
    );
    shop.house
        .emit_as(shop.house.store, "ORDER_CHANGED", large)
        .await;
    let row = witness.next().await;
    let thin = serde_json::json!({ "id": order, "version": 3, "fetch": true });
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&row.payload).unwrap(),
        thin
    );
    witness.has_all().await;
}

/// A number is taken under a lock that lasts until commit (realtime, section 1): whoever takes
/// the next one waits, so that a relay which has seen a number has seen all before it.
#[rstest]
#[case::local(Kind::Local)]
#[case::redis(Kind::Redis)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_low_number_never_commits_late(#[case] kind: Kind) {
    let shop = Shop::open(kind).await;
    let mut witness = Witness::of(&shop.house).await;
    shop.house.emit().await;
    witness.has_all().await;
    let mut slow = shop.house.db.write().await.unwrap();
    let low = stream_take(&mut slow, shop.house.store, 1).await.unwrap();
    assert_eq!(low.seq, 2);
    let house = shop.house.clone();
    let fast = tokio::spawn(async move { house.emit().await });
    // Beats of the stream pass, and the fast one has no number yet.
    for _ in 0..3 {
        assert_eq!(witness.reader.next().await.unwrap().event, "heartbeat");
    }
    assert!(!fast.is_finished());
    let row = OutboxRow {
        seq: low.seq,
        ..shop.house.row("ORDER_CHANGED", "{}".to_owned())
    };
    outbox_insert(&mut slow, &[row]).await.unwrap();
    slow.commit().await.unwrap();
    assert_eq!(fast.await.unwrap().seq, 3);
    witness.has_all().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_redis_each_event_stands_once_under_its_number_for_a_week() {
    let shop = Shop::open(Kind::Redis).await;
    shop.house.emit_many(130).await;
    let key = key(&shop.house);
    let redis = shop.redis.as_ref().unwrap();
    eventually("all is published", async || {
        entries(redis, &key).await.len() == 130
    })
    .await;
    let stored: Vec<_> = rows(&shop.house, 0, 1_000).await;
    let stored: Vec<_> = stored
        .iter()
        .map(|row| (row.seq, row.outbox_id.0))
        .collect();
    assert_eq!(entries(redis, &key).await, stored);
    let mut ttl = redis::cmd("TTL");
    let left: i64 = redis.ask(ttl.arg(&key)).await;
    assert!((7 * 86_400 - 60..=7 * 86_400).contains(&left), "{left}");
}

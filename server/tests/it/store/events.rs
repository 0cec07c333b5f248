//! Numbers of events, and the outbox.

use domain::id::{OutboxId, StoreId};
use domain::stream::EventId;
use domain::time::Time;
use rstest::rstest;
use server::db::Tx;
use server::store::outbox::{
    OutboxRow, outbox_between, outbox_bury, outbox_expire, outbox_first_seq, outbox_insert,
    outbox_published, outbox_unpublished, outbox_waiting,
};
use server::store::relay::{
    Claim, relay_claim, relay_done, relay_failed, relay_now, relay_release,
};
use server::store::stream::{stream_head, stream_lock, stream_stores, stream_take};
use server::store::stuck::outbox_stuck;
use uuid::Uuid;

use super::house::{EPOCH, House, NOW};
use crate::support::Engine::{self, Postgres, Sqlite};

fn id(seq: u64) -> EventId {
    EventId::new(EPOCH, seq)
}

fn row(store_id: StoreId, seq: u64, published_at: Option<Time>) -> OutboxRow {
    OutboxRow {
        store_id,
        seq,
        outbox_id: OutboxId(Uuid::now_v7()),
        kind: "ORDER_CHANGED".into(),
        payload: format!("{{\"id\":\"{}\",\"note\":\"땅콩 🍲\"}}", Uuid::nil()),
        created_at: NOW,
        published_at,
        dead: false,
    }
}

#[rstest]
#[tokio::test]
async fn numbers_are_dense_and_those_of_an_undone_command_are_given_again(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::open(engine).await;
    let nobody = StoreId(Uuid::now_v7());
    let mut tx = house.write().await;
    assert_eq!(stream_head(&mut tx, nobody).await.unwrap(), None);
    assert_eq!(stream_stores(&mut tx).await.unwrap(), [house.store]);
    assert!(stream_take(&mut tx, nobody, 1).await.is_err());
    stream_lock(&mut tx, nobody).await.unwrap();
    stream_lock(&mut tx, house.store).await.unwrap();
    assert_eq!(
        stream_head(&mut tx, house.store).await.unwrap(),
        Some(id(0))
    );
    assert_eq!(stream_take(&mut tx, house.store, 3).await.unwrap(), id(1));
    assert_eq!(stream_take(&mut tx, house.store, 1).await.unwrap(), id(4));
    tx.commit().await.unwrap();
    let mut tx = house.write().await;
    assert_eq!(stream_take(&mut tx, house.store, 2).await.unwrap(), id(5));
    drop(tx);
    let mut tx = house.write().await;
    assert_eq!(
        stream_head(&mut tx, house.store).await.unwrap(),
        Some(id(4))
    );
    assert_eq!(stream_take(&mut tx, house.store, 1).await.unwrap(), id(5));
}

async fn seqs(tx: &mut Tx, store: StoreId, after: u64, upto: u64, limit: u32) -> Vec<u64> {
    let rows = outbox_between(tx, store, after, upto, limit).await.unwrap();
    rows.iter().map(|row| row.seq).collect()
}

#[rstest]
#[tokio::test]
async fn events_are_published_read_and_forgotten_in_their_order(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::open(engine).await;
    let (store, other) = (house.store, StoreId(Uuid::now_v7()));
    house.another(other, "a second").await;
    let mut tx = house.write().await;
    assert_eq!(outbox_first_seq(&mut tx, store).await.unwrap(), None);
    let rows: Vec<OutboxRow> = (1..=6)
        .map(|seq| row(store, seq, (seq < 3).then_some(NOW)))
        .collect();
    outbox_insert(&mut tx, &rows).await.unwrap();
    outbox_insert(&mut tx, &[row(other, 1, None)])
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let mut tx = house.write().await;
    let again = outbox_insert(&mut tx, &[row(store, 6, None)]).await;
    assert!(again.unwrap_err().is_constraint("outbox_pkey"));
    drop(tx);

    let mut tx = house.write().await;
    assert_eq!(outbox_between(&mut tx, store, 0, 9, 9).await.unwrap(), rows);
    assert_eq!(seqs(&mut tx, store, 2, 5, 9).await, [3, 4, 5]);
    assert_eq!(seqs(&mut tx, store, 2, 5, 2).await, [3, 4]);
    assert_eq!(outbox_first_seq(&mut tx, store).await.unwrap(), Some(1));

    let waiting = outbox_waiting(&mut tx).await.unwrap();
    let mut waiting: Vec<_> = waiting.iter().map(|one| (one.store, one.since)).collect();
    waiting.sort();
    let mut both = [(store, NOW), (other, NOW)];
    both.sort();
    assert_eq!(waiting, both);
    let waits = outbox_unpublished(&mut tx, store, 3).await.unwrap();
    assert_eq!(waits, rows[2..5]);
    let later = NOW.plus(1_000);
    assert_eq!(
        outbox_published(&mut tx, store, 4, later).await.unwrap(),
        2,
        "what was published stays as it was"
    );
    let times = outbox_between(&mut tx, store, 0, 9, 9).await.unwrap();
    let times: Vec<_> = times.iter().map(|row| row.published_at).collect();
    let (first, then) = (Some(NOW), Some(later));
    assert_eq!(times, [first, first, then, then, None, None]);

    outbox_bury(&mut tx, store, 2).await.unwrap();
    let stuck = outbox_stuck(&mut tx, NOW).await.unwrap();
    let told: Vec<_> = stuck
        .iter()
        .map(|one| (&*one.store, one.unpublished, one.dead))
        .collect();
    // By the bytes of the store's code.
    assert_eq!(told, [("a second", 1, 0), ("one", 2, 1)]);
    let [buried] = &stuck[1].dead_events[..] else {
        panic!("{stuck:?}")
    };
    assert_eq!((buried.seq, &*buried.kind), (2, "ORDER_CHANGED"));
    assert_eq!(buried.created_at, NOW.0);

    let expire = async |tx: &mut Tx, before, limit| {
        let gone = outbox_expire(tx, store, before, limit).await;
        gone.unwrap()
    };
    assert_eq!(expire(&mut tx, NOW, 9).await, 0);
    assert_eq!(expire(&mut tx, NOW.plus(1), 1).await, 1);
    assert_eq!(expire(&mut tx, NOW.plus(1), 9).await, 1);
    assert_eq!(expire(&mut tx, later.plus(1), 9).await, 2);
    assert_eq!(seqs(&mut tx, store, 0, 9, 9).await, [5, 6]);
    assert_eq!(outbox_first_seq(&mut tx, store).await.unwrap(), Some(5));
}

#[rstest]
#[tokio::test]
async fn a_store_is_published_by_whoever_holds_its_lease_and_waits_after_a_failure(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::open(engine).await;
    let store = house.store;
    let mut tx = house.write().await;
    let now = relay_now(&mut tx, NOW).await.unwrap();
    match engine {
        Sqlite => assert_eq!(now, NOW),
        Postgres => assert!(now > NOW, "the database's own clock"),
    }
    let claim = async |tx: &mut Tx, at: Time| -> Option<Claim> {
        let claims = relay_claim(tx, at, at.plus(10_000), 9).await.unwrap();
        claims.first().copied()
    };
    assert_eq!(claim(&mut tx, NOW).await, None, "nothing waits");
    outbox_insert(&mut tx, &[row(store, 1, None)])
        .await
        .unwrap();
    let first = claim(&mut tx, NOW).await.unwrap();
    assert_eq!((first.store, first.attempts), (store, 0));
    assert_eq!(claim(&mut tx, NOW.plus(9_999)).await, None, "it is held");
    let second = claim(&mut tx, NOW.plus(10_000)).await.unwrap();
    assert!(!relay_done(&mut tx, &first).await.unwrap(), "it was lost");
    relay_release(&mut tx, &first).await.unwrap();
    let again = NOW.plus(20_000);
    let late = relay_failed(&mut tx, &first, again, "late").await;
    assert!(!late.unwrap());

    assert!(
        relay_failed(&mut tx, &second, again, "no log")
            .await
            .unwrap()
    );
    let stuck = outbox_stuck(&mut tx, NOW).await.unwrap();
    assert_eq!(stuck[0].attempts, 1);
    assert_eq!(stuck[0].next_attempt_at, again.0);
    assert_eq!(stuck[0].last_error.as_deref(), Some("no log"));
    assert_eq!(claim(&mut tx, again.plus(-1)).await, None);
    let third = claim(&mut tx, again).await.unwrap();
    assert_eq!(third.attempts, 1);
    relay_release(&mut tx, &third).await.unwrap();
    let fourth = claim(&mut tx, again).await.unwrap();
    assert!(relay_done(&mut tx, &fourth).await.unwrap());
    let stuck = outbox_stuck(&mut tx, NOW).await.unwrap();
    assert_eq!((stuck[0].attempts, &stuck[0].last_error), (0, &None));
}

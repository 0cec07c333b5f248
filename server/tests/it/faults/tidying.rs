//! History that has had its time goes while orders come (trial C29).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use domain::id::StoreId;
use futures_util::future::join_all;
use rstest::rstest;
use server::db::{Db, Value};
use server::store::outbox::outbox_first_seq;
use server::store::stream::stream_take;
use tokio::time::Instant;
use uuid::Uuid;

use crate::screens::{House, Staff, eventually};
use crate::support::Engine::{self, Postgres, Sqlite};
use crate::support::{Place, sized};

const HOUR: i64 = 3_600_000;
/// Old events written in one statement.
const CHUNK: i64 = 50_000;
/// Events that the log never had, older than all that goes.
const UNSENT: i64 = 500;

/// Old events of the store after its last one, every thousandth of them dead.
async fn write_history(db: &Db, engine: Engine, store: StoreId, count: i64, sent: bool) -> i64 {
    let now = server::clock::Clock::system().now();
    let sql = match engine {
        Sqlite => {
            "with recursive n(seq) as \
                (select cast($2 as bigint) union all select seq + 1 from n where seq < $3) \
             insert into outbox \
                (store_id, seq, outbox_id, type, payload, created_at, published_at, dead) \
             select $1, seq, randomblob(16), 'ORDER_CHANGED', $4, $5, $6, seq % 1000 = 0 from n"
        }
        Postgres => {
            "insert into outbox \
                (store_id, seq, outbox_id, type, payload, created_at, published_at, dead) \
             select $1, seq, gen_random_uuid(), 'ORDER_CHANGED', $4, $5, $6, seq % 1000 = 0 \
             from generate_series($2::bigint, $3::bigint) as seq"
        }
    };
    let payload = format!(r#"{{"id":"{}","note":"{}"}}"#, Uuid::nil(), "x".repeat(300));
    let (mut left, mut last) = (count, 0);
    while left > 0 {
        let chunk = left.min(CHUNK);
        let mut tx = db.write().await.unwrap();
        let taken = u64::try_from(chunk).unwrap();
        let first = stream_take(&mut tx, store, taken).await.unwrap();
        let first = i64::try_from(first.seq).unwrap();
        last = first + chunk - 1;
        let published = sent.then(|| now.plus(-80 * HOUR).0);
        let values = [
            Value::from(store),
            Value::from(first),
            Value::from(last),
            Value::from(payload.as_str()),
            Value::from(now.plus(-90 * HOUR)),
            Value::from(published),
        ];
        tx.execute(sql, values).await.unwrap();
        tx.commit().await.unwrap();
        left -= chunk;
    }
    last
}

/// Places orders until it is told to stop; how long each took.
async fn take_orders(owner: &Staff, item: Uuid, stop: Arc<AtomicBool>) -> Vec<Duration> {
    let waiters = (0..2).map(|_| {
        let (owner, stop) = (owner.clone(), Arc::clone(&stop));
        tokio::spawn(async move {
            let mut took = Vec::new();
            // Two waiters with 25 orders a second each.
            let mut pace = tokio::time::interval(Duration::from_millis(40));
            while !stop.load(Ordering::SeqCst) {
                pace.tick().await;
                let begun = Instant::now();
                let line = serde_json::json!([{ "menuId": item, "quantity": 1 }]);
                let body = serde_json::json!({ "channel": "takeout", "lines": line });
                owner.does("/hall/orders", body).await;
                took.push(begun.elapsed());
            }
            took
        })
    });
    let took = join_all(waiters).await;
    let mut took: Vec<Duration> = took.into_iter().flat_map(Result::unwrap).collect();
    took.sort_unstable();
    took
}

fn p99(took: &[Duration]) -> Duration {
    took[(took.len() * 99 / 100).min(took.len() - 1)]
}

async fn first_kept(db: &Db, store: StoreId) -> i64 {
    let mut tx = db.read().await.unwrap();
    let first = outbox_first_seq(&mut tx, store).await.unwrap();
    i64::try_from(first.unwrap()).unwrap()
}

/// Of the events up to `upto`: how many there are, how many of them wait, how many are dead.
async fn kept(db: &Db, store: StoreId, upto: i64) -> (i64, i64, i64) {
    let sql = "select count(*), sum(case when published_at is null then 1 else 0 end), \
        sum(case when dead then 1 else 0 end) from outbox where store_id = $1 and seq <= $2";
    let mut tx = db.read().await.unwrap();
    let row = tx.fetch_optional(sql, [store.into(), upto.into()]).await;
    row.unwrap().unwrap()
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn old_history_goes_while_orders_come_and_what_was_never_sent_stays(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::at(Place::on(engine).await).await;
    let store = house.owner.store;
    let item = house.owner.plain_item().await;
    let stop = Arc::<AtomicBool>::default();
    let usual = tokio::spawn({
        let (owner, stop) = (house.owner.clone(), Arc::clone(&stop));
        async move { take_orders(&owner, item, stop).await }
    });
    tokio::time::sleep(sized(Duration::from_millis(500), Duration::from_secs(60))).await;
    stop.store(true, Ordering::SeqCst);
    let usual = usual.await.unwrap();
    let place = house.leave().await;

    let db = place.open().await;
    // All before is old too: history goes lowest number first.
    let mut tx = db.write().await.unwrap();
    let old = server::clock::Clock::system().now().plus(-80 * HOUR);
    let sql = "update outbox set published_at = $1";
    tx.execute(sql, [Value::from(old)]).await.unwrap();
    tx.commit().await.unwrap();
    let sent = write_history(&db, engine, store, sized(20_000, 1_000_000), true).await;
    let unsent = write_history(&db, engine, store, UNSENT, false).await;
    let behind = write_history(&db, engine, store, 2_000, true).await;

    let house = House::at(place).await;
    let stop = Arc::<AtomicBool>::default();
    let busy = tokio::spawn({
        let (owner, stop) = (house.owner.clone(), Arc::clone(&stop));
        async move { take_orders(&owner, item, stop).await }
    });
    let deadline = Instant::now() + sized(Duration::from_secs(60), Duration::from_secs(600));
    while first_kept(&db, store).await <= sent {
        assert!(Instant::now() < deadline, "old events are still there");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    stop.store(true, Ordering::SeqCst);
    let busy = busy.await.unwrap();
    assert!(!busy.is_empty());
    println!("p99 {:?}, usually {:?}", p99(&busy), p99(&usual));
    let usually = p99(&usual).mul_f64(1.5) + Duration::from_millis(20);
    let most = sized(Duration::from_secs(2), usually);
    assert!(
        p99(&busy) <= most,
        "{:?}, usually {:?}",
        p99(&busy),
        p99(&usual)
    );

    // What was never sent goes to the log first, and has its 72 hours from then on; what comes
    // after it stays with it, dead or not.
    assert_eq!(first_kept(&db, store).await, sent + 1);
    eventually("all is published", async || {
        kept(&db, store, unsent).await.1 == 0
    })
    .await;
    house.app.relay.tidy().await.unwrap();
    let (count, waiting, dead) = kept(&db, store, behind).await;
    assert_eq!((count, waiting), (UNSENT + 2_000, 0));
    assert!(dead >= 2, "{dead}");
}

//! What only many writers and a network bring.

use std::task::Poll;
use std::time::Duration;

use futures_util::future::join_all;
use server::db::{Db, DbError};

use super::{NONE, database, insert, sample};
use crate::screens::eventually;
use crate::support::Engine::Postgres;

/// As many as a node has.
const CONNECTIONS: usize = 16;

/// Transactions of this database, but for the one that asks, that are begun and do nothing.
pub async fn forgotten(db: &Db) -> i64 {
    let sql = "select count(*) from pg_stat_activity where datname = current_database() \
        and pid <> pg_backend_pid() and state like 'idle in transaction%'";
    let mut tx = db.read().await.unwrap();
    let row = tx.fetch_optional::<(i64,)>(sql, NONE).await.unwrap();
    row.unwrap().0
}

/// Begins, and goes away when it had to wait so many times.
async fn leaves(db: &Db, waits: usize) {
    let mut begins = std::pin::pin!(db.write());
    let mut waited = 0;
    std::future::poll_fn(|context| match begins.as_mut().poll(context) {
        Poll::Pending if waited < waits => {
            waited += 1;
            Poll::Pending
        }
        Poll::Pending | Poll::Ready(_) => Poll::Ready(()),
    })
    .await;
}

/// Left half-way, a connection would lie in the pool in a transaction that nobody ends.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_goes_away_while_a_transaction_begins_leaves_none_behind() {
    let (place, db) = database(Postgres).await;
    // Looks on from connections of its own.
    let observer = place.open().await;
    for _ in 0..5 {
        drop(join_all((0..CONNECTIONS).map(|_| db.write())).await);
        join_all((0..CONNECTIONS).map(|n| leaves(&db, n / 2))).await;
        let ended = async {
            while forgotten(&observer).await > 0 {
                tokio::task::yield_now().await;
            }
        };
        let ended = tokio::time::timeout(Duration::from_secs(4), ended).await;
        ended.expect("the server ends it for us, but only after ten seconds");
    }
    insert(&db, &sample(1, "a")).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_statement_that_is_dropped_half_way_spoils_no_connection() {
    let (_place, db) = database(Postgres).await;
    for wait in 0..60 {
        let mut tx = db.write().await.unwrap();
        let slow = tx.execute("select pg_sleep(0.02)", NONE);
        let _ = tokio::time::timeout(Duration::from_millis(wait), slow).await;
    }
    insert(&db, &sample(1, "a")).await.unwrap();
    eventually("all is ended", async || forgotten(&db).await == 0).await;
    assert_eq!(super::count(&mut db.read().await.unwrap()).await, 1);
}

#[tokio::test]
async fn a_lock_that_does_not_come_free_is_an_outage() {
    let (_place, db) = database(Postgres).await;
    insert(&db, &sample(1, "a")).await.unwrap();
    let touch = "update sample set seen = 1";
    let mut holds = db.write().await.unwrap();
    holds.execute(touch, NONE).await.unwrap();
    let mut waits = db.write().await.unwrap();
    let briefly = "set local lock_timeout = '50ms'";
    waits.execute(briefly, NONE).await.unwrap();
    let refused = waits.execute(touch, NONE).await.unwrap_err();
    assert!(matches!(refused, DbError::Unavailable(_)), "{refused:?}");
}

#[tokio::test]
async fn of_two_that_wait_for_each_other_one_is_told_an_outage_and_one_goes_on() {
    let (_place, db) = database(Postgres).await;
    insert(&db, &sample(1, "a")).await.unwrap();
    insert(&db, &sample(2, "b")).await.unwrap();
    let (first, second) = (
        "update sample set seen = 1 where name = 'a'",
        "update sample set seen = 1 where name = 'b'",
    );
    let mut one = db.write().await.unwrap();
    let mut other = db.write().await.unwrap();
    one.execute(first, NONE).await.unwrap();
    other.execute(second, NONE).await.unwrap();
    let both = tokio::join!(
        async {
            let done = one.execute(second, NONE).await;
            drop(one);
            done
        },
        async {
            let done = other.execute(first, NONE).await;
            drop(other);
            done
        }
    );
    let (done, refused): (Vec<_>, Vec<_>) = [both.0, both.1].into_iter().partition(Result::is_ok);
    assert_eq!(done.len(), 1);
    assert!(matches!(refused[0], Err(DbError::Unavailable(_))));
}

#[tokio::test]
async fn a_connection_that_is_lost_is_an_outage_and_the_next_one_works() {
    let (_place, db) = database(Postgres).await;
    let mut lost = db.write().await.unwrap();
    let end = "select pg_terminate_backend(pid) from pg_stat_activity \
        where datname = current_database() and pid <> pg_backend_pid()";
    let mut ends = db.write().await.unwrap();
    assert!(ends.execute(end, NONE).await.unwrap() > 0);
    drop(ends);
    let refused = lost.execute("select 1", NONE).await.unwrap_err();
    assert!(matches!(refused, DbError::Unavailable(_)), "{refused:?}");
    drop(lost);
    insert(&db, &sample(1, "a")).await.unwrap();
}

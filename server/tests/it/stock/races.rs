//! Many at once, against barriers, while somebody looks on all the time. Trials C55 and C56.

use rstest::rstest;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;
use tokio::sync::Barrier;
use tokio::task::{JoinHandle, JoinSet};

use super::{Larder, TTL, counts, rid};
use crate::support::Answer;
use crate::support::Engine::{self, Postgres, Sqlite};

/// Rounds of a race; `JUMUN_STOCK_ROUNDS` says how many when there is time.
fn rounds(usual: usize) -> usize {
    let asked = std::env::var("JUMUN_STOCK_ROUNDS").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// Looks at every row all the time; no reader ever sees a count out of bounds.
struct Observer {
    stop: Arc<AtomicBool>,
    looks: JoinHandle<usize>,
}

impl Observer {
    fn start(larder: &Larder) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let (told, db) = (Arc::clone(&stop), larder.house.server.app.db.clone());
        let looks = tokio::spawn(async move {
            let mut looks = 0;
            while !told.load(Ordering::SeqCst) {
                let mut tx = db.read().await.unwrap();
                let sql = "select on_hand, held, doc from stock";
                for (on_hand, held, doc) in
                    tx.fetch_all::<(i64, i64, String)>(sql, []).await.unwrap()
                {
                    assert!(0 <= held && held <= on_hand, "{on_hand}, {held}");
                    let stock: domain::stock::Stock = serde_json::from_str(&doc).unwrap();
                    assert_eq!((stock.on_hand, stock.held), (on_hand, held));
                    assert_eq!(stock.available, on_hand - held);
                }
                drop(tx);
                let drift = server::service::stock::stock_verify(&db).await.unwrap();
                assert!(drift.is_empty(), "{drift:?}");
                looks += 1;
                tokio::task::yield_now().await;
            }
            looks
        });
        Self { stop, looks }
    }

    async fn end(self) {
        self.stop.store(true, Ordering::SeqCst);
        assert!(self.looks.await.unwrap() > 0);
    }
}

/// Runs them all from one barrier; their answers in order.
async fn at_once(larder: &Arc<Larder>, asked: Vec<Vec<(char, i64)>>) -> Vec<Answer> {
    let barrier = Arc::new(Barrier::new(asked.len()));
    let mut tasks = JoinSet::new();
    for (index, lines) in asked.into_iter().enumerate() {
        let (larder, barrier) = (Arc::clone(larder), Arc::clone(&barrier));
        tasks.spawn(async move {
            barrier.wait().await;
            (index, larder.try_hold(&lines).await)
        });
    }
    let mut answers = tasks.join_all().await;
    answers.sort_by_key(|(index, _)| *index);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

fn tally(answers: &[Answer]) -> (usize, usize) {
    let of = |status: u16| {
        answers
            .iter()
            .filter(|answer| answer.status == status)
            .count()
    };
    let (held, refused) = (of(201), of(409));
    assert_eq!(held + refused, answers.len(), "{answers:?}");
    (held, refused)
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_holds_of_three_out_of_five_one_is_had_each_time(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Arc::new(Larder::on(engine, &[('A', 5)]).await);
    let observer = Observer::start(&larder);
    for _ in 0..rounds(60) {
        let answers = at_once(&larder, vec![vec![('A', 3)]; 2]).await;
        assert_eq!(tally(&answers), (1, 1));
        assert_eq!(larder.counts('A').await, counts(5, 3), "left 2");
        let held = answers.iter().find(|answer| answer.status == 201).unwrap();
        larder.finalize(&rid(held), false).await;
    }
    observer.end().await;
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_one_is_had_once(#[values(Sqlite, Postgres)] engine: Engine) {
    let larder = Arc::new(Larder::on(engine, &[('A', 1)]).await);
    let observer = Observer::start(&larder);
    let answers = at_once(&larder, vec![vec![('A', 1)]; 50]).await;
    assert_eq!(tally(&answers), (1, 49));
    observer.end().await;
    assert_eq!(larder.counts('A').await, counts(1, 1));
    larder.assert_sound().await;
}

// Trial C55 (b).
#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_of_two_hundred_are_had(#[values(Sqlite, Postgres)] engine: Engine) {
    let larder = Arc::new(Larder::on(engine, &[('A', 50)]).await);
    let answers = at_once(&larder, vec![vec![('A', 1)]; 200]).await;
    assert_eq!(tally(&answers), (50, 150));
    larder.assert_sound().await;
}

// Trial C55 (d).
#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn opposite_orders_of_lines_never_lock_each_other_out(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Arc::new(Larder::on(engine, &[('A', 60), ('B', 60)]).await);
    let asked = (0..200).map(|n| match n % 2 {
        0 => vec![('A', 1), ('B', 1)],
        _ => vec![('B', 1), ('A', 1)],
    });
    let answers = at_once(&larder, asked.collect()).await;
    assert_eq!(tally(&answers), (60, 140));
    assert_eq!(larder.counts('A').await, counts(60, 60));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_request_many_times_at_once_is_one_hold(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Arc::new(Larder::on(engine, &[('A', 60), ('B', 60)]).await);
    let barrier = Arc::new(Barrier::new(24));
    let mut tasks = JoinSet::new();
    for _ in 0..24 {
        let (larder, barrier) = (Arc::clone(&larder), Arc::clone(&barrier));
        tasks.spawn(async move {
            let body = json!({ "actor": "t1", "lines": larder.lines(&[('B', 2), ('A', 2)]) });
            barrier.wait().await;
            larder.batch(body).await
        });
    }
    let answers = tasks.join_all().await;
    let made = answers.iter().filter(|answer| answer.status == 201).count();
    let again = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!((made, again), (1, 23));
    assert!(answers.iter().all(|answer| rid(answer) == rid(&answers[0])));
    for answer in &answers {
        assert_eq!(answer.json()["replayed"], answer.status == 200);
    }
    assert_eq!(larder.counts('A').await, counts(60, 2));
    larder.assert_sound().await;
}

// Trial C56: at, before and after its last moment.
#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn confirm_fail_and_two_sweepers_at_the_same_instant_close_it_once(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Arc::new(Larder::on(engine, &[('A', 10), ('B', 1_000)]).await);
    let observer = Observer::start(&larder);
    for round in 0..rounds(45) {
        let before = larder.counts('A').await;
        let hold = larder.hold(&[('A', 5), ('A', 2)]).await;
        larder
            .house
            .clock
            .advance(TTL - 1 + i64::try_from(round % 3).unwrap());
        let seq = larder.house.seq().await;
        let (sold, failed, one, two) = tokio::join!(
            larder.finalize(&hold, true),
            larder.finalize(&hold, false),
            larder.sweep(),
            larder.sweep(),
        );
        assert!(one + two <= 1);
        let after = larder.counts('A').await;
        let ended = larder.get_hold(&hold).await["status"]
            .as_str()
            .unwrap()
            .to_owned();
        match ended.as_str() {
            "confirmed" => {
                assert_eq!(sold.status, 200, "{}", sold.text);
                assert!(matches!(failed.status, 200 | 409), "{}", failed.text);
                assert_eq!(after, counts(before.on_hand - 7, 0));
                // Put back for the next round.
                let path = format!("/stock/{}/adjust", larder.rows[&'A'].1);
                let body = json!({ "delta": 7, "reason": "round" });
                larder.house.done(&path, body).await;
            }
            "released" | "expired" => {
                assert_eq!(failed.status, 200, "{}", failed.text);
                assert_eq!(sold.status, 409, "{}", sold.text);
                assert_eq!(after, before);
                assert_eq!(larder.house.events_after(seq).await, ["STOCK_CHANGED"]);
            }
            other => panic!("{other}"),
        }
        assert_eq!(larder.counts('A').await, counts(10, 0));
    }
    observer.end().await;
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_paid_voided_rejected_and_swept_at_once_ends_in_one_way(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Arc::new(Larder::on(engine, &[('A', 10)]).await);
    let observer = Observer::start(&larder);
    for round in 0..rounds(30) {
        let order = larder.order(&[('A', 3)]).await;
        larder
            .house
            .clock
            .advance(TTL - 1 + i64::try_from(round % 2).unwrap());
        let id = order["id"].as_str().unwrap();
        let (confirm, reject) = (
            format!("/hall/orders/{id}/confirm"),
            format!("/hall/orders/{id}/reject"),
        );
        let (paid, rejected, _) = tokio::join!(
            larder.house.post(&confirm, json!({ "tender": "cash" })),
            larder.house.post(&reject, json!({ "reason": "재료 소진" })),
            larder.sweep(),
        );
        let left = larder.counts('A').await;
        match (paid.status, rejected.status) {
            (200, 409) => assert_eq!(left, counts(7, 0)),
            (409, 200) => assert_eq!(left, counts(10, 0)),
            other => panic!("{other:?}"),
        }
        let path = format!("/stock/{}/adjust", larder.rows[&'A'].1);
        if left.on_hand < 10 {
            let body = json!({ "delta": 10 - left.on_hand, "reason": "round" });
            larder.house.done(&path, body).await;
        }
    }
    observer.end().await;
    larder.assert_sound().await;
}

//! Many of the same at once, against barriers, while somebody looks on all the time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::BoxFuture;
use rstest::rstest;
use serde_json::{Value, json};
use tokio::sync::Barrier;
use tokio::task::JoinHandle;
use uuid::Uuid;

use super::{Larder, counts, rid};
use crate::support::Engine::{self, Postgres, Sqlite};
use crate::support::{Answer, sized};

/// Rounds of a race, `full` in the long run; `JUMUN_STOCK_ROUNDS` says how many.
pub fn rounds(usual: usize, full: usize) -> usize {
    let asked = std::env::var("JUMUN_STOCK_ROUNDS").ok();
    let asked = asked.and_then(|n| n.parse().ok());
    asked.unwrap_or(sized(usual, full))
}

/// Looks at every row all the time; no reader ever sees a count out of bounds.
pub struct Observer {
    stop: Arc<AtomicBool>,
    looks: JoinHandle<usize>,
}

impl Observer {
    pub fn start(larder: &Larder) -> Self {
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

    pub async fn end(self) {
        self.stop.store(true, Ordering::SeqCst);
        assert!(self.looks.await.unwrap() > 0);
    }
}

/// What is done at once.
pub type Done<T> = BoxFuture<'static, T>;

/// Does all of it from one barrier; what came of it, in order.
pub async fn together<T: Send + 'static>(all: Vec<Done<T>>) -> Vec<T> {
    let barrier = Arc::new(Barrier::new(all.len()));
    let begin = |one: Done<T>| {
        let barrier = Arc::clone(&barrier);
        tokio::spawn(async move {
            barrier.wait().await;
            one.await
        })
    };
    let begun: Vec<JoinHandle<T>> = all.into_iter().map(begin).collect();
    let mut done = Vec::new();
    for one in begun {
        done.push(one.await.unwrap());
    }
    done
}

/// A batch of a cart of its own, to be asked for.
pub fn holding(larder: &Arc<Larder>, lines: Vec<(char, i64)>) -> Done<Answer> {
    let larder = Arc::clone(larder);
    Box::pin(async move { larder.try_hold(&lines).await })
}

/// An end, to be asked for.
pub fn ending(larder: &Arc<Larder>, rid: &str, success: bool) -> Done<Answer> {
    let (larder, rid) = (Arc::clone(larder), rid.to_owned());
    Box::pin(async move { larder.finalize(&rid, success).await })
}

/// A command, to be given.
pub fn giving(larder: &Arc<Larder>, path: String, body: Value) -> Done<Answer> {
    let larder = Arc::clone(larder);
    Box::pin(async move { larder.house.post(&path, body).await })
}

async fn at_once(larder: &Arc<Larder>, asked: Vec<Vec<(char, i64)>>) -> Vec<Answer> {
    let asked = asked.into_iter().map(|lines| holding(larder, lines));
    together(asked.collect()).await
}

/// Many of one row at two servers over the same data: a process's own order is no help.
pub async fn at_two_servers(servers: &[Arc<Larder>; 2]) -> Vec<Answer> {
    let asked = (0..60).map(|n| holding(&servers[n % 2], vec![('A', 1)]));
    together(asked.collect()).await
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

/// Trial C55 (a).
#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_holds_of_three_out_of_five_one_is_had_each_time(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Arc::new(Larder::on(engine, &[('A', 5)]).await);
    let observer = Observer::start(&larder);
    for _ in 0..rounds(60, 500) {
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

/// Trial C55 (b).
#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_of_two_hundred_are_had(#[values(Sqlite, Postgres)] engine: Engine) {
    let larder = Arc::new(Larder::on(engine, &[('A', 50)]).await);
    let observer = Observer::start(&larder);
    let answers = at_once(&larder, vec![vec![('A', 1)]; 200]).await;
    assert_eq!(tally(&answers), (50, 150));
    observer.end().await;
    assert_eq!(larder.counts('A').await, counts(50, 50));
    larder.assert_sound().await;
}

/// Trial C55 (d).
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
    let observer = Observer::start(&larder);
    let answers = at_once(&larder, asked.collect()).await;
    assert_eq!(tally(&answers), (60, 140));
    observer.end().await;
    assert_eq!(larder.counts('A').await, counts(60, 60));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_request_many_times_at_once_is_one_hold(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Arc::new(Larder::on(engine, &[('A', 60), ('B', 60)]).await);
    let observer = Observer::start(&larder);
    let ask = |_| -> Done<Answer> {
        let larder = Arc::clone(&larder);
        let body = json!({ "actor": "t1", "lines": larder.lines(&[('B', 2), ('A', 2)]) });
        Box::pin(async move { larder.batch(body).await })
    };
    let answers = together((0..24).map(ask).collect()).await;
    observer.end().await;
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

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_press_many_times_at_once_is_one_hold_and_one_answer(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Arc::new(Larder::on(engine, &[('A', 10_000)]).await);
    let observer = Observer::start(&larder);
    for round in 1..=rounds(3, 20) {
        let key = Uuid::now_v7().to_string();
        let ask = |_| -> Done<Answer> {
            let (larder, key) = (Arc::clone(&larder), key.clone());
            let body = json!({ "lines": larder.lines(&[('A', 1)]) });
            Box::pin(async move {
                let path = format!("{}/reservations/batch", larder.house.path);
                larder.house.owner.post_keyed(&path, &key, body).await
            })
        };
        let answers = together((0..24).map(ask).collect()).await;
        assert!(
            answers.iter().all(|answer| answer.status == 201),
            "{answers:?}"
        );
        assert!(answers.iter().all(|answer| answer.text == answers[0].text));
        let held = i64::try_from(round).unwrap();
        assert_eq!(
            larder.counts('A').await,
            counts(10_000, held),
            "really twice"
        );
    }
    observer.end().await;
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_over_one_database_take_turns(#[values(Sqlite, Postgres)] engine: Engine) {
    let one = Larder::on(engine, &[('A', 40)]).await;
    let other = one.at(one.house.server.beside(|_| {}).await).await;
    let servers = [one, other].map(Arc::new);
    assert_eq!(tally(&at_two_servers(&servers).await), (40, 20));
    for larder in &servers {
        assert_eq!(larder.counts('A').await, counts(40, 40));
        larder.assert_sound().await;
    }
}

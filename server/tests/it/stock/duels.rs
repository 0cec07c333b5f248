//! Two things that cannot both happen, asked for at the same instant, again and again, while
//! somebody looks on all the time.

use std::sync::Arc;

use domain::settings::PaymentTiming;
use rstest::rstest;
use serde_json::{Value, json};

use super::races::{Done, Observer, ending, giving, holding, rounds, together};
use super::{Counts, Larder, TTL, counts, rid};
use crate::commands::id;
use crate::support::Answer;
use crate::support::Engine::{self, Postgres, Sqlite};

async fn larder(engine: Engine, on_hand: i64) -> (Arc<Larder>, Observer) {
    let larder = Arc::new(Larder::on(engine, &[('A', on_hand)]).await);
    let observer = Observer::start(&larder);
    (larder, observer)
}

/// The house's sweeper, beside its own; how many holds it swept.
fn sweeping(larder: &Arc<Larder>) -> Done<usize> {
    let larder = Arc::clone(larder);
    Box::pin(async move { larder.sweep().await })
}

/// Puts what was sold back on the shelf for the next round.
async fn restore(larder: &Larder, on_hand: i64) {
    let left = larder.counts('A').await;
    assert_eq!(left.held, 0);
    if left.on_hand < on_hand {
        let path = format!("/stock/{}/adjust", larder.rows[&'A'].1);
        let body = json!({ "delta": on_hand - left.on_hand, "reason": "round" });
        larder.house.done(&path, body).await;
    }
}

async fn status_of(larder: &Larder, rid: &str) -> String {
    larder.get_hold(rid).await["status"]
        .as_str()
        .unwrap()
        .to_owned()
}

fn statuses(answers: &[Answer]) -> Vec<u16> {
    answers.iter().map(|answer| answer.status).collect()
}

/// At, before and after its last moment.
fn moment(round: usize) -> i64 {
    TTL - 1 + i64::try_from(round % 3).unwrap()
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn confirm_fail_sweep_and_confirm_at_the_boundary_close_it_once(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let (larder, observer) = larder(engine, 10).await;
    for round in 0..rounds(45, 300) {
        let hold = larder.hold(&[('A', 5), ('A', 2)]).await;
        larder.house.clock.advance(moment(round));
        let seq = larder.house.seq().await;
        let asked = [true, false, true].map(|success| ending(&larder, &hold, success));
        let sweeps = [sweeping(&larder), sweeping(&larder)];
        let (answers, swept) = tokio::join!(together(asked.into()), together(sweeps.into()));
        assert!(swept.iter().sum::<usize>() <= 1);
        let (sold, failed) = ([&answers[0], &answers[2]], &answers[1]);
        match status_of(&larder, &hold).await.as_str() {
            "confirmed" => {
                // In time the other one finds it sold; past it, it is expired, and sold afresh.
                assert!(sold.iter().all(|answer| answer.status == 200), "{sold:?}");
                assert!(matches!(failed.status, 200 | 409), "{}", failed.text);
                assert_eq!(larder.counts('A').await, counts(3, 0));
            }
            "released" | "expired" => {
                assert_eq!(failed.status, 200, "{}", failed.text);
                assert!(sold.iter().all(|answer| answer.status == 409), "{sold:?}");
                assert_eq!(larder.counts('A').await, counts(10, 0));
                assert_eq!(larder.house.events_after(seq).await, ["STOCK_CHANGED"]);
            }
            other => panic!("{other}"),
        }
        restore(&larder, 10).await;
    }
    observer.end().await;
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_extension_beside_the_end_comes_in_time_or_too_late(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let (larder, observer) = larder(engine, 5).await;
    for round in 0..rounds(40, 300) {
        let hold = larder.hold(&[('A', 3)]).await;
        larder.house.clock.advance(TTL - 1);
        let extend: Done<Option<Answer>> = {
            let (larder, hold) = (Arc::clone(&larder), hold.clone());
            Box::pin(async move { Some(larder.extend(&hold).await) })
        };
        // Its time runs out while somebody extends it, at once or about as long as that takes.
        let expire: Done<Option<Answer>> = {
            let (larder, hold) = (Arc::clone(&larder), hold.clone());
            Box::pin(async move {
                for _ in 0..round % 3 {
                    larder.get_hold(&hold).await;
                }
                larder.house.clock.advance(1);
                larder.sweep().await;
                None
            })
        };
        let answers = together(vec![expire, extend]).await;
        let answer = answers[1].as_ref().unwrap();
        let ended = status_of(&larder, &hold).await;
        match (answer.status, &*ended) {
            (200, "held") => {
                assert_eq!(larder.counts('A').await, counts(5, 3));
                larder.finalize(&hold, false).await;
            }
            (409, "expired") => assert_eq!(larder.counts('A').await, counts(5, 0)),
            other => panic!("{other:?}"),
        }
        assert_eq!(larder.counts('A').await, counts(5, 0));
    }
    observer.end().await;
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hold_is_paid_or_makes_place_for_another(#[values(Sqlite, Postgres)] engine: Engine) {
    let (larder, observer) = larder(engine, 5).await;
    for _ in 0..rounds(30, 300) {
        let old = larder.hold(&[('A', 3)]).await;
        let replace: Done<Answer> = {
            let larder = Arc::clone(&larder);
            let body = json!({ "lines": larder.lines(&[('A', 5)]), "replaces": old });
            Box::pin(async move { larder.batch(body).await })
        };
        let answers = together(vec![replace, ending(&larder, &old, true)]).await;
        let was = status_of(&larder, &old).await;
        match (&statuses(&answers)[..], &*was) {
            ([201, 409], "released") => {
                assert_eq!(larder.counts('A').await, counts(5, 5));
                larder.finalize(&rid(&answers[0]), false).await;
            }
            ([409, 200], "confirmed") => assert_eq!(larder.counts('A').await, counts(2, 0)),
            other => panic!("{other:?}: {answers:?}"),
        }
        restore(&larder, 5).await;
    }
    observer.end().await;
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sale_at_the_counter_takes_what_is_over_and_nothing_that_is_held(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let (larder, observer) = larder(engine, 5).await;
    let at_once = PaymentTiming::Postpaid;
    larder
        .house
        .set(|store| store.payment_timing = at_once)
        .await;
    for round in 0..rounds(30, 300) {
        let hold = larder.hold(&[('A', 3)]).await;
        larder.house.clock.advance(moment(round));
        let sale: Done<Answer> = {
            let larder = Arc::clone(&larder);
            Box::pin(async move { larder.try_order(&[('A', 4)], None).await })
        };
        let answers = together(vec![sale, ending(&larder, &hold, true)]).await;
        let left: Counts = larder.counts('A').await;
        match (&statuses(&answers)[..], moment(round) < TTL) {
            ([409, 200], _) => assert_eq!(left, counts(2, 0)),
            ([201, 409], false) => assert_eq!(left, counts(1, 0)),
            other => panic!("{other:?}: {answers:?}"),
        }
        restore(&larder, 5).await;
    }
    observer.end().await;
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn units_are_counted_away_or_held(#[values(Sqlite, Postgres)] engine: Engine) {
    let (larder, observer) = larder(engine, 5).await;
    let path = format!("/stock/{}/adjust", larder.rows[&'A'].1);
    for _ in 0..rounds(30, 300) {
        let body = json!({ "delta": -3, "reason": "폐기" });
        let count = giving(&larder, path.clone(), body);
        let answers = together(vec![count, holding(&larder, vec![('A', 3)])]).await;
        let left = larder.counts('A').await;
        match statuses(&answers)[..] {
            [200, 409] => assert_eq!(left, counts(2, 0)),
            [409, 201] => {
                assert_eq!(left, counts(5, 3));
                let held = rid(&answers[1]);
                assert_eq!(answers[0].json()["holds"][0]["rid"], json!(held));
                larder.finalize(&held, false).await;
            }
            ref other => panic!("{other:?}: {answers:?}"),
        }
        restore(&larder, 5).await;
    }
    observer.end().await;
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_paid_rejected_and_swept_at_once_ends_in_one_way(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let (larder, observer) = larder(engine, 10).await;
    for round in 0..rounds(30, 300) {
        let order = larder.order(&[('A', 3)]).await;
        larder.house.clock.advance(moment(round));
        let path = |what: &str| format!("/hall/orders/{}/{what}", id(&order));
        let asked = vec![
            giving(&larder, path("confirm"), json!({ "tender": "cash" })),
            giving(&larder, path("reject"), json!({ "reason": "재료 소진" })),
        ];
        let (answers, _) = tokio::join!(together(asked), together(vec![sweeping(&larder)]));
        let left = larder.counts('A').await;
        match statuses(&answers)[..] {
            [200, 409] => assert_eq!(left, counts(7, 0)),
            [409, 200] => assert_eq!(left, counts(10, 0)),
            ref other => panic!("{other:?}"),
        }
        restore(&larder, 10).await;
    }
    observer.end().await;
    larder.assert_sound().await;
}

/// Trial C56: cancelled at 1.000 s ± 5 ms beside two sweepers; cancelled again; confirmed after.
#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancel_beside_two_sweepers_gives_back_once(#[values(Sqlite, Postgres)] engine: Engine) {
    let (larder, observer) = larder(engine, 10).await;
    for round in 0..rounds(44, 1_000) {
        let body = json!({ "lines": larder.lines(&[('A', 5)]), "ttlMs": 1_000 });
        let hold = rid(&larder.batch(body).await);
        let off = i64::try_from(round % 11).unwrap() - 5;
        larder.house.clock.advance(1_000 + off);
        let seq = larder.house.seq().await;
        let sweeps = vec![sweeping(&larder), sweeping(&larder)];
        let cancel = vec![ending(&larder, &hold, false)];
        let (answers, swept) = tokio::join!(together(cancel), together(sweeps));
        assert_eq!(answers[0].status, 200, "{}", answers[0].text);
        assert!(swept.iter().sum::<usize>() <= 1);
        assert_eq!(larder.counts('A').await, counts(10, 0));
        assert_eq!(
            larder.house.events_after(seq).await,
            ["STOCK_CHANGED"],
            "one restore"
        );
        let ended = if off < 0 { "released" } else { "expired" };
        let again = larder.finalize(&hold, false).await;
        assert_eq!(
            (again.status, &again.json()["already"]),
            (200, &json!(ended))
        );
        // Given up is given up; past its time all of it is taken afresh.
        let late = larder.finalize(&hold, true).await;
        let (status, left) = if off < 0 { (409, 10) } else { (200, 5) };
        assert_eq!(late.status, status, "{}", late.text);
        assert_eq!(larder.counts('A').await, counts(left, 0), "never half");
        restore(&larder, 10).await;
    }
    observer.end().await;
    larder.assert_sound().await;
}

/// Trial C56: an order is paid, then cancelled, then refunded; each of it twice.
#[rstest]
#[tokio::test]
async fn an_order_that_was_paid_cancelled_and_refunded_is_back_on_the_shelf_once(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 10)]).await;
    let order = larder.order(&[('A', 3), ('A', 2)]).await;
    let hold = order["rid"].as_str().unwrap().to_owned();
    larder.house.confirm(&order).await;
    assert_eq!(larder.counts('A').await, counts(5, 0));
    let seq = larder.house.seq().await;
    let lines: Vec<&Value> = order["lines"].as_array().unwrap().iter().collect();
    for _ in 0..2 {
        for line in &lines {
            let path = format!("/hall/orders/{}/lines/{}/void", id(&order), id(line));
            larder.house.done(&path, json!({ "reason": "취소" })).await;
        }
        // Nothing else gives the same units back.
        let path = format!("/hall/orders/{}/reject", id(&order));
        let rejected = larder.house.post(&path, json!({ "reason": "환불" })).await;
        assert_eq!(rejected.status, 409, "{}", rejected.text);
        let failed = larder.finalize(&hold, false).await;
        assert_eq!(failed.code(), "ALREADY_CONFIRMED");
        larder.house.clock.advance(TTL);
        larder.sweep().await;
        assert_eq!(larder.counts('A').await, counts(10, 0));
    }
    let events = larder.house.events_after(seq).await;
    let restored = events.iter().filter(|kind| *kind == "STOCK_CHANGED");
    assert_eq!(restored.count(), lines.len(), "{events:?}");
    larder.assert_sound().await;
}

//! Batches that a worker holds, later.

use rstest::rstest;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use domain::id::ReservationId;
use domain::stock::{HoldStatus, Life};
use domain::time::Time;
use reqwest::Method;
use serde_json::{Value, json};
use server::db::{Db, Value as Field};
use server::service::stock::{Delivery, StockGuards};
use server::service::{Guards, Services};
use server::store::hold::{Held, hold_insert};
use server::store::work::{Leased, work_insert, work_lease};
use uuid::Uuid;

use super::{Larder, TTL, counts, rid};
use crate::screens::eventually;
use crate::support::Answer;
use crate::support::Engine::{self, Postgres, Sqlite};

async fn ask(larder: &Larder, body: &Value) -> Answer {
    let path = format!("{}/reservations/batch?mode=async", larder.house.path);
    let owner = &larder.house.owner;
    owner
        .send(owner.request(Method::POST, &path).json(body))
        .await
}

pub async fn pending(larder: &Larder, lines: Vec<Value>) -> String {
    let answer = ask(larder, &json!({ "actor": Uuid::now_v7(), "lines": lines })).await;
    assert_eq!(answer.status, 202, "{}", answer.text);
    assert_eq!(answer.json()["status"], "pending");
    rid(&answer)
}

pub async fn becomes(larder: &Larder, rid: &str, status: &str) -> Value {
    eventually(status, async || {
        larder.get_hold(rid).await["status"] == status
    })
    .await;
    larder.get_hold(rid).await
}

/// The services of the house whose database fails its worker as often as `fault` says.
fn failing(larder: &Larder, fault: impl Fn() -> bool + Send + Sync + 'static) -> Services {
    faulty(larder.house.server.app.services.clone(), fault)
}

pub fn faulty(services: Services, fault: impl Fn() -> bool + Send + Sync + 'static) -> Services {
    let stock = StockGuards {
        fault: Some(Arc::new(fault)),
        ..StockGuards::default()
    };
    services.with_guards(Guards {
        stock,
        ..Guards::default()
    })
}

/// How often a worker got a batch; `None`: it waits no more.
pub async fn deliveries(db: &Db, id: ReservationId) -> Option<i64> {
    let sql = "select deliveries from work where id = $1";
    let mut tx = db.read().await.unwrap();
    let row = tx.fetch_optional::<(i64,)>(sql, [Field::from(id)]).await;
    row.unwrap().map(|(deliveries,)| deliveries)
}

/// As it would be put on a queue now.
pub async fn leased(db: &Db, id: ReservationId) -> Leased {
    let deliveries = deliveries(db, id).await.unwrap_or_default();
    Leased { id, deliveries }
}

pub async fn deliver(services: &Services, larder: &Larder, id: ReservationId) {
    let batch = leased(&larder.house.server.app.db, id).await;
    let delivery = Delivery { batch, entry: None };
    services.deliver(delivery).await.unwrap();
}

/// A batch in the database that the house's own worker does not see.
pub async fn aside(larder: &Larder, lines: &[(char, i64)]) -> ReservationId {
    let app = &larder.house.server.app;
    let (now, body) = (
        app.clock.now(),
        json!({ "actor": "t1", "lines": larder.lines(lines) }),
    );
    // Leased for as long as the test takes: its clock stands.
    by_hand(&app.db, larder, now, &body, Some(now.plus(TTL))).await
}

/// A batch written behind the server's back: somebody's until `leased`, or for the next relay.
pub async fn by_hand(
    db: &Db,
    larder: &Larder,
    now: Time,
    payload: &Value,
    leased: Option<Time>,
) -> ReservationId {
    let rid = ReservationId(Uuid::now_v7());
    let held = Held {
        rid,
        owner: "session/1".to_owned(),
        actor: "cart/t1".to_owned(),
        holder: "t1".to_owned(),
        content: String::new(),
        signature: None,
        status: HoldStatus::Pending,
        reason: None,
        order_id: None,
        created_at: now,
        life: Life::begin(now, TTL),
        shorts: None,
    };
    let mut tx = db.write().await.unwrap();
    hold_insert(&mut tx, larder.store, &held).await.unwrap();
    let text = payload.to_string();
    work_insert(&mut tx, larder.store, rid, &text, now)
        .await
        .unwrap();
    if let Some(leased) = leased {
        work_lease(&mut tx, now, leased, 10).await.unwrap();
    }
    tx.commit().await.unwrap();
    rid
}

#[rstest]
#[tokio::test]
async fn a_batch_is_taken_at_once_and_held_by_a_worker(#[values(Sqlite, Postgres)] engine: Engine) {
    let larder = Larder::on(engine, &[('A', 5), ('B', 5)]).await;
    let before = larder.house.seq().await;
    let lines = larder.lines(&[('A', 2), ('B', 1), ('A', 1)]);
    let taken = ask(&larder, &json!({ "actor": "t1", "lines": lines })).await;
    assert_eq!(taken.status, 202, "{}", taken.text);
    let hold = rid(&taken);
    let held = becomes(&larder, &hold, "held").await;
    assert_eq!(held["remainingMs"], TTL);
    assert_eq!(larder.counts('A').await, counts(5, 3));
    let events = larder.house.events_after(before).await;
    assert_eq!(
        events,
        ["STOCK_CHANGED", "STOCK_CHANGED"],
        "none while it waits"
    );
    // Again while it is open is the same; sold, it is gone like any other.
    let body = json!({ "actor": "t1", "lines": larder.lines(&[('B', 1), ('A', 3)]) });
    let again = ask(&larder, &body).await;
    assert_eq!((again.status, rid(&again)), (200, hold.clone()));
    larder.finalize(&hold, true).await;
    assert_eq!(larder.counts('A').await, counts(2, 0));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn one_unknown_line_and_the_batch_is_rejected_for_good(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 10)]).await;
    let before = larder.house.seq().await;
    let mut lines = larder.lines(&[('A', 3), ('A', 3)]);
    lines.push(json!({ "menuId": Uuid::now_v7(), "quantity": 3 }));
    let hold = pending(&larder, lines).await;
    let rejected = becomes(&larder, &hold, "rejected").await;
    assert_eq!(rejected["reason"], "INSUFFICIENT_STOCK");
    assert_eq!(rejected["short"][0]["reason"], "unknown");
    assert_eq!(larder.counts('A').await, counts(10, 0));
    assert!(larder.house.events_after(before).await.is_empty());
    let id = ReservationId(hold.parse().unwrap());
    deliver(&larder.house.server.app.services, &larder, id).await;
    assert_eq!(larder.get_hold(&hold).await["status"], "rejected");
    let failed = larder.finalize(&hold, false).await;
    assert_eq!(
        (failed.status, &failed.json()["already"]),
        (200, &json!("rejected"))
    );
    assert_eq!(larder.finalize(&hold, true).await.status, 409);
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn a_short_batch_is_rejected_with_its_rows_and_one_that_waits_can_be_given_up(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 2)]).await;
    let hold = pending(&larder, larder.lines(&[('A', 3)])).await;
    let rejected = becomes(&larder, &hold, "rejected").await;
    assert_eq!(
        (&rejected["short"][0]["shortBy"], &rejected["lines"]),
        (&json!(1), &json!([]))
    );
    let waits = aside(&larder, &[('A', 1)]).await;
    let given_up = larder.finalize(&waits.to_string(), false).await;
    assert_eq!(given_up.json()["status"], "released");
    deliver(&larder.house.server.app.services, &larder, waits).await;
    assert_eq!(larder.counts('A').await, counts(2, 0));
    // Past its time it is expired, whoever looks first.
    let late = aside(&larder, &[('A', 1)]).await;
    larder.house.clock.advance(TTL);
    deliver(&larder.house.server.app.services, &larder, late).await;
    assert_eq!(
        larder.get_hold(&late.to_string()).await["status"],
        "expired"
    );
    assert_eq!(larder.counts('A').await, counts(2, 0));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn only_infrastructure_is_tried_again_and_twice_delivered_is_once_applied(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 5)]).await;
    let tried = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&tried);
    let services = failing(&larder, move || count.fetch_add(1, Ordering::SeqCst) < 3);
    let hold = aside(&larder, &[('A', 2)]).await;
    for _ in 0..3 {
        deliver(&services, &larder, hold).await;
        assert_eq!(
            larder.get_hold(&hold.to_string()).await["status"],
            "pending"
        );
    }
    let (one, two) = (services.clone(), services.clone());
    tokio::join!(deliver(&one, &larder, hold), deliver(&two, &larder, hold));
    assert_eq!(larder.get_hold(&hold.to_string()).await["status"], "held");
    assert_eq!(larder.counts('A').await, counts(5, 2));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn after_five_deliveries_it_is_laid_aside_and_holds_nothing(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 5)]).await;
    let services = failing(&larder, || true);
    let hold = aside(&larder, &[('A', 2)]).await;
    for _ in 0..5 {
        deliver(&services, &larder, hold).await;
    }
    let dead = larder.get_hold(&hold.to_string()).await;
    assert_eq!(
        (&dead["status"], &dead["reason"]),
        (&json!("released"), &json!("dead letter"))
    );
    let gauges = services.watch().await.unwrap();
    assert_eq!((gauges.dead, gauges.pending, gauges.units), (1, 0, 0));
    deliver(&larder.house.server.app.services, &larder, hold).await;
    assert_eq!(larder.counts('A').await, counts(5, 0));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn a_batch_whose_worker_died_is_delivered_again(#[values(Sqlite, Postgres)] engine: Engine) {
    let larder = Larder::on(engine, &[('A', 5)]).await;
    let hold = aside(&larder, &[('A', 2)]).await;
    let services = &larder.house.server.app.services;
    // The lease of whoever had it runs out; the relay of this house finds it.
    let mut tx = larder.house.server.app.db.write().await.unwrap();
    let none: [server::db::Value; 0] = [];
    tx.execute("update work set leased_until = 0", none)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    services.relay_work().await.unwrap();
    becomes(&larder, &hold.to_string(), "held").await;
    assert_eq!(larder.counts('A').await, counts(5, 2));
}

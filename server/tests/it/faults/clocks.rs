//! Nodes whose machines disagree about the time (trial C28).

use std::collections::BTreeSet;

use domain::stream::{EventId, Scope};
use rstest::rstest;
use serde_json::json;
use server::clock::Clock;
use server::db::Db;

use crate::hub::reading::Reader;
use crate::screens::{Reply, Staff, entities};
use crate::support::{Engine, Place, Process};

/// Two minutes.
const OFF: i32 = 120;
const SECOND: i64 = 1_000;

async fn ticket(staff: &Staff) -> String {
    let ticket = staff.ticket().await.unwrap().json();
    ticket["ticket"].as_str().unwrap().to_owned()
}

/// The server's time as a stream that this ticket opens tells it; `None` when it opens none.
async fn opens(staff: &Staff, ticket: &str) -> Option<i64> {
    let answer = staff.subscribe(ticket, "x", EventId::NONE).await.unwrap();
    if answer.status() == 401 {
        return None;
    }
    let ready = Reader::answer(answer).ready().await;
    ready.data["serverTime"].as_i64()
}

async fn numbers(db: &Db, sql: &'static str) -> Vec<i64> {
    let mut tx = db.read().await.unwrap();
    let rows = tx.fetch_all::<(i64,)>(sql, []).await.unwrap();
    rows.into_iter().map(|(number,)| number).collect()
}

async fn execute(db: &Db, sql: &'static str) {
    let mut tx = db.write().await.unwrap();
    tx.execute(sql, []).await.unwrap();
    tx.commit().await.unwrap();
}

fn is_about(time: i64, expected: i64) -> bool {
    (time - expected).abs() < 5 * SECOND
}

async fn order(staff: &Staff, key: &str) -> Reply {
    let item = staff.plain_item().await;
    let body = json!({ "channel": "counter", "lines": [{ "menuId": item, "quantity": 1 }] });
    let reply = staff.post("/hall/orders", key, &body).await.unwrap();
    assert_eq!(reply.status, 201, "{reply:?}");
    reply
}

/// Two nodes over one PostgreSQL, one of them behind and one ahead.
async fn nodes(place: &Place) -> [(Process, Staff); 2] {
    let behind = Process::with_clock(place, -OFF).await;
    let ahead = Process::with_clock(place, OFF).await;
    let one = Staff::login(behind.addr, "owner", "1000").await;
    // The session of one node is known at the other.
    let other = one.through(ahead.addr);
    [(behind, one), (ahead, other)]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ticket_of_one_node_opens_a_stream_at_the_other_for_thirty_seconds() {
    let place = Place::on(Engine::Postgres).await;
    let nodes = nodes(&place).await;
    let db = place.open().await;
    for (here, there) in [(0, 1), (1, 0), (0, 0), (1, 1)] {
        let issued = ticket(&nodes[here].1).await;
        let ends = numbers(&db, "select expires_at from ticket").await;
        let now = Clock::system().now().0;
        assert!(is_about(ends[0], now + 30 * SECOND), "{ends:?} at {now}");
        let told = opens(&nodes[there].1, &issued).await.expect("a stream");
        assert!(is_about(told, now), "{told} at {now}");
    }
    // Half a second over is over at both, also where the machine is two minutes behind.
    for (here, there) in [(0, 0), (0, 1), (1, 0)] {
        let issued = ticket(&nodes[here].1).await;
        execute(&db, "update ticket set expires_at = expires_at - 30500").await;
        assert_eq!(opens(&nodes[there].1, &issued).await, None);
        execute(&db, "delete from ticket").await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_sessions_and_times_are_of_one_clock_at_both_nodes() {
    let place = Place::on(Engine::Postgres).await;
    let [(_behind, one), (_ahead, other)] = nodes(&place).await;
    let db = place.open().await;
    let now = Clock::system().now().0;
    let first = order(&one, "once").await;
    let again = order(&other, "once").await;
    assert_eq!(
        (&again.text, again.watermark),
        (&first.text, first.watermark)
    );
    order(&other, "twice").await;
    let placed = entities(&one.get(Scope::HallOrders.path()).await.unwrap()).orders;
    assert_eq!(placed.len(), 2);
    for sql in [
        "select created_at from outbox",
        "select published_at from outbox",
        "select created_at from idempotency",
        "select created_at from session",
    ] {
        let times = numbers(&db, sql).await;
        assert!(!times.is_empty(), "{sql}");
        assert!(
            times.iter().all(|time| is_about(*time, now)),
            "{sql}: {times:?} at {now}"
        );
    }
    // An answer is remembered for a day of that clock, and then forgotten at both.
    execute(
        &db,
        "update idempotency set created_at = created_at - 86400000 + 60000",
    )
    .await;
    assert_eq!(order(&other, "once").await.text, first.text);
    execute(
        &db,
        "update idempotency set created_at = created_at - 61000",
    )
    .await;
    assert_ne!(order(&one, "once").await.text, first.text);
    // A session that has ended is over, whatever the machine says.
    execute(
        &db,
        "update session set expires_at = expires_at - (expires_at - created_at) - 1000",
    )
    .await;
    let statuses = [&one, &other].map(|staff| staff.get(Scope::Menu.path()));
    let statuses = futures_util::future::join_all(statuses).await;
    let statuses: BTreeSet<u16> = statuses
        .into_iter()
        .map(|reply| reply.unwrap().status)
        .collect();
    assert_eq!(statuses, BTreeSet::from([401]));
}

/// One node over a file has one clock, right or wrong.
#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_machine_alone_goes_by_its_own_clock(#[values(-OFF, OFF)] off: i32) {
    let place = Place::on(Engine::Sqlite).await;
    let process = Process::with_clock(&place, off).await;
    let owner = Staff::login(process.addr, "owner", "1000").await;
    let now = Clock::system().now().0;
    let told = opens(&owner, &ticket(&owner).await)
        .await
        .expect("a stream");
    assert!(
        is_about(told, now + i64::from(off) * SECOND),
        "{told} at {now}"
    );
    let first = order(&owner, "once").await;
    assert_eq!(order(&owner, "once").await.text, first.text);
}

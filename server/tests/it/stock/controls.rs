//! Negative controls: with one rule switched off, a check of this suite fails. Each case says which
//! check it is, so that a suite that has gone blind is noticed.

use serde_json::Value;
use server::service::stock::StockGuards;
use server::service::{Guards, Services};

use super::{Larder, TTL, counts, rid};
use crate::commands::House;
use crate::support::{Engine, Server};

/// The demo, with these rules.
async fn larder(guards: StockGuards, rows: &[(char, i64)]) -> Larder {
    let change = |services: Services| {
        let stock = guards.clone();
        services.with_guards(Guards {
            stock,
            ..Guards::default()
        })
    };
    let clock = server::clock::Clock::manual(crate::commands::NOON);
    let demo = |config: &mut server::config::Config| config.demo = true;
    let server = Server::changed(Engine::Sqlite, demo, clock.clone(), change).await;
    Larder::of(House::of(server, clock).await, rows).await
}

async fn run(larder: &Larder, sql: &'static str) {
    let mut tx = larder.house.server.app.db.write().await.unwrap();
    let none: [server::db::Value; 0] = [];
    tx.execute(sql, none).await.unwrap();
    tx.commit().await.unwrap();
}

/// SQLite looks away from checks on this connection: the writer is one.
async fn without_checks(larder: &Larder) {
    run(larder, "pragma ignore_check_constraints = on").await;
}

async fn without_ledger_index(larder: &Larder) {
    run(larder, "drop index stock_move_rid_line_stock_id_key").await;
}

#[tokio::test]
async fn with_every_rule_on_the_checks_of_these_controls_pass() {
    let larder = larder(StockGuards::default(), &[('A', 5), ('B', 5)]).await;
    let before = larder.house.seq().await;
    let hold = larder.hold(&[('A', 3), ('B', 1)]).await;
    assert_eq!(locked(&larder, before).await, ascending(&larder));
    assert_eq!(larder.try_hold(&[('A', 3)]).await.status, 409);
    for _ in 0..2 {
        assert_eq!(larder.finalize(&hold, false).await.status, 200);
    }
    assert_eq!(larder.counts('A').await, counts(5, 0));
    larder.assert_sound().await;
}

/// The rows of the last transition in the order in which they were locked: that of their events.
async fn locked(larder: &Larder, seq: u64) -> Vec<Value> {
    let mut tx = larder.house.server.app.db.read().await.unwrap();
    let rows = server::store::outbox::outbox_between(&mut tx, larder.store, seq, u64::MAX >> 1, 9);
    let rows = rows.await.unwrap();
    let id = |payload: &String| serde_json::from_str::<Value>(payload).unwrap()["id"].clone();
    rows.iter().map(|row| id(&row.payload)).collect()
}

fn ascending(larder: &Larder) -> Vec<Value> {
    let mut ids: Vec<Value> = larder
        .rows
        .values()
        .map(|(_, stock)| serde_json::json!(stock))
        .collect();
    ids.sort_by_key(ToString::to_string);
    ids
}

#[tokio::test]
async fn without_the_sort_rows_are_locked_in_the_order_of_the_lines() {
    let guards = StockGuards {
        sorted: false,
        ..StockGuards::default()
    };
    let larder = larder(guards, &[('A', 5), ('B', 5)]).await;
    let before = larder.house.seq().await;
    larder.hold(&[('A', 3), ('B', 1)]).await;
    assert_ne!(locked(&larder, before).await, ascending(&larder));
}

#[tokio::test]
async fn without_the_guard_of_the_update_the_last_ones_are_promised_twice() {
    let guards = StockGuards {
        reserve: false,
        ..StockGuards::default()
    };
    let larder = larder(guards, &[('A', 5)]).await;
    larder.hold(&[('A', 3)]).await;
    // The second wall holds, and it is no answer for a guest.
    let refused = larder.try_hold(&[('A', 3)]).await;
    assert_eq!(refused.status, 500, "{}", refused.text);
    assert_eq!(larder.counts('A').await, counts(5, 3));
    // Without that wall too, five are promised six times.
    without_checks(&larder).await;
    assert_eq!(larder.try_hold(&[('A', 3)]).await.status, 201);
    assert_eq!(larder.counts('A').await, counts(5, 6));
}

#[tokio::test]
async fn without_the_status_a_hold_is_given_back_twice() {
    let guards = StockGuards {
        status: false,
        ..StockGuards::default()
    };
    let larder = larder(guards, &[('A', 5)]).await;
    let hold = larder.hold(&[('A', 2)]).await;
    larder.hold(&[('A', 3)]).await;
    larder.finalize(&hold, false).await;
    // The ledger has the line closed once.
    let twice = larder.finalize(&hold, false).await;
    assert_eq!(twice.status, 500, "{}", twice.text);
    assert_eq!(larder.counts('A').await, counts(5, 3));
    // Without its index too, another one's units are given away.
    without_ledger_index(&larder).await;
    assert_eq!(larder.finalize(&hold, false).await.status, 200);
    assert_eq!(larder.counts('A').await, counts(5, 1));
    let db = &larder.house.server.app.db;
    let drift = server::service::stock::stock_verify(db).await.unwrap();
    assert_eq!(drift.len(), 1, "verify sees it: {drift:?}");
}

#[tokio::test]
async fn without_the_check_and_the_status_held_falls_below_zero() {
    let guards = StockGuards {
        status: false,
        ..StockGuards::default()
    };
    let larder = larder(guards, &[('A', 5)]).await;
    let hold = rid(&larder.try_hold(&[('A', 2)]).await);
    without_ledger_index(&larder).await;
    larder.finalize(&hold, false).await;
    let twice = larder.finalize(&hold, false).await;
    assert_eq!(twice.status, 500, "the check: {}", twice.text);
    without_checks(&larder).await;
    assert_eq!(larder.finalize(&hold, false).await.status, 200);
    assert_eq!(larder.counts('A').await, counts(5, -2));
}

#[tokio::test]
async fn a_counter_that_was_changed_by_hand_is_drift() {
    let larder = larder(StockGuards::default(), &[('A', 5)]).await;
    larder.hold(&[('A', 2)]).await;
    larder.house.clock.advance(TTL / 2);
    run(
        &larder,
        "update stock set on_hand = on_hand + 1 where held = 2",
    )
    .await;
    let db = &larder.house.server.app.db;
    let drift = server::service::stock::stock_verify(db).await.unwrap();
    assert_eq!((drift[0].on_hand, drift[0].ledger_on_hand), (6, 5));
    run(
        &larder,
        "update stock set on_hand = on_hand - 1 where held = 2",
    )
    .await;
    run(&larder, "update hold set status = 'released'").await;
    let drift = server::service::stock::stock_verify(db).await.unwrap();
    assert_eq!((drift[0].held, drift[0].holds_held), (2, 0));
}

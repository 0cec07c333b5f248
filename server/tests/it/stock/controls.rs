//! Negative controls: with one rule switched off, a check of this suite fails. Each case says which
//! check it is, so that a suite that has gone blind is noticed.

use std::sync::Arc;

use rstest::rstest;
use serde_json::{Value, json};
use server::db::Tx;
use server::service::stock::{StockGuards, stock_verify};
use server::service::{Guards, Services};

use super::races::at_two_servers;
use super::{Larder, TTL, counts, rid};
use crate::commands::House;
use crate::support::Engine::{self, Postgres, Sqlite};
use crate::support::Server;

fn guarded(guards: Guards) -> impl Fn(Services) -> Services {
    move |services| services.with_guards(guards.clone())
}

async fn demo(engine: Engine, guards: Guards) -> House {
    let clock = server::clock::Clock::manual(crate::commands::NOON);
    let demo = |config: &mut server::config::Config| config.demo = true;
    let server = Server::changed(engine, demo, clock.clone(), guarded(guards)).await;
    House::of(server, clock).await
}

/// The demo, with these rules.
async fn larder(engine: Engine, stock: StockGuards, rows: &[(char, i64)]) -> Larder {
    let guards = Guards {
        stock,
        ..Guards::default()
    };
    Larder::of(demo(engine, guards).await, rows).await
}

async fn run(larder: &Larder, sql: &'static str) {
    let mut tx = larder.house.server.app.db.write().await.unwrap();
    tx.execute(sql, []).await.unwrap();
    tx.commit().await.unwrap();
}

async fn without_checks(larder: &Larder) {
    let tx = larder.house.server.app.db.write().await.unwrap();
    let sql = match tx {
        // It looks away from checks on this connection: the writer is one.
        Tx::Sqlite(_) => "pragma ignore_check_constraints = on",
        Tx::Postgres(_) => "alter table stock drop constraint stock_never_negative",
    };
    drop(tx);
    run(larder, sql).await;
}

async fn without_ledger_index(larder: &Larder) {
    run(larder, "drop index stock_move_rid_line_stock_id_key").await;
}

/// Whether the check of every counter, which every test ends with, sees something.
async fn sees_drift(larder: &Larder) -> bool {
    let db = &larder.house.server.app.db;
    !stock_verify(db).await.unwrap().is_empty()
}

#[rstest]
#[tokio::test]
async fn with_every_rule_on_the_checks_of_these_controls_pass(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = larder(engine, StockGuards::default(), &[('A', 5), ('B', 5)]).await;
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
        .map(|(_, stock)| json!(stock))
        .collect();
    ids.sort_by_key(ToString::to_string);
    ids
}

/// A store's commands take turns, so that its rows are never wanted in two orders at once; this is
/// the order that holds where they do not.
#[rstest]
#[tokio::test]
async fn without_the_sort_rows_are_locked_in_the_order_of_the_lines(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let guards = StockGuards {
        sorted: false,
        ..StockGuards::default()
    };
    let larder = larder(engine, guards, &[('A', 5), ('B', 5)]).await;
    let before = larder.house.seq().await;
    larder.hold(&[('A', 3), ('B', 1)]).await;
    assert_ne!(locked(&larder, before).await, ascending(&larder));
}

#[rstest]
#[tokio::test]
async fn without_the_guard_of_the_update_the_last_ones_are_promised_twice(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let guards = StockGuards {
        reserve: false,
        ..StockGuards::default()
    };
    let larder = larder(engine, guards, &[('A', 5)]).await;
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

#[rstest]
#[tokio::test]
async fn without_the_status_a_hold_is_given_back_twice(#[values(Sqlite, Postgres)] engine: Engine) {
    let guards = StockGuards {
        status: false,
        ..StockGuards::default()
    };
    let larder = larder(engine, guards, &[('A', 5)]).await;
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
    assert!(sees_drift(&larder).await);
}

#[rstest]
#[tokio::test]
async fn without_the_check_and_the_status_held_falls_below_zero(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let guards = StockGuards {
        status: false,
        ..StockGuards::default()
    };
    let larder = larder(engine, guards, &[('A', 5)]).await;
    let hold = rid(&larder.try_hold(&[('A', 2)]).await);
    without_ledger_index(&larder).await;
    larder.finalize(&hold, false).await;
    let twice = larder.finalize(&hold, false).await;
    assert_eq!(twice.status, 500, "the check: {}", twice.text);
    without_checks(&larder).await;
    assert_eq!(larder.finalize(&hold, false).await.status, 200);
    assert_eq!(larder.counts('A').await, counts(5, -2));
}

/// Of `two_servers_over_one_database_take_turns`. PostgreSQL has no such word to switch off.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_begin_immediate_a_writer_that_read_first_is_turned_away() {
    let guards = Guards {
        immediate: false,
        ..Guards::default()
    };
    let one = Larder::of(demo(Sqlite, guards.clone()).await, &[('A', 40)]).await;
    let server = one
        .house
        .server
        .beside_changed(|_| {}, guarded(guards))
        .await;
    let other = one.at(server).await;
    let answers = at_two_servers(&[one, other].map(Arc::new)).await;
    let failed = answers.iter().filter(|answer| answer.status >= 500);
    assert!(failed.count() > 0, "{answers:?}");
}

#[rstest]
#[tokio::test]
async fn a_counter_that_was_changed_by_hand_is_drift(#[values(Sqlite, Postgres)] engine: Engine) {
    let larder = larder(engine, StockGuards::default(), &[('A', 5)]).await;
    larder.hold(&[('A', 2)]).await;
    larder.house.clock.advance(TTL / 2);
    let (more, less) = (
        "update stock set on_hand = on_hand + 1 where held = 2",
        "update stock set on_hand = on_hand - 1 where held = 2",
    );
    run(&larder, more).await;
    let db = &larder.house.server.app.db;
    let drift = stock_verify(db).await.unwrap();
    assert_eq!((drift[0].on_hand, drift[0].ledger_on_hand), (6, 5));
    run(&larder, less).await;
    run(&larder, "update hold set status = 'released'").await;
    let drift = stock_verify(db).await.unwrap();
    assert_eq!((drift[0].held, drift[0].holds_held), (2, 0));
}

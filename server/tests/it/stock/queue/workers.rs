//! Relays and workers of several nodes, and what becomes of a batch whose worker goes away.

use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::future::join_all;
use redis::cmd;
use server::clock::Clock;
use tokio::time::Instant;

use super::{KEY, Nodes, command};
use crate::commands::NOON;
use crate::screens::eventually;
use crate::stock::later::{becomes, leased};
use crate::support::Process;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn batches_taken_at_one_node_are_applied_by_all_of_them_each_once() {
    let nodes = Nodes::open(3).await;
    let taken = join_all((0..60).map(|_| nodes.pending())).await;
    nodes.all_held(&taken).await;
    nodes.assert_quiet(60).await;
    for applied in &nodes.applied {
        assert!(applied.load(Ordering::SeqCst) > 0, "{:?}", nodes.applied);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_relays_that_look_at_once_put_each_batch_on_the_queue_once() {
    let nodes = Nodes::open(2).await;
    let turn = nodes.turn().await;
    // Both workers wait, so that what is put on the queue stays there.
    nodes.in_hand().await;
    nodes.in_hand().await;
    for _ in 0..30 {
        nodes.by_hand(false).await;
    }
    let relays = nodes.others.iter().map(|server| &server.app.services);
    let relays: Vec<_> = relays
        .chain([&nodes.larder.house.server.app.services])
        .cycle()
        .take(8)
        .collect();
    let put = join_all(relays.iter().map(|services| services.relay_work())).await;
    assert!(put.iter().all(Result::is_ok), "{put:?}");
    assert_eq!(nodes.entries().await, 32);
    turn.commit().await.unwrap();
    nodes.assert_quiet(32).await;
}

/// A batch that fails at every node, for want of infrastructure.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_five_deliveries_a_batch_is_laid_aside_and_leaves_the_queue() {
    let nodes = Nodes::with(1, Clock::manual(NOON), true).await;
    let taken = nodes.pending().await;
    for times in 1..=5 {
        eventually("it is delivered", async || nodes.times() == times).await;
        eventually("that is noted", async || nodes.entries().await == 0).await;
        nodes.larder.house.clock.advance(20_000);
    }
    let dead = becomes(&nodes.larder, &taken, "released").await;
    assert_eq!(dead["reason"], "dead letter");
    let gauges = nodes
        .larder
        .house
        .server
        .app
        .services
        .watch()
        .await
        .unwrap();
    assert_eq!((gauges.pending, gauges.dead, gauges.units), (0, 1, 0));
    assert_eq!((nodes.in_hands().await, nodes.times()), (0, 5));
    nodes.larder.assert_sound().await;
}

/// It never comes to a failure that could be noted: its workers go away with it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_whose_workers_all_went_away_is_laid_aside_too() {
    let nodes = Nodes::open(1).await;
    let batch = nodes.by_hand(true).await;
    let mut tx = nodes.db.write().await.unwrap();
    let none: [server::db::Value; 0] = [];
    let sql = "update work set deliveries = 5, leased_until = 0";
    tx.execute(sql, none).await.unwrap();
    tx.commit().await.unwrap();
    let dead = becomes(&nodes.larder, &batch.to_string(), "released").await;
    assert_eq!(dead["reason"], "dead letter");
    assert_eq!(nodes.times(), 0);
}

/// The relay never puts this batch there again: only the stream knows of it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_in_the_hands_of_a_dead_worker_is_taken_over_and_the_worker_leaves_the_group() {
    let mut nodes = Nodes::open(1).await;
    nodes.empty().await;
    let rid = nodes.by_hand(true).await;
    let batch = leased(&nodes.db, rid).await;
    let (id, deliveries) = (batch.id.to_string(), batch.deliveries.to_string());
    // Acknowledged and not deleted, long ago: nobody will come to it.
    nodes.redis.ask::<()>(cmd("DEL").arg(KEY)).await;
    nodes
        .redis
        .ask::<String>(&command(&["XADD", KEY, "1-1", "x", "y"]))
        .await;
    let begin = ["XGROUP", "CREATE", KEY, "workers", "$"];
    nodes.redis.ask::<()>(&command(&begin)).await;
    let add = ["XADD", KEY, "*", "batch", &id, "deliveries", &deliveries];
    nodes.redis.ask::<String>(&command(&add)).await;
    let read = [
        "XREADGROUP",
        "GROUP",
        "workers",
        "dead",
        "STREAMS",
        KEY,
        ">",
    ];
    nodes.redis.ask::<redis::Value>(&command(&read)).await;
    // Acknowledged and not deleted, by whoever died in between: nobody will come to it.
    assert_eq!((nodes.in_hands().await, nodes.workers().await), (1, 1));
    nodes.refill().await;
    becomes(&nodes.larder, &rid.to_string(), "held").await;
    eventually("the dead are gone", async || nodes.workers().await == 1).await;
    nodes.assert_quiet(1).await;
}

/// `kill -9` with a batch half applied.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_whose_process_was_killed_is_applied_by_another() {
    let mut nodes = Nodes::open(1).await;
    nodes.empty().await;
    let dies = Process::serve(&nodes.place).await;
    let turn = nodes.turn().await;
    let rid = nodes.in_hand().await;
    dies.kill().await;
    assert_eq!(nodes.in_hands().await, 1);
    turn.commit().await.unwrap();
    nodes.refill().await;
    becomes(&nodes.larder, &rid.to_string(), "held").await;
    nodes.assert_quiet(1).await;
}

/// Relays that hear no answer put it there again and again, and it may all have arrived.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_that_is_on_the_queue_many_times_is_applied_once() {
    let nodes = Nodes::open(2).await;
    let turn = nodes.turn().await;
    nodes.in_hand().await;
    let rid = nodes.in_hand().await.to_string();
    let waits = nodes.by_hand(false).await.to_string();
    for id in [&rid, &waits].into_iter().cycle().take(12) {
        let again = ["XADD", KEY, "*", "batch", id, "deliveries", "0"];
        nodes.redis.ask::<String>(&command(&again)).await;
    }
    turn.commit().await.unwrap();
    becomes(&nodes.larder, &waits, "held").await;
    nodes.assert_quiet(3).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_leaves_at_once_while_it_waits_for_batches() {
    let nodes = Nodes::open(2).await;
    eventually("both wait", async || {
        nodes.redis.last("xreadgroup").await == 2
    })
    .await;
    let Nodes {
        redis, mut others, ..
    } = nodes;
    let begun = Instant::now();
    others.pop().unwrap().stop().await.unwrap();
    assert!(
        begun.elapsed() < Duration::from_millis(1_500),
        "{:?}",
        begun.elapsed()
    );
    eventually("one waits", async || redis.last("xreadgroup").await == 1).await;
}

//! A Redis that loses what it had, does not answer, or has what nobody here has written.

use std::time::Duration;

use futures_util::future::join_all;
use redis::cmd;
use tokio::time::Instant;
use uuid::Uuid;

use super::{KEY, Nodes, command};
use crate::screens::eventually;
use crate::stock::counts;
use crate::stock::later::becomes;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_lost_between_relay_and_worker_is_put_there_again() {
    let nodes = Nodes::open(2).await;
    let turn = nodes.turn().await;
    nodes.in_hand().await;
    nodes.in_hand().await;
    for _ in 0..5 {
        nodes.by_hand(false).await;
    }
    eventually("they are on the queue", async || nodes.entries().await == 7).await;
    nodes.redis.ask::<()>(&cmd("FLUSHALL")).await;
    turn.commit().await.unwrap();
    eventually("all are held", async || {
        nodes.larder.counts('A').await == counts(1_000, 7)
    })
    .await;
    nodes.assert_quiet(7).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_group_or_a_stream_that_goes_is_begun_again() {
    let nodes = Nodes::open(2).await;
    let mut taken = vec![nodes.pending().await];
    nodes.all_held(&taken).await;
    for loss in [
        command(&["XGROUP", "DESTROY", KEY, "workers"]),
        command(&["DEL", KEY]),
        command(&["SET", KEY, "not a stream"]),
        command(&["FLUSHALL"]),
    ] {
        nodes.redis.ask::<redis::Value>(&loss).await;
        let waits = nodes.pending().await;
        if nodes.redis.ask::<String>(cmd("TYPE").arg(KEY)).await == "string" {
            nodes.redis.ask::<()>(cmd("DEL").arg(KEY)).await;
        }
        becomes(&nodes.larder, &waits, "held").await;
        taken.push(waits);
    }
    nodes.assert_quiet(5).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_redis_is_away_batches_are_taken_and_wait_and_afterwards_each_is_applied_once() {
    let mut nodes = Nodes::open(2).await;
    let before = nodes.pending().await;
    becomes(&nodes.larder, &before, "held").await;
    nodes.redis.kill();
    let mut taken = Vec::new();
    for _ in 0..6 {
        let begun = Instant::now();
        taken.push(nodes.pending().await);
        assert!(begun.elapsed() < Duration::from_secs(1), "a request waited");
    }
    // Longer than a relay's pause.
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    for rid in &taken {
        assert_eq!(nodes.larder.get_hold(rid).await["status"], "pending");
    }
    nodes.redis.revive_empty().await;
    nodes.all_held(&taken).await;
    nodes.assert_quiet(7).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_redis_does_not_answer_batches_wait_and_afterwards_each_is_applied_once() {
    let nodes = Nodes::open(2).await;
    nodes.redis.freeze();
    let taken = join_all((0..6).map(|_| nodes.pending())).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    for rid in &taken {
        assert_eq!(nodes.larder.get_hold(rid).await["status"], "pending");
    }
    nodes.redis.thaw();
    nodes.all_held(&taken).await;
    nodes.assert_quiet(6).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_here_has_written_is_thrown_out() {
    let nodes = Nodes::open(1).await;
    let ghost = Uuid::now_v7().to_string();
    for foreign in [
        command(&["XADD", KEY, "*", "x", "y"]),
        command(&["XADD", KEY, "*", "batch", "none", "deliveries", "0"]),
        command(&["XADD", KEY, "*", "batch", &ghost, "deliveries", "0"]),
        cmd("XADD")
            .arg(KEY)
            .arg("*")
            .arg(b"\xff\xfe")
            .arg(b"\xff")
            .clone(),
    ] {
        nodes.redis.ask::<String>(&foreign).await;
    }
    let taken = nodes.pending().await;
    becomes(&nodes.larder, &taken, "held").await;
    nodes.assert_quiet(1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_queue_is_given_nothing_more_until_it_has_room() {
    let nodes = Nodes::open(1).await;
    let turn = nodes.turn().await;
    nodes.in_hand().await;
    let ghost = Uuid::now_v7().to_string();
    let mut fill = redis::pipe();
    for _ in 0..1_000 {
        fill.add_command(command(&[
            "XADD",
            KEY,
            "*",
            "batch",
            &ghost,
            "deliveries",
            "0",
        ]));
    }
    let mut line = nodes.redis.line().await.unwrap();
    fill.exec_async(&mut line).await.unwrap();
    nodes.by_hand(false).await;
    let services = &nodes.larder.house.server.app.services;
    assert_eq!(services.relay_work().await.unwrap(), 0);
    turn.commit().await.unwrap();
    eventually("both are held", async || {
        nodes.larder.counts('A').await == counts(1_000, 2)
    })
    .await;
    nodes.assert_quiet(2).await;
}

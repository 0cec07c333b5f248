//! The work queue of several nodes, at a Redis that loses what it had, or does not answer. Each
//! batch that was answered 202 is applied, once.

mod loss;
mod workers;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use domain::id::ReservationId;
use redis::{Cmd, cmd};
use serde_json::{Value, json};
use server::clock::Clock;
use server::db::{Db, Tx};
use server::log::Log;
use server::service::stock::{Queue, QueueTimes};
use server::store::stream::stream_lock;

use super::later::{becomes, by_hand, deliveries, faulty, pending};
use super::{Larder, TTL, counts};
use crate::commands::House;
use crate::screens::eventually;
use crate::support::{Engine, Place, Redis, Server};

const KEY: &str = "pos:work";

/// Short, and longer than anything here is at a batch.
const TIMES: QueueTimes = QueueTimes {
    lease: Duration::from_secs(3),
    gone: Duration::from_secs(4),
};

/// Nodes over one database, with a Redis of their own.
struct Nodes {
    /// For looking behind their backs; it stays when they go.
    db: Db,
    redis: Redis,
    larder: Larder,
    place: Place,
    others: Vec<Server>,
    /// How often each was at a batch.
    applied: Vec<Arc<AtomicUsize>>,
}

/// A node that counts what it applies.
async fn node(
    place: &Place,
    redis: &Redis,
    clock: Clock,
    fails: bool,
) -> (Server, Arc<AtomicUsize>) {
    let queue = Queue::beside(&Log::redis(redis.config()).unwrap(), TIMES).unwrap();
    let applied = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&applied);
    let demo = |config: &mut server::config::Config| config.demo = true;
    let server = Server::begin(place.clone(), demo, clock, |services| {
        faulty(services.with_queue(queue), move || {
            count.fetch_add(1, Ordering::SeqCst);
            fails
        })
    })
    .await;
    (server, applied)
}

impl Nodes {
    async fn open(count: usize) -> Self {
        Self::with(count, Clock::system(), false).await
    }

    async fn with(count: usize, clock: Clock, fails: bool) -> Self {
        let redis = Redis::start().await;
        let place = Place::on(Engine::Postgres).await.logged_at(redis.url());
        let (first, own) = node(&place, &redis, clock.clone(), fails).await;
        let larder = Larder::of(House::of(first, clock).await, &[('A', 1_000)]).await;
        let mut nodes = Self {
            db: place.open().await,
            redis,
            larder,
            place,
            others: Vec::new(),
            applied: vec![own],
        };
        for _ in 1..count {
            nodes.join().await;
        }
        nodes
    }

    /// One more.
    async fn join(&mut self) {
        let clock = self.larder.house.clock.clone();
        let (server, applied) = node(&self.place, &self.redis, clock, false).await;
        self.others.push(server);
        self.applied.push(applied);
    }

    /// The only node leaves, and its end is waited for.
    async fn empty(&self) {
        self.larder.house.server.shutdown.cancel();
        eventually("nobody reads", async || {
            self.redis.last("xreadgroup").await == 0
        })
        .await;
    }

    /// A new node, at which the larder is looked at from here on.
    async fn refill(&mut self) {
        let clock = self.larder.house.clock.clone();
        let (server, applied) = node(&self.place, &self.redis, clock.clone(), false).await;
        self.larder.house = House::of(server, clock).await;
        self.applied.push(applied);
    }

    fn lines(&self) -> Vec<Value> {
        self.larder.lines(&[('A', 1)])
    }

    async fn pending(&self) -> String {
        pending(&self.larder, self.lines()).await
    }

    /// A batch of one unit; relays do not see it, or they do.
    async fn by_hand(&self, aside: bool) -> ReservationId {
        let now = self.larder.house.clock.now();
        let body = json!({ "actor": "t1", "lines": self.lines() });
        let leased = aside.then(|| now.plus(TTL));
        by_hand(&self.db, &self.larder, now, &body, leased).await
    }

    /// The store's turn: until this ends, a worker waits with its batch in hand.
    async fn turn(&self) -> Tx {
        let mut tx = self.db.write().await.unwrap();
        stream_lock(&mut tx, self.larder.store).await.unwrap();
        tx
    }

    /// A batch that a worker has in hand while somebody has the store's turn.
    async fn in_hand(&self) -> ReservationId {
        let rid = self.by_hand(false).await;
        eventually("a worker has it", async || {
            deliveries(&self.db, rid).await == Some(1)
        })
        .await;
        rid
    }

    async fn all_held(&self, rids: &[String]) {
        for rid in rids {
            becomes(&self.larder, rid, "held").await;
        }
    }

    fn times(&self) -> usize {
        let applied = self.applied.iter();
        applied.map(|count| count.load(Ordering::SeqCst)).sum()
    }

    async fn entries(&self) -> usize {
        self.redis.ask(cmd("XLEN").arg(KEY)).await
    }

    /// What workers have in hand, as the stream knows it.
    async fn in_hands(&self) -> usize {
        type Told = (usize, redis::Value, redis::Value, redis::Value);
        let pending = ["XPENDING", KEY, "workers"];
        self.redis.ask::<Told>(&command(&pending)).await.0
    }

    async fn workers(&self) -> usize {
        let list = cmd("XINFO")
            .arg("CONSUMERS")
            .arg(KEY)
            .arg("workers")
            .clone();
        self.redis.ask::<Vec<redis::Value>>(&list).await.len()
    }

    /// All of `held` units are held, by batches that were applied once each, and the queue is empty.
    async fn assert_quiet(&self, held: i64) {
        eventually("the queue is empty", async || {
            self.entries().await == 0 && self.in_hands().await == 0
        })
        .await;
        assert_eq!(self.larder.counts('A').await, counts(1_000, held));
        assert_eq!(self.times(), usize::try_from(held).unwrap());
        let gauges = self.larder.house.server.app.services.watch().await.unwrap();
        assert_eq!((gauges.pending, gauges.dead), (0, 0));
        self.larder.assert_sound().await;
    }
}

fn command(words: &[&str]) -> Cmd {
    let mut command = cmd(words[0]);
    command.arg(&words[1..]);
    command
}

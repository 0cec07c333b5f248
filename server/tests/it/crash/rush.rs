//! Orders that flow while something is killed, and the proof that nothing of them was lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use domain::stream::{EventId, Scope};
use serde_json::json;
use server::db::Db;
use server::store::outbox::{outbox_between, outbox_waiting};
use server::store::stream::stream_head;
use tokio::task::JoinHandle;
use uuid::Uuid;

use crate::screens::{Dice, Reply, Screen, Setup, Staff, entities, eventually, settled};

const WAITERS: usize = 4;

/// One press of a button, and what came of it.
pub struct Press {
    path: String,
    key: String,
    body: serde_json::Value,
    answer: Option<Reply>,
}

impl Press {
    async fn give(staff: &Staff, path: String, body: serde_json::Value) -> Self {
        let key = Uuid::now_v7().to_string();
        let answer = staff.post(&path, &key, &body).await.ok();
        // A server that goes away may say so; that is no answer to the command.
        let answer = answer.filter(|reply| reply.status != 503);
        Self {
            path,
            key,
            body,
            answer,
        }
    }

    /// Again with the same key, until there is an answer.
    async fn again(&self, staff: &Staff) -> Reply {
        let reply = staff.post(&self.path, &self.key, &self.body).await.unwrap();
        assert!(reply.status < 300, "{}: {reply:?}", self.path);
        reply
    }
}

/// Places orders and confirms each that was answered, one after the other. The note of an order
/// is its name.
async fn wait_tables(
    staff: Staff,
    item: Uuid,
    stop: Arc<AtomicBool>,
    answered: Arc<AtomicUsize>,
) -> Vec<Press> {
    let mut presses = Vec::new();
    while !stop.load(Ordering::SeqCst) {
        let name = Uuid::now_v7().to_string();
        let body = json!({
            "channel": "counter",
            "lines": [{ "menuId": item, "quantity": 1 }],
            "note": name,
        });
        let place = Press::give(&staff, "/hall/orders".to_owned(), body).await;
        if let Some(reply) = &place.answer {
            answered.fetch_add(1, Ordering::SeqCst);
            let path = format!("/hall/orders/{}/confirm", reply.order());
            presses.push(Press::give(&staff, path, json!({ "tender": "card" })).await);
        } else {
            // The server is down; the guests wait.
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        presses.push(place);
    }
    presses
}

/// Waiters at work, and a screen that follows.
pub struct Rush {
    owner: Staff,
    pub screen: Screen,
    epoch: domain::stream::Epoch,
    stop: Arc<AtomicBool>,
    answered: Arc<AtomicUsize>,
    waiters: Vec<JoinHandle<Vec<Press>>>,
    dice: Dice,
}

impl Rush {
    pub async fn begin(owner: &Staff) -> Self {
        let item = owner.plain_item().await;
        let setup = Setup {
            pace: 20,
            ..Setup::of(&[
                Scope::HallOrders,
                Scope::KitchenOrders,
                Scope::Payments,
                Scope::Tables,
                Scope::Store,
            ])
        };
        let screen = Screen::start(owner, setup);
        let epoch = settled(owner, &screen).await.epoch;
        let (stop, answered) = (Arc::<AtomicBool>::default(), Arc::<AtomicUsize>::default());
        let waiter = |_| {
            let (stop, answered) = (Arc::clone(&stop), Arc::clone(&answered));
            tokio::spawn(wait_tables(owner.clone(), item, stop, answered))
        };
        let waiters = (0..WAITERS).map(waiter).collect();
        Self {
            owner: owner.clone(),
            screen,
            epoch,
            stop,
            answered,
            waiters,
            dice: Dice(0x5eed),
        }
    }

    async fn flows(&self, orders: usize) {
        let wanted = self.answered.load(Ordering::SeqCst) + orders;
        eventually("orders flow", async || {
            self.answered.load(Ordering::SeqCst) >= wanted
        })
        .await;
    }

    /// Some moment while orders flow.
    pub async fn moment(&mut self) {
        let orders = 5 + self.dice.below(15);
        self.flows(orders).await;
        tokio::time::sleep(Duration::from_micros(self.dice.roll() % 20_000)).await;
    }

    /// Ends it and proves that every answer holds, that every press was carried out once, and
    /// that the screen has all of it; the last event.
    pub async fn prove(self) -> EventId {
        self.flows(5).await;
        let Self { owner, screen, .. } = self;
        self.stop.store(true, Ordering::SeqCst);
        let mut presses = Vec::new();
        for waiter in self.waiters {
            presses.extend(waiter.await.unwrap());
        }
        // The same press is answered alike, from the same order.
        let mut lost = 0;
        for press in &presses {
            let again = press.again(&owner).await;
            match &press.answer {
                Some(first) => {
                    assert!(first.status < 300, "{first:?}");
                    assert_eq!((again.status, &again.text), (first.status, &first.text));
                    assert_eq!(again.watermark, first.watermark);
                }
                None => lost += 1,
            }
        }
        assert!(lost > 0, "no press was interrupted");
        each_once(&owner, &presses).await;

        let head = settled(&owner, &screen).await;
        let seen = screen.seen();
        seen.assert_sound();
        assert_eq!((head.epoch, seen.cursor), (self.epoch, head));
        head
    }
}

async fn each_once(owner: &Staff, presses: &[Press]) {
    let placed = presses.iter().filter(|press| press.path == "/hall/orders");
    let placed: Vec<&Press> = placed.collect();
    let orders = entities(&owner.get(Scope::HallOrders.path()).await.unwrap()).orders;
    assert_eq!(
        orders.len(),
        placed.len(),
        "an order is lost or there twice"
    );
    for press in &placed {
        let name = press.body["note"].as_str().unwrap();
        let own = orders.iter().filter(|order| order.note == name).count();
        assert_eq!(own, 1, "{name}");
    }
}

/// Nothing waits for the log any more: a relay that was killed leaves a lease that has to end.
pub async fn published(db: Db) {
    eventually("everything is published", async || {
        // The database may still be coming up.
        let Ok(mut tx) = db.read().await else {
            return false;
        };
        let waiting = outbox_waiting(&mut tx).await;
        waiting.is_ok_and(|stores| stores.is_empty())
    })
    .await;
    db.close().await;
}

/// The outbox at rest has every number once, in one history, and nothing waits.
pub async fn at_rest(db: Db, owner: &Staff, head: EventId) {
    let mut tx = db.read().await.unwrap();
    let last = stream_head(&mut tx, owner.store).await.unwrap();
    assert_eq!(last, Some(head));
    let rows = outbox_between(&mut tx, owner.store, 0, u64::from(u32::MAX), u32::MAX);
    let rows = rows.await.unwrap();
    drop(tx);
    db.close().await;
    let seqs: Vec<u64> = rows.iter().map(|row| row.seq).collect();
    assert_eq!(seqs, (1..=head.seq).collect::<Vec<u64>>());
    for row in &rows {
        assert!(row.published_at.is_some() && !row.dead, "{row:?}");
    }
}

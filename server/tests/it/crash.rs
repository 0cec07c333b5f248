//! `kill -9` while orders flow. What was answered is there, what was not answered can be asked
//! for again, and a screen that followed all along has everything once.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use domain::stream::{EventId, Scope};
use serde_json::json;
use server::db::Db;
use server::store::outbox::{OutboxRow, outbox_between};
use server::store::stream::stream_head;
use uuid::Uuid;

use crate::network::proxy::Proxy;
use crate::screens::{Dice, Reply, Screen, Setup, Staff, entities, eventually, settled};
use crate::support::Process;

const KILLS: usize = 5;
const WAITERS: usize = 4;

/// One press of a button, and what came of it.
struct Press {
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

async fn serve(folder: &Path) -> Process {
    let folder = folder.to_owned();
    tokio::task::spawn_blocking(move || Process::serve(&folder))
        .await
        .unwrap()
}

async fn kill(process: Process) {
    tokio::task::spawn_blocking(move || process.kill())
        .await
        .unwrap();
}

/// The outbox of the only store, from the first row to the last.
async fn outbox(folder: &Path, staff: &Staff) -> (EventId, Vec<OutboxRow>) {
    let file: PathBuf = folder.join("house.db");
    let db = Db::open(&format!("sqlite:{}", file.display()))
        .await
        .unwrap();
    let mut tx = db.read().await.unwrap();
    let head = stream_head(&mut tx, staff.store).await.unwrap().unwrap();
    let rows = outbox_between(&mut tx, staff.store, 0, u64::from(u32::MAX), u32::MAX);
    let rows = rows.await.unwrap();
    drop(tx);
    db.close().await;
    (head, rows)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_killed_while_orders_flow_loses_and_doubles_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut process = serve(folder.path()).await;
    // The house has one address, whatever stands behind it.
    let proxy = Proxy::before(process.addr).await;
    let owner = Staff::login(proxy.addr, "owner", "1000").await;
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
    let screen = Screen::start(&owner, setup);
    let epoch = settled(&owner, &screen).await.epoch;

    let (stop, answered) = (
        Arc::new(AtomicBool::new(false)),
        Arc::<AtomicUsize>::default(),
    );
    let waiters: Vec<_> = (0..WAITERS)
        .map(|_| {
            tokio::spawn(wait_tables(
                owner.clone(),
                item,
                Arc::clone(&stop),
                Arc::clone(&answered),
            ))
        })
        .collect();
    let mut dice = Dice(0x5eed);
    for _ in 0..KILLS {
        let before = answered.load(Ordering::SeqCst);
        let wanted = before + 5 + dice.below(15);
        eventually("orders flow", async || {
            answered.load(Ordering::SeqCst) >= wanted
        })
        .await;
        tokio::time::sleep(Duration::from_micros(dice.roll() % 20_000)).await;
        kill(process).await;
        process = serve(folder.path()).await;
        let streams = screen.seen().opened.len();
        proxy.aim(process.addr);
        screen
            .until("a stream from the new process", |seen| {
                seen.opened.len() > streams
            })
            .await;
    }
    let last = answered.load(Ordering::SeqCst);
    eventually("orders flow again", async || {
        answered.load(Ordering::SeqCst) >= last + 5
    })
    .await;
    stop.store(true, Ordering::SeqCst);
    let mut presses = Vec::new();
    for waiter in waiters {
        presses.extend(waiter.await.unwrap());
    }

    // Every answer holds: the same press is answered alike, from the same order.
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
    let placed: Vec<&Press> = presses
        .iter()
        .filter(|press| press.path == "/hall/orders")
        .collect();
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

    // The screen has all of it, each event once in effect.
    let head = settled(&owner, &screen).await;
    let seen = screen.seen();
    seen.assert_sound();
    assert_eq!((head.epoch, seen.cursor), (epoch, head));
    assert!(seen.opened.len() > KILLS, "{:?}", seen.opened);

    // The outbox has every number once, in one history, and nothing waits.
    kill(process).await;
    let (at_rest, rows) = outbox(folder.path(), &owner).await;
    assert_eq!(at_rest, head);
    let seqs: Vec<u64> = rows.iter().map(|row| row.seq).collect();
    assert_eq!(seqs, (1..=head.seq).collect::<Vec<u64>>());
    for row in &rows {
        assert!(row.published_at.is_some() && !row.dead, "{row:?}");
    }
}

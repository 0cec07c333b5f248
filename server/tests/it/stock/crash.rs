//! `kill -9` between any two statements: after the restart every held unit belongs to a hold that
//! can be seen, and is swept in time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};
use uuid::Uuid;

use super::assert_ledger;
use crate::screens::{Dice, eventually};
use crate::support::Engine::{self, Postgres, Sqlite};
use crate::support::{Client, Place, Process};

/// Kills; `JUMUN_CRASH_ROUNDS` says how many when there is time.
fn rounds() -> usize {
    let asked = std::env::var("JUMUN_CRASH_ROUNDS").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(4)
}

struct Owner {
    client: Client,
    path: String,
}

impl Owner {
    async fn of(process: &Process) -> Self {
        let client = process.client();
        let me = client.try_login("demo", "owner", "1000").await.json();
        let path = format!("/api/pos/{}", me["storeId"].as_str().unwrap());
        Self { client, path }
    }

    /// A command; `None`: the server went away.
    async fn give(&self, path: &str, body: &Value) -> Option<Value> {
        let request = self
            .client
            .request(Method::POST, &format!("{}{path}", self.path));
        let request = request.header("idempotency-key", Uuid::now_v7().to_string());
        let answer = request.json(body).send().await.ok()?;
        answer.json().await.ok()
    }

    async fn get(&self, path: &str) -> Value {
        self.client
            .get(&format!("{}{path}", self.path))
            .await
            .json()
    }

    /// The menu's items that are counted.
    async fn counted(&self) -> Vec<Value> {
        let menu = self.get("/menu").await;
        let items = menu["items"].as_array().unwrap().clone();
        items
            .into_iter()
            .filter(|item| item["stockId"].is_string())
            .collect()
    }

    async fn stock(&self) -> Vec<Value> {
        self.get("/menu").await["stock"].as_array().unwrap().clone()
    }

    /// Holds for a second, sells, gives up, orders, pays, counts anew: whatever comes.
    async fn trade(
        self: Arc<Self>,
        items: Arc<Vec<Value>>,
        mut dice: Dice,
        stop: Arc<AtomicBool>,
        done: Arc<AtomicUsize>,
    ) {
        while !stop.load(Ordering::SeqCst) {
            let pick = |n: u64| &items[usize::try_from(n).unwrap() % items.len()];
            let line = |item: &Value| {
                let groups = item["optionGroups"].as_array().unwrap();
                let must = groups.iter().filter(|group| group["min"] != json!(0));
                let options: Vec<_> = must.map(|group| &group["options"][0]["id"]).collect();
                json!({ "menuId": item["id"], "optionIds": options, "quantity": 1 })
            };
            let lines = [line(pick(dice.roll())), line(pick(dice.roll()))];
            let row = pick(dice.roll())["stockId"].as_str().unwrap().to_owned();
            let kind = dice.roll() % 4;
            let answer = match kind {
                0 => {
                    let body = json!({ "delta": 1, "reason": "입고" });
                    self.give(&format!("/stock/{row}/adjust"), &body).await
                }
                1 => {
                    let body = json!({ "channel": "takeout", "lines": lines });
                    let placed = self.give("/hall/orders", &body).await;
                    match placed
                        .as_ref()
                        .and_then(|placed| placed["orders"][0]["id"].as_str())
                    {
                        None => placed,
                        Some(id) => {
                            let body = json!({ "tender": "cash" });
                            self.give(&format!("/hall/orders/{id}/confirm"), &body)
                                .await
                        }
                    }
                }
                mode => {
                    let query = if mode == 2 { "" } else { "?mode=async" };
                    let body = json!({ "lines": lines, "ttlMs": 1_000 });
                    let path = format!("/reservations/batch{query}");
                    let held = self.give(&path, &body).await;
                    let rid = held.as_ref().and_then(|held| held["rid"].as_str());
                    match (rid, dice.roll() % 3) {
                        (Some(rid), end @ 0..=1) => {
                            let body = json!({ "success": end == 0 });
                            self.give(&format!("/reservations/{rid}/finalize"), &body)
                                .await
                        }
                        (_, _) => held,
                    }
                }
            };
            match answer {
                Some(_) => {
                    done.fetch_add(1, Ordering::SeqCst);
                }
                None => tokio::time::sleep(Duration::from_millis(5)).await,
            }
        }
    }
}

async fn sound(place: &Place) {
    let db = place.open().await;
    let drift = server::service::stock::stock_verify(&db).await.unwrap();
    assert!(drift.is_empty(), "{drift:?}");
    assert_ledger(&db).await;
    db.close().await;
}

/// Every held unit is of an open hold that managers see.
async fn visible(owner: &Owner) {
    // The counters move on while it looks; both are of one moment once nothing happens.
    eventually("every held unit is seen", async || {
        let stock = owner.stock().await;
        let holds = owner.get("/reservations").await["reservations"].clone();
        let held: i64 = stock.iter().map(|row| row["held"].as_i64().unwrap()).sum();
        let rows = holds.as_array().unwrap().iter();
        let rows = rows.flat_map(|hold| hold["lines"].as_array().unwrap());
        held == rows
            .map(|row| row["quantity"].as_i64().unwrap())
            .sum::<i64>()
    })
    .await;
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_killed_while_stock_moves_loses_and_doubles_no_unit(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let place = Place::on(engine).await;
    let mut process = Process::serve(&place).await;
    let mut dice = Dice(0x57_0c4);
    for round in 0..rounds() {
        let owner = Arc::new(Owner::of(&process).await);
        let items = Arc::new(owner.counted().await);
        let (stop, done) = (Arc::<AtomicBool>::default(), Arc::<AtomicUsize>::default());
        let traders: Vec<_> = (0..4)
            .map(|_| {
                let (owner, items) = (Arc::clone(&owner), Arc::clone(&items));
                let (stop, done) = (Arc::clone(&stop), Arc::clone(&done));
                tokio::spawn(owner.trade(items, Dice(dice.roll()), stop, done))
            })
            .collect();
        let wanted = 10 + dice.below(30);
        eventually("trade", async || done.load(Ordering::SeqCst) >= wanted).await;
        tokio::time::sleep(Duration::from_micros(dice.roll() % 20_000)).await;
        process.kill().await;
        stop.store(true, Ordering::SeqCst);
        for trader in traders {
            trader.await.unwrap();
        }
        sound(&place).await;
        process = Process::serve(&place).await;
        let owner = Owner::of(&process).await;
        visible(&owner).await;
        if round + 1 == rounds() {
            // Orders hold for ten minutes; what carts held for a second is free by itself.
            eventually("carts are swept", async || {
                let holds = owner.get("/reservations").await["reservations"].clone();
                let holds = holds.as_array().unwrap().clone();
                holds.iter().all(|hold| hold["orderId"].is_string())
            })
            .await;
        }
    }
    process.kill().await;
    sound(&place).await;
    let verify = crate::support::jumun(&["stock", "verify"])
        .args(place.database())
        .output();
    let verified = verify.unwrap();
    assert!(verified.status.success(), "{verified:?}");
}

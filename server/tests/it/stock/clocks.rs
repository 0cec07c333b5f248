//! Servers whose own clock is wrong. Where nodes share a database its clock judges every hold; a
//! server over a file has but its own, which then judges alone.

use std::time::Duration;

use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};
use server::clock::Clock;

use crate::screens::eventually;
use crate::support::Engine::{Postgres, Sqlite};
use crate::support::{Client, Place, Process};

/// Two minutes.
const OFF: i32 = 120;
/// 10 min, the demo's setting.
const TTL: i64 = super::TTL;
const SECOND: i64 = 1_000;

struct Owner {
    client: Client,
    path: String,
    /// What is counted, without options.
    item: Value,
}

impl Owner {
    async fn at(process: &Process) -> Self {
        let client = process.client();
        let me = client.try_login("demo", "owner", "1000").await.json();
        let path = format!("/api/pos/{}", me["storeId"].as_str().unwrap());
        let menu = client.get(&format!("{path}/menu")).await.json();
        let items = menu["items"].as_array().unwrap();
        let plain = |item: &&Value| {
            let groups = item["optionGroups"].as_array().unwrap();
            item["stockId"].is_string() && groups.iter().all(|group| group["min"] == 0)
        };
        let item = items.iter().find(plain).unwrap()["id"].clone();
        Self { client, path, item }
    }

    /// A hold of one; a cart of its own.
    async fn hold(&self, cart: &str, ttl: Option<i64>) -> Value {
        let lines = json!([{ "menuId": self.item, "quantity": 1 }]);
        let body = json!({ "actor": cart, "lines": lines, "ttlMs": ttl });
        let path = format!("{}/reservations/batch", self.path);
        let request = self.client.request(Method::POST, &path).json(&body);
        let answer = self.client.send(request).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        answer.json()
    }

    async fn now(&self, hold: &Value) -> Value {
        let path = format!(
            "{}/reservations/{}",
            self.path,
            hold["rid"].as_str().unwrap()
        );
        self.client.get(&path).await.json()
    }

    async fn confirm(&self, hold: &Value) -> Value {
        let rid = hold["rid"].as_str().unwrap();
        let path = format!("{}/reservations/{rid}/finalize", self.path);
        self.client
            .post(&path, json!({ "success": true }))
            .await
            .json()
    }
}

fn ms(value: &Value) -> i64 {
    value.as_i64().unwrap()
}

/// A whole life is left, by the clock that the answer itself tells, which shows `now`.
fn is_fresh(hold: &Value, ttl: i64, now: i64) {
    assert_eq!(hold["status"], "held", "{hold}");
    let (left, shown) = (ms(&hold["remainingMs"]), ms(&hold["serverNow"]));
    assert_eq!(left, ms(&hold["expiresAt"]) - shown, "{hold}");
    assert!((ttl - SECOND..=ttl).contains(&left), "{hold}");
    assert!((shown - now).abs() < 5 * SECOND, "{hold} at {now}");
}

/// One second of life is one second, neither none nor two minutes.
async fn lives_a_second(owner: &Owner) {
    let short = owner.hold("short", Some(SECOND)).await;
    assert_eq!(short["status"], "held", "not born over: {short}");
    assert!((1..=SECOND).contains(&ms(&short["remainingMs"])), "{short}");
    let begun = std::time::Instant::now();
    eventually("its end", async || {
        owner.now(&short).await["status"] == "expired"
    })
    .await;
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_whose_clock_is_wrong_goes_by_the_databases(#[values(-OFF, OFF)] off: i32) {
    let place = Place::on(Postgres).await;
    let process = Process::with_clock(&place, off).await;
    let owner = Owner::at(&process).await;
    let hold = owner.hold("cart", None).await;
    is_fresh(&hold, TTL, Clock::system().now().0);
    is_fresh(&owner.now(&hold).await, TTL, Clock::system().now().0);
    lives_a_second(&owner).await;
    assert_eq!(owner.confirm(&hold).await["status"], "confirmed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hold_has_the_same_time_left_at_a_node_behind_and_at_one_ahead() {
    let place = Place::on(Postgres).await;
    let behind = Process::with_clock(&place, -OFF).await;
    let ahead = Process::with_clock(&place, OFF).await;
    let (one, other) = (Owner::at(&behind).await, Owner::at(&ahead).await);
    for (here, there) in [(&one, &other), (&other, &one)] {
        let hold = here.hold("cart", None).await;
        is_fresh(&there.now(&hold).await, TTL, Clock::system().now().0);
        assert_eq!(there.confirm(&hold).await["status"], "confirmed");
        assert_eq!(here.now(&hold).await["status"], "confirmed");
    }
    // The sweeper of the node that is ahead takes nothing that is in time.
    let hold = one.hold("kept", Some(30 * SECOND)).await;
    lives_a_second(&other).await;
    assert_eq!(one.now(&hold).await["status"], "held");
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_over_a_file_is_right_by_its_own_clock(#[values(-OFF, OFF)] off: i32) {
    let place = Place::on(Sqlite).await;
    let process = Process::with_clock(&place, off).await;
    let owner = Owner::at(&process).await;
    let hold = owner.hold("cart", None).await;
    let own = Clock::system().now().plus(i64::from(off) * SECOND);
    is_fresh(&hold, TTL, own.0);
    lives_a_second(&owner).await;
    assert_eq!(owner.confirm(&hold).await["status"], "confirmed");
}

//! Every command through HTTP: success, refusals, keys, other stores, the business day.

mod day;
mod entry;
mod floor;
mod import;
mod keys;
mod kitchen;
mod money;
mod others;
mod payment;
mod snapshots;

use domain::settings::Store;
use domain::time::Time;
use serde_json::{Value, json};
use server::clock::Clock;

use crate::support::{Answer, Client, Engine, Server, change_store};

/// 2026-03-01 12:00 in Seoul.
pub const NOON: Time = Time(1_772_334_000_000);

/// The demo restaurant, with its owner at the screen.
pub struct House {
    pub server: Server,
    pub owner: Client,
    pub clock: Clock,
    pub path: String,
}

impl House {
    pub async fn open() -> Self {
        Self::on(Engine::Sqlite).await
    }

    pub async fn on(engine: Engine) -> Self {
        let clock = Clock::manual(NOON);
        let server = Server::on(engine, |config| config.demo = true, clock.clone()).await;
        Self::of(server, clock).await
    }

    /// Changes the settings of the store behind the server's back.
    pub async fn set(&self, change: impl FnOnce(&mut Store)) {
        let id = self.path.rsplit('/').next().unwrap().parse().unwrap();
        change_store(&self.server.app.db, id, change).await;
    }

    pub async fn of(server: Server, clock: Clock) -> Self {
        let owner = server.client();
        let me = owner.try_login("demo", "owner", "1000").await.json();
        let path = format!("/api/pos/{}", me["storeId"].as_str().unwrap());
        Self {
            server,
            owner,
            clock,
            path,
        }
    }

    pub async fn login(&self, staff: &str, pin: &str) -> Client {
        let client = self.server.client();
        assert_eq!(client.try_login("demo", staff, pin).await.status, 200);
        client
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.owner.get(&format!("{}{path}", self.path)).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.owner.post(&format!("{}{path}", self.path), body).await
    }

    /// A command that must be done; its answer.
    pub async fn done(&self, path: &str, body: Value) -> Value {
        let answer = self.post(path, body).await;
        assert!(
            matches!(answer.status, 200 | 201),
            "{path}: {}",
            answer.text
        );
        answer.json()
    }

    pub async fn item(&self, code: &str) -> Value {
        let menu = self.get("/menu").await.json();
        let items = menu["items"].as_array().unwrap();
        items
            .iter()
            .find(|item| item["code"] == code)
            .unwrap()
            .clone()
    }

    pub async fn table(&self, name: &str) -> Value {
        let tables = self.get("/tables").await.json();
        let tables = tables["tables"].as_array().unwrap();
        tables
            .iter()
            .find(|table| table["name"] == name)
            .unwrap()
            .clone()
    }

    pub async fn table_id(&self, name: &str) -> String {
        self.table(name).await["id"].as_str().unwrap().to_owned()
    }

    /// An order of rice, 1,000 each, at the table; the order.
    pub async fn order(&self, table: &str, quantity: u32) -> Value {
        let body = json!({
            "tableId": self.table_id(table).await,
            "channel": "hall",
            "lines": [{ "menuId": self.item(RICE).await["id"], "quantity": quantity }],
        });
        self.done("/hall/orders", body).await["orders"][0].clone()
    }

    pub async fn confirm(&self, order: &Value) -> Value {
        let path = format!("/hall/orders/{}/confirm", id(order));
        self.done(&path, json!({ "tender": "card" })).await["orders"][0].clone()
    }

    /// A confirmed order whose lines are all in `state`.
    pub async fn cooked(&self, table: &str) -> Value {
        let order = self.order(table, 1).await;
        self.confirm(&order).await;
        let path = format!("/kitchen/orders/{}/advance", id(&order));
        self.done(&path, json!({ "to": "cooking" })).await;
        self.done(&path, json!({ "to": "cooked" })).await["orders"][0].clone()
    }

    /// Types of the store's events after `seq`.
    pub async fn events_after(&self, seq: u64) -> Vec<String> {
        let mut tx = self.server.app.db.read().await.unwrap();
        let store = self.path.rsplit('/').next().unwrap().parse().unwrap();
        let rows = server::store::outbox::outbox_between(&mut tx, store, seq, u64::MAX >> 1, 1_000);
        rows.await
            .unwrap()
            .into_iter()
            .map(|row| row.kind.into_owned())
            .collect()
    }

    pub async fn seq(&self) -> u64 {
        seq(&self.get("/store").await)
    }
}

/// Rice in the demo, without options; and a stew that asks for its spiciness.
pub const RICE: &str = "117";
pub const STEW: &str = "101";

pub fn id(entity: &Value) -> &str {
    entity["id"].as_str().unwrap()
}

/// The seq of an answer's watermark.
pub fn seq(answer: &Answer) -> u64 {
    let mark = answer.header("x-pos-stream-watermark");
    mark.split_once(':')
        .unwrap_or_else(|| panic!("{mark}"))
        .1
        .parse()
        .unwrap()
}

/// Status and code of a problem.
pub fn refused(answer: &Answer) -> (u16, String) {
    (answer.status, answer.code())
}

pub fn conflict(code: &str) -> (u16, String) {
    (409, code.to_owned())
}

pub fn invalid(code: &str) -> (u16, String) {
    (422, code.to_owned())
}

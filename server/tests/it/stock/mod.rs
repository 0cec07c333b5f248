//! Holds on stock through HTTP: every case of the spec, races, a model, crashes, and controls that
//! show that the suite would notice.

mod adjust;
mod clocks;
mod controls;
mod crash;
mod duels;
mod edges;
mod guests;
mod holds;
mod input;
mod later;
mod model;
mod orders;
mod queue;
mod races;

use std::collections::BTreeMap;

use domain::id::{CategoryId, MenuId, OptionGroupId, OptionId, StockId, StoreId};
use domain::menu::{MenuItem, MenuOption, OptionGroup};
use domain::money::Amount;
use domain::stock::Stock;
use domain::text::LocalText;
use reqwest::Method;
use serde_json::{Value, json};
use server::store::ledger::Cause;
use server::store::menu::item_save;
use uuid::Uuid;

use crate::commands::House;
use crate::support::{Answer, Client, Engine, Server};

/// 10 min, the store's setting.
pub const TTL: i64 = 600_000;

/// The demo with counted items `A`, `B` …, each with a row of its own.
pub struct Larder {
    pub house: House,
    pub store: StoreId,
    pub rows: BTreeMap<char, (MenuId, StockId)>,
}

/// The counters of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    pub on_hand: i64,
    pub held: i64,
}

/// `(on_hand, held)`
pub const fn counts(on_hand: i64, held: i64) -> Counts {
    Counts { on_hand, held }
}

/// The option of `A`: two units of `B`.
pub const OPTION: OptionId = OptionId(Uuid::from_u128(0x0b71_0001));

fn stock(name: char, on_hand: i64, item: MenuId) -> Stock {
    Stock {
        id: StockId(Uuid::now_v7()),
        version: 1,
        name: LocalText::both(&name.to_string(), &name.to_string()),
        available: on_hand,
        on_hand,
        held: 0,
        menu_ids: vec![item],
    }
}

fn item(name: char, category: CategoryId, stock: StockId, option: Option<StockId>) -> MenuItem {
    let option = option.map(|stock| MenuOption {
        id: OPTION,
        name: LocalText::both("곱빼기", "Double"),
        price_delta: Amount(500),
        stock_id: Some(stock),
        stock_quantity: 2,
        sold_out: false,
    });
    let group = OptionGroup {
        id: OptionGroupId(Uuid::now_v7()),
        name: LocalText::both("추가", "Extras"),
        min: 0,
        max: 1,
        options: option.into_iter().collect(),
    };
    MenuItem {
        id: MenuId(Uuid::now_v7()),
        version: 1,
        code: format!("counted-{name}"),
        category_id: category,
        name: LocalText::both(&name.to_string(), &name.to_string()),
        description: LocalText::default(),
        price: Amount(1_000),
        station_id: None,
        sold_out: false,
        sort: 10_000,
        option_groups: vec![group],
        stock_id: Some(stock),
        image_url: None,
    }
}

impl Larder {
    /// The one place that opens a house for these tests.
    pub async fn on(engine: Engine, rows: &[(char, i64)]) -> Self {
        Self::of(House::on(engine).await, rows).await
    }

    pub async fn of(house: House, rows: &[(char, i64)]) -> Self {
        let store: StoreId = house.path.rsplit('/').next().unwrap().parse().unwrap();
        let category = house.item("117").await["categoryId"].clone();
        let category: CategoryId = serde_json::from_value(category).unwrap();
        let app = &house.server.app;
        let mut tx = app.db.write().await.unwrap();
        let cause = Cause {
            store,
            who: "test",
            why: "opened",
            at: app.clock.now(),
        };
        let mut known = BTreeMap::new();
        let mut stocks: Vec<Stock> = Vec::new();
        for (name, on_hand) in rows {
            stocks.push(stock(*name, *on_hand, MenuId(Uuid::nil())));
        }
        // Later letters have lower ids, so that the order of lines is never the order of rows.
        let mut ids: Vec<StockId> = stocks.iter().map(|stock| stock.id).collect();
        ids.reverse();
        for (stock, id) in stocks.iter_mut().zip(ids) {
            stock.id = id;
        }
        let second = stocks.get(1).map(|stock| stock.id);
        for (index, stock) in stocks.iter_mut().enumerate() {
            let name = rows[index].0;
            let item = item(name, category, stock.id, second.filter(|_| index == 0));
            stock.menu_ids = vec![item.id];
            item_save(&mut tx, store, &item).await.unwrap();
            server::service::stock::stock_open(&mut tx, stock, cause)
                .await
                .unwrap();
            known.insert(name, (item.id, stock.id));
        }
        tx.commit().await.unwrap();
        Self {
            house,
            store,
            rows: known,
        }
    }

    /// The same at another server over the same data.
    pub async fn at(&self, server: Server) -> Self {
        Self {
            house: House::of(server, self.house.clock.clone()).await,
            store: self.store,
            rows: self.rows.clone(),
        }
    }

    pub fn line(&self, name: char, quantity: i64) -> Value {
        json!({ "menuId": self.rows[&name].0, "optionIds": [], "quantity": quantity })
    }

    pub fn lines(&self, lines: &[(char, i64)]) -> Vec<Value> {
        lines.iter().map(|(n, q)| self.line(*n, *q)).collect()
    }

    /// A batch without a key, by somebody.
    pub async fn batch_by(&self, client: &Client, body: Value) -> Answer {
        let path = format!("{}/reservations/batch", self.house.path);
        client
            .send(client.request(Method::POST, &path).json(&body))
            .await
    }

    pub async fn batch(&self, body: Value) -> Answer {
        self.batch_by(&self.house.owner, body).await
    }

    /// A hold by a cart of its own.
    pub async fn try_hold(&self, lines: &[(char, i64)]) -> Answer {
        let cart = Uuid::now_v7().to_string();
        self.batch(json!({ "actor": cart, "lines": self.lines(lines) }))
            .await
    }

    /// The same, which must be had; its id.
    pub async fn hold(&self, lines: &[(char, i64)]) -> String {
        let answer = self.try_hold(lines).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        rid(&answer)
    }

    pub async fn get_hold(&self, rid: &str) -> Value {
        let answer = self.house.get(&format!("/reservations/{rid}")).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()
    }

    pub async fn finalize(&self, rid: &str, success: bool) -> Answer {
        let path = format!("/reservations/{rid}/finalize");
        self.house.post(&path, json!({ "success": success })).await
    }

    pub async fn extend(&self, rid: &str) -> Answer {
        let path = format!("{}/reservations/{rid}", self.house.path);
        let request = self.house.owner.request(Method::PATCH, &path);
        let request = request.header("idempotency-key", Uuid::now_v7().to_string());
        let request = request.json(&json!({ "extend": true }));
        self.house.owner.send(request).await
    }

    pub async fn stock(&self, name: char) -> Value {
        let id = self.rows[&name].1.to_string();
        let menu = self.house.get(&format!("/menu?ids={id}")).await.json();
        menu["stock"][0].clone()
    }

    pub async fn counts(&self, name: char) -> Counts {
        let stock = self.stock(name).await;
        let (on_hand, held) = (stock["onHand"].as_i64(), stock["held"].as_i64());
        let (on_hand, held) = (on_hand.unwrap(), held.unwrap());
        assert_eq!(stock["available"], on_hand - held, "{stock}");
        Counts { on_hand, held }
    }

    /// An order at the counter.
    pub async fn try_order(&self, lines: &[(char, i64)], rid: Option<&str>) -> Answer {
        let body = json!({ "channel": "takeout", "lines": self.lines(lines), "rid": rid });
        self.house.post("/hall/orders", body).await
    }

    pub async fn order(&self, lines: &[(char, i64)]) -> Value {
        let answer = self.try_order(lines, None).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        answer.json()["orders"][0].clone()
    }

    /// What the order is now.
    pub async fn order_now(&self, order: &Value) -> Value {
        let path = format!("/hall/orders?ids={}", order["id"].as_str().unwrap());
        self.house.get(&path).await.json()["orders"][0].clone()
    }

    /// Sweeps once, beside the house's own sweeper.
    pub async fn sweep(&self) -> usize {
        self.house.server.app.services.sweep().await.unwrap()
    }

    /// Counters, holds and ledger agree, at every prefix of the ledger.
    pub async fn assert_sound(&self) {
        let db = &self.house.server.app.db;
        let drift = server::service::stock::stock_verify(db).await.unwrap();
        assert!(drift.is_empty(), "{drift:?}");
        assert_ledger(db).await;
    }
}

/// A row of the ledger.
#[derive(Debug, sqlx::FromRow)]
struct Moved {
    stock_id: Uuid,
    place: i64,
    kind: String,
    rid: Option<Uuid>,
    line: Option<Uuid>,
    on_hand_delta: i64,
    held_delta: i64,
}

/// Dense places, no prefix out of bounds, one opening and at most one closing for each line.
pub async fn assert_ledger(db: &server::db::Db) {
    let mut tx = db.read().await.unwrap();
    let sql = "select stock_id, place, kind, rid, line, on_hand_delta, held_delta \
        from stock_move order by stock_id, place";
    let rows = tx.fetch_all::<Moved>(sql, []).await.unwrap();
    drop(tx);
    let mut sums: BTreeMap<Uuid, (i64, i64, i64)> = BTreeMap::new();
    let mut lines: BTreeMap<(Uuid, Uuid, Uuid), (usize, usize)> = BTreeMap::new();
    for row in &rows {
        let (place, on_hand, held) = sums.entry(row.stock_id).or_default();
        *place += 1;
        *on_hand += row.on_hand_delta;
        *held += row.held_delta;
        assert_eq!(*place, row.place, "{row:?}");
        assert!(
            0 <= *held && *held <= *on_hand,
            "{on_hand}, {held}: {row:?}"
        );
        if let (Some(rid), Some(line)) = (row.rid, row.line) {
            let (opened, closed) = lines.entry((rid, line, row.stock_id)).or_default();
            match row.kind.as_str() {
                "reserved" | "taken" => *opened += 1,
                "confirmed" | "released" | "expired" | "moved" => *closed += 1,
                _ => {}
            }
            assert!(*opened <= 1 && *closed <= 1, "{row:?}");
        }
    }
}

pub fn rid(answer: &Answer) -> String {
    answer.json()["rid"].as_str().unwrap().to_owned()
}

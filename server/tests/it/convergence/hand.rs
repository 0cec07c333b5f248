//! A hand that presses buttons at random, every kind there is.

use std::collections::BTreeMap;

use domain::call::Call;
use domain::floor::Table;
use domain::menu::MenuItem;
use domain::order::{CheckoutStage, KitchenState, Order};
use domain::snapshot::Entities;
use domain::stream::Scope;
use serde_json::{Value, json};
use tokio::time::Instant;
use uuid::Uuid;

use super::guests;
use crate::screens::{Dice, House, PATIENCE, Reply};

/// How often each kind of command was given, and how often it changed something.
pub type Tally = BTreeMap<&'static str, (u32, u32)>;

pub struct Hand<'a> {
    house: &'a House,
    dice: Dice,
    items: Vec<MenuItem>,
    pub tally: Tally,
}

/// A kind of command, its path and its body.
type Wish = (&'static str, String, Value);

impl<'a> Hand<'a> {
    pub async fn new(house: &'a House, seed: u64) -> Self {
        let mut hand = Self {
            house,
            dice: Dice(seed),
            items: Vec::new(),
            tally: Tally::new(),
        };
        hand.items = hand.known(Scope::Menu).await.items;
        hand
    }

    async fn known(&self, scope: Scope) -> Entities {
        let (app, store) = (&self.house.app, self.house.owner.store);
        let snapshot = app.services.snapshot(store, scope).await.unwrap();
        serde_json::from_str(&snapshot.body).unwrap()
    }

    /// One command; a refusal is an answer too.
    pub async fn press(&mut self) -> Option<Reply> {
        self.house
            .app
            .clock
            .advance(1_000 + i64::from(self.dice.one_in(3)));
        let orders = self.known(Scope::HallOrders).await.orders;
        let tables = self.known(Scope::Tables).await.tables;
        let calls = self.known(Scope::Calls).await.calls;
        if self.dice.one_in(25) {
            let called = guests::call(self.house, &mut self.dice, &tables, &calls).await;
            self.count("call", called);
            return None;
        }
        let (kind, path, body) = self.wish(&orders, &tables, &calls)?;
        let key = Uuid::now_v7().to_string();
        let reply = self.answer(&path, &key, &body).await;
        let refused = [400, 404, 415].contains(&reply.status);
        assert!(!refused && reply.status < 500, "{path} {body}: {reply:?}");
        self.count(kind, reply.status < 300);
        Some(reply)
    }

    /// A machine that is busy may have no answer in time: the same is asked again.
    async fn answer(&self, path: &str, key: &str, body: &Value) -> Reply {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let reply = self.house.owner.post(path, key, body).await.unwrap();
            if reply.status != 503 || Instant::now() > deadline {
                return reply;
            }
        }
    }

    fn count(&mut self, kind: &'static str, done: bool) {
        let (given, carried_out) = self.tally.entry(kind).or_default();
        *given += 1;
        *carried_out += u32::from(done);
    }

    fn wish(&mut self, orders: &[Order], tables: &[Table], calls: &[Call]) -> Option<Wish> {
        let dice = &mut self.dice;
        let table = dice.pick(tables)?.clone();
        let call = dice.pick(calls).cloned();
        match dice.below(100) {
            0..16 => Some(self.place(&table)),
            16..66 => {
                let order = self.dice.pick(orders)?.clone();
                Some(self.order(&order, tables))
            }
            66..90 => Some(self.table(&table, tables)),
            90..95 => {
                let call = call?;
                let (kind, step) = [("accept", "accept"), ("done", "done")][self.dice.below(2)];
                Some((kind, format!("/calls/{}/{step}", call.id), json!({})))
            }
            _ => self.sold_out(),
        }
    }

    fn lines(&mut self) -> Vec<Value> {
        let count = 1 + self.dice.below(3);
        (0..count).filter_map(|_| self.line()).collect()
    }

    fn line(&mut self) -> Option<Value> {
        let item = self.dice.pick(&self.items)?.clone();
        let mut options = Vec::new();
        for group in &item.option_groups {
            let least = usize::try_from(group.min).unwrap();
            options.extend(group.options.iter().take(least).map(|option| option.id));
        }
        Some(json!({
            "menuId": item.id,
            "quantity": 1 + self.dice.below(3),
            "optionIds": options,
            "note": if self.dice.one_in(4) { "덜 맵게" } else { "" },
        }))
    }

    fn place(&mut self, table: &Table) -> Wish {
        let channel = ["hall", "hall", "counter", "takeout"][self.dice.below(4)];
        let mut body = json!({ "channel": channel, "lines": self.lines() });
        if channel == "hall" {
            body["tableId"] = json!(table.id);
        }
        ("place", "/hall/orders".to_owned(), body)
    }

    /// Some of the lines, or none named: all that can.
    fn some_lines(&mut self, order: &Order) -> Value {
        if self.dice.one_in(2) {
            return json!({});
        }
        let line = self.dice.pick(&order.lines).map(|line| line.id);
        json!({ "lineIds": line.into_iter().collect::<Vec<_>>() })
    }

    fn order(&mut self, order: &Order, tables: &[Table]) -> Wish {
        let hall = format!("/hall/orders/{}", order.id);
        let kitchen = format!("/kitchen/orders/{}", order.id);
        let some = self.some_lines(order);
        let Some(line) = self.dice.pick(&order.lines).cloned() else {
            return ("note", format!("{hall}/note"), json!({ "note": "" }));
        };
        if self.dice.one_in(2)
            && let Some(next) = next_step(order)
        {
            return next;
        }
        let word = format!("{}", self.dice.below(1_000));
        match self.dice.below(30) {
            0..6 => {
                let tender = ["cash", "card", "transfer"][self.dice.below(3)];
                (
                    "confirm",
                    format!("{hall}/confirm"),
                    json!({ "tender": tender }),
                )
            }
            6..13 => {
                let to = ["cooking", "cooked"][self.dice.below(2)];
                let mut body = some;
                body["to"] = json!(to);
                ("advance", format!("{kitchen}/advance"), body)
            }
            13..17 => ("serve", format!("/servings/{}/serve", order.id), some),
            17 | 18 => ("recall", format!("{kitchen}/recall"), some),
            19 => (
                "reject",
                format!("{hall}/reject"),
                json!({ "reason": "손님 요청" }),
            ),
            20 => ("note", format!("{hall}/note"), json!({ "note": word })),
            21 => {
                let path = format!("{hall}/lines/{}/note", line.id);
                ("line note", path, json!({ "note": word }))
            }
            22 | 23 => {
                let mut body = json!({ "reason": "품절" });
                if line.quantity > 1 && self.dice.one_in(2) {
                    body["quantity"] = json!(1);
                }
                ("void", format!("{hall}/lines/{}/void", line.id), body)
            }
            24 | 25 => {
                let voided = order.open_voids().map(|line| line.id);
                let body = json!({ "lineIds": voided.collect::<Vec<_>>() });
                ("acknowledge", format!("{kitchen}/voids/ack"), body)
            }
            26 => {
                let priority = json!({ "priority": !order.priority });
                ("priority", format!("{kitchen}/priority"), priority)
            }
            27 => {
                let seated: Vec<&Table> = tables.iter().filter(|t| t.party.is_some()).collect();
                let to = self
                    .dice
                    .pick(&seated)
                    .map_or(tables[0].id, |table| table.id);
                let body = json!({ "lineIds": [line.id], "toTableId": to });
                ("move lines", format!("{hall}/move-lines"), body)
            }
            _ => (
                "add",
                format!("{hall}/lines"),
                json!({ "lines": self.lines() }),
            ),
        }
    }

    fn table(&mut self, table: &Table, tables: &[Table]) -> Wish {
        let at = format!("/tables/{}", table.id);
        let other = self.dice.pick(tables).map_or(table.id, |other| other.id);
        let covers = json!({ "covers": 1 + self.dice.below(6) });
        if table
            .party
            .as_ref()
            .is_some_and(|party| party.table_ids.len() > 1)
            && self.dice.one_in(3)
        {
            return ("unjoin", format!("{at}/unjoin"), json!({}));
        }
        match self.dice.below(12) {
            0 | 1 => ("seat", format!("{at}/seat"), covers),
            2 => ("covers", format!("{at}/covers"), covers),
            3..6 => ("clear", format!("{at}/clear"), json!({})),
            6 => ("cleaned", format!("{at}/cleaned"), json!({})),
            7 => ("bill", format!("{at}/bill"), json!({})),
            8 => (
                "transfer",
                format!("{at}/transfer"),
                json!({ "toTableId": other }),
            ),
            9 | 10 => ("join", format!("{at}/join"), json!({ "tableIds": [other] })),
            _ => ("unjoin", format!("{at}/unjoin"), json!({})),
        }
    }

    fn sold_out(&mut self) -> Option<Wish> {
        let item = self.dice.pick(&self.items)?.clone();
        let mut body = json!({ "soldOut": self.dice.one_in(2) });
        let option = item
            .option_groups
            .first()
            .and_then(|group| group.options.last());
        if let Some(option) = option
            && self.dice.one_in(2)
        {
            body["optionId"] = json!(option.id);
        }
        Some(("sold out", format!("/menu/{}/sold-out", item.id), body))
    }
}

/// What staff would do next with this order.
fn next_step(order: &Order) -> Option<Wish> {
    let in_state = |state: KitchenState| {
        order
            .unserved_lines()
            .any(|line| line.kitchen_state == state)
    };
    let kitchen = format!("/kitchen/orders/{}/advance", order.id);
    if order.checkout_stage == CheckoutStage::AwaitingPayment {
        let path = format!("/hall/orders/{}/confirm", order.id);
        Some(("confirm", path, json!({ "tender": "card" })))
    } else if in_state(KitchenState::Cooked) {
        Some(("serve", format!("/servings/{}/serve", order.id), json!({})))
    } else if in_state(KitchenState::Cooking) {
        Some(("advance", kitchen, json!({ "to": "cooked" })))
    } else if in_state(KitchenState::Waiting) {
        Some(("advance", kitchen, json!({ "to": "cooking" })))
    } else {
        None
    }
}

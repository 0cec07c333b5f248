//! Steps in the words of the server: paths and bodies.

use serde_json::{Value, json};

use super::super::OPTION;
use super::real::Life;
use super::rules::Lines;
use super::steps::Step;

impl Life {
    pub(super) fn lines(&self, lines: &Lines) -> Vec<Value> {
        let line = |(dish, quantity): &(u8, i64)| {
            let (name, options): (_, &[_]) = match dish {
                0 => ('A', &[]),
                1 => ('B', &[]),
                _ => ('A', &[OPTION]),
            };
            let menu = self.larder.rows[&name].0;
            json!({ "menuId": menu, "optionIds": options, "quantity": quantity })
        };
        lines.iter().map(line).collect()
    }

    pub(super) fn rid(&self, hold: Option<usize>) -> Option<&str> {
        hold.map(|hold| &*self.rids[hold])
    }

    pub(super) fn batch(&self, cart: u8, lines: &Lines, replaces: Option<usize>) -> Value {
        let (actor, lines) = (format!("c{cart}"), self.lines(lines));
        json!({ "actor": actor, "lines": lines, "replaces": self.rid(replaces) })
    }

    /// What is asked at an order or at a row.
    pub(super) fn asked(&self, step: &Step) -> (String, Value) {
        let order = |at: &usize, rest: &str| format!("/hall/orders/{}{rest}", self.orders[*at].id);
        let adjust = |row: &usize| {
            let name = ['A', 'B'][*row];
            format!("/stock/{}/adjust", self.larder.rows[&name].1)
        };
        match step {
            Step::Pay {
                order: at,
                money_taken,
            } => {
                let body = json!({ "tender": "card", "moneyTaken": money_taken });
                (order(at, "/confirm"), body)
            }
            Step::Reject { order: at } => (order(at, "/reject"), json!({ "reason": "재료 소진" })),
            Step::Grow { order: at, lines } => {
                (order(at, "/lines"), json!({ "lines": self.lines(lines) }))
            }
            Step::Split { order: at, leaving } => {
                let lines = leaving.iter().map(|line| &self.orders[*at].lines[*line]);
                let lines: Vec<&String> = lines.collect();
                let body = json!({ "lineIds": lines, "toTableId": self.tables[1] });
                (order(at, "/move-lines"), body)
            }
            Step::Void {
                order: at,
                line,
                quantity,
            } => {
                let line = &self.orders[*at].lines[*line];
                let body = json!({ "reason": "변심", "quantity": quantity });
                (order(at, &format!("/lines/{line}/void")), body)
            }
            Step::Cook { order: at } => {
                let path = format!("/kitchen/orders/{}/advance", self.orders[*at].id);
                (path, json!({ "to": "cooking" }))
            }
            Step::Adjust { row, delta } => {
                (adjust(row), json!({ "delta": delta, "reason": "실사" }))
            }
            Step::Stale { row } => {
                let body = json!({ "onHand": 3, "expectedVersion": 0, "reason": "실사" });
                (adjust(row), body)
            }
            Step::Break { hold } => {
                let path = format!("/reservations/{}/release", self.rids[*hold]);
                (path, json!({ "reason": "급한 손님" }))
            }
            other => panic!("{other:?}"),
        }
    }
}

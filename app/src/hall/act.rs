//! What presses do.

use domain::id::{LineId, OrderId, TableId};
use domain::order::{CheckoutStage, Tender};
use leptos::prelude::*;
use uuid::Uuid;

use super::floor::Tile;
use super::picking::{Move, Picking};
use super::serving::{Group, by_order};
use super::state::Hall;
use crate::api::Problem;
use crate::screen::Intent;

impl Hall {
    /// A finger on a tile: it is the target of a move, or its drawer opens.
    pub fn tap(self, tile: &Tile) {
        match self.picking.get_untracked() {
            Some(picking) if picking.allows(tile) => {
                self.picking.set(Some(Picking {
                    sent: true,
                    ..picking.clone()
                }));
                self.carry_out(picking, tile.table);
            }
            Some(_) => {}
            None => self.open_table(tile.table),
        }
    }

    /// Lets somebody choose the other table of a move.
    pub fn pick(self, what: Move) {
        let picking = self
            .detail
            .with_untracked(|tile| Picking::of(tile.as_ref()?, what));
        self.close();
        self.serving.set(false);
        self.picking.set(picking);
    }

    /// Moves the chosen lines.
    pub fn pick_for_chosen(self) {
        let chosen = self.chosen.get_untracked();
        self.pick(Move::Lines(by_order(chosen.into_iter())));
    }

    fn carry_out(self, picking: Picking, to: TableId) {
        let to = to.to_string();
        let table = ["/tables/", &picking.from.to_string()].concat();
        let target = ["{\"toTableId\":\"", &to, "\"}"].concat();
        match picking.what {
            Move::Party => self.ask([&table, "/transfer"].concat(), target, picking.label),
            Move::Join => {
                let body = ["{\"tableIds\":[\"", &to, "\"]}"].concat();
                self.ask([&table, "/join"].concat(), body, picking.label);
            }
            Move::Lines(orders) => {
                for (order, lines) in orders {
                    let path = ["/hall/orders/", &order.to_string(), "/move-lines"].concat();
                    let lines = serde_json::to_string(&lines).unwrap_or_default();
                    let body = ["{\"toTableId\":\"", &to, "\",\"lineIds\":", &lines, "}"].concat();
                    self.ask(path, body, picking.label.clone());
                }
            }
        }
    }

    /// Joined tables part.
    pub fn unjoin(self, tile: &Tile) {
        let path = ["/tables/", &tile.table.to_string(), "/unjoin"].concat();
        self.ask(path, "{}".to_owned(), tile.label.clone());
        self.close();
    }

    /// Asks the server; a refusal is said in words, of whom it is about.
    fn ask(self, path: String, body: String, about: String) {
        self.screen.ask(path, body, move |result| {
            let moved = |picking: &Option<Picking>| picking.as_ref().is_some_and(|p| p.sent);
            if self.picking.with_untracked(moved) {
                self.picking.set(None);
            }
            if let Err(problem) = result {
                self.refused(&about, &problem);
            }
        });
    }

    /// Says in words why not.
    pub(super) fn refused(self, about: &str, problem: &Problem) {
        let messages = self.screen.messages;
        let words = problem.words(messages);
        self.screen.toasts.say(if about.is_empty() {
            words
        } else {
            messages.problems.refused.with(&[about, &words])
        });
    }

    /// 테이블 완료. With unpaid orders the server refuses and names them; the drawer stays.
    pub fn clear(self, tile: &Tile) {
        if self.owes() {
            let path = ["/tables/", &tile.table.to_string(), "/clear"].concat();
            self.ask(path, "{}".to_owned(), tile.label.clone());
        } else {
            self.close();
            self.screen.press(tile.table.0, Intent::Clear);
        }
    }

    /// Whether the party of the drawer has an unpaid order.
    fn owes(self) -> bool {
        let unpaid = |id: Uuid| {
            let sheet = self.orders.row(id)?.get_untracked();
            Some(sheet.order.checkout_stage == CheckoutStage::AwaitingPayment)
        };
        let ids = self.orders.ids.get_untracked();
        ids.into_iter().filter_map(unpaid).any(|unpaid| unpaid)
    }

    /// A press on the open table.
    pub fn press_table(self, intent: Intent) {
        self.asked.set(None);
        if let Some(table) = self
            .detail
            .with_untracked(|tile| tile.as_ref().map(|t| t.table))
        {
            self.screen.press(table.0, intent);
        }
    }

    /// The payment of an order is there.
    pub fn confirm(self, order: OrderId, tender: Tender) {
        self.asked.set(None);
        self.screen.press(order.0, Intent::Confirm(tender));
    }

    /// A line is not wanted.
    pub fn void(self, order: OrderId, line: LineId, reason: &str) {
        self.asked.set(None);
        self.screen
            .press(order.0, Intent::Void(line, reason.to_owned()));
    }

    /// Everything of a group is on its table.
    pub fn serve(self, group: &Group) {
        self.serve_lines(group.by_order(), &group.label);
    }

    /// One line is.
    pub fn serve_lines(self, orders: Vec<(OrderId, Vec<LineId>)>, label: &str) {
        let words = self.words().served_to.with(&[label]);
        let press = |(order, lines): (OrderId, Vec<LineId>)| {
            let back = Intent::Recall(Some(lines.clone()));
            (order.0, Intent::Serve(Some(lines)), back)
        };
        self.screen
            .press_all(orders.into_iter().map(press).collect(), words);
    }

    /// Takes a call, in the name of who is signed in.
    pub fn accept(self, call: Uuid) {
        let name = self
            .screen
            .me
            .with_untracked(|me| me.as_ref().map(|me| me.name.clone()));
        self.screen
            .press(call, Intent::Accept(name.unwrap_or_default()));
    }
}

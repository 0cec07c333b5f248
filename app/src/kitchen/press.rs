//! What presses do: at once on the screen, then at the server, which decides.

use std::time::Duration;

use domain::id::{LineId, MenuId, OrderId};
use leptos::prelude::*;

use super::board::index;
use super::intent::Intent;
use super::session;
use super::store::{HOLD_MS, Kitchen, Undo};
use crate::api::Problem;
use crate::live;

const UNDO_FOR: Duration = Duration::from_secs(5);

impl Kitchen {
    /// A finger on the primary button. A second tap of the same finger does nothing.
    pub fn tap(self, id: OrderId) {
        if self.card_now(id).is_some_and(|card| !card.pending) {
            self.guard(id);
            self.bump(id);
        }
    }

    /// A finger on a line.
    pub fn tap_line(self, id: OrderId, line: LineId) {
        let Some(card) = self.card_now(id).filter(|card| !card.pending) else {
            return;
        };
        let found = card.order.lines.iter().find(|found| found.id == line);
        if let Some(intent) = found.and_then(Intent::of_line) {
            self.guard(id);
            self.act(id, intent);
        }
    }

    /// The next step of a ticket.
    pub fn bump(self, id: OrderId) {
        if let Some(card) = self.card_now(id) {
            let station = self.station.get_untracked();
            self.act(id, Intent::of_ticket(&card.order, &card.ticket, station));
        }
    }

    /// One step back.
    pub fn recall(self, id: OrderId) {
        self.act(id, Intent::Recall(None));
    }

    /// A ticket of the recall list comes back to the board.
    pub fn bring_back(self, id: OrderId) {
        self.recent
            .update(|recent| recent.retain(|order| order.id != id));
        self.act(id, Intent::Recall(None));
    }

    fn guard(self, id: OrderId) {
        self.board.update_value(|board| board.guard(id, true));
        let over = move || {
            if self
                .board
                .try_update_value(|board| board.guard(id, false))
                .is_some()
            {
                self.refresh([id]);
            }
        };
        set_timeout(over, Duration::from_millis(HOLD_MS.unsigned_abs()));
    }

    /// Shows what `intent` will do and asks the server for it.
    pub fn act(self, id: OrderId, intent: Intent) {
        self.see(id);
        let before = self.card_now(id).map(|card| card.order);
        let undo = before.as_ref().and_then(|before| intent.undo(before));
        self.board
            .update_value(|board| board.press(id, intent, live::server_now()));
        self.refresh([id]);
        if let (Some(before), Some(Intent::Recall(Some(lines)))) = (before, undo) {
            self.offer_undo(id, &self.label(&before), lines);
        } else if self
            .undo
            .with_untracked(|undo| undo.as_ref().is_some_and(|undo| undo.order == id))
        {
            self.undo.set(None);
        }
        self.send(id);
    }

    fn offer_undo(self, order: OrderId, label: &str, lines: Vec<LineId>) {
        let board = self
            .board
            .with_value(|board| board.card(order, self.station.get_untracked()));
        let column = board.map(|card| self.messages.kitchen.columns[index(card.ticket.column)]);
        let words = self
            .messages
            .kitchen
            .moved
            .with(&[label, column.unwrap_or_default()]);
        let undo = Undo {
            order,
            lines,
            words,
        };
        self.undo.set(Some(undo.clone()));
        let expire = move || {
            let same = self
                .undo
                .try_with_untracked(|shown| shown.as_ref() == Some(&undo));
            if same == Some(true) {
                self.undo.set(None);
            }
        };
        set_timeout(expire, UNDO_FOR);
    }

    /// Takes the last advance back.
    pub fn take_back(self) {
        if let Some(undo) = self.undo.get_untracked() {
            self.act(undo.order, Intent::Recall(Some(undo.lines)));
        }
    }

    fn send(self, id: OrderId) {
        let next = self
            .board
            .try_update_value(|board| board.next_to_send(id))
            .flatten();
        let Some((serial, intent)) = next else {
            return;
        };
        let settled = move |result: Result<(), Problem>| {
            let done = result.is_ok();
            // The screen may be gone before the answer.
            if self
                .board
                .try_update_value(|board| board.settle(id, serial, done))
                .is_none()
            {
                return;
            }
            if let Err(problem) = result {
                self.refused(id, &problem);
            }
            self.refresh([id]);
            self.send(id);
        };
        live::command(intent.path(id), intent.body(), settled);
    }

    fn refused(self, id: OrderId, problem: &Problem) {
        let order = self.board.with_value(|board| board.settled(id).cloned());
        let words = problem.words(self.messages);
        self.undo.set(None);
        self.toasts.say(match order {
            Some(order) => self
                .messages
                .problems
                .refused
                .with(&[&self.label(&order), &words]),
            None => words,
        });
        if problem.code == "SIGNED_OUT" {
            session::to_login();
        }
    }

    /// 품절 and back.
    pub fn set_sold_out(self, id: MenuId, sold_out: bool) {
        self.board
            .update_value(|board| board.press_sold_out(id, Some(sold_out)));
        self.look_at_menu();
        let path = ["/menu/", &id.to_string(), "/sold-out"].concat();
        let body = [
            "{\"soldOut\":",
            if sold_out { "true" } else { "false" },
            "}",
        ]
        .concat();
        live::command(path, body, move |result| {
            if self
                .board
                .try_update_value(|board| board.press_sold_out(id, None))
                .is_none()
            {
                return;
            }
            if let Err(problem) = result {
                self.toasts.say(problem.words(self.messages));
            }
            self.look_at_menu();
        });
    }

    /// Somebody has looked at a new ticket.
    pub fn see(self, id: OrderId) {
        if self.unseen.with_untracked(|unseen| unseen.contains(&id)) {
            self.unseen.update(|unseen| {
                unseen.remove(&id);
            });
        }
    }
}

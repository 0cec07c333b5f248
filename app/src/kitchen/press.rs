//! What presses on the board do.

use std::time::Duration;

use domain::id::{LineId, MenuId, OrderId};
use leptos::prelude::*;

use super::board::index;
use super::step;
use super::store::{HOLD_MS, Kitchen};
use crate::screen::Intent;

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
        if let Some(intent) = found.and_then(step::of_line) {
            self.guard(id);
            self.act(id, intent);
        }
    }

    /// The next step of a ticket.
    pub fn bump(self, id: OrderId) {
        if let Some(card) = self.card_now(id) {
            let station = self.station.get_untracked();
            self.act(id, step::of_ticket(&card.order, &card.ticket, station));
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

    /// Shows what `intent` will do and asks the server for it; an advance can be taken back.
    pub fn act(self, id: OrderId, intent: Intent) {
        self.see(id);
        let before = self.card_now(id).map(|card| card.order);
        let undo = before
            .as_ref()
            .and_then(|before| step::undo(&intent, before));
        match (before, undo) {
            (Some(before), Some(undo)) => {
                let label = self.label(&before);
                let words = self.moved_words(id, &label, &intent);
                self.press_undoable(id.0, intent, undo, words);
            }
            (None, _) | (_, None) => self.press(id.0, intent),
        }
    }

    /// What the undo bar says: the table, and the column it goes to.
    fn moved_words(self, id: OrderId, label: &str, intent: &Intent) -> String {
        let foreseen = self.card_now(id).map(|card| {
            let mut order = (*card.order).clone();
            intent.foresee_order(&mut order, self.now.get_untracked());
            order
        });
        let station = self.station.get_untracked();
        let ticket = foreseen.and_then(|order| domain::kitchen::Ticket::of(&order, station));
        let column = ticket.map(|ticket| self.messages.kitchen.columns[index(ticket.column)]);
        self.messages
            .kitchen
            .moved
            .with(&[label, column.unwrap_or_default()])
    }

    /// 품절 and back.
    pub fn set_sold_out(self, id: MenuId, sold_out: bool) {
        self.press(id.0, Intent::SoldOut(sold_out, None));
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

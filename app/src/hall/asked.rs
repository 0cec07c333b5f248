//! What the drawer asks for: one thing at a time, and only as long as it is there.

use domain::id::{LineId, OrderId, PartyId};
use domain::order::CheckoutStage;
use leptos::prelude::*;

use super::state::Hall;

/// What the drawer asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// How many guests.
    Covers,
    /// By which means an order is paid.
    Tender(OrderId),
    /// The note of an order.
    Note(OrderId),
    /// What to do with a line.
    Line(OrderId, LineId),
    /// Which lines move.
    Lines,
}

impl Hall {
    /// Asks for `what` in the drawer, or no more.
    pub fn toggle(self, what: Asked) {
        let asked = self.asked.get_untracked();
        let asked = (asked != Some(what)).then_some(what);
        self.chosen.update(|chosen| chosen.clear());
        self.draft
            .set(asked.and_then(|what| self.noted(what)).unwrap_or_default());
        if let Some(Asked::Tender(order)) = asked
            && let Some(sheet) = self.orders.row(order.0)
        {
            sheet.with_untracked(|sheet| self.screen.enter_payment(&sheet.order));
        }
        self.asked.set(asked);
    }

    /// The note that is to be changed.
    fn noted(self, what: Asked) -> Option<String> {
        match what {
            Asked::Note(order) => {
                let sheet = self.orders.row(order.0)?;
                Some(sheet.with_untracked(|sheet| sheet.order.note.clone()))
            }
            Asked::Line(_, line) => {
                let item = self.lines.row(line.0)?;
                Some(item.with_untracked(|item| item.line.note.clone()))
            }
            Asked::Covers | Asked::Tender(_) | Asked::Lines => None,
        }
    }

    /// Keeps what was written. A refusal puts it back into its form.
    pub fn save_note(self) {
        let asked = self.asked.get_untracked();
        let (order, line) = match asked {
            Some(Asked::Note(order)) => (order, String::new()),
            Some(Asked::Line(order, line)) => (order, ["/lines/", &line.to_string()].concat()),
            Some(Asked::Covers | Asked::Tender(_) | Asked::Lines) | None => return,
        };
        let path = ["/hall/orders/", &order.to_string(), &line, "/note"].concat();
        let written = self.draft.get_untracked();
        let text = serde_json::to_string(written.trim()).unwrap_or_default();
        self.asked.set(None);
        let done = move |result| {
            if let Err(problem) = result {
                self.refused("", &problem);
                let shown = self.orders.row(order.0).is_some();
                if shown && self.asked.get_untracked().is_none() {
                    self.draft.set(written);
                    self.asked.set(asked);
                }
            }
        };
        self.screen
            .ask(path, ["{\"note\":", &text, "}"].concat(), done);
    }

    /// Asks for no more, and keeps no line chosen, that is gone. `before` sat at the table, `now`
    /// does.
    pub(super) fn forget_gone(self, before: Option<PartyId>, now: Option<PartyId>) {
        let there = |order: OrderId, line: LineId| {
            let item = self.lines.row(line.0);
            let wanted = |item: &super::state::Item| item.order == order && item.wanted;
            item.is_some_and(|item| item.with_untracked(wanted))
        };
        let owes = |order: OrderId| {
            let sheet = self.orders.row(order.0);
            let stage = sheet.map(|sheet| sheet.with_untracked(|s| s.order.checkout_stage));
            stage == Some(CheckoutStage::AwaitingPayment)
        };
        let stays = |asked: Asked| match asked {
            Asked::Covers | Asked::Lines => sits_on(before, now),
            Asked::Tender(order) => owes(order),
            Asked::Note(order) => self.orders.row(order.0).is_some(),
            Asked::Line(order, line) => there(order, line),
        };
        let asked = self.asked.get_untracked();
        if asked.is_some_and(|asked| !stays(asked)) {
            self.asked.set(None);
        }
        let gone = |(order, line): &(OrderId, LineId)| !there(*order, *line);
        if self.chosen.with_untracked(|chosen| chosen.iter().any(gone)) {
            self.chosen
                .update(|chosen| chosen.retain(|line| !gone(line)));
        }
    }
}

/// Whether the same guests sit there; the server may have named their party meanwhile.
fn sits_on(before: Option<PartyId>, now: Option<PartyId>) -> bool {
    let unnamed = before.is_some_and(|party| party.0.is_nil());
    now.is_some() && (before == now || unnamed)
}

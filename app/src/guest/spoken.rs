//! What is said to those who listen: which step an order has taken.

use domain::guest::{GuestOrder, GuestPage};
use leptos::prelude::*;

use super::progress::{Progress, progress, reached};
use super::state::Guest;

impl Guest {
    /// Says which step an order that was shown has taken.
    pub fn speak(self, page: &GuestPage, orders: &[&GuestOrder]) {
        let timing = page.store.payment_timing;
        for order in orders {
            let Some(shown) = self.orders.row(order.id.0) else {
                continue;
            };
            let before = shown.with_untracked(|before| progress(before, timing));
            let after = progress(order, timing);
            if reached(&before) != reached(&after) || is_end(&before) != is_end(&after) {
                self.spoken.set(self.order_words(order, &after));
            }
        }
    }

    /// An order and how it stands, in words.
    fn order_words(self, order: &GuestOrder, progress: &Progress) -> String {
        let words = &self.messages.guest;
        let number = words.number.with(&[&order.number.to_string()]);
        let state = match progress {
            Progress::Steps(_) => {
                reached(progress).map_or(String::new(), |step| words.steps[step.index()].to_owned())
            }
            Progress::Rejected => self.rejected_words(order),
            Progress::Cancelled => words.cancelled.to_owned(),
        };
        [&number, " · ", &state].concat()
    }

    /// Why an order was rejected, in words.
    #[must_use]
    pub fn rejected_words(self, order: &GuestOrder) -> String {
        let reason = order.reject_reason.as_deref().unwrap_or_default();
        self.messages.guest.rejected.with(&[reason])
    }
}

fn is_end(progress: &Progress) -> bool {
    match progress {
        Progress::Steps(_) => false,
        Progress::Rejected | Progress::Cancelled => true,
    }
}

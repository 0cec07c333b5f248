//! Placing the order: once, whatever happens to the answer. It is kept with its key before it is
//! sent; without an answer the guest sends the same again.

use std::sync::Arc;

use domain::id::MenuId;
use domain::stock::Short;
use leptos::prelude::*;
use serde::Serialize;

use super::follow;
use super::state::{Guest, Sheet};
use crate::api::Problem;
use crate::browser::random;
use crate::entry::{Cart, CartLine, WantedLine};
use crate::live;
use crate::ordering::unsent::Unsent;

#[derive(Serialize)]
struct Body<'a> {
    lines: Vec<WantedLine<'a>>,
    note: &'a str,
}

impl Guest {
    /// A finger on a dish. While an order has no answer, its cart stays as it was sent.
    pub fn open_dish(self, id: MenuId) {
        let fixed = self.unsent.with_untracked(Option::is_some);
        let sheet = if fixed { Sheet::Cart } else { Sheet::Dish(id) };
        self.sheet.set(Some(sheet));
    }

    /// Into the cart.
    pub fn add(self, line: CartLine) {
        if self.cart.try_update(|cart| cart.add(line)) == Some(false) {
            self.toasts.say(self.messages.entry.full.to_owned());
        }
        // It may have gone away while it was being chosen.
        self.check_cart();
    }

    /// Something in the cart may have gone away: it is named, the rest is kept.
    pub fn check_cart(self) {
        if self.unsent.with_untracked(Option::is_some) {
            return;
        }
        let gone = self
            .offer
            .with_untracked(|offer| self.cart.with_untracked(|cart| cart.check(offer)));
        if !gone.is_empty() {
            self.cart.update(|cart| cart.drop_gone(&gone));
            self.gone.update(|named| named.extend(gone));
        }
    }

    /// A finger on 주문하기, or on 다시 시도.
    pub fn place(self) {
        if self.sending.get_untracked() {
            return;
        }
        if let Some(unsent) = self.unsent.get_untracked() {
            self.deliver(unsent);
            return;
        }
        if self.cart.with_untracked(Cart::is_empty) {
            return;
        }
        let Some(keep) = follow::kept() else {
            return;
        };
        let unsent = Unsent {
            key: random::uuid().to_string(),
            path: "/api/guest/orders".to_owned(),
            body: self.body(),
            draft: keep.draft_name(),
            who: keep.party().to_owned(),
            at: live::device_now(),
        };
        keep.keep_unsent(&unsent);
        self.deliver(unsent);
    }

    fn body(self) -> String {
        let note = self.note.get_untracked();
        self.cart.with_untracked(|cart| {
            let body = Body {
                lines: cart.wanted(),
                note: note.trim(),
            };
            // Plain data always serializes.
            serde_json::to_string(&body).unwrap_or_default()
        })
    }

    /// Sends an order that is kept.
    pub fn deliver(self, unsent: Unsent) {
        self.unsent.set(Some(unsent.clone()));
        self.sending.set(true);
        let Unsent {
            key, path, body, ..
        } = unsent;
        follow::command(path, body, key, move |result| self.answered(&result));
    }

    fn answered(self, result: &Result<(), Problem>) {
        self.sending.set(false);
        match result {
            Ok(()) => {
                self.settled();
                self.cart.set(Cart::default());
                self.note.set(String::new());
                self.keep_cart();
                self.sheet.set(None);
                self.toasts.done(self.messages.guest.ordered.to_owned());
                window().scroll_to_with_x_and_y(0.0, 0.0);
            }
            // It may have been done: the cart waits with its key.
            Err(problem) if problem.is_undecided() => {
                if problem.retry_after.is_some() {
                    self.toasts.say(problem.words(self.messages));
                }
            }
            Err(problem) => {
                self.settled();
                self.know(&problem.short);
                self.check_cart();
                if self.gone.with_untracked(Vec::is_empty) {
                    self.toasts.say(problem.words(self.messages));
                }
            }
        }
    }

    /// A refusal says what is left, perhaps before the stream does.
    fn know(self, short: &[Short]) {
        let offer = self.offer.get_untracked().with(short);
        if let Some(offer) = offer {
            self.offer.set(Arc::new(offer));
        }
    }

    /// There is an answer.
    fn settled(self) {
        if let (Some(keep), Some(unsent)) = (follow::kept(), self.unsent.get_untracked()) {
            keep.forget_unsent(&unsent.key);
        }
        self.unsent.set(None);
    }
}

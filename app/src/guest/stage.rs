//! The page from stage to stage: what the phone kept of its party comes back, and goes with it.

use domain::guest::session::Stage;
use domain::time::Time;
use leptos::prelude::*;

use super::follow;
use super::state::{Guest, Sheet};
use crate::entry::Cart;
use crate::live;
use crate::ordering::draft::Draft;

impl Guest {
    /// The page is at another stage.
    pub fn set_stage(self, stage: Stage) {
        match stage {
            Stage::Open => self.recall(),
            Stage::Over => self.forget(),
            Stage::Loading | Stage::Unreachable | Stage::NoTable | Stage::AskStaff => {}
        }
        self.based.set(stage == Stage::Open);
        self.stage.set(stage);
    }

    /// What the phone kept of this party. An order that is too old to be sent unasked stays in the
    /// cart, and its guests are told to look.
    fn recall(self) {
        let Some(keep) = follow::kept() else {
            return;
        };
        let Draft { cart, note } = keep.draft();
        self.cart.set(cart);
        self.note.set(note);
        match keep.unsent() {
            // Pressed on a page that is gone: the same key, so that it is done once.
            Some(unsent) if unsent.is_fresh(live::device_now()) => {
                self.sheet.set(Some(Sheet::Cart));
                self.deliver(unsent);
            }
            Some(unsent) => {
                keep.forget_unsent(&unsent.key);
                self.toasts.say(self.messages.ordering.unsure.to_owned());
                self.check_cart();
            }
            None => self.check_cart(),
        }
    }

    /// Keeps the cart on the device.
    pub fn keep_cart(self) {
        if let Some(keep) = follow::kept() {
            let (cart, note) = (self.cart.get_untracked(), self.note.get_untracked());
            keep.keep_draft(&Draft { cart, note });
        }
    }

    /// Nothing of the party stays on the page.
    fn forget(self) {
        self.stage.set(Stage::Over);
        self.sheet.set(None);
        self.gone.set(Vec::new());
        self.unsent.set(None);
        self.sending.set(false);
        self.cart.set(Cart::default());
        self.note.set(String::new());
        self.orders.show(Vec::new());
        self.calls.show(Vec::new());
        self.cooldowns.set([Time(0); 4]);
        self.table.set(None);
        self.spoken.set(String::new());
    }
}

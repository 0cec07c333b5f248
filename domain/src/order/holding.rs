//! The order's hold on stock, as the order tells it. Counting is not here.

use super::{CheckoutStage, Happened, Order};
use crate::event::EventType;
use crate::id::ReservationId;
use crate::time::Time;

impl Order {
    /// Its units are held under `rid` until then; `None`: they are sold. A part of another change,
    /// whose events tell it.
    pub fn hold(&mut self, rid: ReservationId, until: Option<Time>) {
        self.rid = Some(rid);
        self.hold_expires_at = until;
        self.hold_lost = false;
    }

    /// Nothing is held for it any more, and nothing is missing. A part of another change.
    pub fn hold_over(&mut self) {
        self.hold_expires_at = None;
        self.hold_lost = false;
    }

    /// Its hold lasts until then.
    pub fn hold_extended(&mut self, until: Time) -> Happened {
        if self.hold_expires_at == Some(until) {
            return Vec::new();
        }
        self.hold_expires_at = Some(until);
        self.changed(vec![EventType::OrderChanged])
    }

    /// Its hold ended before its payment: who confirms it may find its units gone.
    pub fn hold_ended(&mut self) -> Happened {
        let waits = self.checkout_stage == CheckoutStage::AwaitingPayment;
        if !waits || (self.hold_lost && self.hold_expires_at.is_none()) {
            return Vec::new();
        }
        self.hold_expires_at = None;
        self.hold_lost = true;
        self.changed(vec![EventType::OrderChanged])
    }
}

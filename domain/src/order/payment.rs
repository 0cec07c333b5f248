//! The checkout stage: awaiting payment → confirmed → refunded, or rejected.

use super::{CheckoutStage, Happened, Order, Refused, Tender};
use crate::event::EventType;
use crate::time::Time;

impl Order {
    /// The payment is confirmed; what has not fired yet fires.
    ///
    /// # Errors
    /// It was rejected, refunded, or confirmed by another tender.
    pub fn confirm(
        &mut self,
        tender: Tender,
        party_open: bool,
        now: Time,
    ) -> Result<Happened, Refused> {
        match self.checkout_stage {
            CheckoutStage::AwaitingPayment => {
                let fires = self.live_lines().any(|line| !line.is_fired());
                self.checkout_stage = CheckoutStage::Confirmed;
                self.confirmed_at = Some(now);
                self.tender = Some(tender);
                self.payment_due = false;
                self.hold_over();
                self.fire(now);
                self.settle(party_open, now);
                let mut events = vec![EventType::HallPaymentResolved];
                if fires {
                    events.push(EventType::KitchenCook);
                }
                Ok(self.changed(events))
            }
            CheckoutStage::Confirmed if self.tender == Some(tender) => Ok(Vec::new()),
            CheckoutStage::Confirmed | CheckoutStage::Refunded | CheckoutStage::Rejected => {
                Err(Refused::InvalidTransition)
            }
        }
    }

    /// An unpaid order is refused, before it fired.
    ///
    /// # Errors
    /// It was paid, or the kitchen has it.
    pub fn reject(
        &mut self,
        reason: &str,
        party_open: bool,
        now: Time,
    ) -> Result<Happened, Refused> {
        match self.checkout_stage {
            CheckoutStage::AwaitingPayment if !self.is_fired() => {
                self.resolve_rejected(reason, party_open, now);
                Ok(self.changed(vec![EventType::HallPaymentResolved]))
            }
            CheckoutStage::Rejected => Ok(Vec::new()),
            CheckoutStage::AwaitingPayment | CheckoutStage::Confirmed | CheckoutStage::Refunded => {
                Err(Refused::InvalidTransition)
            }
        }
    }

    pub(super) fn resolve_rejected(&mut self, reason: &str, party_open: bool, now: Time) {
        self.checkout_stage = CheckoutStage::Rejected;
        self.reject_reason = Some(reason.to_owned());
        self.payment_due = false;
        self.hold_over();
        self.settle(party_open, now);
    }

    /// The bill was asked for: a postpaid order enters the payment queue.
    pub fn ask_for_bill(&mut self) -> Happened {
        if self.checkout_stage != CheckoutStage::AwaitingPayment || self.payment_due {
            return Vec::new();
        }
        self.payment_due = true;
        self.changed(vec![EventType::HallPayment])
    }
}

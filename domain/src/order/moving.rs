//! Moving: a party changes tables, or lines go to another party. Lines keep their identity
//! and their kitchen state: the kitchen cooks nothing twice, only labels change.

use std::collections::BTreeSet;

use super::{CheckoutStage, Happened, Order, Refused};
use crate::event::EventType;
use crate::floor::Seating;
use crate::id::{LineId, OrderId};
use crate::money::Amount;
use crate::time::Time;

/// What moving lines made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SplitOff {
    /// Every line moved: the order itself went, with its number.
    Whole,
    /// A new order with the moved lines.
    Part(Box<Order>),
}

impl Order {
    /// The order's tables, label, zone or party changed.
    pub fn relabel(&mut self, seating: &Seating) -> Happened {
        let same = self.party_id == Some(seating.party_id)
            && self.table_ids == seating.table_ids
            && self.table_label == seating.label
            && self.zone == seating.zone;
        if same {
            return Vec::new();
        }
        self.party_id = Some(seating.party_id);
        self.table_ids.clone_from(&seating.table_ids);
        self.table_label.clone_from(&seating.label);
        self.zone.clone_from(&seating.zone);
        self.changed(vec![EventType::OrderChanged])
    }

    /// Gives `ids` to another party: the whole order, or a new one with `new_id` and `number`.
    /// What stays may be over with that: `party_open` says whether its party still sits.
    ///
    /// # Errors
    /// No line is named, one is unknown or voided, or the order is closed or rejected.
    pub fn move_lines(
        &mut self,
        ids: &[LineId],
        to: &Seating,
        new_id: OrderId,
        number: u32,
        party_open: bool,
        now: Time,
    ) -> Result<SplitOff, Refused> {
        let mut each = BTreeSet::new();
        each.extend(ids);
        for id in &each {
            if self.line_mut(*id)?.voided.is_some() {
                return Err(Refused::InvalidTransition);
            }
        }
        let settled = match self.checkout_stage {
            CheckoutStage::AwaitingPayment | CheckoutStage::Confirmed => false,
            CheckoutStage::Refunded | CheckoutStage::Rejected => true,
        };
        if ids.is_empty() || settled || !self.is_open() {
            return Err(Refused::InvalidTransition);
        }
        if self.live_lines().all(|line| ids.contains(&line.id)) {
            self.relabel(to);
            return Ok(SplitOff::Whole);
        }
        let (moved, kept) = std::mem::take(&mut self.lines)
            .into_iter()
            .partition(|line| ids.contains(&line.id));
        self.lines = kept;
        let mut part = Self {
            id: new_id,
            version: 0,
            number,
            lines: moved,
            rid: None,
            ..self.clone()
        };
        part.lines.shrink_to_fit();
        part.hold_expires_at = None;
        part.total = Amount::ZERO;
        part.relabel(to);
        part.version = 1;
        part.total = Amount(part.lines.iter().map(|line| line.amount.0).sum());
        self.settle(party_open, now);
        self.changed(vec![EventType::OrderChanged]);
        Ok(SplitOff::Part(Box::new(part)))
    }
}

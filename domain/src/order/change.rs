//! Changes after an order was placed: notes, priority, voids and their acknowledgement.

use super::{CheckoutStage, Happened, KitchenState, Order, Refused, Voided};
use crate::event::EventType;
use crate::id::LineId;
use crate::text::{NOTE_GRAPHEMES, fits};
use crate::time::Time;

/// Who voids a line, and why.
#[derive(Clone, Copy, Debug)]
pub struct VoidBy<'a> {
    /// Their name.
    pub name: &'a str,
    /// Whether they may void what was fired.
    pub manager: bool,
    /// Why.
    pub reason: &'a str,
}

impl Order {
    /// Rejected or closed: its lines are history.
    fn is_over(&self) -> bool {
        !self.is_open() || self.checkout_stage == CheckoutStage::Rejected
    }

    /// Changes the note of the order.
    ///
    /// # Errors
    /// It is closed, or the note is too long.
    pub fn set_note(&mut self, note: &str) -> Result<Happened, Refused> {
        if !fits(note, NOTE_GRAPHEMES) {
            return Err(Refused::NoteTooLong);
        }
        if !self.is_open() {
            return Err(Refused::InvalidTransition);
        }
        if self.note == note {
            return Ok(Vec::new());
        }
        note.clone_into(&mut self.note);
        Ok(self.changed(vec![EventType::OrderChanged]))
    }

    /// Changes the note of a line: the same line, flagged for the cook.
    ///
    /// # Errors
    /// It is voided or served, its order is rejected or closed, or the note is too long.
    pub fn set_line_note(
        &mut self,
        id: LineId,
        note: &str,
        now: Time,
    ) -> Result<Happened, Refused> {
        if !fits(note, NOTE_GRAPHEMES) {
            return Err(Refused::NoteTooLong);
        }
        let over = self.is_over();
        let line = self.line_mut(id)?;
        if over || line.voided.is_some() || line.kitchen_state == KitchenState::Served {
            return Err(Refused::InvalidTransition);
        }
        if line.note == note {
            return Ok(Vec::new());
        }
        note.clone_into(&mut line.note);
        line.note_changed_at = Some(now);
        Ok(self.changed(vec![EventType::OrderChanged]))
    }

    /// 우선 on or off.
    ///
    /// # Errors
    /// The order is closed.
    pub fn set_priority(&mut self, priority: bool) -> Result<Happened, Refused> {
        if self.priority == priority {
            return Ok(Vec::new());
        }
        if !self.is_open() {
            return Err(Refused::InvalidTransition);
        }
        self.priority = priority;
        Ok(self.changed(vec![EventType::OrderChanged]))
    }

    /// Voids a line, or `quantity` of it: then the voided part becomes a line of its own with
    /// `new_id`, so that the kitchen sees both. When nothing is left of an unpaid order, it is
    /// rejected for the same reason.
    ///
    /// # Errors
    /// It is served, or its order rejected; it was fired and `by` is no manager; the line has
    /// fewer.
    pub fn void(
        &mut self,
        id: LineId,
        quantity: Option<u32>,
        by: VoidBy<'_>,
        new_id: LineId,
        party_open: bool,
        now: Time,
    ) -> Result<Happened, Refused> {
        let over = self.is_over();
        let line = self.line_mut(id)?;
        if line.voided.is_some() {
            return Ok(Vec::new());
        }
        if over || line.kitchen_state == KitchenState::Served {
            return Err(Refused::InvalidTransition);
        }
        if line.is_fired() && !by.manager {
            return Err(Refused::ManagerOnly);
        }
        let take = quantity.unwrap_or(line.quantity);
        if take == 0 || take > line.quantity {
            return Err(Refused::Quantity(take));
        }
        let (name, reason) = (by.name.to_owned(), by.reason.to_owned());
        let voided = Some(Voided {
            reason,
            by: name,
            at: now,
            acknowledged_at: None,
        });
        if take == line.quantity {
            line.voided = voided;
            line.amount.0 = 0;
        } else {
            line.quantity -= take;
            line.amount = line.full_amount();
            let mut part = line.clone();
            part.id = new_id;
            part.quantity = take;
            part.voided = voided;
            part.amount.0 = 0;
            let place = self
                .lines
                .iter()
                .position(|line| line.id == id)
                .map_or(0, |at| at + 1);
            self.lines.insert(place, part);
        }
        let mut events = vec![EventType::OrderChanged];
        let nothing_left = self.live_lines().next().is_none();
        if nothing_left && self.checkout_stage == CheckoutStage::AwaitingPayment {
            self.resolve_rejected(by.reason, party_open, now);
            events.push(EventType::HallPaymentResolved);
        }
        self.settle(party_open, now);
        Ok(self.changed(events))
    }

    /// The kitchen has seen these voids. All or nothing.
    ///
    /// # Errors
    /// One of the lines is not voided, or was never fired.
    pub fn acknowledge_voids(
        &mut self,
        ids: &[LineId],
        party_open: bool,
        now: Time,
    ) -> Result<Happened, Refused> {
        let mut news = false;
        for id in ids {
            let line = self.line_mut(*id)?;
            match &line.voided {
                Some(voided) if line.is_fired() => news |= voided.acknowledged_at.is_none(),
                Some(_) | None => return Err(Refused::InvalidTransition),
            }
        }
        if !news {
            return Ok(Vec::new());
        }
        for line in self.lines.iter_mut().filter(|line| ids.contains(&line.id)) {
            if let Some(voided) = &mut line.voided {
                voided.acknowledged_at.get_or_insert(now);
            }
        }
        self.settle(party_open, now);
        Ok(self.changed(vec![EventType::OrderChanged]))
    }
}

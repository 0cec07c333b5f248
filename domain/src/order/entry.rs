//! Order entry: from what was asked for to an order, or to an error that names the line.

use std::collections::BTreeMap;

use super::{
    Channel, CheckoutStage, ChosenOption, Happened, KitchenState, Line, Order, PlacedBy, Refused,
};
use crate::event::EventType;
use crate::id::{LineId, MenuId, OptionId, OrderId, PartyId, StationId, TableId};
use crate::menu::{BadChoice, MenuItem};
use crate::money::{Amount, Currency, MAX_AMOUNT};
use crate::settings::PaymentTiming;
use crate::text::{LocalText, NOTE_GRAPHEMES, fits};
use crate::time::{BusinessDay, Time};

/// The most lines of one request, and of one order.
pub const MAX_LINES: usize = 100;
/// The largest quantity of a line.
pub const MAX_QUANTITY: i64 = 999;

/// One line as it was asked for; nothing of it is trusted yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Which item.
    pub menu_id: MenuId,
    /// Anything; 1..=999 is accepted.
    pub quantity: i64,
    /// The chosen options.
    pub option_ids: Vec<OptionId>,
    /// For the cook.
    pub note: String,
    /// For the cook, in red.
    pub allergy: String,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadLine {
    /// Not 1..=999.
    #[error("the quantity is 1 to 999")]
    Quantity,
    /// The note is over its limit.
    #[error("a note has at most 500 characters")]
    NoteTooLong,
    /// The allergy is over its limit.
    #[error("an allergy has at most 500 characters")]
    AllergyTooLong,
    /// No such item on this store's menu.
    #[error("no such item on the menu")]
    UnknownItem,
    /// 품절
    #[error("sold out")]
    SoldOut,
    /// The options do not go with the item.
    #[error(transparent)]
    Choice(BadChoice),
    /// The amount is beyond [`MAX_AMOUNT`], or below zero.
    #[error("the amount is out of bounds")]
    Amount,
}

/// A line that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    /// Its place in the request.
    pub index: usize,
    /// The item it names.
    pub menu_id: MenuId,
    /// The item's name, if there is such an item.
    pub name: Option<LocalText>,
    /// What is wrong.
    pub error: BadLine,
}

/// Why an order is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadOrder {
    /// No line, or more than [`MAX_LINES`].
    LineCount,
    /// The note is over its limit.
    NoteTooLong,
    /// Every line that is wrong.
    Lines(Vec<LineError>),
    /// The total is beyond [`MAX_AMOUNT`].
    Total,
}

/// What an entry needs to know beside the request.
#[derive(Clone, Copy, Debug)]
pub struct ItemFor<'a> {
    /// The store's items that the request names.
    pub items: &'a BTreeMap<MenuId, MenuItem>,
    /// Takes the items that name no station.
    pub default_station: StationId,
    /// When it is ordered.
    pub now: Time,
}

impl ItemFor<'_> {
    /// Turns every wanted line into a line; `new_id` gives each its identity.
    ///
    /// # Errors
    /// Names every line that is wrong, not the first only.
    pub fn lines(
        &self,
        wanted: &[Wanted],
        mut new_id: impl FnMut() -> LineId,
    ) -> Result<Vec<Line>, BadOrder> {
        if wanted.is_empty() || wanted.len() > MAX_LINES {
            return Err(BadOrder::LineCount);
        }
        let mut lines = Vec::with_capacity(wanted.len());
        let mut errors = Vec::new();
        for (index, wanted) in wanted.iter().enumerate() {
            match self.line(wanted, new_id()) {
                Ok(line) => lines.push(line),
                Err(error) => errors.push(LineError {
                    index,
                    menu_id: wanted.menu_id,
                    name: self
                        .items
                        .get(&wanted.menu_id)
                        .map(|item| item.name.clone()),
                    error,
                }),
            }
        }
        if errors.is_empty() {
            Ok(lines)
        } else {
            Err(BadOrder::Lines(errors))
        }
    }

    fn line(&self, wanted: &Wanted, id: LineId) -> Result<Line, BadLine> {
        if !(1..=MAX_QUANTITY).contains(&wanted.quantity) {
            return Err(BadLine::Quantity);
        }
        let quantity = u32::try_from(wanted.quantity).map_err(|_| BadLine::Quantity)?;
        if !fits(&wanted.note, NOTE_GRAPHEMES) {
            return Err(BadLine::NoteTooLong);
        }
        if !fits(&wanted.allergy, NOTE_GRAPHEMES) {
            return Err(BadLine::AllergyTooLong);
        }
        let item = self
            .items
            .get(&wanted.menu_id)
            .ok_or(BadLine::UnknownItem)?;
        let options = item.choose(&wanted.option_ids).map_err(BadLine::Choice)?;
        if item.is_sold_out() {
            return Err(BadLine::SoldOut);
        }
        let mut unit = item.price;
        for option in &options {
            unit = unit
                .checked_add(option.price_delta)
                .ok_or(BadLine::Amount)?;
        }
        let amount = unit.checked_mul(quantity).filter(|amount| amount.0 >= 0);
        Ok(Line {
            id,
            menu_id: item.id,
            name: item.name.clone(),
            unit_price: item.price,
            quantity,
            options: options
                .into_iter()
                .map(|option| ChosenOption {
                    id: option.id,
                    name: option.name.clone(),
                    price_delta: option.price_delta,
                })
                .collect(),
            note: wanted.note.clone(),
            allergy: wanted.allergy.clone(),
            station_id: item.station_id.unwrap_or(self.default_station),
            amount: amount.ok_or(BadLine::Amount)?,
            kitchen_state: KitchenState::Waiting,
            state_since: self.now,
            added_at: self.now,
            fired_at: None,
            cooking_at: None,
            cooked_at: None,
            served_at: None,
            recalled_at: None,
            note_changed_at: None,
            voided: None,
        })
    }
}

/// Where an order belongs and who placed it.
#[derive(Clone, Debug)]
pub struct NewOrder {
    /// Its id.
    pub id: OrderId,
    /// From the business day's counter.
    pub number: u32,
    /// The store's current day.
    pub business_day: BusinessDay,
    /// Where it came from.
    pub channel: Channel,
    /// Whose it is.
    pub party_id: Option<PartyId>,
    /// The party's tables, the one it is placed at first.
    pub table_ids: Vec<TableId>,
    /// Of those tables.
    pub table_label: String,
    /// Of the table it is placed at.
    pub zone: Option<LocalText>,
    /// Who placed it.
    pub placed_by: PlacedBy,
    /// For the whole order.
    pub note: String,
    /// Of the store.
    pub currency: Currency,
    /// Of the store.
    pub timing: PaymentTiming,
}

fn sum(lines: &[Line]) -> Result<Amount, BadOrder> {
    lines
        .iter()
        .try_fold(Amount::ZERO, |sum, line| sum.checked_add(line.amount))
        .ok_or(BadOrder::Total)
}

impl Order {
    /// Places an order. Prepaid: it waits in the payment queue. Postpaid: it fires at once and
    /// stays out of the queue until the bill is asked for.
    ///
    /// # Errors
    /// The note or the total is out of bounds.
    pub fn place(new: NewOrder, lines: Vec<Line>, now: Time) -> Result<(Self, Happened), BadOrder> {
        if !fits(&new.note, NOTE_GRAPHEMES) {
            return Err(BadOrder::NoteTooLong);
        }
        let mut order = Self {
            id: new.id,
            version: 1,
            number: new.number,
            business_day: new.business_day,
            channel: new.channel,
            party_id: new.party_id,
            table_ids: new.table_ids,
            table_label: new.table_label,
            zone: new.zone,
            closed_at: None,
            payment_due: new.timing == PaymentTiming::Prepaid,
            placed_by: new.placed_by,
            placed_at: now,
            checkout_stage: CheckoutStage::AwaitingPayment,
            confirmed_at: None,
            tender: None,
            reject_reason: None,
            rid: None,
            hold_expires_at: None,
            hold_lost: false,
            priority: false,
            note: new.note,
            total: sum(&lines)?,
            lines,
            currency: new.currency,
        };
        let event = match new.timing {
            PaymentTiming::Prepaid => EventType::HallPayment,
            PaymentTiming::Postpaid => {
                order.fire(now);
                EventType::KitchenCook
            }
        };
        Ok((order, vec![event]))
    }

    /// Whether added lines join this order: it is open and awaits payment. Otherwise they
    /// become a new order of the same party.
    #[must_use]
    pub fn takes_more_lines(&self) -> bool {
        self.is_open() && self.checkout_stage == CheckoutStage::AwaitingPayment
    }

    /// Adds lines. Postpaid they fire at once, under 추가.
    ///
    /// # Errors
    /// [`BadOrder`] when it would have too many lines or too large a total; a refusal when it
    /// [does not take more](Self::takes_more_lines).
    pub fn add_lines(
        &mut self,
        lines: Vec<Line>,
        timing: PaymentTiming,
        now: Time,
    ) -> Result<Result<Happened, BadOrder>, Refused> {
        if !self.takes_more_lines() {
            return Err(Refused::InvalidTransition);
        }
        if self.lines.len() + lines.len() > MAX_LINES {
            return Ok(Err(BadOrder::LineCount));
        }
        let more = match sum(&lines) {
            Ok(more) => more,
            Err(bad) => return Ok(Err(bad)),
        };
        if self
            .total
            .checked_add(more)
            .is_none_or(|total| total > MAX_AMOUNT)
        {
            return Ok(Err(BadOrder::Total));
        }
        self.lines.extend(lines);
        let fires = match timing {
            PaymentTiming::Prepaid => self.is_fired(),
            PaymentTiming::Postpaid => true,
        };
        let event = if fires {
            self.fire(now);
            EventType::KitchenCook
        } else {
            EventType::OrderChanged
        };
        Ok(Ok(self.changed(vec![event])))
    }

    pub(super) fn fire(&mut self, now: Time) {
        for line in &mut self.lines {
            line.fire(now);
        }
    }
}

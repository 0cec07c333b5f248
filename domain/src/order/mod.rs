//! Orders: what one party asked for in one round.
//!
//! Two machines run over an order and know nothing of each other: the checkout stage of the
//! order (`payment`) and the kitchen state of each line ([`crate::kitchen::progress`]).
//! Each method decides, changes the order and says which events happened; an empty list means
//! that it was so already. The version goes up by one a command, however many events it has.

mod change;
mod entry;
mod holding;
mod line;
mod moving;
mod payment;

pub use change::VoidBy;
pub use entry::{BadLine, BadOrder, ItemFor, LineError, MAX_LINES, MAX_QUANTITY, NewOrder, Wanted};
pub use line::{ChosenOption, KitchenState, Line, Voided};
pub use moving::SplitOff;

use serde::{Deserialize, Serialize};

use crate::event::EventType;
use crate::id::{LineId, OrderId, PartyId, ReservationId, TableId};
use crate::money::{Amount, Currency};
use crate::text::LocalText;
use crate::time::{BusinessDay, Time};

/// Where an order came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Channel {
    /// A guest's phone.
    Qr,
    /// Staff at a table.
    Hall,
    /// The counter, eaten here.
    Counter,
    /// 포장
    Takeout,
}

/// How far the payment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CheckoutStage {
    /// 결제 대기
    AwaitingPayment,
    /// 결제 확인
    Confirmed,
    /// Money back.
    Refunded,
    /// 거절
    Rejected,
}

impl CheckoutStage {
    /// As written in JSON and in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::AwaitingPayment => "awaitingPayment",
            Self::Confirmed => "confirmed",
            Self::Refunded => "refunded",
            Self::Rejected => "rejected",
        }
    }
}

/// Means of payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Tender {
    /// 현금
    Cash,
    /// 카드
    Card,
    /// 계좌 이체
    Transfer,
}

impl Tender {
    /// As written in JSON and in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cash => "cash",
            Self::Card => "card",
            Self::Transfer => "transfer",
        }
    }
}

/// Who is behind a `PlacedBy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PlacedByKind {
    /// A phone at the table.
    Guest,
    /// Somebody who works here.
    Staff,
}

/// Who placed an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlacedBy {
    /// Guest or staff.
    pub kind: PlacedByKind,
    /// Shown on the ticket.
    pub name: String,
}

/// An order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Order {
    /// Its id.
    pub id: OrderId,
    /// +1 with every command that changed it.
    pub version: u64,
    /// Counted per business day, by the server.
    pub number: u32,
    /// The day it belongs to.
    pub business_day: BusinessDay,
    /// Where it came from.
    pub channel: Channel,
    /// Whose it is; takeout has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub party_id: Option<PartyId>,
    /// The party's tables. The first is the one it was placed at: there it stays when joined
    /// tables part.
    pub table_ids: Vec<TableId>,
    /// `A-3`, or `6+7` for joined tables; empty without a table.
    pub table_label: String,
    /// The zone of its table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<LocalText>,
    /// When it left the open orders.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<Time>,
    /// Whether it belongs into the payment queue while it awaits payment.
    pub payment_due: bool,
    /// Who placed it.
    pub placed_by: PlacedBy,
    /// When.
    pub placed_at: Time,
    /// How far the payment is.
    pub checkout_stage: CheckoutStage,
    /// When the payment was confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed_at: Option<Time>,
    /// By which means it was paid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tender: Option<Tender>,
    /// Why it was rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reject_reason: Option<String>,
    /// Its hold on stock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rid: Option<ReservationId>,
    /// When that hold ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold_expires_at: Option<Time>,
    /// The hold ended before the payment.
    pub hold_lost: bool,
    /// 우선
    pub priority: bool,
    /// For the whole order.
    pub note: String,
    /// What was asked for, in that order; voided lines stay.
    pub lines: Vec<Line>,
    /// The sum of the lines' amounts.
    pub total: Amount,
    /// Of every amount here.
    pub currency: Currency,
}

/// Why a command is refused. The order is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The order, or one of the lines, is not in a state that allows this.
    #[error("the order is not in a state that allows this")]
    InvalidTransition,
    /// No such line in this order.
    #[error("line {0} is not in this order")]
    UnknownLine(LineId),
    /// Only a manager voids what was fired.
    #[error("only a manager may void what the kitchen has")]
    ManagerOnly,
    /// More than the line has.
    #[error("the line has fewer than {0}")]
    Quantity(u32),
    /// The note is over its limit.
    #[error("a note has at most 500 characters")]
    NoteTooLong,
}

/// What happened, for the outbox; empty: nothing, it was so already.
pub type Happened = Vec<EventType>;

impl Order {
    /// Lines that count: not voided.
    pub fn live_lines(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|line| line.voided.is_none())
    }

    /// Fired lines that are neither voided nor served.
    pub fn unserved_lines(&self) -> impl Iterator<Item = &Line> {
        self.live_lines()
            .filter(|line| line.is_fired() && line.kitchen_state != KitchenState::Served)
    }

    /// Cooked lines that nobody has served.
    pub fn cooked_lines(&self) -> impl Iterator<Item = &Line> {
        self.unserved_lines()
            .filter(|line| line.kitchen_state == KitchenState::Cooked)
    }

    /// Lines voided after firing which the kitchen has not acknowledged.
    pub fn open_voids(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|line| line.is_open_void())
    }

    /// Whether any line went to the kitchen.
    #[must_use]
    pub fn is_fired(&self) -> bool {
        self.lines.iter().any(Line::is_fired)
    }

    /// Open: not yet closed.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.closed_at.is_none()
    }

    /// When its last line left the kitchen's board, if it was there and has left.
    #[must_use]
    pub fn left_board_at(&self) -> Option<Time> {
        if !self.is_fired()
            || self.unserved_lines().next().is_some()
            || self.open_voids().next().is_some()
        {
            return None;
        }
        let left = |line: &Line| {
            line.served_at
                .or(line.voided.as_ref().and_then(|v| v.acknowledged_at))
        };
        self.lines.iter().filter_map(left).max()
    }

    /// Whether its events are silent: closed before and after the command, and of a business
    /// day before `today` (domain, "Open order").
    #[must_use]
    pub fn is_silent(&self, was_open: bool, today: BusinessDay) -> bool {
        !was_open && !self.is_open() && self.business_day < today
    }

    /// Closes the order when it is over, reopens it when it is not: it stays open while it has
    /// unserved fired lines or unacknowledged voids, and while its party sits.
    pub(crate) fn settle(&mut self, party_open: bool, now: Time) {
        let in_kitchen =
            self.unserved_lines().next().is_some() || self.open_voids().next().is_some();
        let over = match self.checkout_stage {
            CheckoutStage::AwaitingPayment => false,
            CheckoutStage::Rejected => true,
            CheckoutStage::Confirmed | CheckoutStage::Refunded => self
                .live_lines()
                .all(|line| line.kitchen_state == KitchenState::Served),
        };
        if in_kitchen {
            self.closed_at = None;
        } else if over && !party_open {
            self.closed_at.get_or_insert(now);
        }
    }

    /// Its party has left.
    ///
    /// # Errors
    /// It is unpaid.
    pub fn party_cleared(&mut self, now: Time) -> Result<Happened, Refused> {
        if self.checkout_stage == CheckoutStage::AwaitingPayment {
            return Err(Refused::InvalidTransition);
        }
        let was_open = self.is_open();
        self.settle(false, now);
        if self.is_open() == was_open {
            return Ok(Vec::new());
        }
        Ok(self.changed(vec![EventType::OrderChanged]))
    }

    /// One more version, a new total; `events` is handed through.
    pub(crate) fn changed(&mut self, events: Happened) -> Happened {
        if !events.is_empty() {
            self.version += 1;
            self.total = Amount(self.lines.iter().map(|line| line.amount.0).sum());
        }
        events
    }

    pub(crate) fn line_mut(&mut self, id: LineId) -> Result<&mut Line, Refused> {
        let found = self.lines.iter_mut().find(|line| line.id == id);
        found.ok_or(Refused::UnknownLine(id))
    }
}

#[cfg(test)]
pub(crate) mod tests;

//! The rows of the counter: who waits to pay, the oldest first, then whose payment was just
//! confirmed, the last first. Pure.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::id::OrderId;
use domain::order::{CheckoutStage, KitchenState, Order};
use domain::sorting::sort_by_key;
use domain::text::Language;
use domain::time::Time;

/// A confirmed payment is shown for so long, in ms.
const RECENT: i64 = 5 * 60_000;
/// At most so many of them.
const MOST: usize = 10;
/// A kitchen screen should have a confirmed order after this, in ms.
const GRACE: i64 = 10_000;

/// An order as the screen knows it.
#[derive(Clone, Debug)]
pub struct Known {
    /// With what its presses foresee.
    pub order: Arc<Order>,
    /// A press has not settled.
    pub pending: bool,
    /// The payment was confirmed by then, if the server says that it was.
    pub confirmed_by: Option<u64>,
}

/// How far a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// 결제 대기
    Waiting,
    /// 결제 확인; a kitchen screen that has applied this seq shows the order.
    Paid(u64),
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// With what its presses foresee.
    pub order: Arc<Order>,
    /// How far.
    pub stage: Stage,
    /// A press has not settled.
    pub pending: bool,
}

/// By which seq each payment shown was confirmed. An order goes on changing, so that the first
/// seq at which it was seen as confirmed is the one that counts.
pub type Confirmed = BTreeMap<OrderId, u64>;

/// The rows, in their order.
#[must_use]
pub fn rows(known: Vec<Known>, confirmed: &mut Confirmed, now: Time) -> Vec<Row> {
    let (mut waiting, rest): (Vec<_>, Vec<_>) = known.into_iter().partition(waits);
    let mut paid: Vec<Known> = rest
        .into_iter()
        .filter(|known| is_recent(known, now))
        .collect();
    sort_by_key(&mut paid, |known| {
        std::cmp::Reverse((known.order.confirmed_at, known.order.number))
    });
    paid.truncate(MOST);
    confirmed.retain(|id, _| paid.iter().any(|known| known.order.id == *id));
    for known in &paid {
        if let Some(seq) = known.confirmed_by {
            confirmed.entry(known.order.id).or_insert(seq);
        }
    }
    sort_by_key(&mut waiting, |known| {
        (known.order.placed_at, known.order.number)
    });
    let row = |known: Known| {
        let stage = if waits(&known) {
            Stage::Waiting
        } else {
            Stage::Paid(confirmed.get(&known.order.id).copied().unwrap_or_default())
        };
        Row {
            order: known.order,
            stage,
            pending: known.pending,
        }
    };
    waiting.into_iter().chain(paid).map(row).collect()
}

fn waits(known: &Known) -> bool {
    known.order.payment_due && known.order.checkout_stage == CheckoutStage::AwaitingPayment
}

fn is_recent(known: &Known, now: Time) -> bool {
    let confirmed = known.order.checkout_stage == CheckoutStage::Confirmed;
    let at = known.order.confirmed_at;
    confirmed && at.is_some_and(|at| now.since(at) < RECENT)
}

/// Whether the kitchen has a confirmed order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// The server has not confirmed it.
    Confirming,
    /// Somebody there works on it.
    Begun,
    /// So many screens show it.
    Received(usize),
    /// There are so many screens; they will have it in a moment.
    Sending(usize),
    /// There are so many screens, and none has it though it should.
    Missing(usize),
    /// No screen is there.
    NoScreen,
}

impl Delivery {
    /// Of a row, where there are `screens`, and `having` of them show it.
    #[must_use]
    pub fn of(row: &Row, (screens, having): (usize, usize), now: Time) -> Self {
        let begun = |line: &domain::order::Line| line.kitchen_state != KitchenState::Waiting;
        let since = row.order.confirmed_at.map_or(0, |at| now.since(at));
        if row.pending {
            Self::Confirming
        } else if row.order.live_lines().any(begun) {
            Self::Begun
        } else if having > 0 {
            Self::Received(having)
        } else if screens == 0 {
            Self::NoScreen
        } else if since < GRACE {
            Self::Sending(screens)
        } else {
            Self::Missing(screens)
        }
    }

    /// In the page's markup.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Confirming | Self::Sending(_) => "under-way",
            Self::Begun | Self::Received(_) => "received",
            Self::Missing(_) | Self::NoScreen => "missing",
        }
    }
}

/// A hold that ends within this, in ms, is pressing.
const ENDING: i64 = 60_000;

/// How the stock of an unpaid order is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holding {
    /// Nothing of it is counted, or it is sold.
    None,
    /// For so many ms yet.
    Held(i64),
    /// No more.
    Lost,
}

impl Holding {
    /// Of a row. A hold past its time is lost, whether that was told or not.
    #[must_use]
    pub fn of(row: &Row, now: Time) -> Self {
        if row.stage != Stage::Waiting {
            return Self::None;
        }
        match row.order.hold_expires_at {
            _ if row.order.hold_lost => Self::Lost,
            Some(until) if until > now => Self::Held(until.since(now)),
            Some(_) => Self::Lost,
            None => Self::None,
        }
    }

    /// In the page's markup.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Held(left) if left < ENDING => "ending",
            Self::Held(_) => "held",
            Self::Lost => "lost",
        }
    }
}

/// The lines in short: `김치찌개 1 (공깃밥 추가) · 콜라 1`.
#[must_use]
pub fn summary(order: &Order, language: Language) -> String {
    let line = |line: &domain::order::Line| {
        let short = [line.name.get(language), " ", &line.quantity.to_string()].concat();
        if line.options.is_empty() {
            return short;
        }
        let options = line.options.iter().map(|option| option.name.get(language));
        let options: Vec<&str> = options.collect();
        [&short, " (", &options.join(", "), ")"].concat()
    };
    let lines: Vec<String> = order.live_lines().map(line).collect();
    lines.join(" · ")
}

#[path = "queue_tests.rs"]
mod tests;

//! What a cook's press asks for: a request to the server, and at once what the screen shows.

use domain::id::{LineId, OrderId, StationId};
use domain::kitchen::ticket::shows;
use domain::kitchen::{Column, CookTo, Ticket};
use domain::order::{KitchenState, Line, Order};
use domain::time::Time;
use serde::Serialize;

/// A press. Without lines it means the whole ticket, as it is when the server gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Lines move on.
    Advance(Option<Vec<LineId>>, CookTo),
    /// Lines go one step back.
    Recall(Option<Vec<LineId>>),
    /// 우선 on or off.
    Priority(bool),
    /// Voids were seen.
    SeeVoids(Vec<LineId>),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    line_ids: Option<&'a [LineId]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<CookTo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<bool>,
}

impl Intent {
    /// The address, below the store's.
    #[must_use]
    pub fn path(&self, order: OrderId) -> String {
        let end = match self {
            Self::Advance(..) => "/advance",
            Self::Recall(_) => "/recall",
            Self::Priority(_) => "/priority",
            Self::SeeVoids(_) => "/voids/ack",
        };
        ["/kitchen/orders/", &order.to_string(), end].concat()
    }

    /// The JSON of the request.
    #[must_use]
    pub fn body(&self) -> String {
        let nothing = Body {
            line_ids: None,
            to: None,
            priority: None,
        };
        let body = match self {
            Self::Advance(lines, to) => Body {
                line_ids: lines.as_deref(),
                to: Some(*to),
                ..nothing
            },
            Self::Recall(lines) => Body {
                line_ids: lines.as_deref(),
                ..nothing
            },
            Self::Priority(priority) => Body {
                priority: Some(*priority),
                ..nothing
            },
            Self::SeeVoids(lines) => Body {
                line_ids: Some(lines),
                ..nothing
            },
        };
        // Plain data always serializes.
        serde_json::to_string(&body).unwrap_or_default()
    }

    /// What the order looks like once it is done; one that does not fit changes nothing.
    pub fn foresee(&self, order: &mut Order, now: Time) {
        let foreseen = match self {
            Self::Advance(lines, to) => order.advance(lines.as_deref(), *to, now),
            Self::Recall(lines) => order.recall(lines.as_deref(), now),
            Self::Priority(priority) => order.set_priority(*priority),
            Self::SeeVoids(lines) => order.acknowledge_voids(lines, true, now),
        };
        // The server decides, and says why not.
        drop(foreseen);
    }

    /// What the primary button of a ticket does.
    #[must_use]
    pub fn of_ticket(order: &Order, ticket: &Ticket, station: Option<StationId>) -> Self {
        let (from, to) = match step(order, ticket, station) {
            Step::Start => (KitchenState::Waiting, CookTo::Cooking),
            Step::Finish => (KitchenState::Cooking, CookTo::Cooked),
            Step::Back => {
                let cooked = || lines_in(order, station, KitchenState::Cooked);
                return Self::Recall(station.map(|_| cooked()));
            }
        };
        Self::Advance(station.map(|_| lines_in(order, station, from)), to)
    }

    /// What a tap on a line does; a line that is served or voided has none.
    #[must_use]
    pub fn of_line(line: &Line) -> Option<Self> {
        if line.voided.is_some() {
            return None;
        }
        let lines = vec![line.id];
        match line.kitchen_state {
            KitchenState::Waiting => Some(Self::Advance(Some(lines), CookTo::Cooking)),
            KitchenState::Cooking => Some(Self::Advance(Some(lines), CookTo::Cooked)),
            KitchenState::Cooked => Some(Self::Recall(Some(lines))),
            KitchenState::Served => None,
        }
    }

    /// What takes an advance back, given the order before it.
    #[must_use]
    pub fn undo(&self, before: &Order) -> Option<Self> {
        let Self::Advance(lines, to) = self else {
            return None;
        };
        let from = match to {
            CookTo::Cooking => KitchenState::Waiting,
            CookTo::Cooked => KitchenState::Cooking,
        };
        let mut moved = lines_in(before, None, from);
        if let Some(lines) = lines {
            moved.retain(|line| lines.contains(line));
        }
        (!moved.is_empty()).then_some(Self::Recall(Some(moved)))
    }
}

/// What the primary button says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// 조리 시작
    Start,
    /// 조리 완료
    Finish,
    /// 되돌리기
    Back,
}

/// The next step of a ticket; in the middle column with nothing cooking it is the start.
#[must_use]
pub fn step(order: &Order, ticket: &Ticket, station: Option<StationId>) -> Step {
    match ticket.column {
        Column::Waiting => Step::Start,
        Column::Cooking if lines_in(order, station, KitchenState::Cooking).is_empty() => {
            Step::Start
        }
        Column::Cooking => Step::Finish,
        Column::Cooked => Step::Back,
    }
}

fn lines_in(order: &Order, station: Option<StationId>, state: KitchenState) -> Vec<LineId> {
    let here =
        |line: &&Line| shows(line, station) && line.voided.is_none() && line.kitchen_state == state;
    order
        .lines
        .iter()
        .filter(here)
        .map(|line| line.id)
        .collect()
}

#[path = "intent_tests.rs"]
mod tests;

//! What a cook's press means: the next step of a ticket or a line, and what takes it back.

use domain::id::{LineId, StationId};
use domain::kitchen::ticket::shows;
use domain::kitchen::{Column, CookTo, Ticket};
use domain::order::{KitchenState, Line, Order};

use crate::screen::Intent;

/// What the primary button of a ticket does.
#[must_use]
pub fn of_ticket(order: &Order, ticket: &Ticket, station: Option<StationId>) -> Intent {
    let (from, to) = match step(order, ticket, station) {
        Step::Start => (KitchenState::Waiting, CookTo::Cooking),
        Step::Finish => (KitchenState::Cooking, CookTo::Cooked),
        Step::Back => {
            let cooked = || lines_in(order, station, KitchenState::Cooked);
            return Intent::Recall(station.map(|_| cooked()));
        }
    };
    Intent::Advance(station.map(|_| lines_in(order, station, from)), to)
}

/// What a tap on a line does; a line that is served or voided has none.
#[must_use]
pub fn of_line(line: &Line) -> Option<Intent> {
    if line.voided.is_some() {
        return None;
    }
    let lines = vec![line.id];
    match line.kitchen_state {
        KitchenState::Waiting => Some(Intent::Advance(Some(lines), CookTo::Cooking)),
        KitchenState::Cooking => Some(Intent::Advance(Some(lines), CookTo::Cooked)),
        KitchenState::Cooked => Some(Intent::Recall(Some(lines))),
        KitchenState::Served => None,
    }
}

/// What takes an advance back, given the order before it.
#[must_use]
pub fn undo(intent: &Intent, before: &Order) -> Option<Intent> {
    let Intent::Advance(lines, to) = intent else {
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
    (!moved.is_empty()).then_some(Intent::Recall(Some(moved)))
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

#[path = "step_tests.rs"]
mod tests;

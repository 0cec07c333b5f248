//! An order as a kitchen display shows it (domain, "Ticket column"; screens, "Kitchen display").

use std::cmp::Ordering;

use crate::id::StationId;
use crate::order::{KitchenState, Line, Order};
use crate::settings::{Threshold, Thresholds};
use crate::time::Time;

/// A column of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Column {
    /// 조리 대기
    Waiting,
    /// 조리 중
    Cooking,
    /// 조리 완료
    Cooked,
}

/// How old a ticket is for its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AgeLevel {
    /// In time.
    Fresh,
    /// 주의
    Warn,
    /// 지연
    Late,
}

/// What the board needs to know of an order to place it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// Where it stands.
    pub column: Column,
    /// Its timer runs from here.
    pub since: Time,
    /// When its first line came: its place in the column, and what makes later lines 추가.
    pub first_fired_at: Time,
    /// 우선
    pub priority: bool,
    /// The order's number.
    pub number: u32,
    /// Whether a line was brought back and has not moved on since.
    pub recalled: bool,
}

/// Whether the board of `station` (`None`: every station) shows `line`: fired, and not a void
/// that was acknowledged.
#[must_use]
pub fn shows(line: &Line, station: Option<StationId>) -> bool {
    let seen = line.voided.is_some() && !line.is_open_void();
    line.is_fired() && !seen && station.is_none_or(|station| line.station_id == station)
}

impl Ticket {
    /// The ticket of `order` on the board of `station`, or `None` when it is not there.
    #[must_use]
    pub fn of(order: &Order, station: Option<StationId>) -> Option<Self> {
        let shown = || order.lines.iter().filter(|line| shows(line, station));
        let first_fired_at = shown().filter_map(|line| line.fired_at).min()?;
        let unserved =
            |line: &&Line| line.voided.is_none() && line.kitchen_state != KitchenState::Served;
        let voids = |line: &&Line| line.voided.is_some();
        // Served lines are ignored while others remain; when all is voided it stays where it was.
        let (column, since) =
            place(shown().filter(unserved)).or_else(|| place(shown().filter(voids)))?;
        let recalled = shown()
            .filter(unserved)
            .any(|line| line.recalled_at.is_some());
        let (priority, number) = (order.priority, order.number);
        Some(Self {
            column,
            since,
            first_fired_at,
            priority,
            number,
            recalled,
        })
    }

    /// How old it is at `now`, by the thresholds of its station.
    #[must_use]
    pub fn age(&self, thresholds: &Thresholds, now: Time) -> AgeLevel {
        let Threshold(warn, late) = match self.column {
            Column::Waiting => thresholds.waiting,
            Column::Cooking => thresholds.cooking,
            Column::Cooked => thresholds.cooked,
        };
        let age = now.since(self.since);
        if age >= late {
            AgeLevel::Late
        } else if age >= warn {
            AgeLevel::Warn
        } else {
            AgeLevel::Fresh
        }
    }

    /// The order of a column: priority, then first fired, then number. A recall changes none of
    /// them, so a ticket comes back to its old place.
    #[must_use]
    pub fn precedes(&self, other: &Self) -> Ordering {
        let key = |ticket: &Self| (!ticket.priority, ticket.first_fired_at, ticket.number);
        key(self).cmp(&key(other))
    }
}

/// The column of these lines, and the earliest moment among those that hold it there.
fn place<'a>(lines: impl Iterator<Item = &'a Line>) -> Option<(Column, Time)> {
    let (mut waiting, mut cooking, mut cooked) = (None, None, None);
    for line in lines {
        let earliest = match line.kitchen_state {
            KitchenState::Waiting => &mut waiting,
            KitchenState::Cooking => &mut cooking,
            KitchenState::Cooked | KitchenState::Served => &mut cooked,
        };
        let since = line.state_since;
        *earliest = Some(earliest.map_or(since, |time: Time| time.min(since)));
    }
    match (waiting, cooking, cooked) {
        (None, None, None) => None,
        (Some(since), None, None) => Some((Column::Waiting, since)),
        (None, None, Some(since)) => Some((Column::Cooked, since)),
        (_, Some(since), _) => Some((Column::Cooking, since)),
        // Some cooked, the rest waits: what waits holds it here.
        (Some(since), None, Some(_)) => Some((Column::Cooking, since)),
    }
}

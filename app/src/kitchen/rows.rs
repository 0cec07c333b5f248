//! The rows of a card: its lines as they were fired, later ones under 추가.

use domain::id::{LineId, StationId};
use domain::kitchen::ticket::shows;
use domain::order::Order;
use domain::sorting::sort_by_key;
use domain::time::Time;

/// One row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Row {
    /// The lines below were fired then, after the ticket's first.
    Added(Time),
    /// A line.
    Line(LineId),
}

/// The rows that the board of `station` shows.
#[must_use]
pub fn rows(order: &Order, station: Option<StationId>) -> Vec<Row> {
    let mut lines: Vec<(Time, LineId)> = order
        .lines
        .iter()
        .filter(|line| shows(line, station))
        .filter_map(|line| Some((line.fired_at?, line.id)))
        .collect();
    // Stable: within one firing as it was ordered.
    sort_by_key(&mut lines, |(fired_at, _)| *fired_at);
    let mut rows = Vec::with_capacity(lines.len() + 1);
    let mut last = lines.first().map(|(fired_at, _)| *fired_at);
    for (fired_at, line) in lines {
        if last != Some(fired_at) {
            rows.push(Row::Added(fired_at));
            last = Some(fired_at);
        }
        rows.push(Row::Line(line));
    }
    rows
}

mod tests {
    #![cfg(test)]

    use super::*;
    use crate::kitchen::fixture::{line, line_id, order, station};

    #[test]
    fn later_lines_stand_under_the_time_they_were_added() {
        let lines = [
            line(1, 1, "cooked", 10),
            line(2, 1, "waiting", 30),
            line(3, 1, "waiting", 10),
        ];
        let expected = [
            Row::Line(line_id(1)),
            Row::Line(line_id(3)),
            Row::Added(Time(30)),
            Row::Line(line_id(2)),
        ];
        assert_eq!(rows(&order(1, &lines), None), expected);
    }

    #[test]
    fn another_stations_lines_are_not_shown() {
        let lines = [line(1, 1, "waiting", 10), line(2, 2, "waiting", 10)];
        assert_eq!(
            rows(&order(1, &lines), Some(station(2))),
            [Row::Line(line_id(2))]
        );
    }
}

//! The file of orders: one row a line of an order, in the store's local time.
//!
//! A row that cannot be ordered is refused and named with its line number in the file; the rest
//! of its order is played.

use std::collections::HashMap;
use std::fmt;
use std::io::Read;
use std::str::FromStr;

use domain::time::{Date, NotADate};

use crate::moment::{LocalSecond, moment};

/// Which part of the file is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Day {
    /// Every row.
    All,
    /// The rows of this calendar date.
    On(Date),
}

impl FromStr for Day {
    type Err = NotADate;
    fn from_str(text: &str) -> Result<Self, NotADate> {
        match text {
            "all" => Ok(Self::All),
            date => date.parse().map(Self::On),
        }
    }
}

/// An order as the file has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedOrder {
    /// As in the file.
    pub id: String,
    /// When it was placed.
    pub at: LocalSecond,
    /// Codes of the items, one each, at least one.
    pub items: Vec<String>,
}

/// A row that is not played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedRow {
    /// Of the file; the header is line 1.
    pub line: u64,
    /// Why.
    pub reason: String,
}

impl fmt::Display for RefusedRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

/// What a file holds for the chosen day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// By time; those placed in the same second in the file's order.
    pub orders: Vec<RecordedOrder>,
    /// Refused rows of that day, and rows whose day cannot be read.
    pub refused: Vec<RefusedRow>,
}

impl Recorded {
    /// How many lines are played.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.orders.iter().map(|order| order.items.len()).sum()
    }
}

/// The file as a whole cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// A column is not there.
    #[error("the file has no column `{0}`")]
    NoColumn(&'static str),
    /// It cannot be read.
    #[error("the file cannot be read")]
    Unreadable(#[from] csv::Error),
}

/// Where the columns are.
struct Columns {
    line_id: usize,
    order_id: usize,
    ordered_at: usize,
    menu_item_id: usize,
}

impl Columns {
    fn of(header: &csv::StringRecord) -> Result<Self, FileError> {
        let find = |name: &'static str| {
            let found = header.iter().position(|title| title == name);
            found.ok_or(FileError::NoColumn(name))
        };
        Ok(Self {
            line_id: find("line_id")?,
            order_id: find("order_id")?,
            ordered_at: find("ordered_at")?,
            menu_item_id: find("menu_item_id")?,
        })
    }
}

/// One good row.
struct Row {
    order_id: String,
    at: LocalSecond,
    item: String,
}

/// Reads `file`. `known` says whether the store's menu has an item of that code.
///
/// # Errors
/// A column is missing or the file is not text.
pub fn read(
    mut file: impl Read,
    day: Day,
    known: impl Fn(&str) -> bool,
) -> Result<Recorded, FileError> {
    let mut text = Vec::new();
    file.read_to_end(&mut text).map_err(csv::Error::from)?;
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .flexible(true)
        .from_reader(text.as_slice());
    let columns = Columns::of(reader.headers()?)?;
    let mut recorded = Recorded::default();
    let mut places: HashMap<String, usize> = HashMap::new();
    for record in reader.records() {
        let record = record?;
        if record.iter().all(str::is_empty) {
            continue;
        }
        let line = || line_of(&record, &text);
        match row(&record, &columns, day, &known) {
            Ok(None) => {}
            Ok(Some(row)) => recorded.add(row, &mut places),
            Err(reason) => {
                let line = line();
                recorded.refused.push(RefusedRow { line, reason });
            }
        }
    }
    recorded.orders.sort_by_key(|order| order.at);
    Ok(recorded)
}

/// Where the record's text begins. The reader's own number is that of the place where it began to
/// look: before the LF of a CRLF, before blank lines.
fn line_of(record: &csv::StringRecord, text: &[u8]) -> u64 {
    let looked = record.position().map_or(0, csv::Position::byte);
    let looked = usize::try_from(looked)
        .unwrap_or(usize::MAX)
        .min(text.len());
    let breaks = |byte: &u8| matches!(byte, b'\r' | b'\n');
    let skipped = text[looked..]
        .iter()
        .take_while(|byte| breaks(byte))
        .count();
    let before = &text[..looked + skipped];
    1 + before.iter().filter(|byte| **byte == b'\n').count() as u64
}

/// `Ok(None)` is a row of another day; an error is why it is refused.
fn row(
    record: &csv::StringRecord,
    columns: &Columns,
    day: Day,
    known: impl Fn(&str) -> bool,
) -> Result<Option<Row>, String> {
    let field = |column: usize| record.get(column).unwrap_or_default();
    let (line_id, order_id) = (field(columns.line_id), field(columns.order_id));
    let (date, at) = moment(field(columns.ordered_at))?;
    if matches!(day, Day::On(wanted) if wanted != date) {
        return Ok(None);
    }
    let item = field(columns.menu_item_id);
    if order_id.is_empty() {
        return Err(format!("line_id {line_id} names no order"));
    }
    if item.is_empty() {
        return Err(format!(
            "line_id {line_id} of order {order_id} names no item"
        ));
    }
    if !known(item) {
        return Err(format!(
            "line_id {line_id} of order {order_id}: the menu has no item `{item}`"
        ));
    }
    Ok(Some(Row {
        order_id: order_id.to_owned(),
        at,
        item: item.to_owned(),
    }))
}

impl Recorded {
    fn add(&mut self, row: Row, places: &mut HashMap<String, usize>) {
        let next = self.orders.len();
        let place = *places.entry(row.order_id.clone()).or_insert(next);
        if place == next {
            self.orders.push(RecordedOrder {
                id: row.order_id,
                at: row.at,
                items: Vec::new(),
            });
        }
        self.orders[place].items.push(row.item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "line_id,order_id,ordered_at,menu_item_id\n";

    fn read_rows(rows: &str, day: Day) -> Recorded {
        let text = format!("{HEADER}{rows}");
        read(text.as_bytes(), day, |code| code != "999").unwrap()
    }

    fn reasons(recorded: &Recorded) -> Vec<String> {
        recorded.refused.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_row_without_an_item_is_named_with_its_line_and_the_rest_is_played() {
        let recorded = read_rows(
            "1,7,2023-02-01T11:00:00,101\n2,7,2023-02-01T11:00:00,\n3,7,2023-02-01T11:00:00,102\n",
            Day::All,
        );
        assert_eq!(recorded.orders.len(), 1);
        assert_eq!(recorded.orders[0].items, ["101", "102"]);
        assert_eq!(
            reasons(&recorded),
            ["line 3: line_id 2 of order 7 names no item"]
        );
    }

    #[test]
    fn an_order_of_nothing_but_empty_rows_is_no_order() {
        let recorded = read_rows("1,7,2023-02-01T11:00:00,\n", Day::All);
        assert_eq!(recorded.orders, []);
        assert_eq!(recorded.refused.len(), 1);
    }

    #[rstest::rstest]
    #[case("1,7,yesterday,101\n", "line 2: `yesterday` is not a local time")]
    #[case(
        "1,7,2023-02-29T11:00:00,101\n",
        "line 2: `2023-02-29T11:00:00` is not"
    )]
    #[case(
        "1,7,2023-02-01T24:00:00,101\n",
        "line 2: `2023-02-01T24:00:00` is not"
    )]
    #[case(
        "1,7,2023-02-01T11:00:00Z,101\n",
        "line 2: `2023-02-01T11:00:00Z` is not"
    )]
    #[case(
        "1,7,2023-02-01T11:00:00,999\n",
        "line 2: line_id 1 of order 7: the menu has no"
    )]
    #[case("1,,2023-02-01T11:00:00,101\n", "line 2: line_id 1 names no order")]
    #[case(
        "1,7,2023-02-01T11:00:00\n",
        "line 2: line_id 1 of order 7 names no item"
    )]
    fn a_bad_row_says_what_is_wrong_with_it(#[case] row: &str, #[case] beginning: &str) {
        let recorded = read_rows(row, Day::All);
        let reasons = reasons(&recorded);
        assert_eq!(reasons.len(), 1);
        assert!(reasons[0].starts_with(beginning), "{}", reasons[0]);
    }

    #[rstest::rstest]
    #[case("\n")]
    #[case("\r\n")]
    fn blank_lines_line_breaks_in_quotes_and_windows_line_ends_shift_no_line_number(
        #[case] end: &str,
    ) {
        let rows = "\n1,\"7\n8\",2023-02-01T11:00:00,101\n\n\n2,9,2023-02-01T11:00:00,\n3,9,2023-02-01T11:00:00,\n";
        let text = format!("{HEADER}{rows}").replace('\n', end);
        let recorded = read(text.as_bytes(), Day::All, |_| true).unwrap();
        let lines: Vec<u64> = recorded.refused.iter().map(|row| row.line).collect();
        assert_eq!((recorded.lines(), lines), (1, vec![7, 8]));
    }

    #[test]
    fn a_day_has_only_its_own_orders_and_refusals() {
        let rows =
            "1,7,2023-02-01T23:59:59,101\n2,8,2023-02-02T00:00:00,101\n3,8,2023-02-02T00:00:00,\n";
        let first = read_rows(rows, Day::On("2023-02-01".parse().unwrap()));
        assert_eq!((first.lines(), first.refused.len()), (1, 0));
        let second = read_rows(rows, Day::On("2023-02-02".parse().unwrap()));
        assert_eq!((second.lines(), second.refused.len()), (1, 1));
        assert_eq!(second.orders[0].at.0 - first.orders[0].at.0, 1);
    }

    #[test]
    fn orders_come_by_time_whatever_the_order_of_rows() {
        let recorded = read_rows(
            "1,8,2023-02-01T12:00:00,101\n2,7,2023-02-01T11:00:00,101\n3,8,2023-02-01T12:00:00,102\n",
            Day::All,
        );
        let ids: Vec<&str> = recorded
            .orders
            .iter()
            .map(|order| order.id.as_str())
            .collect();
        assert_eq!(ids, ["7", "8"]);
        assert_eq!(recorded.orders[1].items.len(), 2);
    }

    #[test]
    fn a_missing_column_is_named() {
        let error = read("line_id,order_id\n".as_bytes(), Day::All, |_| true).unwrap_err();
        assert_eq!(error.to_string(), "the file has no column `ordered_at`");
    }

    #[test]
    fn the_short_day_adds_up() {
        let menu = include_str!("../data/short-menu.csv");
        let mut reader = csv::Reader::from_reader(menu.as_bytes());
        let usd = domain::money::Currency::USD;
        let prices: HashMap<String, i64> = reader
            .records()
            .map(|item| item.unwrap())
            .map(|item| (item[0].to_owned(), usd.parse(&item[3]).unwrap().0))
            .collect();
        let file = include_str!("../data/short-day.csv");
        let known = |code: &str| prices.contains_key(code);
        let recorded = read(file.as_bytes(), Day::All, known).unwrap();
        let items = recorded.orders.iter().flat_map(|order| &order.items);
        let total: i64 = items.map(|code| prices[code]).sum();
        assert_eq!((recorded.orders.len(), recorded.lines()), (12, 31));
        assert_eq!(total, SHORT_TOTAL);
        assert_eq!(
            reasons(&recorded),
            [
                "line 11: line_id 10 of order 4 names no item",
                "line 25: line_id 24 of order 9 names no item",
            ]
        );
    }

    const SHORT_TOTAL: i64 = 27_760;
}

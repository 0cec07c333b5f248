//! Time: instants, local date-times, and the business day.
//!
//! The domain has no clock and no time zones: it is told both.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// An instant: milliseconds since 1970-01-01T00:00Z, by the server's clock.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Time(pub i64);

impl Time {
    /// `ms` milliseconds later.
    #[must_use]
    pub fn plus(self, ms: i64) -> Self {
        Self(self.0.saturating_add(ms))
    }

    /// Milliseconds from `earlier` to this, never negative.
    #[must_use]
    pub fn since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0).max(0)
    }
}

/// A calendar date of the store. It orders as dates do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Date {
    year: i16,
    month: u8,
    day: u8,
}

/// The day a sale belongs to: it ends at the store's cut, not at midnight.
pub type BusinessDay = Date;

/// The text is not a date `YYYY-MM-DD`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a date YYYY-MM-DD")]
pub struct NotADate(pub String);

fn days_in(year: i16, month: u8) -> u8 {
    match month {
        2 if (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl Date {
    /// The date, or `None` where the calendar has no such day.
    #[must_use]
    pub fn new(year: i16, month: u8, day: u8) -> Option<Self> {
        let valid = (1..=9999).contains(&year)
            && (1..=12).contains(&month)
            && (1..=days_in(year, month)).contains(&day);
        valid.then_some(Self { year, month, day })
    }

    /// Year, month, day.
    #[must_use]
    pub fn parts(self) -> (i16, u8, u8) {
        (self.year, self.month, self.day)
    }

    fn yesterday(self) -> Self {
        if self.day > 1 {
            Self {
                day: self.day - 1,
                ..self
            }
        } else if self.month > 1 {
            let month = self.month - 1;
            Self {
                month,
                day: days_in(self.year, month),
                ..self
            }
        } else {
            Self {
                year: self.year - 1,
                month: 12,
                day: 31,
            }
        }
    }

    /// The next date.
    #[must_use]
    pub fn tomorrow(self) -> Self {
        if self.day < days_in(self.year, self.month) {
            Self {
                day: self.day + 1,
                ..self
            }
        } else if self.month < 12 {
            Self {
                month: self.month + 1,
                day: 1,
                ..self
            }
        } else {
            Self {
                year: self.year + 1,
                month: 1,
                day: 1,
            }
        }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl fmt::Debug for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Date {
    type Err = NotADate;
    fn from_str(text: &str) -> Result<Self, NotADate> {
        let parse = || {
            let (year, rest) = text.split_once('-')?;
            let (month, day) = rest.split_once('-')?;
            let widths = (year.len(), month.len(), day.len()) == (4, 2, 2);
            let date = Self::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)?;
            widths.then_some(date)
        };
        parse().ok_or_else(|| NotADate(text.to_owned()))
    }
}

impl TryFrom<String> for Date {
    type Error = NotADate;
    fn try_from(text: String) -> Result<Self, NotADate> {
        text.parse()
    }
}

impl From<Date> for String {
    fn from(date: Date) -> Self {
        date.to_string()
    }
}

/// The time of day at which the business day ends, local: `05:00`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DayCut {
    minute_of_day: u16,
}

/// The text is not a time of day `HH:MM`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a time of day HH:MM")]
pub struct NotACut(pub String);

impl DayCut {
    /// Five in the morning, the usual cut.
    pub const FIVE: Self = Self { minute_of_day: 300 };

    /// Hour and minute.
    #[must_use]
    pub fn hour_minute(self) -> (u8, u8) {
        (
            (self.minute_of_day / 60) as u8,
            (self.minute_of_day % 60) as u8,
        )
    }
}

impl TryFrom<String> for DayCut {
    type Error = NotACut;
    fn try_from(text: String) -> Result<Self, NotACut> {
        let parse = || {
            let (hour, minute) = text.split_once(':')?;
            let widths = (hour.len(), minute.len()) == (2, 2);
            let (hour, minute): (u16, u16) = (hour.parse().ok()?, minute.parse().ok()?);
            (widths && hour < 24 && minute < 60).then_some(hour * 60 + minute)
        };
        match parse() {
            Some(minute_of_day) => Ok(Self { minute_of_day }),
            None => Err(NotACut(text)),
        }
    }
}

impl From<DayCut> for String {
    fn from(cut: DayCut) -> Self {
        let (hour, minute) = cut.hour_minute();
        format!("{hour:02}:{minute:02}")
    }
}

/// What a clock on the wall of the restaurant shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalDateTime {
    /// The calendar date.
    pub date: Date,
    /// Minutes since local midnight, by the wall clock: 0..1440.
    pub minute_of_day: u16,
}

impl LocalDateTime {
    /// The business day this moment belongs to. The wall clock decides, so that daylight
    /// saving makes a day of 23 or 25 hours and moves no cut.
    #[must_use]
    pub fn business_day(self, cut: DayCut) -> BusinessDay {
        if self.minute_of_day < cut.minute_of_day {
            self.date.yesterday()
        } else {
            self.date
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(date: &str, hour: u16, minute: u16) -> LocalDateTime {
        LocalDateTime {
            date: date.parse().unwrap(),
            minute_of_day: hour * 60 + minute,
        }
    }

    // Trial C46, local side; the server's test converts the zones.
    #[rstest::rstest]
    #[case(at("2026-03-01", 4, 59), "2026-02-28")]
    #[case(at("2026-03-01", 5, 0), "2026-03-01")]
    #[case(at("2026-03-01", 0, 0), "2026-02-28")]
    #[case(at("2026-01-01", 0, 0), "2025-12-31")]
    #[case(at("2024-03-01", 0, 0), "2024-02-29")]
    fn the_day_ends_at_the_cut_not_at_midnight(#[case] when: LocalDateTime, #[case] day: &str) {
        assert_eq!(when.business_day(DayCut::FIVE).to_string(), day);
    }

    #[test]
    fn dates_that_no_calendar_has_are_refused() {
        for text in [
            "2026-02-29",
            "2026-13-01",
            "2026-1-01",
            "26-01-01",
            "",
            "2026-01-32",
        ] {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
        assert_eq!(
            "2026-12-31".parse::<Date>().unwrap().tomorrow().to_string(),
            "2027-01-01"
        );
    }
}

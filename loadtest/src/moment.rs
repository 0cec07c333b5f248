//! Local times of the file. It has no zone: only what lies between two of them counts.

use domain::time::Date;

/// A moment by the restaurant's wall clock, in seconds since 1970-01-01T00:00 there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LocalSecond(pub i64);

/// Reads `2023-02-01T11:32:07`.
///
/// # Errors
/// A sentence, when it is anything else or the calendar has no such day.
pub fn moment(text: &str) -> Result<(Date, LocalSecond), String> {
    let parse = || {
        let (date, time) = text.split_once('T')?;
        let date: Date = date.parse().ok()?;
        let mut parts = time.split(':');
        let mut part = |below: i64| {
            let text = parts.next().filter(|part| part.len() == 2)?;
            text.parse().ok().filter(|part| (0..below).contains(part))
        };
        let (hour, minute, second) = (part(24)?, part(60)?, part(60)?);
        let of_day = hour * 3_600 + minute * 60 + second;
        parts
            .next()
            .is_none()
            .then(|| (date, LocalSecond(days(date) * 86_400 + of_day)))
    };
    parse().ok_or_else(|| format!("`{text}` is not a local time such as 2023-02-01T11:32:07"))
}

/// Days from 1970-01-01 to `date`: years are taken to begin in March, so that the leap day is
/// their last.
fn days(date: Date) -> i64 {
    let (year, month, day) = date.parts();
    let (year, month) = (i64::from(year), i64::from(month));
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let of_year = (153 * month + 2) / 5 + i64::from(day) - 1;
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + of_year
        - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_of_the_epoch_reads_zero_and_leap_days_count() {
        let second = |text: &str| moment(text).unwrap().1.0;
        assert_eq!(second("1970-01-01T00:00:00"), 0);
        assert_eq!(second("2000-02-29T00:00:00"), 951_782_400);
        assert_eq!(second("2023-02-01T11:32:07"), 1_675_251_127);
    }
}

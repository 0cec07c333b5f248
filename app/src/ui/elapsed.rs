//! Timers as cooks read them.

/// `m:ss`, from one hour `h:mm`; never negative.
#[must_use]
pub fn elapsed(ms: i64) -> String {
    let seconds = ms.max(0) / 1_000;
    let (large, small) = if seconds < 3_600 {
        (seconds / 60, seconds % 60)
    } else {
        (seconds / 3_600, seconds % 3_600 / 60)
    };
    let tens = if small < 10 { ":0" } else { ":" };
    [&large.to_string(), tens, &small.to_string()].concat()
}

mod tests {
    #![cfg(test)]

    use super::*;

    #[test]
    fn minutes_and_seconds_then_hours_and_minutes_never_negative() {
        let texts = [-5_000, 0, 59_999, 432_000, 3_599_000, 3_600_000, 7_560_000].map(elapsed);
        assert_eq!(
            texts,
            ["0:00", "0:00", "0:59", "7:12", "59:59", "1:00", "2:06"]
        );
    }
}

//! The count of a stock row as somebody types it. Pure.

use domain::stock::Stock;

/// More than a restaurant has of one thing.
const MOST: i64 = 1_000_000;

/// The count that was typed; `None`: it is none that can be.
#[must_use]
pub fn typed(text: &str) -> Option<i64> {
    let text = text.trim();
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let count = digits.then(|| text.parse::<i64>().ok()).flatten()?;
    (count <= MOST).then_some(count)
}

/// What a count comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Nothing that can be.
    Bad,
    /// As many as before.
    Same,
    /// Fewer than are held.
    BelowHeld,
    /// So many more, or fewer.
    By(i64),
}

impl Count {
    /// Of what was typed for `stock`.
    #[must_use]
    pub fn of(text: &str, stock: &Stock) -> Self {
        match typed(text) {
            None => Self::Bad,
            Some(count) if count == stock.on_hand => Self::Same,
            Some(count) if count < stock.held => Self::BelowHeld,
            Some(count) => Self::By(count - stock.on_hand),
        }
    }
}

/// A difference with its sign.
#[must_use]
pub fn signed(by: i64) -> String {
    let sign = if by > 0 { "+" } else { "" };
    [sign, &by.to_string()].concat()
}

mod tests {
    #![cfg(test)]

    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    fn stock(on_hand: i64, held: i64) -> Stock {
        serde_json::from_value(json!({
            "id": Uuid::nil(), "version": 1, "name": {"ko": "갈비탕"}, "onHand": on_hand,
            "held": held, "available": on_hand - held, "menuIds": [],
        }))
        .unwrap()
    }

    #[test]
    fn a_count_is_a_whole_number_within_reason() {
        for bad in [
            "",
            " ",
            "-1",
            "1.5",
            "1e3",
            "열",
            "1000001",
            "99999999999999999999",
        ] {
            assert_eq!(typed(bad), None, "{bad}");
        }
        assert_eq!(
            (typed(" 12 "), typed("0"), typed("1000000")),
            (Some(12), Some(0), Some(MOST))
        );
    }

    #[test]
    fn a_count_is_told_by_its_difference_and_not_below_what_is_held() {
        let of = |text| Count::of(text, &stock(30, 4));
        assert_eq!(
            [of("30"), of("3"), of("4")],
            [Count::Same, Count::BelowHeld, Count::By(-26)]
        );
        assert_eq!((of("x"), of("42")), (Count::Bad, Count::By(12)));
        assert_eq!(
            (signed(12), signed(-26)),
            ("+12".to_owned(), "-26".to_owned())
        );
    }
}

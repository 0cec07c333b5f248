//! Money: integers in minor units of an ISO 4217 currency, never floating point.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An amount in minor units: KRW 9,900 is `9900`, USD 12.34 is `1234`.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Amount(pub i64);

/// The largest price or total Jumun accepts, in minor units: it stays exact in a
/// JavaScript number (2^53) with room for sums.
pub const MAX_AMOUNT: Amount = Amount(1_000_000_000_000);

impl Amount {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// The sum, or `None` beyond [`MAX_AMOUNT`] either way.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0
            .checked_add(other.0)
            .map(Self)
            .filter(|sum| sum.0.abs() <= MAX_AMOUNT.0)
    }

    /// The amount `quantity` times, or `None` beyond [`MAX_AMOUNT`] either way.
    #[must_use]
    pub fn checked_mul(self, quantity: u32) -> Option<Self> {
        self.0
            .checked_mul(i64::from(quantity))
            .map(Self)
            .filter(|product| product.0.abs() <= MAX_AMOUNT.0)
    }
}

/// A currency code of ISO 4217: three capital letters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Currency([u8; 3]);

/// The text is not a currency code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a currency code of three capital letters")]
pub struct NotACurrency(pub String);

/// Why a text is not a price.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPrice {
    /// Not digits with at most one decimal point.
    #[error("`{0}` is not a number")]
    NotANumber(String),
    /// More decimals than the currency has.
    #[error("{currency} has {exponent} decimals, `{text}` has more")]
    TooManyDecimals {
        /// As written.
        text: String,
        /// Of the store.
        currency: Currency,
        /// Of the currency.
        exponent: u32,
    },
    /// Beyond [`MAX_AMOUNT`].
    #[error("`{0}` is too large")]
    TooLarge(String),
}

impl Currency {
    /// The won of the Republic of Korea.
    pub const KRW: Self = Self(*b"KRW");
    /// The dollar of the United States.
    pub const USD: Self = Self(*b"USD");

    /// The code, such as `KRW`.
    #[must_use]
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or("???")
    }

    /// Decimals of the minor unit (ISO 4217, table A.1).
    #[must_use]
    pub fn exponent(self) -> u32 {
        match &self.0 {
            b"BIF" | b"CLP" | b"DJF" | b"GNF" | b"ISK" | b"JPY" | b"KMF" | b"KRW" | b"PYG"
            | b"RWF" | b"UGX" | b"UYI" | b"VND" | b"VUV" | b"XAF" | b"XOF" | b"XPF" => 0,
            b"BHD" | b"IQD" | b"JOD" | b"KWD" | b"LYD" | b"OMR" | b"TND" => 3,
            b"CLF" | b"UYW" => 4,
            _ => 2,
        }
    }

    fn symbol(self) -> Option<&'static str> {
        match &self.0 {
            b"KRW" => Some("₩"),
            b"JPY" | b"CNY" => Some("¥"),
            b"USD" => Some("$"),
            b"EUR" => Some("€"),
            b"GBP" => Some("£"),
            _ => None,
        }
    }

    /// Reads a price as a person writes it: `12.95`, `9900`. Decimals beyond the currency's
    /// are refused, not rounded.
    ///
    /// # Errors
    /// [`BadPrice`] says what is wrong with the text.
    pub fn parse(self, text: &str) -> Result<Amount, BadPrice> {
        let text = text.trim();
        let not_a_number = || BadPrice::NotANumber(text.to_owned());
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !digits(whole) || !digits(decimals) || text.ends_with('.') {
            return Err(not_a_number());
        }
        let exponent = self.exponent();
        if decimals.trim_end_matches('0').len() > exponent as usize {
            return Err(BadPrice::TooManyDecimals {
                text: text.to_owned(),
                currency: self,
                exponent,
            });
        }
        let width = exponent as usize;
        let mut minor = whole.to_owned();
        minor.extend(decimals.chars().chain(std::iter::repeat('0')).take(width));
        minor
            .parse::<i64>()
            .ok()
            .map(Amount)
            .filter(|amount| *amount <= MAX_AMOUNT)
            .ok_or_else(|| BadPrice::TooLarge(text.to_owned()))
    }

    /// The amount as shown to people: `₩9,900`, `$12.34`, `KWD 1.234`.
    #[must_use]
    pub fn format(self, amount: Amount) -> String {
        let exponent = self.exponent() as usize;
        let digits = format!("{:0>width$}", amount.0.unsigned_abs(), width = exponent + 1);
        let (whole, decimals) = digits.split_at(digits.len() - exponent);
        let mut text = String::from(if amount.0 < 0 { "-" } else { "" });
        match self.symbol() {
            Some(symbol) => text.push_str(symbol),
            None => {
                text.push_str(self.code());
                text.push(' ');
            }
        }
        for (index, digit) in whole.chars().enumerate() {
            if index > 0 && (whole.len() - index).is_multiple_of(3) {
                text.push(',');
            }
            text.push(digit);
        }
        if exponent > 0 {
            text.push('.');
            text.push_str(decimals);
        }
        text
    }
}

impl TryFrom<String> for Currency {
    type Error = NotACurrency;
    fn try_from(text: String) -> Result<Self, NotACurrency> {
        match <[u8; 3]>::try_from(text.as_bytes()) {
            Ok(code) if code.iter().all(u8::is_ascii_uppercase) => Ok(Self(code)),
            _ => Err(NotACurrency(text)),
        }
    }
}

impl From<Currency> for String {
    fn from(currency: Currency) -> Self {
        currency.code().to_owned()
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn currency(code: &str) -> Currency {
        Currency::try_from(code.to_owned()).unwrap()
    }

    // Trial C44.
    #[rstest::rstest]
    #[case("KRW", "9900", 9_900, "₩9,900")]
    #[case("JPY", "80", 80, "¥80")]
    #[case("USD", "12.34", 1_234, "$12.34")]
    #[case("USD", "12.3", 1_230, "$12.30")]
    #[case("USD", "1234567", 123_456_700, "$1,234,567.00")]
    #[case("KWD", "1.234", 1_234, "KWD 1.234")]
    #[case("USD", "0.05", 5, "$0.05")]
    fn a_price_is_read_and_shown_in_minor_units(
        #[case] code: &str,
        #[case] text: &str,
        #[case] minor: i64,
        #[case] shown: &str,
    ) {
        let currency = currency(code);
        assert_eq!(currency.parse(text), Ok(Amount(minor)));
        assert_eq!(currency.format(Amount(minor)), shown);
    }

    #[rstest::rstest]
    #[case("KRW", "9900.5")]
    #[case("USD", "12.345")]
    #[case("USD", "")]
    #[case("USD", "-1")]
    #[case("USD", "1e3")]
    #[case("USD", "12,95")]
    #[case("USD", "12.")]
    #[case("USD", ".5")]
    #[case("USD", "99999999999999999999")]
    fn a_bad_price_is_refused_not_rounded(#[case] code: &str, #[case] text: &str) {
        assert!(currency(code).parse(text).is_err());
    }

    #[test]
    fn sums_and_products_stop_at_the_bound_instead_of_wrapping() {
        assert_eq!(Amount(i64::MAX).checked_add(Amount(1)), None);
        assert_eq!(Amount(i64::MAX).checked_mul(2), None);
        assert_eq!(MAX_AMOUNT.checked_add(Amount(1)), None);
        assert_eq!(Amount(3).checked_mul(4), Some(Amount(12)));
    }
}

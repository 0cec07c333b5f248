//! The idempotency key: one per press of a button.

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use http::request::Parts;

use crate::http::error::{Code, Problem};

/// The header.
const HEADER: &str = "idempotency-key";
/// The longest key, in characters.
const LONGEST: usize = 128;

/// 1–128 printable ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// The key.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let printable = bytes.iter().all(|b| b.is_ascii_graphic() || *b == b' ');
        let fits = (1..=LONGEST).contains(&bytes.len());
        let text = std::str::from_utf8(bytes).ok()?;
        (printable && fits).then(|| Self(text.to_owned()))
    }
}

impl<S: Send + Sync> OptionalFromRequestParts<S> for IdempotencyKey {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Option<Self>, Problem> {
        let Some(value) = parts.headers.get(HEADER) else {
            return Ok(None);
        };
        let key = Self::parse(value.as_bytes()).ok_or_else(|| {
            let message = "An Idempotency-Key has 1 to 128 printable characters.";
            Problem::field(Code::Validation, "Idempotency-Key", "FORMAT", message)
        })?;
        Ok(Some(key))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let key = <Self as OptionalFromRequestParts<S>>::from_request_parts(parts, state).await?;
        key.ok_or_else(|| Code::IdempotencyKeyRequired.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_printable_and_bounded() {
        let parse = |text: &str| IdempotencyKey::parse(text.as_bytes());
        assert!(parse("01890a5d-ac96 ~").is_some());
        assert!(parse(&"k".repeat(128)).is_some());
        for refused in ["", "a\u{7f}", "a\tb", "키", &"k".repeat(129)] {
            assert!(parse(refused).is_none(), "{refused:?}");
        }
    }
}

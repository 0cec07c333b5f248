//! What makes two commands the same.

use http::Method;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// A digest of method, path and meaning of the body: white space and the order of fields
/// do not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint(String);

impl Fingerprint {
    pub(super) fn of(method: &Method, path: &str, body: &[u8]) -> Self {
        // `Value` keeps its fields sorted; what is no JSON is refused by whoever parses it.
        let body = serde_json::from_slice::<Value>(body).map(|value| value.to_string());
        let text = format!("{method} {path}\n{}", body.unwrap_or_default());
        let digest = Sha256::digest(text);
        Self(digest.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// 64 hex digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meaning_counts_and_spelling_does_not() {
        let of = |path: &str, body: &str| Fingerprint::of(&Method::POST, path, body.as_bytes());
        let first = of("/a", r#"{"b":1,"a":[1,2]}"#);
        assert_eq!(first, of("/a", r#"{ "a": [1, 2], "b": 1 }"#));
        assert_ne!(first, of("/b", r#"{"b":1,"a":[1,2]}"#));
        assert_ne!(first, of("/a", r#"{"b":1,"a":[2,1]}"#));
    }
}

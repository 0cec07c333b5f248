//! A refusal: RFC 9457 `application/problem+json` as the screens need it.

use serde::Deserialize;

use super::Answer;
use crate::i18n::Messages;

/// Why a request did not do what was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// HTTP status; 0 when no answer came.
    pub status: u16,
    /// The stable code, such as `INVALID_TRANSITION`.
    pub code: String,
    /// Seconds to wait before the next attempt.
    pub retry_after: Option<u32>,
}

#[derive(Deserialize)]
struct Body {
    code: String,
}

impl Problem {
    /// No answer came.
    #[must_use]
    pub fn unreachable() -> Self {
        Self {
            status: 0,
            code: "UNREACHABLE".to_owned(),
            retry_after: None,
        }
    }

    /// An answer came that is not what this client knows.
    #[must_use]
    pub fn unreadable() -> Self {
        Self {
            status: 0,
            code: "UNREADABLE".to_owned(),
            retry_after: None,
        }
    }

    /// The problem an answer tells of.
    #[must_use]
    pub fn of(answer: &Answer) -> Self {
        let code = answer.json::<Body>().map(|body| body.code);
        let code = code.unwrap_or_else(|| answer.status.to_string());
        Self {
            status: answer.status,
            code,
            retry_after: answer.retry_after,
        }
    }

    /// In words a cook understands.
    #[must_use]
    pub fn words(&self, messages: &Messages) -> String {
        let words = &messages.problems;
        match (self.code.as_str(), self.status) {
            ("UNREACHABLE", _) => words.unreachable.to_owned(),
            ("INVALID_TRANSITION" | "VERSION_CONFLICT", _) => words.invalid_transition.to_owned(),
            ("FORBIDDEN", _) => words.forbidden.to_owned(),
            ("SIGNED_OUT", _) => words.signed_out.to_owned(),
            ("NOT_FOUND", _) => words.not_found.to_owned(),
            ("UNAVAILABLE", _) | (_, 500..) => words.unavailable.to_owned(),
            (code, _) => words.other.with(&[code]),
        }
    }
}

mod tests {
    #![cfg(test)]

    use domain::text::Language;

    use super::*;
    use crate::i18n;

    fn answer(status: u16, body: &str) -> Answer {
        Answer {
            status,
            watermark: None,
            retry_after: None,
            body: body.to_owned(),
        }
    }

    #[test]
    fn a_refusal_is_told_in_words_of_the_language() {
        let refusal = answer(409, r#"{"code":"INVALID_TRANSITION","title":"…"}"#);
        let words = |language| Problem::of(&refusal).words(i18n::of(language));
        assert_eq!(words(Language::Ko), "이미 다른 상태로 바뀌었습니다.");
        assert_eq!(words(Language::En), "It has already moved on.");
    }

    #[test]
    fn a_page_of_a_proxy_is_told_by_its_status() {
        let words = Problem::of(&answer(502, "<html>")).words(i18n::of(Language::En));
        assert_eq!(words, "The server cannot do that now. Please press again.");
    }
}

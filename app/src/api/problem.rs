//! A refusal: RFC 9457 `application/problem+json` as the screens need it.

use domain::stock::Short;
use domain::text::Language;
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
    /// The numbers of the orders that stand in the way.
    pub orders: Vec<u32>,
    /// What is short, of `INSUFFICIENT_STOCK`.
    pub short: Vec<Short>,
}

/// The lines of `INSUFFICIENT_STOCK`; other codes have others.
#[derive(Deserialize)]
struct Lines {
    lines: Vec<Short>,
}

#[derive(Deserialize)]
struct Body {
    code: String,
    #[serde(default)]
    orders: Vec<Numbered>,
}

#[derive(Deserialize)]
struct Numbered {
    number: u32,
}

impl Problem {
    /// No answer came.
    #[must_use]
    pub fn unreachable() -> Self {
        Self::without_answer("UNREACHABLE")
    }

    /// An answer came that is not what this client knows.
    #[must_use]
    pub fn unreadable() -> Self {
        Self::without_answer("UNREADABLE")
    }

    fn without_answer(code: &str) -> Self {
        Self {
            status: 0,
            code: code.to_owned(),
            retry_after: None,
            orders: Vec::new(),
            short: Vec::new(),
        }
    }

    /// The problem an answer tells of.
    #[must_use]
    pub fn of(answer: &Answer) -> Self {
        let body = answer.json::<Body>().unwrap_or_else(|| Body {
            code: answer.status.to_string(),
            orders: Vec::new(),
        });
        let lines = (body.code == "INSUFFICIENT_STOCK").then(|| answer.json::<Lines>());
        Self {
            status: answer.status,
            short: lines.flatten().map_or_else(Vec::new, |it| it.lines),
            code: body.code,
            retry_after: answer.retry_after,
            orders: body.orders.iter().map(|order| order.number).collect(),
        }
    }

    /// Whether the server may have done it all the same, or may still do it: only the same key asked
    /// again tells. A refusal for haste says nothing of an attempt before it.
    #[must_use]
    pub fn is_undecided(&self) -> bool {
        matches!(self.status, 0 | 408 | 429 | 500..)
    }

    /// In words that people on their feet understand.
    #[must_use]
    pub fn words(&self, messages: &Messages) -> String {
        let words = &messages.problems;
        let plain = match self.code.as_str() {
            "INSUFFICIENT_STOCK" if !self.short.is_empty() => {
                return words
                    .insufficient_stock_of
                    .with(&[&self.names(messages.language)]);
            }
            "UNPAID_ORDERS" if !self.orders.is_empty() => {
                return words.unpaid_orders_named.with(&[&self.numbers()]);
            }
            "TOO_MANY_ATTEMPTS" => match self.retry_after {
                Some(wait) => return words.too_many_attempts_wait.with(&[&wait.to_string()]),
                None => words.too_many_attempts,
            },
            "UNREACHABLE" => words.unreachable,
            "INVALID_TRANSITION" | "VERSION_CONFLICT" => words.invalid_transition,
            "FORBIDDEN" => words.forbidden,
            "SIGNED_OUT" | "INVALID_TICKET" => words.signed_out,
            "NOT_FOUND" => words.not_found,
            "VALIDATION" | "BODY_TOO_LARGE" => words.validation,
            "UNREADABLE"
            | "UNKNOWN_FIELD"
            | "METHOD_NOT_ALLOWED"
            | "IDEMPOTENCY_KEY_REQUIRED"
            | "IDEMPOTENCY_KEY_REUSED" => words.outdated,
            "SOLD_OUT" => words.sold_out,
            "OPTION_NOT_IN_ITEM" => words.option_gone,
            "INSUFFICIENT_STOCK" => words.insufficient_stock,
            "STOCK_HELD" => words.stock_held,
            "PARTY_CLEARED" => words.party_cleared,
            "TABLE_OCCUPIED" => words.table_occupied,
            "UNPAID_ORDERS" => words.unpaid_orders,
            "ALREADY_CONFIRMED" => words.already_confirmed,
            "GUEST_SEATING_OFF" => words.guest_seating_off,
            "TOO_MANY_STREAMS" => words.too_many_streams,
            "CALL_COOLDOWN" => words.call_cooldown,
            "WRONG_PIN" => words.wrong_pin,
            code if code != "UNAVAILABLE" && self.status < 500 => return words.other.with(&[code]),
            _ => words.unavailable,
        };
        plain.to_owned()
    }

    fn names(&self, language: Language) -> String {
        let names = self.short.iter().filter_map(|short| short.name.as_ref());
        let names: Vec<&str> = names.map(|name| name.get(language)).collect();
        names.join(", ")
    }

    fn numbers(&self) -> String {
        let number = |number: &u32| ["#", &number.to_string()].concat();
        self.orders
            .iter()
            .map(number)
            .collect::<Vec<_>>()
            .join(", ")
    }
}

mod tests {
    #![cfg(test)]

    use super::*;
    use crate::i18n;

    /// Domain, "Commands are intents".
    const CODES: &str = "VALIDATION UNKNOWN_FIELD NOT_FOUND FORBIDDEN SIGNED_OUT INVALID_TICKET \
        INVALID_TRANSITION SOLD_OUT INSUFFICIENT_STOCK PARTY_CLEARED TABLE_OCCUPIED UNPAID_ORDERS \
        VERSION_CONFLICT STOCK_HELD ALREADY_CONFIRMED GUEST_SEATING_OFF OPTION_NOT_IN_ITEM \
        WRONG_PIN TOO_MANY_STREAMS CALL_COOLDOWN TOO_MANY_ATTEMPTS IDEMPOTENCY_KEY_REQUIRED \
        IDEMPOTENCY_KEY_REUSED BODY_TOO_LARGE UNAVAILABLE";

    fn answer(status: u16, body: &str) -> Answer {
        Answer {
            status,
            watermark: None,
            store_name: None,
            retry_after: None,
            body: body.to_owned(),
        }
    }

    fn words(answer: &Answer, language: Language) -> String {
        Problem::of(answer).words(i18n::of(language))
    }

    #[test]
    fn a_refusal_is_told_in_words_of_the_language() {
        let refusal = answer(409, r#"{"code":"INVALID_TRANSITION","title":"…"}"#);
        assert_eq!(
            words(&refusal, Language::Ko),
            "이미 다른 상태로 바뀌었습니다."
        );
        assert_eq!(words(&refusal, Language::En), "It has already moved on.");
    }

    #[test]
    fn every_code_has_words_that_do_not_show_it() {
        for code in CODES.split_whitespace() {
            let refusal = answer(422, &["{\"code\":\"", code, "\"}"].concat());
            for language in [Language::Ko, Language::En] {
                let words = words(&refusal, language);
                assert!(!words.contains(code) && words.len() > 8, "{code}: {words}");
            }
        }
    }

    #[test]
    fn unpaid_orders_are_named_and_a_wait_is_told() {
        let unpaid = answer(
            409,
            r#"{"code":"UNPAID_ORDERS","orders":[{"number":12},{"number":14}]}"#,
        );
        assert_eq!(
            words(&unpaid, Language::En),
            "There are unpaid orders: #12, #14"
        );
        let soon = Answer {
            retry_after: Some(4),
            ..answer(429, r#"{"code":"TOO_MANY_ATTEMPTS"}"#)
        };
        assert_eq!(
            words(&soon, Language::Ko),
            "요청이 너무 많습니다. 4초 뒤에 다시 눌러 주세요."
        );
    }

    #[test]
    fn what_is_short_is_named() {
        let short = r#"{"code":"INSUFFICIENT_STOCK","lines":[{"stockId":"0198c000-0000-7000-8000-000000000001",
            "name":{"ko":"갈비탕","en":"Galbitang"},"requested":3,"available":2,"shortBy":1,
            "reason":"short","from":[0,2]}]}"#;
        let problem = Problem::of(&answer(409, short));
        assert_eq!(
            (problem.short[0].available, &problem.short[0].from[..]),
            (2, &[0, 2][..])
        );
        assert_eq!(
            problem.words(i18n::of(Language::Ko)),
            "재고가 부족합니다: 갈비탕"
        );
        // Lines of other codes are others.
        let other = r#"{"code":"SOLD_OUT","lines":[{"index":0}]}"#;
        assert_eq!(Problem::of(&answer(409, other)).short, []);
    }

    #[test]
    fn a_page_of_a_proxy_is_told_by_its_status() {
        assert_eq!(
            words(&answer(502, "<html>"), Language::En),
            "The server cannot do that now. Please press again."
        );
        assert_eq!(
            words(&answer(418, "<html>"), Language::En),
            "That did not work (418)."
        );
    }
}

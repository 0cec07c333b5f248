//! Refusals as RFC 9457 problems, and the one place where a code has its status.

use std::time::Duration;

use axum::response::{IntoResponse, Response};
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderValue, StatusCode};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::db::DbError;

/// Generates the codes with text, status and title side by side.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $status:ident, $title:literal;)*) => {
        /// What went wrong, for programs (domain, "Commands are intents").
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// Every code.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// As written in JSON.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// Its HTTP status.
            #[must_use]
            pub fn status(self) -> StatusCode {
                match self { $(Self::$name => StatusCode::$status,)* }
            }

            /// What it says to a person.
            #[must_use]
            pub fn title(self) -> &'static str {
                match self { $(Self::$name => $title,)* }
            }
        }
    };
}

codes! {
    /// A value is not one that this field may have.
    Validation = "VALIDATION", UNPROCESSABLE_ENTITY, "The request is not valid.";
    /// A field that nobody reads.
    UnknownField = "UNKNOWN_FIELD", UNPROCESSABLE_ENTITY, "The request has a field that is not known.";
    /// No such thing, or it is another store's.
    NotFound = "NOT_FOUND", NOT_FOUND, "There is nothing here.";
    /// The path is known, the method is not.
    MethodNotAllowed = "METHOD_NOT_ALLOWED", METHOD_NOT_ALLOWED, "The method is not known here.";
    /// The role may not do this, or the request came from another site.
    Forbidden = "FORBIDDEN", FORBIDDEN, "This is not yours to do.";
    /// No session, or it ended.
    SignedOut = "SIGNED_OUT", UNAUTHORIZED, "Nobody is signed in.";
    /// The stream's ticket opens nothing.
    InvalidTicket = "INVALID_TICKET", UNAUTHORIZED, "The ticket is not valid.";
    /// The PIN is not the one.
    WrongPin = "WRONG_PIN", UNAUTHORIZED, "The PIN is wrong.";
    /// The state does not allow this step.
    InvalidTransition = "INVALID_TRANSITION", CONFLICT, "It has already moved on.";
    /// It cannot be ordered.
    SoldOut = "SOLD_OUT", CONFLICT, "It is sold out.";
    /// Not enough is left.
    InsufficientStock = "INSUFFICIENT_STOCK", CONFLICT, "Not enough is left.";
    /// The party has left.
    PartyCleared = "PARTY_CLEARED", CONFLICT, "The party has been cleared.";
    /// The table has a party.
    TableOccupied = "TABLE_OCCUPIED", CONFLICT, "The table is occupied.";
    /// Something is to be paid first.
    UnpaidOrders = "UNPAID_ORDERS", CONFLICT, "There are unpaid orders.";
    /// It changed meanwhile.
    VersionConflict = "VERSION_CONFLICT", CONFLICT, "It changed meanwhile.";
    /// Somebody holds it.
    StockHeld = "STOCK_HELD", CONFLICT, "It is being held.";
    /// It is confirmed already.
    AlreadyConfirmed = "ALREADY_CONFIRMED", CONFLICT, "It is already confirmed.";
    /// Guests do not seat themselves here.
    GuestSeatingOff = "GUEST_SEATING_OFF", CONFLICT, "Please ask the staff for a table.";
    /// The option is not one of the item's.
    OptionNotInItem = "OPTION_NOT_IN_ITEM", UNPROCESSABLE_ENTITY, "The item has no such option.";
    /// A limit on streams.
    TooManyStreams = "TOO_MANY_STREAMS", TOO_MANY_REQUESTS, "There are too many streams.";
    /// The same call again, too soon.
    CallCooldown = "CALL_COOLDOWN", TOO_MANY_REQUESTS, "Somebody was just called.";
    /// The next attempt is not looked at yet.
    TooManyAttempts = "TOO_MANY_ATTEMPTS", TOO_MANY_REQUESTS, "There were too many attempts.";
    /// A command without its key.
    IdempotencyKeyRequired = "IDEMPOTENCY_KEY_REQUIRED", UNPROCESSABLE_ENTITY, "The request needs an Idempotency-Key.";
    /// The key was used for something else.
    IdempotencyKeyReused = "IDEMPOTENCY_KEY_REUSED", UNPROCESSABLE_ENTITY, "The Idempotency-Key was used for something else.";
    /// More than the limit.
    BodyTooLarge = "BODY_TOO_LARGE", PAYLOAD_TOO_LARGE, "The request is too large.";
    /// Not answered in time, or not reachable; asking again may help.
    Unavailable = "UNAVAILABLE", SERVICE_UNAVAILABLE, "The server cannot do that at the moment.";
    /// A mistake of the server; it is in its log.
    Internal = "INTERNAL", INTERNAL_SERVER_ERROR, "The server made a mistake.";
}

/// One field that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldError {
    /// Where it stands: `lines[0].quantity`; empty for the whole.
    pub field: String,
    /// What is wrong, for programs.
    pub code: String,
    /// What is wrong, for people.
    pub message: String,
}

/// A refusal. Build it from a [`Code`]; it is its own response.
#[derive(Clone, Debug)]
pub struct Problem {
    code: Code,
    detail: Option<String>,
    errors: Vec<FieldError>,
    retry_after: Option<Duration>,
    members: Map<String, Value>,
}

impl From<Code> for Problem {
    fn from(code: Code) -> Self {
        Self {
            code,
            detail: None,
            errors: Vec::new(),
            retry_after: None,
            members: Map::new(),
        }
    }
}

impl Problem {
    /// With words about this very case. Never internals.
    #[must_use]
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self {
            detail: Some(detail.into()),
            ..Self::from(code)
        }
    }

    /// An input that is not valid in one field.
    #[must_use]
    pub fn field(code: Code, field: &str, error: &str, message: &str) -> Self {
        Self::new(code, message).error(field, error, message)
    }

    /// Adds a field that is not as it should be.
    #[must_use]
    pub fn error(mut self, field: &str, code: &str, message: &str) -> Self {
        self.errors.push(FieldError {
            field: field.to_owned(),
            code: code.to_owned(),
            message: message.to_owned(),
        });
        self
    }

    /// Adds a member, such as the current `orders` of a conflict.
    #[must_use]
    pub fn with(mut self, member: &str, value: Value) -> Self {
        self.members.insert(member.to_owned(), value);
        self
    }

    /// Says when to ask again; sent in whole seconds, rounded up.
    #[must_use]
    pub fn retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = (!wait.is_zero()).then_some(wait);
        self
    }

    /// Its code.
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }

    /// Its status.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.code.status()
    }

    /// The JSON of its response.
    #[must_use]
    pub fn body(&self) -> Value {
        let mut body = self.members.clone();
        let title = self.code.title();
        body.insert("code".into(), json!(self.code.name()));
        body.insert("title".into(), json!(title));
        body.insert("status".into(), json!(self.status().as_u16()));
        body.insert(
            "detail".into(),
            json!(self.detail.as_deref().unwrap_or(title)),
        );
        if !self.errors.is_empty() {
            body.insert("errors".into(), json!(self.errors));
        }
        Value::Object(body)
    }
}

/// The media type of a problem.
pub const PROBLEM_JSON: HeaderValue = HeaderValue::from_static("application/problem+json");

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = self.body().to_string();
        let mut response = (self.status(), [(CONTENT_TYPE, PROBLEM_JSON)], body).into_response();
        if let Some(wait) = self.retry_after {
            let seconds = wait.as_millis().div_ceil(1_000);
            if let Ok(value) = HeaderValue::from_str(&seconds.to_string()) {
                response.headers_mut().insert(RETRY_AFTER, value);
            }
        }
        response
    }
}

impl From<DbError> for Problem {
    /// Logged here, where it is handled; the client learns that there is a fault, not which.
    fn from(error: DbError) -> Self {
        let cause: &dyn std::error::Error = &error;
        match error {
            DbError::Unavailable(_) => {
                tracing::warn!(error = cause, "the database does not answer");
                Self::from(Code::Unavailable)
            }
            DbError::Constraint { .. }
            | DbError::Decode(_)
            | DbError::Statement(_)
            | DbError::Migration(_)
            | DbError::Url { .. } => {
                tracing::error!(error = cause, "the database refused");
                Self::from(Code::Internal)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_tells_code_status_title_and_what_is_current() {
        let problem = Problem::from(Code::InvalidTransition).with("orders", json!([1]));
        assert_eq!(
            problem.body(),
            json!({
                "code": "INVALID_TRANSITION",
                "title": "It has already moved on.",
                "detail": "It has already moved on.",
                "status": 409,
                "orders": [1],
            })
        );
    }

    #[test]
    fn a_wait_is_told_in_whole_seconds_rounded_up() {
        let problem =
            Problem::from(Code::TooManyAttempts).retry_after(Duration::from_millis(1_001));
        let response = problem.into_response();
        assert_eq!(response.status(), 429);
        assert_eq!(response.headers()[RETRY_AFTER], "2");
        assert_eq!(response.headers()[CONTENT_TYPE], "application/problem+json");
    }

    #[test]
    fn no_two_codes_have_one_name() {
        let mut names: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Code::ALL.len());
    }
}

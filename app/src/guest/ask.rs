//! One request of a phone, and what its answer means.

use domain::guest::session::NoToken;
use domain::guest::{GuestCall, GuestEntity, GuestOrder};
use domain::menu::MenuItem;
use serde::Deserialize;
use wasm_bindgen_futures::spawn_local;

use crate::api::{Answer, Method, Problem, request_with};

/// What is done with an answer.
pub type Answered = Box<dyn FnOnce(Result<Answer, Problem>)>;

/// A request of a phone.
pub struct Ask {
    /// Whether it reads or commands.
    pub method: Method,
    /// Its address.
    pub path: String,
    /// Its JSON.
    pub body: Option<String>,
    /// Of the party, once joined.
    pub token: Option<String>,
    /// Makes a command safe to repeat.
    pub key: Option<String>,
}

impl Ask {
    /// Sends it; `answered` is called later, never at once.
    pub fn send(self, answered: Answered) {
        let Self {
            method,
            path,
            body,
            token,
            key,
        } = self;
        let bearer = token.map(|token| ["Bearer ", &token].concat());
        spawn_local(async move {
            let bearer = bearer.as_deref().map(|bearer| ("authorization", bearer));
            let key = key.as_deref().map(|key| ("idempotency-key", key));
            let headers: Vec<(&str, &str)> = bearer.into_iter().chain(key).collect();
            answered(request_with(method, &path, body, &headers).await);
        });
    }
}

/// Whether the answer says that the party has left.
#[must_use]
pub fn is_over(answer: &Answer) -> bool {
    answer.status == 401 || (answer.status == 409 && Problem::of(answer).code == "PARTY_CLEARED")
}

/// Why there is no token.
#[must_use]
pub fn no_token(problem: &Problem) -> NoToken {
    match (problem.status, problem.code.as_str()) {
        (404, _) => NoToken::NoTable,
        (_, "GUEST_SEATING_OFF") => NoToken::AskStaff,
        _ => NoToken::Failed(i64::from(problem.retry_after.unwrap_or(0)) * 1_000),
    }
}

/// What a command changed; a refusal has the current ones too.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Changed {
    orders: Vec<GuestOrder>,
    calls: Vec<GuestCall>,
    items: Vec<MenuItem>,
}

impl Changed {
    /// One by one.
    #[must_use]
    pub fn entities(self) -> Vec<GuestEntity> {
        let items = self.items.into_iter().map(Box::new);
        self.orders
            .into_iter()
            .map(GuestEntity::Order)
            .chain(self.calls.into_iter().map(GuestEntity::Call))
            .chain(items.map(GuestEntity::Item))
            .collect()
    }
}

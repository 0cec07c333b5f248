//! What a phone keeps of its party: the token, and under the party's own names the cart and the
//! order on its way. Other guests at the same table never see any of it.

use domain::guest::GuestJoined;

use crate::api::json;
use crate::browser::device;
use crate::ordering::draft::{self, Draft};
use crate::ordering::unsent::{self, Unsent};

/// Where a party's things are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keep {
    code: String,
    party: String,
}

fn token_name(code: &str) -> String {
    ["jumun_guest:", code].concat()
}

/// The token that this phone has for the table of that code.
#[must_use]
pub fn token(code: &str) -> Option<GuestJoined> {
    let text = device::recall(&token_name(code))?;
    json::read(&text)
}

/// Keeps a new token.
pub fn keep_token(code: &str, joined: &GuestJoined) {
    // Plain data always serializes.
    let text = serde_json::to_string(joined).unwrap_or_default();
    device::keep(&token_name(code), &text);
}

/// The party is over: nothing of it stays. The token of another party that has joined since, on
/// another page of this phone, does.
pub fn forget(code: &str, joined: &GuestJoined) {
    if token(code).is_none_or(|kept| kept == *joined) {
        device::forget(&token_name(code));
    }
    let keep = Keep::of(code, joined);
    draft::keep(&keep.draft_name(), &Draft::default());
    if let Some(unsent) = keep.unsent() {
        keep.forget_unsent(&unsent.key);
    }
}

impl Keep {
    /// Of the party of this token.
    #[must_use]
    pub fn of(code: &str, joined: &GuestJoined) -> Self {
        Self {
            code: code.to_owned(),
            party: joined.party_id.to_string(),
        }
    }

    fn name(&self) -> String {
        ["guest:", &self.code, ":", &self.party].concat()
    }

    /// Whose they are.
    #[must_use]
    pub fn party(&self) -> &str {
        &self.party
    }

    /// The name of the cart on the device.
    #[must_use]
    pub fn draft_name(&self) -> String {
        ["jumun_cart:", &self.name()].concat()
    }

    /// The cart and its note.
    #[must_use]
    pub fn draft(&self) -> Draft {
        draft::recall(&self.draft_name())
    }

    /// Keeps the cart and its note.
    pub fn keep_draft(&self, draft: &Draft) {
        draft::keep(&self.draft_name(), draft);
    }

    /// The order that has no answer yet.
    #[must_use]
    pub fn unsent(&self) -> Option<Unsent> {
        unsent::recall(&self.name())
    }

    /// Keeps an order with its key, before it is sent.
    pub fn keep_unsent(&self, unsent: &Unsent) {
        unsent::keep(&self.name(), unsent);
    }

    /// The order of that key has an answer.
    pub fn forget_unsent(&self, key: &str) {
        unsent::forget(&self.name(), key);
    }
}

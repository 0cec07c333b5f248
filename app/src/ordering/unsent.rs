//! An order on its way. It is kept on the device together with its key before it is sent: when
//! the answer is lost and the page is loaded again, it is sent again with the same key, and the
//! server does it once.

use domain::time::Time;
use serde::{Deserialize, Serialize};

use crate::api::json;
use crate::browser::device;

/// A request that has no answer yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unsent {
    /// The key of the press.
    pub key: String,
    /// Below the store's address.
    pub path: String,
    /// The JSON of the request.
    pub body: String,
    /// The draft it was made of, by its name on the device.
    pub draft: String,
    /// Who pressed: the key is theirs, and nobody else sends it again.
    pub who: String,
    /// When it was pressed.
    pub at: Time,
}

/// Sent again by another page within this time, in milliseconds. Later nobody knows what has
/// happened at the table meanwhile: people look, and decide.
const FRESH_MS: i64 = 10 * 60 * 1_000;

impl Unsent {
    /// Whether it may be sent again without asking.
    #[must_use]
    pub fn is_fresh(&self, now: Time) -> bool {
        (0..FRESH_MS).contains(&now.0.saturating_sub(self.at.0))
    }
}

fn address(name: &str) -> String {
    ["jumun_unsent:", name].concat()
}

/// Keeps it under a name, before it is sent.
pub fn keep(name: &str, unsent: &Unsent) {
    // Plain data always serializes.
    let text = serde_json::to_string(unsent).unwrap_or_default();
    device::keep(&address(name), &text);
}

/// What an earlier page did not finish.
#[must_use]
pub fn recall(name: &str) -> Option<Unsent> {
    let text = device::recall(&address(name))?;
    json::read(&text)
}

/// It has an answer. Another one that was kept meanwhile, in another tab, stays.
pub fn forget(name: &str, key: &str) {
    if recall(name).is_some_and(|kept| kept.key == key) {
        device::forget(&address(name));
    }
}

mod tests {
    #![cfg(test)]

    use super::*;

    #[test]
    fn only_a_fresh_order_is_sent_again_unasked() {
        let unsent = Unsent {
            key: "k".to_owned(),
            path: "/hall/orders".to_owned(),
            body: "{}".to_owned(),
            draft: "d".to_owned(),
            who: "w".to_owned(),
            at: Time(1_000_000),
        };
        let fresh = |ms: i64| unsent.is_fresh(Time(1_000_000 + ms));
        assert!(fresh(0) && fresh(FRESH_MS - 1));
        assert!(!fresh(FRESH_MS), "nobody knows what happened meanwhile");
        assert!(!fresh(-1), "a clock that was set back");
    }
}

//! An order on its way. It is kept on the device together with its key before it is sent: when
//! the answer is lost and the page is loaded again, it is sent again with the same key, and the
//! server does it once.

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
}

fn name(store_code: &str) -> String {
    ["jumun_unsent:", store_code].concat()
}

/// Keeps it, before it is sent.
pub fn keep(store_code: &str, unsent: &Unsent) {
    // Plain data always serializes.
    let text = serde_json::to_string(unsent).unwrap_or_default();
    device::keep(&name(store_code), &text);
}

/// What an earlier page did not finish.
#[must_use]
pub fn recall(store_code: &str) -> Option<Unsent> {
    let text = device::recall(&name(store_code))?;
    json::read(&text)
}

/// It has an answer.
pub fn forget(store_code: &str) {
    device::forget(&name(store_code));
}

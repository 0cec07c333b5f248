//! What somebody has put together for one place and not sent: it survives closing and reload.

use serde::{Deserialize, Serialize};

use crate::api::json;
use crate::browser::device;
use crate::entry::Cart;

/// The cart and the note of the order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// The lines.
    pub cart: Cart,
    /// For the whole order.
    pub note: String,
}

impl Draft {
    /// Nothing is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cart.is_empty() && self.note.is_empty()
    }
}

/// Keeps a draft under its name; an empty one is forgotten.
pub fn keep(name: &str, draft: &Draft) {
    if draft.is_empty() {
        device::forget(name);
        return;
    }
    // Plain data always serializes.
    device::keep(name, &serde_json::to_string(draft).unwrap_or_default());
}

/// The draft of that name, or an empty one.
#[must_use]
pub fn recall(name: &str) -> Draft {
    let text = device::recall(name);
    text.and_then(|text| json::read(&text)).unwrap_or_default()
}

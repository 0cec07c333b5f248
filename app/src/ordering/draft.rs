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

impl Draft {
    /// Both in one: lines that are alike count up, the later note stands.
    #[must_use]
    pub fn with(mut self, other: Self) -> Self {
        for line in other.cart.lines() {
            // A cart that is full takes no more; what is in it stays.
            let _fits = self.cart.add(line.clone());
        }
        if !other.note.is_empty() {
            self.note = other.note;
        }
        self
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

mod tests {
    #![cfg(test)]

    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    fn draft(item: u128, quantity: u32, note: &str) -> Draft {
        serde_json::from_value(json!({
            "cart": [{"menuId": Uuid::from_u128(item), "quantity": quantity, "optionIds": [],
                "note": "", "allergy": "", "name": {"ko": "국밥"}}],
            "note": note,
        }))
        .unwrap()
    }

    #[test]
    fn a_cart_that_moves_to_another_table_joins_what_waits_there() {
        let together = draft(1, 1, "창가")
            .with(draft(1, 2, ""))
            .with(draft(2, 1, "초"));
        let counts: Vec<u32> = together.cart.lines().iter().map(|l| l.quantity).collect();
        assert_eq!((counts, together.note.as_str()), (vec![3, 1], "초"));
    }
}

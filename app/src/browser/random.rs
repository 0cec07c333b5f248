//! Randomness: keys of commands, names of connections, seeds of delays.

use leptos::prelude::window;
use uuid::{Builder, Uuid};

fn fill(bytes: &mut [u8]) {
    // `getRandomValues`, not `randomUUID`: that one is missing on a plain-HTTP address of the
    // local network, where many restaurants run.
    let drawn = window()
        .crypto()
        .and_then(|crypto| crypto.get_random_values_with_u8_array(bytes).map(|_| ()));
    if drawn.is_err() {
        bytes.fill_with(|| (js_sys::Math::random() * 256.0) as u8);
    }
}

/// A random UUID.
#[must_use]
pub fn uuid() -> Uuid {
    let mut bytes = [0; 16];
    fill(&mut bytes);
    Builder::from_random_bytes(bytes).into_uuid()
}

/// A random number.
#[must_use]
pub fn seed() -> u64 {
    let mut bytes = [0; 8];
    fill(&mut bytes);
    u64::from_le_bytes(bytes)
}

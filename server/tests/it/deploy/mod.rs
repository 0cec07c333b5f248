//! What lies in `deploy/` says what the server understands, and does what it says.

mod compose;
mod front;
mod metrics;

use std::path::PathBuf;

/// A file of the repository.
fn file(name: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    std::fs::read_to_string(root.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

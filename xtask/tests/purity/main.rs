//! The arrows of the house, held by reading the manifests and the sources:
//! `domain ← app ← {server, frontend}`, `domain ← server`; inside `server` only downwards; the
//! domain without clock, I/O and randomness; the screens without `#[cfg(`.
//!
//! Each check is a function from text to the list of what is wrong, and each has a test that
//! shows it can find something.

mod crates;
mod layers;
mod source;
mod words;

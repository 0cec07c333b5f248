//! The Wasm entry: hydrate and nothing else.

//! The Wasm entry: hydrate and nothing else.

#![cfg(target_arch = "wasm32")]

use wasm_bindgen::prelude::wasm_bindgen;

/// Called by the boot script once the module is ready.
#[wasm_bindgen]
pub fn hydrate() {
    app::install_panic_hook();
    leptos::mount::hydrate_body(app::App);
}

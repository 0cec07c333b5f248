//! The Wasm entry: hydrate and nothing else. Built once for each part of the client; what no page of
//! the part calls, the linker leaves out.

#![cfg(target_arch = "wasm32")]

#[cfg(feature = "floor")]
use app::FLOOR as PART;
#[cfg(feature = "guest")]
use app::GUEST as PART;
#[cfg(feature = "house")]
use app::HOUSE as PART;
use wasm_bindgen::prelude::wasm_bindgen;

/// Called by the boot script once the module is ready.
#[wasm_bindgen]
pub fn hydrate() {
    app::install_panic_hook();
    leptos::mount::hydrate_body(|| app::view(&PART));
}

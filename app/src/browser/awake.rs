//! Keeps the screen on while the page is seen.

use js_sys::{Function, Promise, Reflect};
use leptos::prelude::window;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// Asks for the lock. The browser takes it back when the page is hidden, so it is asked for
/// again on each return. By reflection: on plain HTTP the browser has no such thing.
pub fn stay_awake() {
    let asked = || {
        let lock = Reflect::get(&window().navigator(), &"wakeLock".into()).ok()?;
        let request = Reflect::get(&lock, &"request".into()).ok()?;
        let request: Function = request.dyn_into().ok()?;
        let promise: Promise = request
            .call1(&lock, &JsValue::from_str("screen"))
            .ok()?
            .dyn_into()
            .ok()?;
        Some(promise)
    };
    if let Some(promise) = asked() {
        // Refused on low battery: the screen sleeps, nothing is lost.
        spawn_local(async move { drop(JsFuture::from(promise).await) });
    }
}

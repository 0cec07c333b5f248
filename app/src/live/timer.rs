//! The device's clock and its timers.

use std::cell::Cell;

use domain::time::Time;
use js_sys::{Date, Promise};
use leptos::prelude::window;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use wasm_bindgen_futures::JsFuture;

/// The device's clock.
pub fn now() -> Time {
    // Milliseconds of a date fit.
    Time(Date::now() as i64)
}

/// Fires once, unless it is dropped before.
pub struct Timer {
    handle: Option<i32>,
    _fired: Closure<dyn FnMut()>,
}

impl Timer {
    /// Fires at that time.
    pub fn at(time: Time, fire: impl FnOnce() + 'static) -> Self {
        let delay = time.since(now()).min(i64::from(i32::MAX));
        let fire = Cell::new(Some(fire));
        let fired = Closure::<dyn FnMut()>::new(move || {
            // Later, so that the timer may be replaced, and this closure dropped, by what it does.
            if let Some(fire) = fire.take() {
                wasm_bindgen_futures::spawn_local(async move { fire() });
            }
        });
        let handle = window().set_timeout_with_callback_and_timeout_and_arguments_0(
            fired.as_ref().unchecked_ref(),
            i32::try_from(delay).unwrap_or(i32::MAX),
        );
        Self {
            handle: handle.ok(),
            _fired: fired,
        }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        if let Some(handle) = self.handle {
            window().clear_timeout_with_handle(handle);
        }
    }
}

/// Waits.
pub async fn sleep(ms: i32) {
    let promise = Promise::new(&mut |resolve, _| {
        // A browser that refuses a timer refuses everything else too.
        let timer = window().set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, ms);
        drop(timer);
    });
    drop(JsFuture::from(promise).await);
}

//! Signs that the page may have slept: back online, focused, visible, out of the page cache.

use leptos::prelude::{document, window};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Event, VisibilityState};

const OF_WINDOW: [&str; 3] = ["online", "focus", "pageshow"];
const OF_DOCUMENT: &str = "visibilitychange";

/// Listens as long as it lives.
pub struct Resume {
    woke: Closure<dyn FnMut(Event)>,
}

impl Resume {
    /// Calls `on_resume` at each sign, while the page is seen.
    pub fn listen(on_resume: impl Fn() + 'static) -> Self {
        let woke = Closure::<dyn FnMut(Event)>::new(move |_| {
            if document().visibility_state() == VisibilityState::Visible {
                on_resume();
            }
        });
        let listener = woke.as_ref().unchecked_ref();
        for name in OF_WINDOW {
            // Refused only for a null listener.
            window()
                .add_event_listener_with_callback(name, listener)
                .unwrap_or_default();
        }
        document()
            .add_event_listener_with_callback(OF_DOCUMENT, listener)
            .unwrap_or_default();
        Self { woke }
    }
}

impl Drop for Resume {
    fn drop(&mut self) {
        let listener = self.woke.as_ref().unchecked_ref();
        for name in OF_WINDOW {
            window()
                .remove_event_listener_with_callback(name, listener)
                .unwrap_or_default();
        }
        document()
            .remove_event_listener_with_callback(OF_DOCUMENT, listener)
            .unwrap_or_default();
    }
}

//! A panic ends the client: WebAssembly cannot go on after it. The page says so and loads
//! itself again; the third time within ten minutes it asks for staff instead (trial C52).

use js_sys::{Date, Function, Reflect};
use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast, JsValue};

use super::device;
use crate::i18n;

const RELOAD_AFTER_MS: i32 = 3_000;
const WINDOW_MS: f64 = 600_000.0;
const MOST_RELOADS: usize = 3;
const KEPT_AS: &str = "jumun_panics";

/// Takes over the panic hook.
pub fn install() {
    std::panic::set_hook(Box::new(|info| {
        web_sys::console::error_1(&JsValue::from_str(&info.to_string()));
        last_words();
    }));
}

fn last_words() {
    let messages = i18n::of(device::page_language().unwrap_or_default());
    let recent = recent_panics(Date::now());
    let again = recent.len() <= MOST_RELOADS;
    let words = if again {
        messages.common.restarting
    } else {
        messages.common.call_staff
    };
    if let Some(body) = document().body() {
        body.set_class_name("last-words");
        body.set_attribute("role", "alert").unwrap_or_default();
        body.set_text_content(Some(words));
    }
    if again {
        reload_later();
    }
}

/// The panics of the last ten minutes, this one included, kept for the next page.
fn recent_panics(now: f64) -> Vec<String> {
    let kept = device::recall(KEPT_AS).unwrap_or_default();
    let young = |time: &&str| time.parse::<f64>().is_ok_and(|time| now - time < WINDOW_MS);
    let mut recent: Vec<String> = kept.split(' ').filter(young).map(str::to_owned).collect();
    recent.push(now.to_string());
    device::keep(KEPT_AS, &recent.join(" "));
    recent
}

/// By the browser's own function: nothing of this client runs again.
fn reload_later() {
    let location = window().location();
    let reload = Reflect::get(&location, &JsValue::from_str("reload"));
    if let Some(reload) = reload
        .ok()
        .and_then(|reload| reload.dyn_into::<Function>().ok())
    {
        let bound = reload.bind0(&location);
        // Without a timer the words stay, and staff reloads by hand.
        window()
            .set_timeout_with_callback_and_timeout_and_arguments_0(&bound, RELOAD_AFTER_MS)
            .unwrap_or_default();
    }
}

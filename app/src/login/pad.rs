//! The right side: the PIN.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use super::state::{Hint, LEAST_DIGITS, LoginState};
use crate::ui::{Erase, Icon, icon, varying};

/// Dots, keys, and what went wrong.
#[component]
pub fn Pad() -> impl IntoView {
    let state: LoginState = expect_context();
    let words = &state.messages.login;
    let whose = move || {
        state.chosen.with(|chosen| match chosen {
            Some(tile) => words.pin_of.with(&[&tile.name]),
            None => words.choose.to_owned(),
        })
    };
    let digits = move || state.pin.with(String::len);
    let dots = move || {
        let filled = digits();
        let dot = |at: usize| view! { <i class:filled=at < filled></i> };
        (0..filled.max(LEAST_DIGITS)).map(dot).collect_view()
    };
    let shut = move || !state.accepts();
    view! {
        <section class="pad" id="pad">
            <p class="whose" dir="auto">{whose}</p>
            <div class="dots" role="img" aria-label=move || words.digits.with(&[&digits().to_string()])>
                {dots}
            </div>
            <div class="keys">
                {"123456789".chars().map(|digit| key_button(state, digit)).collect_view()}
                <button class="word" type="button" disabled=shut on:click=move |_| state.clear()>
                    {words.clear}
                </button>
                {key_button(state, '0')}
                <button
                    type="button"
                    disabled=shut
                    aria-label=words.backspace
                    on:click=move |_| state.backspace()
                >
                    {icon(Icon::Backspace)}
                </button>
            </div>
            <button
                class="primary"
                type="button"
                disabled=varying(move || shut() || digits() < LEAST_DIGITS)
                on:click=move |_| state.submit()
            >
                {words.enter}
            </button>
            <p class="hint" role="alert" class:error=move || is_error(state.hint.get())>
                {varying(move || hint(state))}
            </p>
        </section>
    }
    .erased()
}

fn key_button(state: LoginState, digit: char) -> AnyView {
    view! {
        <button type="button" disabled=move || !state.accepts() on:click=move |_| state.digit(digit)>
            {digit.to_string()}
        </button>
    }
    .erased()
}

fn is_error(hint: Hint) -> bool {
    match hint {
        Hint::Wrong | Hint::TooMany | Hint::Unreachable => true,
        Hint::None | Hint::Checking => false,
    }
}

fn hint(state: LoginState) -> String {
    let words = &state.messages.login;
    let seconds = state.wait.get();
    match (state.hint.get(), seconds) {
        (Hint::None, _) | (Hint::TooMany, 0) => String::new(),
        (Hint::Wrong, 0) => words.wrong.to_owned(),
        (Hint::Wrong, _) => words.wrong_wait.with(&[&seconds.to_string()]),
        (Hint::TooMany, _) => words.wait.with(&[&seconds.to_string()]),
        (Hint::Checking, _) => words.signing_in.to_owned(),
        (Hint::Unreachable, _) => state.messages.problems.unreachable.to_owned(),
    }
}

/// Digits, Backspace and Enter of a keyboard.
pub fn key(state: LoginState, event: &KeyboardEvent) {
    let target = event.target();
    let in_field = target.is_some_and(|target| target.dyn_ref::<HtmlInputElement>().is_some());
    if in_field || event.ctrl_key() || event.meta_key() || event.alt_key() {
        return;
    }
    let chosen = state.chosen.with_untracked(Option::is_some);
    match event.key().as_str() {
        "Backspace" => state.backspace(),
        "Enter" if chosen && state.pin.with_untracked(|pin| !pin.is_empty()) => {
            // Not also a press of the tile or key that has the focus.
            event.prevent_default();
            state.submit();
        }
        key => {
            if let Some(digit) = key.chars().next().filter(char::is_ascii_digit)
                && key.len() == 1
            {
                state.digit(digit);
            }
        }
    }
}

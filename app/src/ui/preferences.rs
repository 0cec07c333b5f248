//! Choices of this device that every screen has: language and theme.

use domain::text::Language;
use leptos::prelude::*;

use super::Erase;

use crate::browser::device::{self, Theme};
use crate::i18n;

/// Language and theme. A choice loads the page again, rendered as chosen.
#[component]
pub fn Preferences() -> impl IntoView {
    let messages = i18n::messages();
    let language = |language: Language, name: &'static str, messages: &i18n::Messages| {
        let chosen = messages.language == language;
        view! {
            <button
                class="choice"
                type="button"
                lang=i18n::code(language)
                aria-pressed=chosen.to_string()
                on:click=move |_| {
                    device::choose_language(language);
                    device::reload();
                }
            >
                {name}
            </button>
        }
    };
    let theme = |theme: Theme, name: &'static str| {
        view! {
            <button
                class="choice"
                type="button"
                on:click=move |_| {
                    device::choose_theme(theme);
                    device::reload();
                }
            >
                {name}
            </button>
        }
    };
    view! {
        <div class="setting">
            <h3>{messages.common.language}</h3>
            <div class="choices">
                {language(Language::Ko, "한국어", messages)}
                {language(Language::En, "English", messages)}
            </div>
        </div>
        <div class="setting">
            <h3>{messages.common.theme}</h3>
            <div class="choices">
                {theme(Theme::Dark, messages.common.dark)} {theme(Theme::Light, messages.common.light)}
            </div>
        </div>
    }
    .erased()
}

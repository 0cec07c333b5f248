//! The login page.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::i18n;

/// Store code, staff tiles, PIN pad.
#[component]
pub fn LoginPage() -> impl IntoView {
    let messages = i18n::messages();
    view! {
        <Title text=messages.login.title />
        <main class="login"><h1>{messages.login.title}</h1></main>
    }
}

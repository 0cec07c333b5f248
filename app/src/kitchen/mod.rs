//! The kitchen display.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::i18n;

/// The board of a store's kitchen.
#[component]
pub fn KitchenPage() -> impl IntoView {
    let messages = i18n::messages();
    view! {
        <Title text=messages.kitchen.title />
        <main class="kitchen"><h1>{messages.kitchen.title}</h1></main>
    }
}

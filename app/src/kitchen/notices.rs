//! Bars that say what a cook must know: offline, locked sound, a new version, an undo.

use domain::bridge::Link;
use leptos::prelude::*;

use super::store::Kitchen;
use crate::browser::device;
use crate::ui::age;

/// The bars below the top bar.
#[component]
pub fn Notices() -> impl IntoView {
    let kitchen: Kitchen = expect_context();
    let messages = kitchen.messages;
    let offline = Memo::new(move |_| kitchen.status.with(|status| status.link == Link::Offline));
    let newer = Memo::new(move |_| kitchen.status.with(|status| status.new_version));
    let words = move || {
        let age = age(messages, kitchen.status.with(|status| status.age_ms));
        messages.status.offline_bar.with(&[&age])
    };
    view! {
        <Show when=move || offline.get()>
            <p class="notice offline" role="alert">
                {words}
            </p>
        </Show>
        <Show when=move || kitchen.sounds.locked.get()>
            <button class="notice unlock" type="button" on:click=move |_| kitchen.sounds.unlock()>
                {messages.kitchen.sound_locked}
            </button>
        </Show>
        <Show when=move || newer.get()>
            <p class="notice newer" role="status">
                {messages.common.new_version}
                <button type="button" on:click=|_| device::reload()>
                    {messages.common.reload}
                </button>
            </p>
        </Show>
    }
    .into_any()
}

/// Five seconds to take an advance back.
#[component]
pub fn UndoBar() -> impl IntoView {
    let kitchen: Kitchen = expect_context();
    let undo = move || {
        kitchen.undo.get().map(|undo| {
            view! {
                <div class="undo">
                    <span dir="auto">{undo.words}</span>
                    <button type="button" on:click=move |_| kitchen.take_back()>
                        {kitchen.messages.common.undo}
                    </button>
                </div>
            }
            .into_any()
        })
    };
    view! {
        <div class="undo-place" role="status">
            {undo}
        </div>
    }
    .into_any()
}

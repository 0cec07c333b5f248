//! Bars that say what a cook must know: offline, locked sound, a new version, an undo.

use domain::bridge::Link;
use leptos::prelude::*;

use super::store::Kitchen;
use crate::browser::device;
use crate::ui::{Erase, age, when};

/// The bars below the top bar.
#[component]
pub fn Notices() -> impl IntoView {
    let kitchen: Kitchen = expect_context();
    let messages = kitchen.messages;
    let words = move || {
        let age = age(messages, kitchen.status.with(|status| status.age_ms));
        messages.status.offline_bar.with(&[&age])
    };
    let offline_bar = move || view! { <p class="notice offline" role="alert">{words}</p> }.fresh();
    let unlock_bar = move || {
        view! {
            <button class="notice unlock" type="button" on:click=move |_| kitchen.sounds.unlock()>
                {messages.kitchen.sound_locked}
            </button>
        }
        .fresh()
    };
    let newer_bar = move || {
        view! {
            <p class="notice newer" role="status">
                {messages.common.new_version}
                <button type="button" on:click=|_| device::reload()>
                    {messages.common.reload}
                </button>
            </p>
        }
        .fresh()
    };
    let bars = [
        when(
            move || kitchen.status.with(|status| status.link == Link::Offline),
            offline_bar,
        ),
        when(move || kitchen.sounds.locked.get(), unlock_bar),
        when(
            move || kitchen.status.with(|status| status.new_version),
            newer_bar,
        ),
    ];
    bars.into_iter().collect_view().erased()
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
            .fresh()
        })
    };
    view! {
        <div class="undo-place" role="status">
            {undo}
        </div>
    }
    .erased()
}

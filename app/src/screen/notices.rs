//! Bars that say what everybody must know: offline, a new version, an undo.

use domain::bridge::Link;
use leptos::prelude::*;

use super::Screen;
use crate::browser::device;
use crate::ui::{Erase, age, when};

/// The bars below the top bar.
pub fn notices(screen: Screen) -> AnyView {
    let messages = screen.messages;
    let words = move || {
        let age = age(messages, screen.status.with(|status| status.age_ms));
        messages.status.offline_bar.with(&[&age])
    };
    let offline_bar = move || view! { <p class="notice offline" role="alert">{words}</p> }.fresh();
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
    let offline = move || screen.status.with(|status| status.link == Link::Offline);
    let newer = move || screen.status.with(|status| status.new_version);
    [when(offline, offline_bar), when(newer, newer_bar)]
        .into_iter()
        .collect_view()
        .erased()
}

/// Five seconds to take a press back.
pub fn undo_bar(screen: Screen) -> AnyView {
    let undo = move || {
        screen.undo.get().map(|undo| {
            view! {
                <div class="undo">
                    <span dir="auto">{undo.words}</span>
                    <button type="button" on:click=move |_| screen.take_back()>
                        {screen.messages.common.undo}
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

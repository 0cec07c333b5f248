//! The top bar: title, counts, tools, who is signed in, the pill and the server's clock.

use leptos::prelude::*;

use super::Screen;
use crate::browser::wall;
use crate::ui::{Erase, Icon, Pill, icon, varying};

/// The top bar.
pub fn bar(screen: Screen, title: AnyView, counts: AnyView, tools: AnyView) -> AnyView {
    let clock = Memo::new(move |_| {
        // The zone comes with the settings.
        screen.settings.track();
        let now = screen.now.get();
        if now.0 == 0 {
            String::new()
        } else {
            wall::text(now)
        }
    });
    let who = move || screen.me.with(|me| me.as_ref().map(|me| me.name.clone()));
    view! {
        <header class="bar">
            <h1 dir="auto">{title}</h1>
            <div class="counts">{counts}</div>
            <nav class="tools">
                {tools}
                <button
                    class="ghost user"
                    type="button"
                    aria-haspopup="dialog"
                    aria-label=screen.messages.common.settings
                    on:click=move |_| screen.settings_open.set(true)
                >
                    <span dir="auto">{who}</span>
                    {icon(Icon::Gear)}
                </button>
            </nav>
            <Pill status=screen.status based=screen.based />
            <b class="clock">{varying(move || clock.get())}</b>
        </header>
    }
    .erased()
}

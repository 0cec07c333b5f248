//! The frame of a staff screen: bar, notices, what the screen shows, undo, messages.

use domain::bridge::Link;
use leptos::prelude::*;

use super::Screen;
use super::bar::bar;
use super::notices::{notices, undo_bar};
use super::settings::settings;
use super::short::unsold_sheet;
use crate::ui::{Contents, Erase, Toaster, varying};

/// A staff screen.
#[component]
pub fn StaffPage(
    /// Its common part.
    screen: Screen,
    /// The class of the page, and of its style sheet.
    class: &'static str,
    /// What the bar says first.
    title: AnyView,
    /// Counts in the bar.
    counts: AnyView,
    /// Buttons in the bar.
    tools: AnyView,
    /// What the screen adds to the settings of this device.
    #[prop(optional)]
    own_settings: Option<fn() -> AnyView>,
    /// Bar below the notices and what the screen shows.
    children: Contents,
) -> impl IntoView {
    let stale = move || screen.status.with(|status| status.link == Link::Offline);
    let open = move || {
        screen
            .settings_open
            .get()
            .then(|| settings(screen, own_settings))
    };
    view! {
        <div class=["staff ", class].concat() class:stale=stale>
            {bar(screen, title, counts, tools)}
            {notices(screen)}
            {children.view()}
            {unsold_sheet(screen)}
            {undo_bar(screen)}
            <Toaster toasts=screen.toasts />
            <p class="spoken" aria-live="polite">
                {varying(move || screen.spoken.get())}
            </p>
            {open}
        </div>
    }
    .erased()
}

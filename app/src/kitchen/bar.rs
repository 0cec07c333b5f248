//! The top bar: station, counts, all-day, recall, sound, the pill and the server's clock.

use leptos::prelude::*;

use super::board::COLUMNS;
use super::store::{Kitchen, Sheet};
use crate::browser::wall;
use crate::ui::{Erase, Icon, Pill, icon};

/// The top bar.
#[component]
pub fn Bar() -> impl IntoView {
    let kitchen: Kitchen = expect_context();
    let words = &kitchen.messages.kitchen;
    let clock = Memo::new(move |_| {
        // The zone comes with the settings.
        kitchen.settings.track();
        let now = kitchen.now.get();
        if now.0 == 0 {
            String::new()
        } else {
            wall::text(now)
        }
    });
    let counts = COLUMNS
        .into_iter()
        .zip(words.columns)
        .map(|(column, name)| {
            let count = move || kitchen.column(column).with(Vec::len);
            view! { <span class="count">{name} <b>{count}</b></span> }
        });
    let recent = move || kitchen.recent.with(Vec::len);
    let bell = move || {
        let (icon_of, name) = if kitchen.sounds.on.get() {
            (Icon::Bell, words.sound_on)
        } else {
            (Icon::BellOff, words.sound_off)
        };
        view! {
            {icon(icon_of)}
            <span class="spoken">{name}</span>
        }
    };
    view! {
        <header class="bar">
            <h1 dir="auto">{move || station_name(kitchen)}</h1>
            <div class="counts">{counts.collect_view()}</div>
            <nav class="tools">
                <button
                    class="ghost"
                    type="button"
                    aria-expanded=move || kitchen.all_day_open.get().to_string()
                    on:click=move |_| kitchen.all_day_open.update(|open| *open = !*open)
                >
                    {words.all_day}
                </button>
                <button
                    class="ghost"
                    type="button"
                    on:click=move |_| kitchen.sheet.set(Some(Sheet::Recall))
                >
                    {words.recall} " " <b>{recent}</b>
                </button>
                <button
                    class="ghost square"
                    type="button"
                    aria-pressed=move || kitchen.sounds.on.get().to_string()
                    on:click=move |_| kitchen.sounds.turn(!kitchen.sounds.on.get_untracked())
                >
                    {bell}
                </button>
                <button
                    class="ghost square"
                    type="button"
                    aria-label=kitchen.messages.common.settings
                    on:click=move |_| kitchen.sheet.set(Some(Sheet::Settings))
                >
                    {icon(Icon::Gear)}
                </button>
            </nav>
            <Pill status=kitchen.status based=kitchen.based />
            <b class="clock">{move || clock.get()}</b>
        </header>
    }
    .erased()
}

/// The station shown, or the kitchen as a whole.
fn station_name(kitchen: Kitchen) -> String {
    let all = kitchen.messages.kitchen.title;
    let Some(station) = kitchen.station.get() else {
        return all.to_owned();
    };
    kitchen.settings.with(|settings| {
        let stations = settings.as_ref().map(|store| &store.stations);
        let found = stations.and_then(|stations| stations.iter().find(|s| s.id == station));
        found
            .map_or(all, |station| station.name.get(kitchen.language()))
            .to_owned()
    })
}

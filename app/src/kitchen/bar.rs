//! What the kitchen has in its bar: station, counts, all-day, recall, sound.

use leptos::prelude::*;

use super::board::COLUMNS;
use super::store::{Kitchen, Sheet};
use crate::ui::{Erase, Icon, icon};

/// How many tickets are in each column.
pub fn counts(kitchen: Kitchen) -> AnyView {
    let each = COLUMNS.into_iter().zip(kitchen.messages.kitchen.columns);
    let counts = each.map(|(column, name)| {
        let count = move || kitchen.column(column).with(Vec::len);
        view! { <span class="count">{name} <b>{count}</b></span> }
    });
    counts.collect_view().erased()
}

/// All-day, recall list, bell.
pub fn tools(kitchen: Kitchen) -> AnyView {
    let words = &kitchen.messages.kitchen;
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
    }
    .erased()
}

/// The station shown, or the kitchen as a whole.
pub fn station_name(kitchen: Kitchen) -> String {
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

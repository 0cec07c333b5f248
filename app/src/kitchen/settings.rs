//! What the kitchen adds to the settings of a device: sound and station.

use domain::id::StationId;
use leptos::prelude::*;

use super::store::Kitchen;
use crate::browser::device;
use crate::ui::Erase;

/// Sound, and which station the board shows.
pub fn own_settings() -> AnyView {
    let kitchen: Kitchen = expect_context();
    let messages = kitchen.messages;
    let sounds = kitchen.sounds;
    view! {
        <div class="setting">
            <h3>{messages.kitchen.sound}</h3>
            <div class="choices">
                {switch(messages.kitchen.sound_on, move || sounds.on.get(), move |on| sounds.turn(on))}
                {switch(
                    messages.kitchen.sound_repeat,
                    move || sounds.repeat.get(),
                    move |on| sounds.turn_repeat(on),
                )}
            </div>
        </div>
        <div class="setting">
            <h3>{messages.kitchen.title}</h3>
            <div class="choices">{stations(kitchen)}</div>
        </div>
    }
    .fresh()
}

fn switch(
    name: &'static str,
    is_on: impl Fn() -> bool + Copy + Send + Sync + 'static,
    turn: impl Fn(bool) + 'static,
) -> AnyView {
    view! {
        <button
            class="choice"
            type="button"
            aria-pressed=move || is_on().to_string()
            on:click=move |_| turn(!untrack(is_on))
        >
            {name}
        </button>
    }
    .fresh()
}

/// All stations, or one: another address, so that a tablet keeps it.
fn stations(kitchen: Kitchen) -> AnyView {
    let shown = kitchen.station.get_untracked();
    let choice = |station: Option<StationId>, name: String| {
        let path = window().location().pathname().unwrap_or_default();
        let address = match station {
            Some(id) => [&path, "?station=", &id.to_string()].concat(),
            None => path,
        };
        view! {
            <button
                class="choice"
                type="button"
                aria-pressed=(station == shown).to_string()
                on:click=move |_| device::go(&address)
            >
                {name}
            </button>
        }
    };
    let language = kitchen.language();
    let settings = kitchen.settings.get_untracked();
    let stations = settings.iter().flat_map(|store| &store.stations);
    let each =
        stations.map(|station| choice(Some(station.id), station.name.get(language).to_owned()));
    let all = choice(None, kitchen.messages.kitchen.all_stations.to_owned());
    std::iter::once(all).chain(each).collect_view().fresh()
}

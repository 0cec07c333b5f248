//! Settings of this device: sound, station, language, theme, signing out.

use domain::id::StationId;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::session;
use super::store::Kitchen;
use crate::api::auth;
use crate::browser::device;
use crate::ui::{Dialog, Erase, Preferences};

/// The settings.
#[component]
pub fn Settings() -> impl IntoView {
    let kitchen: Kitchen = expect_context();
    let messages = kitchen.messages;
    let sounds = kitchen.sounds;
    let close = Callback::new(move |()| kitchen.sheet.set(None));
    let sign_out = move |_| {
        spawn_local(async move {
            match auth::logout().await {
                Ok(()) => session::to_login(),
                Err(problem) => kitchen.toasts.say(problem.words(messages)),
            }
        });
    };
    view! {
        <Dialog title=messages.common.settings close testid="settings">
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
            <Preferences />
            <button class="wide" type="button" on:click=sign_out>
                {messages.common.sign_out}
            </button>
        </Dialog>
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

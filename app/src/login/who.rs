//! The left side: which store, and who.

use crate::ui::{Erase, varying, when};
use leptos::prelude::*;

use super::state::{DEMO_PINS, LoginState};
use crate::api::auth::StaffTile;

/// Store code, tiles, and in the demo store its PINs.
#[component]
pub fn Who() -> impl IntoView {
    let state: LoginState = expect_context();
    let words = &state.messages.login;
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        state.find();
    };
    let people = move || {
        let staff = state.staff.get().into_iter();
        staff.map(|tile| person(state, tile)).collect_view()
    };
    let demo = move || {
        view! {
            <div class="demo">
                <p>{words.demo}</p>
                <ul>{demo_pins(state)}</ul>
            </div>
        }
        .fresh()
    };
    let title = move || {
        let name = state.store_name.get();
        if name.is_empty() {
            words.title.to_owned()
        } else {
            name
        }
    };
    view! {
        <section class="who">
            <h1 dir="auto">{title}</h1>
            <p class="lead">{words.lead}</p>
            <form class="store-code" on:submit=submit>
                <label for="store-code">{words.store_code}</label>
                <input
                    id="store-code"
                    name="store"
                    autocomplete="organization"
                    autocapitalize="none"
                    spellcheck="false"
                    bind:value=state.code
                />
                <button type="submit">{words.find}</button>
            </form>
            <p class="no-staff" role="alert">
                {varying(move || state.no_staff.get())}
            </p>
            <div class="people">
                {people}
            </div>
            {when(move || state.is_demo(), demo)}
        </section>
    }
    .erased()
}

fn person(state: LoginState, tile: StaffTile) -> AnyView {
    let staff = tile.staff.clone();
    let chosen = Memo::new(move |_| {
        state
            .chosen
            .with(|chosen| chosen.as_ref().is_some_and(|chosen| chosen.staff == staff))
    });
    let (name, role) = (tile.name.clone(), state.messages.login.role(tile.role));
    view! {
        <button
            class="person"
            type="button"
            data-staff=tile.staff.clone()
            aria-pressed=varying(move || chosen.get().to_string())
            on:click=move |_| state.choose(tile.clone())
        >
            <b dir="auto">{name}</b>
            <span>{role}</span>
        </button>
    }
    .fresh()
}

fn demo_pins(state: LoginState) -> AnyView {
    let names = DEMO_PINS.into_iter().zip(state.messages.login.roles);
    names
        .map(|((_, pin), role)| view! { <li>{role} " " <b>{pin}</b></li> })
        .collect_view()
        .fresh()
}

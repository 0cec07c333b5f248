//! The page of guests (screens, "Guest"): scanned from the sticker on a table.

mod keep;
mod left;
mod progress;

mod ask;
mod follow;

mod place;
mod show;
mod spoken;
mod stage;
mod state;

mod calls;
mod cart;
mod menu;
mod orders;

use std::time::Duration;

use domain::bridge::Link;
use domain::guest::session::Stage;
use domain::text::Language;
use leptos::ev;
use leptos::prelude::*;

use crate::browser::device;
use crate::entry::OptionSheet;
use crate::i18n;
use crate::ui::{Erase, Pill, Toaster, age, when};
use calls::{CallSheet, OpenCalls};
use cart::{BottomBar, CartSheet, GoneDialog};
use menu::Menu;
use orders::Orders;
use state::{Guest, Sheet};

/// Seconds are looked at twice each, so that none is left out.
const LOOK: Duration = Duration::from_millis(500);

/// The page of the table whose code is in the address.
#[component]
pub fn GuestPage() -> impl IntoView {
    let guest = Guest::new();
    provide_context(guest);
    Effect::new(move |_| begin(guest));
    let content = move || match guest.stage.get() {
        Stage::Loading => None,
        Stage::Open => Some(open(guest)),
        stage @ (Stage::Unreachable | Stage::NoTable | Stage::AskStaff | Stage::Over) => {
            Some(alone(guest, stage))
        }
    };
    view! {
        <div class="guest">
            <div class="skeleton" class:gone=move || guest.stage.get() != Stage::Loading>
                <p role="status">{guest.messages.guest.loading}</p>
                <i></i>
                <i></i>
                <i></i>
                <i></i>
            </div>
            {content}
            <Toaster toasts=guest.toasts />
            <p class="spoken" aria-live="polite">
                {move || guest.spoken.get()}
            </p>
        </div>
    }
    .erased()
}

fn begin(guest: Guest) {
    let here = window().location().pathname().unwrap_or_default();
    let code = here.split('/').nth(2).unwrap_or_default();
    let code = js_sys::decode_uri_component(code).map(String::from);
    follow::start(guest, code.unwrap_or_default());
    let looking = set_interval_with_handle(move || guest.look(), LOOK).ok();
    // Back from the browser's cache: what was on the page may be of guests who have left.
    let shown = window_event_listener(ev::pageshow, move |event| {
        if event.persisted() {
            guest.stage.set(Stage::Loading);
            device::reload();
        }
    });
    on_cleanup(move || {
        follow::stop();
        shown.remove();
        if let Some(looking) = looking {
            looking.clear();
        }
    });
}

fn open(guest: Guest) -> AnyView {
    Effect::new(move |before: Option<()>| {
        guest.cart.track();
        guest.note.track();
        if before.is_some() {
            guest.keep_cart();
        }
    });
    let offline = move || {
        let words = move || {
            let age = age(guest.messages, guest.status.with(|status| status.age_ms));
            guest.messages.guest.offline.with(&[&age])
        };
        view! { <p class="guest-offline" role="alert">{words}</p> }.fresh()
    };
    let lost = move || guest.status.with(|status| status.link == Link::Offline);
    view! {
        {head(guest)}
        <main class="guest-main">
            {when(lost, offline)}
            <OpenCalls />
            <Orders />
            <Menu />
        </main>
        <BottomBar />
        {sheet(guest)}
        <GoneDialog />
    }
    .fresh()
}

fn head(guest: Guest) -> AnyView {
    let name = move || {
        guest.store.with(|store| {
            let name = store.as_ref().map(|store| store.name.get(guest.language()));
            name.unwrap_or_default().to_owned()
        })
    };
    let place = move || {
        let words = &guest.messages.guest;
        let table = guest.table.get()?;
        let covers = table
            .covers
            .map(|covers| words.covers.with(&[&covers.to_string()]));
        let name = words.table.with(&[&table.name]);
        Some(
            [Some(name), covers]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join(" · "),
        )
    };
    view! {
        <header class="guest-head">
            <div>
                <h1 dir="auto">{name}</h1>
                <p dir="auto">{place}</p>
            </div>
            <div class="guest-tools">
                <Pill status=guest.status based=guest.based />
                {other_language(guest)}
            </div>
        </header>
    }
    .fresh()
}

/// The other language. The page is loaded again in it; the cart is kept.
fn other_language(guest: Guest) -> AnyView {
    let other = match guest.language() {
        Language::Ko => Language::En,
        Language::En => Language::Ko,
    };
    let choose = move |_| {
        device::choose_language(other);
        device::reload();
    };
    view! {
        <button class="ghost" type="button" lang=i18n::code(other) on:click=choose>
            {guest.messages.guest.other_language}
        </button>
    }
    .fresh()
}

fn sheet(guest: Guest) -> AnyView {
    let close = Callback::new(move |()| guest.sheet.set(None));
    let add = Callback::new(move |line| guest.add(line));
    let shown = move || {
        guest.sheet.get().and_then(|sheet| match sheet {
            Sheet::Cart => Some(view! { <CartSheet /> }.fresh()),
            Sheet::Calls => Some(view! { <CallSheet /> }.fresh()),
            Sheet::Dish(id) => {
                let (offer, cart) = (guest.offer, guest.cart);
                let item = offer.with_untracked(|offer| offer.get(id).cloned())?;
                let store = guest.store.get_untracked()?;
                let currency = store.currency;
                Some(view! { <OptionSheet item currency offer cart add close /> }.fresh())
            }
        })
    };
    shown.fresh()
}

/// A page with little to say, and mostly a way on.
fn alone(guest: Guest, stage: Stage) -> AnyView {
    let words = &guest.messages.guest;
    let (heading, lead, way) = match stage {
        Stage::Over => (words.farewell, words.over, Some(words.join)),
        Stage::AskStaff => (words.ask_staff, words.ask_staff_lead, Some(words.again)),
        Stage::NoTable => (words.no_table, words.no_table_lead, None),
        Stage::Unreachable | Stage::Loading | Stage::Open => {
            (words.unreachable, words.unreachable_lead, Some(words.again))
        }
    };
    let way = way.map(|way| {
        view! {
            <button class="primary" type="button" on:click=|_| follow::again()>
                {way}
            </button>
        }
        .fresh()
    });
    view! {
        <main class="plain" data-testid="alone">
            <div role="alert">
                <h1>{heading}</h1>
                <p>{lead}</p>
            </div>
            {way}
            {other_language(guest)}
        </main>
    }
    .fresh()
}

//! The home page: who runs the house chooses a screen and sees the day's sales; everybody else
//! is led on to their own screen.

use std::time::Duration;

use domain::settings::Store;
use domain::staff::Role;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::api::auth::{self, Me};
use crate::api::report::Today;
use crate::api::{Method, Problem, request};
use crate::browser::device;
use crate::i18n::{self, Messages};
use crate::screen::{Place, places};
use crate::ui::{Erase, Preferences, Toaster, Toasts, varying, when};

/// Sales are read again so often.
const AGAIN: Duration = Duration::from_secs(20);
/// The server was not there: asked again after this.
const ASK_AGAIN: Duration = Duration::from_secs(2);
/// Where somebody of that role begins.
#[must_use]
pub fn of(role: Role, store_code: &str) -> String {
    match places(role).first() {
        Some(place) if !role.manages() => place.path(store_code),
        Some(_) | None => "/".to_owned(),
    }
}

/// The page's one context.
#[derive(Clone, Copy)]
struct Home {
    messages: &'static Messages,
    me: RwSignal<Option<Me>>,
    store: RwSignal<String>,
    today: RwSignal<Option<Today>>,
    toasts: Toasts,
}

/// Leads on, or shows the screens.
#[component]
pub fn HomePage() -> impl IntoView {
    let home = Home {
        messages: i18n::messages(),
        me: RwSignal::new(None),
        store: RwSignal::new(String::new()),
        today: RwSignal::new(None),
        toasts: Toasts::new(),
    };
    Effect::new(move |_| {
        sign_in(home);
        let again = set_interval_with_handle(move || load_today(home), AGAIN).ok();
        on_cleanup(move || {
            if let Some(again) = again {
                again.clear();
            }
        });
    });
    let words = &home.messages.home;
    let known = move || home.me.with(Option::is_some);
    view! {
        <main class="home">
            {when(move || !known(), move || view! { <p class="quiet">{words.loading}</p> }.erased())}
            {when(known, move || screens(home))}
            <Toaster toasts=home.toasts />
        </main>
    }
    .erased()
}

fn sign_in(home: Home) {
    spawn_local(async move {
        match auth::me().await {
            Ok(me) if me.role.manages() => {
                home.me.try_set(Some(me));
                load_store(home);
                load_today(home);
            }
            Ok(me) => device::lead_on(&of(me.role, &me.store_code)),
            Err(problem) if problem.status == 401 => device::lead_on("/login"),
            Err(_) => set_timeout(move || sign_in(home), ASK_AGAIN),
        }
    });
}

/// An endpoint below the store's address.
async fn read<T: serde::de::DeserializeOwned>(
    home: Home,
    path: &str,
) -> Option<Result<T, Problem>> {
    let me = home.me.try_get_untracked()??;
    let path = ["/api/pos/", &me.store_id.to_string(), path].concat();
    let answer = request(Method::Get, &path, None, None).await;
    Some(answer.and_then(|answer| answer.read()))
}

fn load_store(home: Home) {
    spawn_local(async move {
        if let Some(Ok(store)) = read::<Store>(home, "/store").await {
            let name = store.name.get(home.messages.language);
            home.store.try_set(name.to_owned());
        }
    });
}

fn load_today(home: Home) {
    spawn_local(async move {
        match read::<Today>(home, "/reports/today").await {
            Some(Ok(today)) => {
                home.today.try_set(Some(today));
            }
            Some(Err(problem)) if problem.status == 401 => device::lead_on("/login"),
            // What was known stays; it is asked again.
            Some(Err(_)) | None => {}
        }
    });
}

fn screens(home: Home) -> AnyView {
    let words = &home.messages.home;
    let me = home.me.get_untracked();
    let code = me
        .as_ref()
        .map(|me| me.store_code.clone())
        .unwrap_or_default();
    let role = me.as_ref().map(|me| home.messages.login.role(me.role));
    let who = me
        .as_ref()
        .map(|me| words.who.with(&[&me.name, role.unwrap_or_default()]));
    let [hall, counter, kitchen, menu] = words.about;
    let tile = |place: &Place| {
        let about = match place {
            Place::Hall => hall,
            Place::Counter => counter,
            Place::Kitchen => kitchen,
            Place::Menu => menu,
        };
        view! {
            <a class="tile" href=place.path(&code)>
                <b>{place.name(home.messages)}</b>
                <span>{about}</span>
            </a>
        }
    };
    let tiles = me.iter().flat_map(|me| places(me.role)).map(tile);
    view! {
        <header>
            <div>
                <h1 dir="auto">{varying(move || home.store.get())}</h1>
                <p class="quiet" dir="auto">{who}</p>
            </div>
            <button class="ghost" type="button" on:click=move |_| sign_out(home)>
                {home.messages.common.sign_out}
            </button>
        </header>
        {varying(move || sales(home))}
        <nav class="tiles" aria-label=words.title>{tiles.collect_view()}</nav>
        <div class="device">
            <Preferences />
        </div>
    }
    .fresh()
}

fn sales(home: Home) -> AnyView {
    let words = &home.messages.home;
    let today = home.today.get();
    let total = today
        .as_ref()
        .map(|today| today.currency.format(today.sales.total));
    let counts = today.map(|today| {
        let paid = words.orders.with(&[&today.sales.orders.to_string()]);
        let awaiting = words
            .awaiting
            .with(&[&today.awaiting_payment.orders.to_string()]);
        [paid, awaiting].join(" · ")
    });
    view! {
        <section class="sales" aria-label=words.sales>
            <h2>{words.sales}</h2>
            <b>{total.unwrap_or_else(|| words.loading.to_owned())}</b>
            <span class="quiet">{counts}</span>
        </section>
    }
    .fresh()
}

fn sign_out(home: Home) {
    spawn_local(async move {
        match auth::logout().await {
            Ok(()) => device::go("/login"),
            Err(problem) => home.toasts.say(problem.words(home.messages)),
        }
    });
}

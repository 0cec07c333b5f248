//! The menu: what can be ordered, and what is sold out (screens, "Menu").

mod list;

mod state;

mod row;

mod adjust;
mod count;
mod holds;
mod stock;

use std::time::Duration;

use domain::stream::Scope;
use leptos::prelude::*;

use crate::screen::{Follow, StaffPage};
use crate::ui::{Erase, Icon, icon, when};
use state::Menu;

/// Holds come and go without a count changing: those on the screen are read again so often.
const AGAIN: Duration = Duration::from_secs(15);

/// The menu of a store.
#[component]
pub fn MenuPage() -> impl IntoView {
    let menu = Menu::new();
    Effect::new(move |_| {
        menu.screen.begin(Follow {
            name: "menu".to_owned(),
            scopes: vec![Scope::Menu, Scope::Store],
            changed: Box::new(move |change| menu.hear(change)),
        });
        let again = move || {
            if menu.stock_shown.get_untracked() {
                menu.load_holds();
            }
        };
        let again = set_interval_with_handle(again, AGAIN).ok();
        on_cleanup(move || {
            if let Some(again) = again {
                again.clear();
            }
        });
    });
    let words = menu.words();
    let stock = move || menu.stock_shown.get();
    let items = move || menu.counts.get().0;
    let out = move || menu.counts.get().1;
    let counts = view! {
        <span class="count">{words.items} " " <b>{items}</b></span>
        <span class="count">{words.sold_out} " " <b>{out}</b></span>
    };
    view! {
        <StaffPage
            screen=menu.screen
            class="menu"
            title=words.title.erased()
            counts=counts.erased()
            tools=().erased()
        >
            <main class="menu-main">
                {views(menu)}
                {when(move || !stock(), move || list(menu))}
                {when(stock, move || stock::view(menu))}
            </main>
            {stock::sheets(menu)}
        </StaffPage>
    }
    .erased()
}

/// The menu, or stock.
fn views(menu: Menu) -> AnyView {
    let choice = move |stock: bool, name: &'static str| {
        let chosen = move || (menu.stock_shown.get() == stock).to_string();
        view! {
            <button
                class="choice"
                type="button"
                aria-pressed=chosen
                on:click=move |_| menu.show_view(stock)
            >
                {name}
            </button>
        }
    };
    view! {
        <nav class="menu-views">
            {choice(false, menu.words().title)} {choice(true, menu.stock_words().title)}
        </nav>
    }
    .erased()
}

fn list(menu: Menu) -> AnyView {
    let ids = menu.rows.ids;
    view! {
        {search(menu)}
        {when(move || ids.with(Vec::is_empty), move || nothing(menu))}
        <ul class="menu-list">{menu.rows.each(move |id| row::row(menu, id))}</ul>
    }
    .erased()
}

fn search(menu: Menu) -> AnyView {
    let words = menu.words();
    let clear = move || {
        view! {
            <button
                class="ghost square"
                type="button"
                aria-label=words.clear
                on:click=move |_| menu.find(String::new())
            >
                {icon(Icon::Close)}
            </button>
        }
        .fresh()
    };
    view! {
        <div class="menu-search" role="search">
            <input
                type="text"
                inputmode="search"
                autocomplete="off"
                aria-label=words.search
                placeholder=words.search
                prop:value=move || menu.search.get()
                on:input=move |event| menu.find(event_target_value(&event))
            />
            {when(move || menu.search.with(|text| !text.is_empty()), clear)}
            <button
                class="choice"
                type="button"
                aria-pressed=move || menu.only_out.get().to_string()
                on:click=move |_| menu.filter(!menu.only_out.get_untracked())
            >
                {words.only_sold_out}
            </button>
        </div>
    }
    .erased()
}

/// Empty is never mistaken for broken.
fn nothing(menu: Menu) -> AnyView {
    let words = menu.words();
    let text = move || {
        if !menu.screen.based.get() {
            menu.screen.messages.status.connecting
        } else if !menu.search.with(String::is_empty) {
            words.nothing_found
        } else if menu.only_out.get() {
            words.nothing_out
        } else {
            words.empty
        }
    };
    view! {
        <div class="vacant">
            <b role="status">{text}</b>
        </div>
    }
    .erased()
}

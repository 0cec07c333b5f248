//! The page of order entry: categories, tiles, what lies over them.

use domain::id::{MenuId, TableId};
use domain::menu::Category;
use domain::stock::Left;
use leptos::ev;
use leptos::prelude::*;
use uuid::Uuid;

use super::panel::panel;
use super::{Ordering, Place, Sheet};
use crate::entry::{OptionSheet, few, why};
use crate::ui::{Dialog, Erase, Icon, icon, when};

/// Order entry, while it is open.
#[component]
pub fn OrderEntry(
    /// Of this screen.
    ordering: Ordering,
) -> impl IntoView {
    when(move || ordering.is_open.get(), move || open_view(ordering))
}

fn open_view(ordering: Ordering) -> AnyView {
    let words = &ordering.screen.messages.ordering;
    keep_drafts(ordering);
    let keys = window_event_listener(ev::keydown, move |event| {
        let covered = ordering.sheet.with_untracked(Option::is_some)
            || ordering.gone.with_untracked(|gone| !gone.is_empty())
            || ordering.screen.settings_open.get_untracked();
        if event.key() == "Escape" && !covered {
            ordering.close();
        }
    });
    on_cleanup(move || keys.remove());
    let place = move || ordering.place_words(ordering.place.get());
    view! {
        <main class="ordering" data-testid="order-entry">
            <section class="ordering-menu" aria-label=words.title>
                <header class="ordering-head">
                    <button class="ghost" type="button" on:click=move |_| ordering.close()>
                        {icon(Icon::Back)}
                        {words.back}
                    </button>
                    <h2>{words.title}</h2>
                    <button
                        class="ghost place"
                        type="button"
                        aria-haspopup="dialog"
                        disabled=move || ordering.is_sending()
                        on:click=move |_| ordering.sheet.set(Some(Sheet::Places))
                    >
                        {place}
                    </button>
                    <input
                        type="search"
                        placeholder=words.search
                        aria-label=words.search
                        prop:value=move || ordering.search.get()
                        on:input=move |event| {
                            ordering.search.set(event_target_value(&event));
                            ordering.show_tiles();
                        }
                    />
                </header>
                {categories(ordering)}
                <div class="dish-tiles">
                    {ordering.tiles.each(move |id| tile(ordering, id))}
                </div>
                {when(
                    move || ordering.tiles.ids.with(Vec::is_empty),
                    move || view! { <p class="quiet nothing-here">{words.nothing}</p> }.fresh(),
                )}
            </section>
            {panel(ordering)}
            {sheet(ordering)}
            {gone(ordering)}
        </main>
    }
    .fresh()
}

/// What is put together survives a reload.
fn keep_drafts(ordering: Ordering) {
    Effect::new(move |before: Option<()>| {
        ordering.cart.track();
        ordering.note.track();
        if before.is_some() {
            ordering.keep_draft();
        }
    });
}

fn categories(ordering: Ordering) -> AnyView {
    let tab = move |category: Category| {
        let id = category.id;
        let chosen = move || {
            let first = ordering
                .categories
                .with(|all| all.first().map(|first| first.id));
            let shown = ordering.category.get().or(first) == Some(id);
            (shown && ordering.search.with(String::is_empty)).to_string()
        };
        let name = category.name.get(ordering.screen.language()).to_owned();
        view! {
            <button
                type="button"
                aria-pressed=chosen
                on:click=move |_| {
                    ordering.category.set(Some(id));
                    ordering.search.set(String::new());
                    ordering.show_tiles();
                }
            >
                {name}
            </button>
        }
        .fresh()
    };
    let tabs = move || {
        ordering
            .categories
            .get()
            .into_iter()
            .map(tab)
            .collect_view()
    };
    view! { <nav class="categories">{tabs}</nav> }.fresh()
}

fn tile(ordering: Ordering, id: Uuid) -> AnyView {
    let language = ordering.screen.language();
    let messages = ordering.screen.messages;
    let Some(dish) = ordering.tiles.row(id) else {
        return ().fresh();
    };
    let (named, priced, counted) = (dish.clone(), dish.clone(), dish);
    let name = move || named.with(|dish| dish.item.name.get(language).to_owned());
    let price = move || ordering.screen.money(priced.with(|dish| dish.item.price));
    let left = Memo::new(move |_| counted.with(|dish| dish.left));
    let out = move || left.get() == Left::Nothing;
    let id = MenuId(id);
    let count = Memo::new(move |_| ordering.cart.with(|cart| cart.count_of(id)));
    let badge = move || Some(count.get()).filter(|count| *count > 0).map(badge);
    view! {
        <button
            class="dish-tile"
            class:out=out
            type="button"
            aria-disabled=move || out().then_some("true")
            on:click=move |_| ordering.tap(id)
        >
            <b dir="auto">{name}</b>
            {badge}
            <span class="price">{price}</span>
            <span class="left">{move || few(messages, left.get())}</span>
        </button>
    }
    .fresh()
}

fn badge(count: u32) -> AnyView {
    view! { <span class="badge">{count}</span> }.fresh()
}

fn sheet(ordering: Ordering) -> AnyView {
    let close = Callback::new(move |()| ordering.sheet.set(None));
    let shown = move || {
        ordering.sheet.get().and_then(|sheet| match sheet {
            Sheet::Places => Some(places(ordering, close)),
            Sheet::Item(id) => {
                let (offer, cart) = (ordering.offer, ordering.cart);
                let item = offer.with_untracked(|offer| offer.get(id).cloned())?;
                let currency = ordering.currency()?;
                let add = Callback::new(move |line| ordering.add(line));
                Some(view! { <OptionSheet item currency offer cart add close /> }.fresh())
            }
        })
    };
    shown.fresh()
}

/// For whom the order is.
fn places(ordering: Ordering, close: Callback<()>) -> AnyView {
    let words = &ordering.screen.messages.ordering;
    let choice = move |place: Place, name: String| {
        let chosen = move || (ordering.place.get() == Some(place)).to_string();
        let choose = move |_| {
            ordering.choose_place(Some(place));
            ordering.sheet.set(None);
        };
        view! {
            <button class="choice" type="button" aria-pressed=chosen on:click=choose>
                {name}
            </button>
        }
        .fresh()
    };
    let counter = ordering.at_counter.then(|| {
        [
            choice(Place::Takeout, words.takeout.to_owned()),
            choice(Place::Counter, words.counter.to_owned()),
        ]
        .into_iter()
        .collect_view()
    });
    let tables = ordering.tables.get_untracked();
    let tables: Vec<(TableId, String)> = tables
        .iter()
        .map(|table| (table.id, table.name.clone()))
        .collect();
    let tables = tables
        .into_iter()
        .map(move |(id, name)| choice(Place::Table(id), name));
    view! {
        <Dialog title=words.choose_place close testid="places">
            <div class="choices">{counter} {tables.collect_view()}</div>
        </Dialog>
    }
    .fresh()
}

/// Names what went away while it was in the cart.
fn gone(ordering: Ordering) -> AnyView {
    let messages = ordering.screen.messages;
    let close = Callback::new(move |()| ordering.gone.set(Vec::new()));
    let shown = move || {
        let gone = ordering.gone.get();
        (!gone.is_empty()).then(|| {
            let each = gone.iter().map(|gone| {
                let name = gone.name.get(messages.language).to_owned();
                view! { <li><b dir="auto">{name}</b> " · " {why(messages, &gone.why)}</li> }
            });
            let each = each.collect_view();
            view! {
                <Dialog title=messages.ordering.gone close testid="gone">
                    <ul class="gone-list">{each}</ul>
                    <button class="primary" type="button" on:click=move |_| ordering.drop_gone()>
                        {messages.ordering.drop_gone}
                    </button>
                </Dialog>
            }
            .fresh()
        })
    };
    shown.fresh()
}

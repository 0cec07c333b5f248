//! The menu: categories that stay in sight, and dishes.

use domain::id::MenuId;
use leptos::ev;
use leptos::prelude::*;
use uuid::Uuid;

use super::state::{Guest, Section};
use crate::browser::device;
use crate::entry::{Dish, few};
use crate::ui::{Erase, varying};

/// What stands above this, in px from the top, has been read.
const READ_PX: f64 = 140.0;

/// Categories and dishes.
#[component]
pub fn Menu() -> impl IntoView {
    let guest: Guest = expect_context();
    let scrolled = window_event_listener(ev::scroll, move |_| spy(guest));
    on_cleanup(move || scrolled.remove());
    view! {
        <nav class="menu-tabs" aria-label=guest.messages.guest.categories>
            {guest.sections.each(move |id| chip(guest, id))}
        </nav>
        <div class="guest-menu">{guest.sections.each(move |id| section(guest, id))}</div>
    }
    .fresh()
}

fn section_id(id: Uuid) -> String {
    ["menu-", &id.to_string()].concat()
}

fn chip_id(id: Uuid) -> String {
    ["tab-", &id.to_string()].concat()
}

fn name_of(guest: Guest, section: &Section) -> String {
    section.0.name.get(guest.language()).to_owned()
}

fn chip(guest: Guest, id: Uuid) -> AnyView {
    let Some(row) = guest.sections.row(id) else {
        return ().fresh();
    };
    let name = varying(move || row.with(|section| name_of(guest, section)));
    let is_read = move || {
        let first = || guest.sections.ids.with(|ids| ids.first().copied());
        guest.section.get().or_else(first) == Some(id)
    };
    let go = move |_| {
        if let Some(section) = document().get_element_by_id(&section_id(id)) {
            section.scroll_into_view();
        }
        guest.section.set(Some(id));
    };
    view! {
        <button
            type="button"
            id=chip_id(id)
            aria-current=move || is_read().then_some("true")
            on:click=go
        >
            {name}
        </button>
    }
    .fresh()
}

/// Marks the category that is being read.
fn spy(guest: Guest) {
    let above = |id: &&Uuid| {
        let section = document().get_element_by_id(&section_id(**id));
        section.is_some_and(|section| section.get_bounding_client_rect().top() < READ_PX)
    };
    let ids = guest.sections.ids.get_untracked();
    let read = ids.iter().rev().find(above).or_else(|| ids.first());
    let read = read.copied();
    if guest.section.get_untracked() != read {
        guest.section.set(read);
        if let Some(id) = read {
            device::show(&chip_id(id));
        }
    }
}

fn section(guest: Guest, id: Uuid) -> AnyView {
    let Some(row) = guest.sections.row(id) else {
        return ().fresh();
    };
    let named = row.clone();
    let name = varying(move || named.with(|section| name_of(guest, section)));
    let dishes = varying(move || {
        let ids = row.with(|(_, ids)| ids.clone()).into_iter();
        ids.map(|id| dish(guest, id)).collect_view()
    });
    view! {
        <section id=section_id(id)>
            <h2 dir="auto">{name}</h2>
            <ul>{dishes}</ul>
        </section>
    }
    .fresh()
}

fn dish(guest: Guest, id: Uuid) -> AnyView {
    let Some(dish) = guest.dishes.row(id) else {
        return ().fresh();
    };
    let content = move || dish.with(|dish| dish_content(guest, dish));
    view! { <li class="dish">{content}</li> }.fresh()
}

fn dish_content(guest: Guest, dish: &Dish) -> AnyView {
    let language = guest.language();
    let words = guest.messages;
    let item = &dish.item;
    let (id, out) = (item.id, dish.is_out());
    let left = (!out).then(|| few(words, dish.left));
    let name = item.name.get(language).to_owned();
    let label = words.guest.choose.with(&[&name]);
    let image = item.image_url.clone();
    let image = image.map(|src| view! { <img src=src alt="" loading="lazy" /> });
    view! {
        <div class="dish-words" class:out=out>
            <h3 dir="auto">{name}</h3>
            <p dir="auto">{item.description.get(language).to_owned()}</p>
            <b>{guest.money(item.price)}</b>
            <em class="left">{left}</em>
        </div>
        <button
            class="dish-add"
            type="button"
            aria-label=(!out).then_some(label)
            disabled=out
            on:click=move |_| guest.open_dish(id)
        >
            {image}
            <span>{if out { words.entry.sold_out } else { "+" }}</span>
            {badge(guest, id)}
        </button>
    }
    .fresh()
}

/// How many of a dish are in the cart.
fn badge(guest: Guest, id: MenuId) -> AnyView {
    let count = Memo::new(move |_| guest.cart.with(|cart| cart.count_of(id)));
    let badge = move || {
        let count = Some(count.get()).filter(|count| *count > 0)?;
        let label = guest.messages.guest.in_cart.with(&[&count.to_string()]);
        Some(view! { <i class="badge" role="img" aria-label=label>{count}</i> }.fresh())
    };
    badge.fresh()
}

//! The menu: categories that stay in sight, and dishes.

use std::sync::Arc;

use domain::id::MenuId;
use domain::menu::{Category, MenuItem};
use leptos::ev;
use leptos::prelude::*;
use uuid::Uuid;

use super::state::Guest;
use crate::browser::device;
use crate::ui::Erase;

/// What stands above this, in px from the top, has been read.
const READ_PX: f64 = 140.0;

/// Categories and dishes.
#[component]
pub fn Menu() -> impl IntoView {
    let guest: Guest = expect_context();
    let scrolled = window_event_listener(ev::scroll, move |_| spy(guest));
    on_cleanup(move || scrolled.remove());
    let chips = move || {
        let sections = guest.sections.get();
        let each = sections.iter().enumerate();
        each.map(|(at, (category, _))| chip(guest, at, category))
            .collect_view()
    };
    let sections = move || {
        let sections = guest.sections.get();
        let each = sections.iter().enumerate();
        each.map(|(at, (category, ids))| section(guest, at, category, ids))
            .collect_view()
    };
    view! {
        <nav class="menu-tabs" aria-label=guest.messages.guest.categories>
            {chips}
        </nav>
        <div class="menu">{sections}</div>
    }
    .fresh()
}

fn section_id(at: usize) -> String {
    ["menu-", &at.to_string()].concat()
}

fn chip_id(at: usize) -> String {
    ["tab-", &at.to_string()].concat()
}

fn chip(guest: Guest, at: usize, category: &Category) -> AnyView {
    let name = category.name.get(guest.language()).to_owned();
    let go = move |_| {
        if let Some(section) = document().get_element_by_id(&section_id(at)) {
            section.scroll_into_view();
        }
        guest.section.set(at);
    };
    view! {
        <button
            type="button"
            id=chip_id(at)
            aria-current=move || (guest.section.get() == at).then_some("true")
            on:click=go
        >
            {name}
        </button>
    }
    .fresh()
}

/// Marks the category that is being read.
fn spy(guest: Guest) {
    let count = guest.sections.with_untracked(|sections| sections.len());
    let above = |at: &usize| {
        let section = document().get_element_by_id(&section_id(*at));
        section.is_some_and(|section| section.get_bounding_client_rect().top() < READ_PX)
    };
    let read = (0..count).rev().find(above).unwrap_or(0);
    if guest.section.get_untracked() != read {
        guest.section.set(read);
        device::show(&chip_id(read));
    }
}

fn section(guest: Guest, at: usize, category: &Category, ids: &[Uuid]) -> AnyView {
    let name = category.name.get(guest.language()).to_owned();
    let dishes = ids.iter().map(|id| dish(guest, *id)).collect_view();
    view! {
        <section id=section_id(at)>
            <h2 dir="auto">{name}</h2>
            <ul>{dishes}</ul>
        </section>
    }
    .fresh()
}

fn dish(guest: Guest, id: Uuid) -> AnyView {
    let Some(item) = guest.dishes.row(id) else {
        return ().fresh();
    };
    let content = move || item.with(|item| dish_content(guest, item));
    view! { <li class="dish">{content}</li> }.fresh()
}

fn dish_content(guest: Guest, item: &Arc<MenuItem>) -> AnyView {
    let language = guest.language();
    let words = guest.messages;
    let (id, out) = (item.id, item.is_sold_out());
    let name = item.name.get(language).to_owned();
    let label = words.guest.choose.with(&[&name]);
    let image = item.image_url.clone();
    let image = image.map(|src| view! { <img src=src alt="" loading="lazy" /> });
    view! {
        <div class="dish-words" class:out=out>
            <h3 dir="auto">{name}</h3>
            <p dir="auto">{item.description.get(language).to_owned()}</p>
            <b>{guest.money(item.price)}</b>
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

//! The recall list: tickets that left the board, the last first.

use std::sync::Arc;

use domain::kitchen::ticket::shows;
use domain::order::Order;
use leptos::prelude::*;

use super::session::left_at;
use super::store::Kitchen;
use crate::browser::wall;
use crate::ui::{Dialog, Erase, when};

/// Brings a ticket back to its old place.
#[component]
pub fn RecallList() -> impl IntoView {
    let kitchen: Kitchen = expect_context();
    let words = &kitchen.messages.kitchen;
    let close = Callback::new(move |()| kitchen.sheet.set(None));
    let entries = move || {
        let recent = kitchen.recent.get();
        recent
            .iter()
            .map(|order| entry(kitchen, order))
            .collect_view()
    };
    let nothing = move || kitchen.recent.with(Vec::is_empty);
    view! {
        <Dialog title=words.recall close class="side" testid="recall-list">
            {when(nothing, move || view! { <p class="quiet">{words.recall_empty}</p> }.fresh())}
            <ul class="recent">
                {entries}
            </ul>
        </Dialog>
    }
    .fresh()
}

fn entry(kitchen: Kitchen, order: &Arc<Order>) -> AnyView {
    let words = &kitchen.messages.kitchen;
    let language = kitchen.language();
    let id = order.id;
    let station = kitchen.station.get_untracked();
    let line = |line: &domain::order::Line| {
        [&line.quantity.to_string(), "× ", line.name.get(language)].concat()
    };
    let live = order
        .lines
        .iter()
        .filter(|line| shows(line, station) && line.voided.is_none());
    let lines: Vec<String> = live.map(line).collect();
    let left = words.served_at.with(&[&wall::text(left_at(order))]);
    view! {
        <li>
            <div>
                <b dir="auto">{kitchen.label(order)}</b>
                <span class="quiet">{["#", &order.number.to_string(), " · ", &left].concat()}</span>
                <p dir="auto">{lines.join(", ")}</p>
            </div>
            <button class="ghost" type="button" on:click=move |_| kitchen.bring_back(id)>
                {words.recall}
            </button>
        </li>
    }
    .fresh()
}

//! The ⋯ menu of a ticket: 우선, and 품절 of its items.

use std::collections::BTreeSet;

use domain::id::OrderId;
use leptos::prelude::*;

use super::all_day::sold_out_button;
use super::store::Kitchen;
use crate::screen::Intent;
use crate::ui::{Dialog, Erase, Icon, icon};

/// What else can be done with a ticket.
#[component]
pub fn TicketSheet(id: OrderId) -> impl IntoView {
    let kitchen: Kitchen = expect_context();
    let close = Callback::new(move |()| kitchen.sheet.set(None));
    kitchen.card(id).map(|card| {
        let order = card.get_untracked().order;
        let priority = Memo::new(move |_| card.with(|card| card.ticket.priority));
        let words = &kitchen.messages.kitchen;
        let action = move || {
            if priority.get() {
                words.no_priority
            } else {
                words.priority
            }
        };
        view! {
            <Dialog title=kitchen.label(&order) close testid="ticket-menu">
                <button
                    class="wide"
                    type="button"
                    aria-pressed=move || priority.get().to_string()
                    on:click=move |_| {
                        kitchen.act(id, Intent::Priority(!priority.get_untracked()));
                        kitchen.sheet.set(None);
                    }
                >
                    {icon(Icon::Star)}
                    {action}
                </button>
                <ul class="items">{items(kitchen, &order)}</ul>
            </Dialog>
        }
        .fresh()
    })
}

fn items(kitchen: Kitchen, order: &domain::order::Order) -> AnyView {
    let mut seen = BTreeSet::new();
    let lines = order.lines.iter().filter(|line| seen.insert(line.menu_id));
    let row = |line: &domain::order::Line| {
        let name = line.name.get(kitchen.language()).to_owned();
        view! {
            <li>
                <span class="name" dir="auto">{name.clone()}</span>
                {sold_out_button(kitchen, line.menu_id, &name, "sold-out")}
            </li>
        }
    };
    lines.map(row).collect_view().fresh()
}

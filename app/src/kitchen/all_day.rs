//! 전체 수량: totals of what is to be made, and 품절.

use domain::id::MenuId;
use domain::kitchen::AllDay;
use leptos::prelude::*;

use super::store::Kitchen;
use crate::ui::{Erase, Icon, icon, when};

/// The panel on the left.
#[component]
pub fn AllDayPanel() -> impl IntoView {
    let kitchen: Kitchen = expect_context();
    let messages = kitchen.messages;
    let nothing = move || kitchen.all_day.with(Vec::is_empty);
    view! {
        <aside class="all-day" data-testid="allday" aria-label=messages.kitchen.all_day>
            <header>
                <h2>{messages.kitchen.all_day}</h2>
                <button
                    class="ghost square"
                    type="button"
                    aria-label=messages.common.close
                    on:click=move |_| kitchen.all_day_open.set(false)
                >
                    {icon(Icon::Close)}
                </button>
            </header>
            {when(nothing, move || view! { <p class="quiet">{messages.kitchen.all_day_empty}</p> }.fresh())}
            <ul>
                <For each=move || kitchen.all_day.get() key=|row| row.menu_id let:row>
                    <ItemRow row />
                </For>
            </ul>
        </aside>
    }
    .fresh()
}

#[component]
fn ItemRow(row: AllDay) -> impl IntoView {
    let kitchen: Kitchen = expect_context();
    let id = row.menu_id;
    let count = Memo::new(move |_| {
        kitchen.all_day.with(|rows| {
            rows.iter()
                .find(|row| row.menu_id == id)
                .map_or(0, |row| row.count)
        })
    });
    let name = row.name.get(kitchen.language()).to_owned();
    view! {
        <li class:out=move || is_sold_out(kitchen, id)>
            <b class="total">{move || count.get()}</b>
            <span class="name" dir="auto">{name.clone()}</span>
            {sold_out_button(kitchen, id, &name, "sold-out")}
        </li>
    }
    .fresh()
}

fn is_sold_out(kitchen: Kitchen, id: MenuId) -> bool {
    kitchen
        .items
        .with(|items| items.get(&id).is_some_and(|item| item.sold_out))
}

/// The 품절 switch of an item.
pub fn sold_out_button(kitchen: Kitchen, id: MenuId, name: &str, class: &'static str) -> AnyView {
    let words = &kitchen.messages.kitchen;
    let label = words.mark_sold_out.with(&[name]);
    let out = Memo::new(move |_| is_sold_out(kitchen, id));
    view! {
        <button
            class=class
            type="button"
            aria-pressed=move || out.get().to_string()
            aria-label=label
            on:click=move |_| kitchen.set_sold_out(id, !out.get_untracked())
        >
            {move || out.get().then(|| icon(Icon::Check))}
            {words.sold_out}
        </button>
    }
    .fresh()
}

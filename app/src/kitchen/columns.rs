//! The board: three columns, on a narrow screen one of them under tabs.

use domain::id::OrderId;
use domain::kitchen::Column;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::board::{COLUMNS, index};
use super::card::TicketCard;
use super::store::Kitchen;
use crate::ui::{Erase, Icon, age, elapsed, icon, link_word, when};

/// So much of a card, in px, must be seen for it not to count as below.
const HEADER_PX: f64 = 48.0;

/// Tabs and columns, or the words of an empty board.
#[component]
pub fn Columns() -> impl IntoView {
    let kitchen: Kitchen = expect_context();
    let empty = Memo::new(move |_| {
        kitchen.based.get()
            && kitchen
                .columns
                .iter()
                .all(|column| column.with(Vec::is_empty))
    });
    view! {
        <div class="board" class:empty=move || empty.get() aria-label=kitchen.messages.kitchen.board role="region">
            <div class="tabs">{COLUMNS.map(|column| tab(kitchen, column)).collect_view()}</div>
            {COLUMNS.map(|column| view! { <ColumnView column /> }).collect_view()}
            {when(move || empty.get(), || view! { <Empty /> }.fresh())}
        </div>
    }
    .erased()
}

fn tab(kitchen: Kitchen, column: Column) -> AnyView {
    let name = kitchen.messages.kitchen.columns[index(column)];
    view! {
        <button
            type="button"
            class="tab"
            aria-pressed=move || (kitchen.tab.get() == column).to_string()
            on:click=move |_| kitchen.tab.set(column)
        >
            {name}
            " "
            <b>{move || kitchen.column(column).with(Vec::len)}</b>
        </button>
    }
    .erased()
}

/// The name of a column in the page's markup.
#[must_use]
pub fn name(column: Column) -> &'static str {
    match column {
        Column::Waiting => "waiting",
        Column::Cooking => "cooking",
        Column::Cooked => "cooked",
    }
}

#[component]
fn ColumnView(column: Column) -> impl IntoView {
    let kitchen: Kitchen = expect_context();
    let ids = kitchen.column(column);
    let words = &kitchen.messages.kitchen;
    let cards = NodeRef::<html::Div>::new();
    let below = RwSignal::new(Vec::<OrderId>::new());
    let measure = move || {
        let Some(list) = cards.get_untracked() else {
            return;
        };
        let hidden = hidden_below(&list, &ids.get_untracked());
        if below.with_untracked(|shown| *shown != hidden) {
            below.set(hidden);
        }
    };
    // Measures the page each second, when the list changed, and when it was scrolled.
    Effect::new(move |_| {
        ids.track();
        kitchen.now.track();
        kitchen.tab.track();
        request_animation_frame(measure);
    });
    let chip = move || {
        let hidden = below.get();
        let now = kitchen.now.get();
        let since = hidden
            .iter()
            .filter_map(|id| kitchen.card_now(*id))
            .map(|card| card.ticket.since);
        let oldest = since.min().map(|since| elapsed(now.since(since)))?;
        Some(words.below.with(&[&hidden.len().to_string(), &oldest]))
    };
    let down = move || {
        if let Some(list) = cards.get_untracked() {
            list.set_scroll_top(list.scroll_top() + list.client_height() * 3 / 4);
        }
    };
    let below_chip = move || {
        view! {
            <button class="below" type="button" on:click=move |_| down()>
                {chip}
            </button>
        }
        .fresh()
    };
    view! {
        <section
            class="column"
            class:shown=move || kitchen.tab.get() == column
            class:overflowing=move || below.with(|below| !below.is_empty())
            data-testid=["column-", name(column)].concat()
        >
            <h2>
                {words.columns[index(column)]} " " <span>{move || ids.with(Vec::len)}</span>
            </h2>
            <div class="cards" node_ref=cards on:scroll=move |_| measure()>
                <For each=move || ids.get() key=|id| *id let:id>
                    <TicketCard id />
                </For>
            </div>
            {when(move || below.with(|below| !below.is_empty()), below_chip)}
        </section>
    }
    .erased()
}

/// The cards whose header is below what is seen.
fn hidden_below(list: &HtmlElement, ids: &[OrderId]) -> Vec<OrderId> {
    let bottom = list.get_bounding_client_rect().bottom();
    let cards = list.children();
    let seen = |at: u32| {
        let card = cards.item(at)?.dyn_into::<HtmlElement>().ok()?;
        Some(card.get_bounding_client_rect().top() + HEADER_PX <= bottom)
    };
    let hidden = (0..).zip(ids).filter(|(at, _)| seen(*at) == Some(false));
    hidden.map(|(_, id)| *id).collect()
}

/// Empty is never mistaken for broken.
#[component]
fn Empty() -> impl IntoView {
    let kitchen: Kitchen = expect_context();
    let messages = kitchen.messages;
    let proof = move || {
        let status = kitchen.status.get();
        let word = link_word(messages, status.link, true);
        messages
            .status
            .proof
            .with(&[word, &age(messages, status.age_ms)])
    };
    view! {
        <div class="nothing">
            <span class="mark">{icon(Icon::Check)}</span>
            <b>{messages.kitchen.empty}</b>
            <span>{proof}</span>
        </div>
    }
    .fresh()
}

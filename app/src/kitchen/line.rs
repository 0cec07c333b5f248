//! One line of a ticket; the whole row is the tap target.

use domain::id::{LineId, OrderId};
use domain::order::{KitchenState, Line};
use leptos::prelude::*;

use super::board::Card;
use super::store::Kitchen;
use crate::screen::Intent;
use crate::ui::{Erase, Icon, icon};

/// A line, struck through in red with 확인 when it was voided.
#[component]
pub fn LineRow(id: OrderId, line: LineId, card: ArcRwSignal<Card>) -> impl IntoView {
    let kitchen: Kitchen = expect_context();
    let found = Memo::new(move |_| {
        card.with(|card| {
            card.order
                .lines
                .iter()
                .find(|found| found.id == line)
                .cloned()
        })
    });
    let voided =
        Memo::new(move |_| found.with(|line| line.as_ref().is_some_and(|l| l.voided.is_some())));
    let state = Memo::new(move |_| found.with(|line| line.as_ref().map(|line| line.kitchen_state)));
    let content = move || found.get().map(|line| content(kitchen, &line));
    let row = move || {
        if voided.get() {
            view! {
                <div class="line void">
                    {content}
                    <button
                        class="seen"
                        type="button"
                        on:click=move |_| kitchen.act(id, Intent::SeeVoids(vec![line]))
                    >
                        {kitchen.messages.kitchen.seen}
                    </button>
                </div>
            }
            .fresh()
        } else {
            view! {
                <button
                    class="line"
                    type="button"
                    data-state=move || state.get().map(state_name)
                    on:click=move |_| kitchen.tap_line(id, line)
                >
                    {content}
                </button>
            }
            .fresh()
        }
    };
    view! { <li>{row}</li> }.fresh()
}

fn state_name(state: KitchenState) -> &'static str {
    match state {
        KitchenState::Waiting => "waiting",
        KitchenState::Cooking => "cooking",
        KitchenState::Cooked => "cooked",
        KitchenState::Served => "served",
    }
}

fn content(kitchen: Kitchen, line: &Line) -> AnyView {
    let words = &kitchen.messages.kitchen;
    let language = kitchen.language();
    let options = line.options.iter().map(|option| {
        view! { <span class="option" dir="auto">{option.name.get(language).to_owned()}</span> }
    });
    let done = matches!(
        line.kitchen_state,
        KitchenState::Cooked | KitchenState::Served
    );
    let mark = match (&line.voided, done) {
        (Some(_), _) => view! { <span class="mark">{words.voided}</span> }.fresh(),
        (None, true) => view! {
            <span class="mark check">{icon(Icon::Check)} <span class="spoken">{words.line_cooked}</span></span>
        }
        .fresh(),
        (None, false) => ().fresh(),
    };
    let note_word = if line.note_changed_at.is_some() {
        words.note_changed
    } else {
        words.note
    };
    view! {
        <span class="quantity">{[&line.quantity.to_string(), "×"].concat()}</span>
        <span class="what">
            <span class="name" dir="auto">{line.name.get(language).to_owned()}</span>
            {options.collect_view()}
        </span>
        {mark}
        {block("note", note_word, &line.note)}
        {block("allergy", words.allergy, &line.allergy)}
    }
    .fresh()
}

fn block(class: &'static str, word: &'static str, text: &str) -> AnyView {
    if text.is_empty() {
        return ().fresh();
    }
    let text = text.to_owned();
    view! {
        <span class=class>
            <b>{word}</b>
            " · "
            <bdi dir="auto">{text}</bdi>
        </span>
    }
    .fresh()
}

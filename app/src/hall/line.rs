//! A line of an order in the drawer. It follows its own signal: what is written at it stays while
//! the order changes around it.

use domain::id::OrderId;
use domain::order::{KitchenState, Line};
use leptos::prelude::*;
use uuid::Uuid;

use super::asked::Asked;
use super::drawer::button;
use super::state::{Hall, Item};
use crate::browser::wall;
use crate::ui::{Erase, elapsed, when};

/// The lines of an order, among those of its party.
pub fn lines(hall: Hall, order: OrderId) -> AnyView {
    hall.lines.each(move |id| line(hall, order, id))
}

fn line(hall: Hall, order: OrderId, id: Uuid) -> AnyView {
    let shown = |item: ArcRwSignal<Item>| {
        let own = {
            let item = item.clone();
            move || item.with(|item| item.order == order)
        };
        when(own, move || row(hall, &item))
    };
    hall.lines.row(id).map(shown).fresh()
}

/// With a box while lines are chosen, else a button that opens what can be done with it.
fn row(hall: Hall, item: &ArcRwSignal<Item>) -> AnyView {
    let (id, at) = item.with_untracked(|item| (item.order, item.line.id));
    let wanted = {
        let item = item.clone();
        Memo::new(move |_| item.with(|item| item.wanted))
    };
    let asks = Asked::Line(id, at);
    let choosing = Memo::new(move |_| wanted.get() && hall.asked.get() == Some(Asked::Lines));
    let opened = Memo::new(move |_| wanted.get() && hall.asked.get() == Some(asks));
    let tap = move |_| {
        if choosing.get_untracked() {
            hall.finger.stays();
            hall.chosen.update(|chosen| {
                if !chosen.remove(&(id, at)) {
                    chosen.insert((id, at));
                }
            });
        } else if wanted.get_untracked() {
            hall.toggle(asks);
        }
    };
    let checked = move || {
        let chosen = || hall.chosen.with(|chosen| chosen.contains(&(id, at)));
        choosing.get().then(|| chosen().to_string())
    };
    let what = {
        let item = item.clone();
        move || item.with(|item| what(hall, item))
    };
    let notes = {
        let item = item.clone();
        move || item.with(|item| notes(hall, &item.line))
    };
    let tools = {
        let item = item.clone();
        move || tools(hall, item.clone())
    };
    view! {
        <li>
            <button
                type="button"
                class="line"
                class:void=move || !wanted.get()
                role=move || if choosing.get() { "checkbox" } else { "button" }
                aria-checked=checked
                aria-expanded=move || (!choosing.get()).then(|| opened.get().to_string())
                on:click=tap
            >
                {what}
            </button>
            {notes}
            {when(move || opened.get(), tools)}
        </li>
    }
    .fresh()
}

/// How many of what, and how far.
fn what(hall: Hall, item: &Item) -> AnyView {
    let language = hall.screen.language();
    let line = &item.line;
    let name = line.name.get(language);
    let what = [name, " × ", &line.quantity.to_string()].concat();
    let options = line.options.iter().map(|option| option.name.get(language));
    let options = options.collect::<Vec<_>>().join(" · ");
    view! {
        <span class="what">
            <span dir="auto">{what}</span>
            <small dir="auto">{options}</small>
        </span>
        {state(hall, item)}
    }
    .fresh()
}

/// How far a line is: `✓` cooked, `✓✓` served.
fn state(hall: Hall, item: &Item) -> AnyView {
    let words = hall.words();
    let [waiting, cooking, cooked, served] = words.line_states;
    let line = &item.line;
    let (state, since) = (line.kitchen_state, line.state_since);
    let counting = item.wanted && line.is_fired();
    let (mark, word) = if line.voided.is_some() {
        ("", hall.screen.messages.kitchen.voided)
    } else if !item.wanted {
        ("", words.rejected)
    } else if !counting {
        ("", words.unpaid)
    } else {
        match state {
            KitchenState::Waiting => ("", waiting),
            KitchenState::Cooking => ("", cooking),
            KitchenState::Cooked => ("✓ ", cooked),
            KitchenState::Served => ("✓✓ ", served),
        }
    };
    let time = move || {
        if !counting {
            return String::new();
        }
        match state {
            KitchenState::Waiting | KitchenState::Cooking | KitchenState::Cooked => {
                elapsed(hall.screen.now.get().since(since))
            }
            KitchenState::Served => wall::text(since),
        }
    };
    view! { <span class="state">{mark} {word} " " {time}</span> }.fresh()
}

fn notes(hall: Hall, line: &Line) -> AnyView {
    let allergy = if line.allergy.is_empty() {
        String::new()
    } else {
        [hall.screen.messages.kitchen.allergy, &line.allergy].concat()
    };
    view! {
        {text_block("note", &line.note)}
        {text_block("allergy", &allergy)}
    }
    .fresh()
}

/// A text of people, if there is one.
pub fn text_block(class: &'static str, text: &str) -> AnyView {
    if text.is_empty() {
        return ().fresh();
    }
    let text = text.to_owned();
    view! { <p class=class dir="auto">{text}</p> }.fresh()
}

/// Its note, and why it is not wanted.
fn tools(hall: Hall, item: ArcRwSignal<Item>) -> AnyView {
    let words = hall.words();
    let (order, line, name) = item.with_untracked(|item| {
        let name = item.line.name.get(hall.screen.language());
        (item.order, item.line.id, words.void_line.with(&[name]))
    });
    let voidable = move || item.with(|item| may_void(hall, &item.line));
    let why = move |reason: &'static str| {
        let label = [words.void, ": ", reason].concat();
        let void = move || hall.void(order, line, reason);
        button("ghost", label, Box::new(void))
    };
    let voids = move || {
        let reasons: Vec<AnyView> = words.void_reasons.into_iter().map(why).collect();
        view! { <div class="three" role="group" aria-label=name.clone()>{reasons}</div> }.fresh()
    };
    view! {
        {note_form(hall)}
        {when(voidable, voids)}
    }
    .fresh()
}

/// What the kitchen has may be voided by managers only, and nobody takes back what is served.
fn may_void(hall: Hall, line: &Line) -> bool {
    let manages = || {
        hall.screen
            .me
            .with(|me| me.as_ref().is_some_and(|me| me.role.manages()))
    };
    match line.kitchen_state {
        KitchenState::Waiting | KitchenState::Cooking | KitchenState::Cooked => {
            !line.is_fired() || manages()
        }
        KitchenState::Served => false,
    }
}

/// The note of what is asked about.
pub fn note_form(hall: Hall) -> AnyView {
    let words = hall.words();
    let save = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        hall.save_note();
    };
    view! {
        <form class="note-form" on:submit=save>
            <input
                type="text"
                maxlength="500"
                aria-label=words.note
                placeholder=words.note
                prop:value=hall.draft
                on:input=move |event| hall.draft.set(event_target_value(&event))
            />
            <button type="submit">{words.save}</button>
        </form>
    }
    .fresh()
}

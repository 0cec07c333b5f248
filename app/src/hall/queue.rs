//! What can be served: a card a table, the oldest first.

use leptos::prelude::*;
use uuid::Uuid;

use super::serving::{Dish, Group};
use super::state::Hall;
use super::tiles::is_late;
use crate::ui::{Erase, Icon, age, elapsed, icon, link_word, when};

/// The panel; a view of its own on a narrow screen.
pub fn queue(hall: Hall) -> AnyView {
    let words = hall.words();
    let count = move || hall.groups.ids.with(Vec::len);
    view! {
        <aside class="queue" aria-label=words.serving>
            <h2>{words.serving} <span>{count}</span></h2>
            {hall.groups.each(|id| view! { <GroupCard id /> }.erased())}
            {when(move || count() == 0 && hall.screen.based.get(), move || empty(hall))}
        </aside>
    }
    .erased()
}

/// Empty is never mistaken for broken.
fn empty(hall: Hall) -> AnyView {
    let screen = hall.screen;
    let messages = screen.messages;
    let proof = move || {
        let status = screen.status.get();
        let word = link_word(messages, status.link, true);
        messages
            .status
            .proof
            .with(&[word, &age(messages, status.age_ms)])
    };
    view! {
        <p class="quiet empty">
            <b>{messages.hall.nothing_to_serve}</b>
            <span>{proof}</span>
        </p>
    }
    .fresh()
}

#[component]
fn GroupCard(id: Uuid) -> impl IntoView {
    let hall: Hall = expect_context();
    hall.groups.row(id).map(|group| card(hall, group))
}

fn card(hall: Hall, group: ArcRwSignal<Group>) -> AnyView {
    let words = hall.words();
    let times = {
        let group = group.clone();
        Memo::new(move |_| group.with(|group| (group.since, group.warn_at, group.late_at)))
    };
    let label = {
        let group = group.clone();
        Memo::new(move |_| group.with(|group| group.label.clone()))
    };
    // Nothing, amber, red.
    let age = Memo::new(move |_| {
        let (_, warn, late) = times.get();
        u8::from(is_late(hall, Some(warn))) + u8::from(is_late(hall, Some(late)))
    });
    let word = move || match age.get() {
        0 => "",
        1 => words.warn,
        _ => words.late,
    };
    let timer = move || elapsed(hall.screen.now.get().since(times.get().0));
    let dishes = {
        let group = group.clone();
        move || {
            let group = group.get();
            let row = |dish: &Dish| dish_row(hall, &group.label, dish);
            group.dishes.iter().map(row).collect_view()
        }
    };
    let serve = move |_| {
        if hall.finger.takes() {
            hall.serve(&group.get_untracked());
        }
    };
    view! {
        <article class="group" data-age=move || ["fresh", "warn", "late"][usize::from(age.get())]>
            <header>
                <h3 dir="auto">{move || label.get()}</h3>
                <span class="age">{timer} " " {word}</span>
            </header>
            <ul>{dishes}</ul>
            <button
                class="primary"
                type="button"
                aria-label=move || words.served_to.with(&[&label.get()])
                aria-disabled=move || hall.finger.rests().then_some("true")
                on:click=serve
            >
                {words.served}
            </button>
        </article>
    }
    .fresh()
}

fn dish_row(hall: Hall, label: &str, dish: &Dish) -> AnyView {
    let words = hall.words();
    let language = hall.screen.language();
    let name = dish.name.get(language).to_owned();
    let mut more: Vec<&str> = dish.options.iter().map(|name| name.get(language)).collect();
    if !dish.note.is_empty() {
        more.push(&dish.note);
    }
    let spoken = words.serve_line.with(&[&[label, " ", &name].concat()]);
    let (order, line, label) = (dish.order, dish.line, label.to_owned());
    let serve = move |_| {
        if hall.finger.takes() {
            hall.serve_lines(vec![(order, vec![line])], &label);
        }
    };
    view! {
        <li>
            <span class="what">
                <span dir="auto">{name}</span>
                <small dir="auto">{more.join(" · ")}</small>
            </span>
            <span class="quantity">{dish.quantity}</span>
            <button
                class="square ghost"
                type="button"
                aria-label=spoken
                aria-disabled=move || hall.finger.rests().then_some("true")
                on:click=serve
            >
                {icon(Icon::Check)}
            </button>
        </li>
    }
    .fresh()
}

//! One ticket. It follows its own signal: an event on another ticket does not touch it.

use domain::id::OrderId;
use domain::kitchen::AgeLevel;
use domain::order::{Channel, PlacedByKind};
use leptos::prelude::*;

use super::board::{Card, index};
use super::columns::name;
use super::line::LineRow;
use super::rows::{Row, rows};
use super::step::{Step, step};
use super::store::{Kitchen, Sheet};
use crate::browser::wall;
use crate::ui::{Erase, Icon, elapsed, icon};

/// A card of the board.
#[component]
pub fn TicketCard(id: OrderId) -> impl IntoView {
    let kitchen: Kitchen = expect_context();
    kitchen.card(id).map(|card| article(kitchen, id, card))
}

/// The numbers 1–9 that keys select cards by, in reading order.
fn key_of(kitchen: Kitchen, id: OrderId) -> Option<String> {
    let ids = super::board::COLUMNS
        .iter()
        .flat_map(|column| kitchen.column(*column).get());
    let place = ids.take(9).position(|other| other == id)?;
    Some((place + 1).to_string())
}

fn article(kitchen: Kitchen, id: OrderId, card: ArcRwSignal<Card>) -> AnyView {
    let words = &kitchen.messages.kitchen;
    let ticket = {
        let card = card.clone();
        Memo::new(move |_| card.with(|card| card.ticket))
    };
    let age = Memo::new(move |_| ticket.get().age(&kitchen.thresholds(), kitchen.now.get()));
    let label = {
        let card = card.clone();
        Memo::new(move |_| card.with(|card| kitchen.label(&card.order)))
    };
    let pending = {
        let card = card.clone();
        Memo::new(move |_| card.with(|card| card.pending))
    };
    let age_word = move || match age.get() {
        AgeLevel::Fresh => "",
        AgeLevel::Warn => words.warn,
        AgeLevel::Late => words.late,
    };
    let timer = move || elapsed(kitchen.now.get().since(ticket.get().since));
    let fresh = move || kitchen.unseen.with(|unseen| unseen.contains(&id));
    let selected = move || kitchen.selected.get() == Some(id);
    let spoken = move || [&label.get(), " ", words.columns[index(ticket.get().column)]].concat();
    view! {
        <article
            class="ticket"
            id=["t", &id.to_string()].concat()
            class:pending=move || pending.get()
            class:fresh=fresh
            class:selected=selected
            data-testid=["ticket-", &id.to_string()].concat()
            data-column=move || name(ticket.get().column)
            data-age=move || age_name(age.get())
            aria-label=spoken
            tabindex="-1"
            on:pointerdown=move |_| kitchen.see(id)
        >
            <header>
                <h3 dir="auto">
                    {move || selected().then(|| key_of(kitchen, id)).flatten().map(key_badge)}
                    {move || label.get()}
                </h3>
                <span class="age">
                    <span class="word">{age_word}</span>
                    " "
                    <span class="timer">{timer}</span>
                </span>
            </header>
            {sub(kitchen, card.clone())}
            {order_note(kitchen, card.clone())}
            {lines(kitchen, id, card.clone())}
            {foot(kitchen, id, card, label)}
        </article>
    }
    .fresh()
}

fn key_badge(number: String) -> AnyView {
    view! { <kbd aria-hidden="true">{number}</kbd> }.fresh()
}

fn age_name(age: AgeLevel) -> &'static str {
    match age {
        AgeLevel::Fresh => "fresh",
        AgeLevel::Warn => "warn",
        AgeLevel::Late => "late",
    }
}

/// Order no. · zone · channel · staff, and badges.
fn sub(kitchen: Kitchen, card: ArcRwSignal<Card>) -> AnyView {
    let words = &kitchen.messages.kitchen;
    let facts = {
        let card = card.clone();
        Memo::new(move |_| card.with(|card| facts(kitchen, card)))
    };
    let badges = Memo::new(move |_| card.with(|card| (card.ticket.priority, card.ticket.recalled)));
    view! {
        <p class="sub">
            <span dir="auto">{move || facts.get()}</span>
            {move || {
                badges
                    .get()
                    .0
                    .then(|| view! { <span class="tag priority">{icon(Icon::Star)} {words.priority}</span> })
            }}
            {move || badges.get().1.then(|| view! { <span class="tag recalled">{words.recalled}</span> })}
        </p>
    }
    .fresh()
}

fn facts(kitchen: Kitchen, card: &Card) -> String {
    let order = &card.order;
    let mut facts = vec![["#", &order.number.to_string()].concat()];
    if let Some(zone) = &order.zone {
        facts.push(zone.get(kitchen.language()).to_owned());
    }
    // Staff in the hall: the name says it.
    if order.channel != Channel::Hall {
        facts.push(kitchen.channel(order.channel).to_owned());
    }
    match order.placed_by.kind {
        PlacedByKind::Staff => facts.push(
            kitchen
                .messages
                .kitchen
                .staff
                .with(&[&order.placed_by.name]),
        ),
        PlacedByKind::Guest => {}
    }
    facts.join(" · ")
}

fn order_note(kitchen: Kitchen, card: ArcRwSignal<Card>) -> AnyView {
    let note = Memo::new(move |_| card.with(|card| card.order.note.clone()));
    let shown = move || {
        let note = note.get();
        (!note.is_empty()).then(|| {
            view! {
                <p class="note">
                    {kitchen.messages.kitchen.order_note} " · " <bdi dir="auto">{note}</bdi>
                </p>
            }
        })
    };
    shown.fresh()
}

fn lines(kitchen: Kitchen, id: OrderId, card: ArcRwSignal<Card>) -> AnyView {
    let shown = {
        let card = card.clone();
        Memo::new(move |_| {
            let station = kitchen.station.get();
            card.with(|card| rows(&card.order, station))
        })
    };
    let row = move |row: Row| match row {
        Row::Added(at) => {
            // The zone comes with the settings.
            let words = move || {
                kitchen.settings.track();
                kitchen.messages.kitchen.added.with(&[&wall::text(at)])
            };
            view! { <li class="added">{words}</li> }.fresh()
        }
        Row::Line(line) => view! { <LineRow id line card=card.clone() /> }.fresh(),
    };
    view! {
        <ul class="lines">
            <For each=move || shown.get() key=|row| *row children=row />
        </ul>
    }
    .fresh()
}

fn foot(kitchen: Kitchen, id: OrderId, card: ArcRwSignal<Card>, label: Memo<String>) -> AnyView {
    let words = &kitchen.messages.kitchen;
    let next = {
        let card = card.clone();
        Memo::new(move |_| {
            let station = kitchen.station.get();
            card.with(|card| (step(&card.order, &card.ticket, station), card.pending))
        })
    };
    let [start, finish, back] = words.actions;
    let action = move || match next.get().0 {
        Step::Start => start,
        Step::Finish => finish,
        Step::Back => back,
    };
    view! {
        <footer>
            <button
                class="primary"
                class:ghost=move || next.get().0 == Step::Back
                type="button"
                aria-disabled=move || next.get().1.then_some("true")
                on:click=move |_| kitchen.tap(id)
            >
                {action}
            </button>
            <button
                class="square more"
                type="button"
                aria-haspopup="dialog"
                aria-label=move || words.more.with(&[&label.get()])
                on:click=move |_| kitchen.sheet.set(Some(Sheet::Ticket(id)))
            >
                {icon(Icon::More)}
            </button>
        </footer>
    }
    .fresh()
}

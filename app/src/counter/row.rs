//! One row. It follows its own signal: an event on another order does not touch it.

use domain::id::OrderId;
use domain::order::{Channel, Order, PlacedByKind};
use leptos::prelude::*;
use uuid::Uuid;

use super::queue::{Delivery, Holding, Row, Stage, summary};
use super::state::{Counter, Sheet};
use crate::i18n::Sentence;
use crate::live;
use crate::ui::{Erase, elapsed};

/// The row of an order.
pub fn row(counter: Counter, id: Uuid) -> AnyView {
    counter
        .rows
        .row(id)
        .map(|row| article(counter, id, row))
        .fresh()
}

fn article(counter: Counter, id: Uuid, row: ArcRwSignal<Row>) -> AnyView {
    let language = counter.screen.language();
    let part = {
        let row = row.clone();
        move |read: fn(Counter, &Row) -> String| {
            let row = row.clone();
            let text = Memo::new(move |_| row.with(|row| read(counter, row)));
            move || text.get()
        }
    };
    let lines = {
        let row = row.clone();
        Memo::new(move |_| row.with(|row| summary(&row.order, language)))
    };
    let stage = {
        let row = row.clone();
        Memo::new(move |_| row.with(|row| row.stage))
    };
    let pending = {
        let row = row.clone();
        Memo::new(move |_| row.with(|row| row.pending))
    };
    let acts = {
        let row = row.clone();
        move || match stage.get() {
            Stage::Waiting => buttons(counter, OrderId(id)),
            Stage::Paid(seq) => delivery(counter, seq, row.clone()),
        }
    };
    let hold = hold(counter, row.clone());
    view! {
        <li
            class="pay"
            class:paid=move || stage.get() != Stage::Waiting
            class:pending=move || pending.get()
            data-testid=["pay-", &id.to_string()].concat()
            data-stage=move || if stage.get() == Stage::Waiting { "waiting" } else { "paid" }
        >
            <h2>
                {part(|_, row| ["#", &row.order.number.to_string()].concat())}
                " "
                <span dir="auto">{part(|counter, row| counter.screen.place_of(&row.order).to_owned())}</span>
            </h2>
            <p class="what" dir="auto">
                {move || lines.get()}
                <small>
                    {part(facts)} {age(counter, row)}
                </small>
            </p>
            <div class="due">
                <b class="amount">{part(|_, row| row.order.currency.format(row.order.total))}</b>
                {hold}
            </div>
            <div class="acts">{acts}</div>
        </li>
    }
    .fresh()
}

/// Tender · channel · staff, and the dot before the age.
fn facts(counter: Counter, row: &Row) -> String {
    let order: &Order = &row.order;
    let mut facts = String::new();
    let mut add = |fact: &str| {
        facts.push_str(fact);
        facts.push_str(" · ");
    };
    if let (Stage::Paid(_), Some(tender)) = (row.stage, order.tender) {
        add(counter.tender(tender));
    }
    // Staff in the hall: the name says it. Without a table the channel stands in its place.
    if order.channel != Channel::Hall && !order.table_label.is_empty() {
        add(counter.screen.channel(order.channel));
    }
    match order.placed_by.kind {
        PlacedByKind::Staff => {
            let staff = counter.screen.messages.kitchen.staff;
            add(&staff.with(&[&order.placed_by.name]));
        }
        PlacedByKind::Guest => {}
    }
    facts
}

/// How long its stock is held yet.
fn hold(counter: Counter, row: ArcRwSignal<Row>) -> AnyView {
    let words = &counter.screen.messages.stock;
    let holding = Memo::new(move |_| {
        let now = counter.screen.now.get();
        row.with(|row| Holding::of(row, now))
    });
    let text = move || match holding.get() {
        Holding::None => String::new(),
        Holding::Held(left) => words.held_for.with(&[&elapsed(left)]),
        Holding::Lost => words.lost.to_owned(),
    };
    view! {
        <small class="hold" data-hold=move || holding.get().name()>
            {text}
        </small>
    }
    .fresh()
}

/// Since it was placed; of a paid one since it was paid.
fn age(counter: Counter, row: ArcRwSignal<Row>) -> AnyView {
    let since = Memo::new(move |_| {
        row.with(|row| match row.stage {
            Stage::Waiting => row.order.placed_at,
            Stage::Paid(_) => row.order.confirmed_at.unwrap_or(row.order.placed_at),
        })
    });
    let words = move || {
        let age = counter.screen.now.get().since(since.get());
        counter.words().ago.with(&[&elapsed(age)])
    };
    words.fresh()
}

fn buttons(counter: Counter, id: OrderId) -> AnyView {
    let words = counter.words();
    // The name of an order does not change while it waits; its amount may.
    let name = counter
        .waiting_order(id)
        .map(|order| counter.screen.order_name(&order));
    let label = |action| {
        words
            .of
            .with(&[action, name.as_deref().unwrap_or_default()])
    };
    view! {
        <button
            class="primary"
            type="button"
            aria-haspopup="dialog"
            aria-label=label(words.confirm)
            on:click=move |_| counter.ask_for_tender(id)
        >
            {words.confirm}
        </button>
        <button
            class="ghost"
            type="button"
            aria-haspopup="dialog"
            aria-label=label(words.reject)
            on:click=move |_| counter.sheet.set(Some(Sheet::Reject(id)))
        >
            {words.reject}
        </button>
    }
    .fresh()
}

/// Whether the kitchen has it, looked at each second.
fn delivery(counter: Counter, seq: u64, row: ArcRwSignal<Row>) -> AnyView {
    let words = counter.words();
    let delivery = Memo::new(move |_| {
        let now = counter.screen.now.get();
        row.with(|row| Delivery::of(row, live::kitchen(seq), now))
    });
    let text = move || {
        let (sentence, screens) = match delivery.get() {
            Delivery::Confirming => return words.confirming.to_owned(),
            Delivery::Begun => return words.begun.to_owned(),
            Delivery::NoScreen => return words.no_screen.to_owned(),
            Delivery::Received(screens) => (words.received, screens),
            Delivery::Sending(screens) => (words.sending, screens),
            Delivery::Missing(screens) => (words.not_received, screens),
        };
        count(sentence, screens)
    };
    view! {
        <p class="delivery" role="status" data-delivery=move || delivery.get().name()>
            {text}
        </p>
    }
    .fresh()
}

/// Of one, or of so many.
pub fn count<N: PartialEq + From<u8> + ToString>([one, many]: [Sentence; 2], number: N) -> String {
    let sentence = if number == N::from(1) { one } else { many };
    sentence.with(&[&number.to_string()])
}

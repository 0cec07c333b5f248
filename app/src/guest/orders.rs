//! The orders of the table: how far each is, step by step, and what is in it.

use domain::guest::{GuestLine, GuestOrder};
use domain::money::Amount;
use domain::order::{CheckoutStage, KitchenState};
use domain::settings::PaymentTiming;
use leptos::prelude::*;
use uuid::Uuid;

use super::progress::{Done, Progress, Step, amount, is_unpaid, progress};
use super::state::Guest;
use crate::browser::wall;
use crate::ui::{Erase, varying, when};

/// The orders, the newest first.
#[component]
pub fn Orders() -> impl IntoView {
    let guest: Guest = expect_context();
    when(
        move || guest.orders.ids.with(|ids| !ids.is_empty()),
        move || orders(guest),
    )
}

fn orders(guest: Guest) -> AnyView {
    let words = &guest.messages.guest;
    let sum = varying(move || {
        let ids = guest.orders.ids.get().into_iter();
        let orders = ids.filter_map(|id| guest.orders.row(id));
        let amounts = orders.map(|order| order.with(|order| amount(order).0));
        guest.money(Amount(amounts.sum()))
    });
    view! {
        <section class="orders" aria-label=words.orders>
            {guest.orders.each(move |id| card(guest, id))}
            <p class="orders-sum">
                <span>{words.sum}</span>
                <b>{sum}</b>
            </p>
        </section>
    }
    .fresh()
}

fn card(guest: Guest, id: Uuid) -> AnyView {
    let Some(order) = guest.orders.row(id) else {
        return ().fresh();
    };
    let words = &guest.messages.guest;
    let number = order.with_untracked(|order| words.number.with(&[&order.number.to_string()]));
    let placed = order.with_untracked(|order| wall::text(order.placed_at));
    let (stands, sums, lists) = (order.clone(), order.clone(), order);
    let state = varying(move || stands.with(|order| standing(guest, order)));
    let summary = varying(move || sums.with(|order| summary(guest, order)));
    let lines = varying(move || lists.with(|order| lines(guest, order)));
    view! {
        <article class="order-card" data-testid=["order-", &id.to_string()].concat()>
            <h2>
                {number}
                " "
                <time>{placed}</time>
            </h2>
            {state}
            // The summary stays: it may have the focus.
            <details>
                <summary>{summary}</summary>
                {lines}
            </details>
        </article>
    }
    .fresh()
}

fn timing(guest: Guest) -> PaymentTiming {
    guest.store.with(|store| {
        let timing = store.as_ref().map(|store| store.payment_timing);
        timing.unwrap_or(PaymentTiming::Prepaid)
    })
}

fn standing(guest: Guest, order: &GuestOrder) -> AnyView {
    let words = &guest.messages.guest;
    let timing = timing(guest);
    let end = |text: String| view! { <p class="order-end" dir="auto">{text}</p> }.fresh();
    let steps = match progress(order, timing) {
        Progress::Rejected => return end(guest.rejected_words(order)),
        Progress::Cancelled => return end(words.cancelled.to_owned()),
        Progress::Steps(steps) => steps,
    };
    let hint = if order.checkout_stage == CheckoutStage::Refunded {
        Some(words.refunded)
    } else if timing == PaymentTiming::Prepaid && is_unpaid(order) {
        Some(words.unpaid)
    } else {
        None
    };
    let each = steps.into_iter().map(|(at, done)| step(guest, at, done));
    view! {
        <ol class="steps">{each.collect_view()}</ol>
        {hint.map(|hint| view! { <p class="order-hint">{hint}</p> })}
    }
    .fresh()
}

fn step(guest: Guest, at: Step, done: Done) -> AnyView {
    let (state, part) = match done {
        Done::No => ("no", None),
        Done::Part(some, all) => (
            "part",
            Some([&some.to_string(), "/", &all.to_string()].concat()),
        ),
        Done::Yes => ("yes", None),
    };
    // For those who listen: the mark before the word is colour and shape.
    let mark = (done == Done::Yes).then(|| view! { <span class="spoken">"✓ "</span> });
    view! {
        <li data-done=state>
            {mark}
            {guest.messages.guest.steps[at.index()]}
            {part.map(|part| view! { <b>{part}</b> })}
        </li>
    }
    .fresh()
}

/// How many portions, and what they cost.
fn summary(guest: Guest, order: &GuestOrder) -> String {
    let live = order.lines.iter().filter(|line| !line.voided);
    let count: u32 = live.map(|line| line.quantity).sum();
    let total = order.currency.format(order.total);
    let words = guest.messages.guest.lines;
    words.with(&[&count.to_string(), &total])
}

fn lines(guest: Guest, order: &GuestOrder) -> AnyView {
    let states = !is_unpaid(order) || timing(guest) == PaymentTiming::Postpaid;
    let states = states && order.checkout_stage != CheckoutStage::Rejected;
    let each = order.lines.iter().map(|line| {
        let amount = order.currency.format(line.amount);
        line_view(guest, line, amount, states)
    });
    let note = (!order.note.is_empty())
        .then(|| view! { <p class="quiet" dir="auto">{order.note.clone()}</p> });
    view! {
        <ul>{each.collect_view()}</ul>
        {note}
    }
    .fresh()
}

fn line_view(guest: Guest, line: &GuestLine, amount: String, states: bool) -> AnyView {
    let language = guest.language();
    let words = guest.messages;
    let state = match (line.voided, line.kitchen_state) {
        (true, _) => Some(words.guest.voided),
        (false, _) if !states => None,
        (false, KitchenState::Waiting) => Some(words.kitchen.columns[0]),
        (false, KitchenState::Cooking) => Some(words.guest.steps[Step::Cooking.index()]),
        (false, KitchenState::Cooked) => Some(words.guest.steps[Step::Cooked.index()]),
        (false, KitchenState::Served) => Some(words.guest.steps[Step::Served.index()]),
    };
    let options = line.options.iter().map(|option| option.name.get(language));
    let notes = [line.note.as_str(), line.allergy.as_str()];
    let more: Vec<&str> = options
        .chain(notes)
        .filter(|text| !text.is_empty())
        .collect();
    let name = line.name.get(language).to_owned();
    view! {
        <li class:voided=line.voided>
            <span class="line-name">
                <span dir="auto">{name}</span>
                " ×"
                {line.quantity}
                <small dir="auto">{more.join(" · ")}</small>
            </span>
            <span>{amount}</span>
            <small class="line-state">{state}</small>
        </li>
    }
    .fresh()
}

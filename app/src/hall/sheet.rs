//! The orders of a party, as the drawer shows them.

use domain::id::OrderId;
use domain::order::{Channel, CheckoutStage, Order, PlacedByKind, Tender};
use leptos::prelude::*;
use uuid::Uuid;

use super::asked::Asked;
use super::drawer::button;
use super::floor::counts;
use super::line::{lines, note_form, text_block};
use super::state::{Hall, Sheet};
use crate::ui::{Erase, when};

const TENDERS: [Tender; 3] = [Tender::Cash, Tender::Card, Tender::Transfer];

/// The orders and their sum.
pub fn orders(hall: Hall) -> AnyView {
    let words = hall.words();
    let sits = move || {
        hall.detail
            .with(|tile| tile.as_ref().is_some_and(|t| t.party.is_some()))
    };
    let none = move || sits() && hall.orders.ids.with(Vec::is_empty);
    let some = move || hall.orders.ids.with(|ids| !ids.is_empty());
    let total = move || {
        let amount = hall
            .detail
            .with(|tile| tile.as_ref().map(|tile| tile.amount));
        hall.screen.money(amount.unwrap_or_default())
    };
    let sum =
        move || view! { <p class="total"><span>{words.total}</span> <b>{total}</b></p> }.fresh();
    view! {
        {hall.orders.each(|id| view! { <OrderSheet id /> }.erased())}
        {when(none, move || view! { <p class="quiet">{words.no_orders}</p> }.fresh())}
        {when(some, sum)}
    }
    .fresh()
}

#[component]
fn OrderSheet(id: Uuid) -> impl IntoView {
    let hall: Hall = expect_context();
    let sheet = hall.orders.row(id);
    sheet.map(|sheet| section(hall, OrderId(id), sheet))
}

/// What can be written into stands beside what its order changes, and not in it.
fn section(hall: Hall, id: OrderId, sheet: ArcRwSignal<Sheet>) -> AnyView {
    let pending = {
        let sheet = sheet.clone();
        move || sheet.with(|sheet| sheet.pending)
    };
    let owes = {
        let sheet = sheet.clone();
        Memo::new(move |_| {
            sheet.with(|sheet| sheet.order.checkout_stage == CheckoutStage::AwaitingPayment)
        })
    };
    let head = move || sheet.with(|sheet| head(hall, &sheet.order));
    let note = move || hall.asked.get() == Some(Asked::Note(id));
    let pay = move || owes.get() && hall.asked.get() == Some(Asked::Tender(id));
    view! {
        <section class="ord" class:pending=pending>
            {head}
            <ul>{lines(hall, id)}</ul>
            <div class="tools">{move || tools(hall, id, owes.get())}</div>
            {when(pay, move || tenders(hall, id))}
            {when(note, move || note_form(hall))}
        </section>
    }
    .fresh()
}

fn head(hall: Hall, order: &Order) -> AnyView {
    let head = [
        &hall.words().order.with(&[&order.number.to_string()]),
        " · ",
        &placed_by(hall, order),
    ];
    view! {
        <h3>
            <span dir="auto">{head.concat()}</span>
            <span class:void=!counts(order)>{hall.screen.money(order.total)}</span>
        </h3>
        <p class="stage">{stage(hall, order)}</p>
        {text_block("note", &order.note)}
    }
    .fresh()
}

fn tools(hall: Hall, id: OrderId, owes: bool) -> AnyView {
    let words = hall.words();
    let mut tools = Vec::new();
    if owes {
        let ask = move || hall.toggle(Asked::Tender(id));
        tools.push(button("confirm", words.confirm.to_owned(), Box::new(ask)));
    }
    let ask = move || hall.toggle(Asked::Note(id));
    tools.push(button("ghost", words.note.to_owned(), Box::new(ask)));
    tools.collect_view().fresh()
}

/// The channel, or who took the order.
fn placed_by(hall: Hall, order: &Order) -> String {
    match (order.placed_by.kind, order.channel) {
        (PlacedByKind::Staff, _) => {
            let words = &hall.screen.messages.kitchen;
            words.staff.with(&[&order.placed_by.name])
        }
        (
            PlacedByKind::Guest,
            Channel::Qr | Channel::Hall | Channel::Counter | Channel::Takeout,
        ) => hall.screen.channel(order.channel).to_owned(),
    }
}

fn stage(hall: Hall, order: &Order) -> String {
    let words = hall.words();
    let [cash, card, transfer] = words.tenders;
    match order.checkout_stage {
        CheckoutStage::AwaitingPayment => words.unpaid.to_owned(),
        CheckoutStage::Confirmed => words.paid.with(&[match order.tender {
            Some(Tender::Cash) => cash,
            Some(Tender::Card) => card,
            Some(Tender::Transfer) => transfer,
            None => "",
        }]),
        CheckoutStage::Refunded => words.refunded.to_owned(),
        CheckoutStage::Rejected => {
            let reason = order.reject_reason.as_deref().unwrap_or_default();
            [words.rejected, " ", reason].concat()
        }
    }
}

fn tenders(hall: Hall, id: OrderId) -> AnyView {
    let choice = |(tender, name): (Tender, &'static str)| {
        button(
            "ghost",
            name.to_owned(),
            Box::new(move || hall.confirm(id, tender)),
        )
    };
    let choices: Vec<AnyView> = TENDERS
        .into_iter()
        .zip(hall.words().tenders)
        .map(choice)
        .collect();
    view! { <div class="three" role="group" aria-label=hall.words().confirm>{choices}</div> }
        .fresh()
}

//! The orders of a party, as the drawer shows them.

use domain::id::{LineId, OrderId};
use domain::order::{Channel, CheckoutStage, KitchenState, Line, Order, PlacedByKind, Tender};
use leptos::prelude::*;
use uuid::Uuid;

use super::drawer::button;
use super::floor::counts;
use super::state::{Asked, Hall, Sheet};
use crate::browser::wall;
use crate::ui::{Erase, elapsed, when};

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
    hall.orders.row(id).map(|sheet| section(hall, sheet))
}

fn section(hall: Hall, sheet: ArcRwSignal<Sheet>) -> AnyView {
    let pending = {
        let sheet = sheet.clone();
        move || sheet.with(|sheet| sheet.pending)
    };
    let content = move || sheet.with(|sheet| content(hall, &sheet.order));
    view! { <section class="ord" class:pending=pending>{content}</section> }.fresh()
}

fn content(hall: Hall, order: &Order) -> AnyView {
    let words = hall.words();
    let id = order.id;
    let head = [
        &words.order.with(&[&order.number.to_string()]),
        " · ",
        &placed_by(hall, order),
    ];
    let lines = order.lines.iter().map(|line| line_row(hall, order, line));
    let note = move || hall.asked.get() == Some(Asked::Note(id));
    let pay = move || hall.asked.get() == Some(Asked::Tender(id));
    let text = order.note.clone();
    let mut tools = Vec::new();
    if order.checkout_stage == CheckoutStage::AwaitingPayment {
        let ask = move || hall.toggle(Asked::Tender(id));
        tools.push(button("confirm", words.confirm.to_owned(), Box::new(ask)));
    }
    let ask = move || hall.toggle(Asked::Note(id));
    tools.push(button("ghost", words.note.to_owned(), Box::new(ask)));
    view! {
        <h3>
            <span dir="auto">{head.concat()}</span>
            <span class:void=!counts(order)>{hall.screen.money(order.total)}</span>
        </h3>
        <p class="stage">{stage(hall, order)}</p>
        {text_block("note", &order.note)}
        <ul>{lines.collect_view()}</ul>
        <div class="tools">{tools}</div>
        {when(pay, move || tenders(hall, id))}
        {when(note, move || note_form(hall, id, None, &text))}
    }
    .fresh()
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

/// A line; with a box while lines are chosen, else a button that opens what can be done with it.
fn line_row(hall: Hall, order: &Order, line: &Line) -> AnyView {
    let (id, at) = (order.id, line.id);
    let live = line.voided.is_none() && counts(order);
    let name = line.name.get(hall.screen.language()).to_owned();
    let what = [&name, " × ", &line.quantity.to_string()].concat();
    let state = line_state(hall, order, line);
    let options = line
        .options
        .iter()
        .map(|option| option.name.get(hall.screen.language()));
    let options = options.collect::<Vec<_>>().join(" · ");
    let asks = Asked::Line(id, at);
    let choosing = Memo::new(move |_| live && hall.asked.get() == Some(Asked::Lines));
    let opened = move || hall.asked.get() == Some(asks);
    let tap = move |_| {
        if choosing.get_untracked() {
            hall.chosen.update(|chosen| {
                if !chosen.remove(&(id, at)) {
                    chosen.insert((id, at));
                }
            });
        } else if live {
            hall.toggle(asks);
        }
    };
    let checked = move || {
        let chosen = || hall.chosen.with(|chosen| chosen.contains(&(id, at)));
        choosing.get().then(|| chosen().to_string())
    };
    let (note, allergy) = (line.note.clone(), line.allergy.clone());
    let voidable = live && line.kitchen_state != KitchenState::Served && may_void(hall, line);
    let edit = {
        let (name, note) = (name.clone(), note.clone());
        move || line_tools(hall, id, at, &name, &note, voidable)
    };
    view! {
        <li>
            <button
                type="button"
                class="line"
                class:void=!live
                role=move || if choosing.get() { "checkbox" } else { "button" }
                aria-checked=checked
                aria-expanded=move || (!choosing.get()).then(|| opened().to_string())
                on:click=tap
            >
                <span class="what">
                    <span dir="auto">{what}</span>
                    <small dir="auto">{options}</small>
                </span>
                {state}
            </button>
            {text_block("note", &note)}
            {text_block("allergy", &[allergy_word(hall, &allergy), &allergy].concat())}
            {when(opened, edit)}
        </li>
    }
    .fresh()
}

fn allergy_word(hall: Hall, allergy: &str) -> &'static str {
    if allergy.is_empty() {
        ""
    } else {
        hall.screen.messages.kitchen.allergy
    }
}

/// What the kitchen has may be voided by managers only.
fn may_void(hall: Hall, line: &Line) -> bool {
    let manages = || {
        hall.screen
            .me
            .with(|me| me.as_ref().is_some_and(|me| me.role.manages()))
    };
    !line.is_fired() || manages()
}

/// How far a line is: `✓` cooked, `✓✓` served.
fn line_state(hall: Hall, order: &Order, line: &Line) -> AnyView {
    let words = hall.words();
    let [waiting, cooking, cooked, served] = words.line_states;
    let word = match line.kitchen_state {
        _ if line.voided.is_some() => hall.screen.messages.kitchen.voided,
        _ if !counts(order) => words.rejected,
        KitchenState::Waiting if !line.is_fired() => words.unpaid,
        KitchenState::Waiting => waiting,
        KitchenState::Cooking => cooking,
        KitchenState::Cooked => cooked,
        KitchenState::Served => served,
    };
    let counting = line.is_fired() && line.voided.is_none() && counts(order);
    let (state, since) = (line.kitchen_state, line.state_since);
    let mark = match state {
        KitchenState::Cooked if counting => "✓ ",
        KitchenState::Served if counting => "✓✓ ",
        KitchenState::Waiting
        | KitchenState::Cooking
        | KitchenState::Cooked
        | KitchenState::Served => "",
    };
    let time = move || match state {
        KitchenState::Served if counting => wall::text(since),
        _ if counting => elapsed(hall.screen.now.get().since(since)),
        _ => String::new(),
    };
    view! { <span class="state">{mark} {word} " " {time}</span> }.fresh()
}

fn line_tools(
    hall: Hall,
    order: OrderId,
    line: LineId,
    name: &str,
    note: &str,
    voidable: bool,
) -> AnyView {
    let words = hall.words();
    let why = |reason: &'static str| {
        let label = [words.void, ": ", reason].concat();
        button(
            "ghost",
            label,
            Box::new(move || hall.void(order, line, reason)),
        )
    };
    let reasons: Vec<AnyView> = words.void_reasons.into_iter().map(why).collect();
    let voids = voidable.then(|| {
        let label = words.void_line.with(&[name]);
        view! { <div class="three" role="group" aria-label=label>{reasons}</div> }.fresh()
    });
    view! {
        {note_form(hall, order, Some(line), note)}
        {voids}
    }
    .fresh()
}

fn note_form(hall: Hall, order: OrderId, line: Option<LineId>, note: &str) -> AnyView {
    let words = hall.words();
    let text = RwSignal::new(note.to_owned());
    let save = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        hall.note(order, line, text.get_untracked().trim());
    };
    view! {
        <form class="note-form" on:submit=save>
            <input
                type="text"
                maxlength="500"
                aria-label=words.note
                placeholder=words.note
                prop:value=text
                on:input=move |event| text.set(event_target_value(&event))
            />
            <button type="submit">{words.save}</button>
        </form>
    }
    .fresh()
}

fn text_block(class: &'static str, text: &str) -> AnyView {
    if text.is_empty() {
        return ().fresh();
    }
    let text = text.to_owned();
    view! { <p class=class dir="auto">{text}</p> }.fresh()
}

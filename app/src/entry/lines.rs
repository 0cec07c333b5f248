//! The lines of a cart: what, how many, its price; out with it.

use std::sync::Arc;

use domain::money::Currency;
use domain::stock::Left;
use leptos::prelude::*;

use super::cart::{Cart, CartLine, MOST, Why};
use super::offer::Offer;
use super::stepper::Stepper;
use crate::i18n::{self, Messages};
use crate::ui::{Erase, Icon, icon};

/// A context-free list over a cart and the menu of the moment.
#[derive(Clone, Copy)]
struct Lines {
    messages: &'static Messages,
    cart: RwSignal<Cart>,
    offer: RwSignal<Arc<Offer>>,
    currency: Currency,
    fixed: Signal<bool>,
}

/// The lines. What cannot be ordered any more says so.
#[component]
pub fn CartLines(
    /// Changed by presses.
    cart: RwSignal<Cart>,
    /// The menu.
    offer: RwSignal<Arc<Offer>>,
    /// Of its prices.
    currency: Currency,
    /// It is on its way: what is gone may be what it has taken itself.
    fixed: Signal<bool>,
) -> impl IntoView {
    let lines = Lines {
        messages: i18n::messages(),
        cart,
        offer,
        currency,
        fixed,
    };
    // Quantities aside, so that a step of one keeps its button and the focus on it.
    let kinds = Memo::new(move |_| {
        let kind = |line: &CartLine| CartLine {
            quantity: 1,
            ..line.clone()
        };
        cart.with(|cart| cart.lines().iter().map(kind).collect::<Vec<_>>())
    });
    let rows = move || {
        let kinds = kinds.get().into_iter().enumerate();
        kinds.map(|(at, line)| row(lines, at, &line)).collect_view()
    };
    view! { <ul class="cart-lines">{rows}</ul> }.fresh()
}

fn row(lines: Lines, at: usize, line: &CartLine) -> AnyView {
    let language = lines.messages.language;
    let words = &lines.messages.entry;
    let item = lines
        .offer
        .with_untracked(|offer| offer.get(line.menu_id).cloned());
    let options = item.iter().flat_map(|item| line.options(item));
    let options: Vec<&str> = options.map(|option| option.name.get(language)).collect();
    let name = item.as_ref().map_or(&line.name, |item| &item.name);
    let name = name.get(language).to_owned();
    let quantity = Signal::derive(move || {
        let line = |cart: &Cart| cart.lines().get(at).map(|line| line.quantity);
        lines.cart.with(line).unwrap_or(1)
    });
    let most = Signal::derive(move || most(lines, at));
    let amount = move || amount(lines, at);
    let gone = move || gone(lines, at);
    let change = Callback::new(move |to| lines.cart.update(|cart| cart.set_quantity(at, to)));
    view! {
        <li class="cart-line">
            <div class="cart-what">
                <b dir="auto">{name.clone()}</b>
                {small("", options.join(" · "))}
                {small("", line.note.clone())}
                {small("allergy", line.allergy.clone())}
                <strong class="gone">{gone}</strong>
            </div>
            <b class="cart-amount">{amount}</b>
            <div class="cart-acts">
                <Stepper name=name.clone() quantity most change />
                <button
                    class="ghost square"
                    type="button"
                    aria-label=words.remove.with(&[&name])
                    on:click=move |_| lines.cart.update(|cart| cart.remove(at))
                >
                    {icon(Icon::Close)}
                </button>
            </div>
        </li>
    }
    .fresh()
}

fn small(class: &'static str, text: String) -> AnyView {
    let shown = (!text.is_empty()).then(|| view! { <small class=class dir="auto">{text}</small> });
    shown.fresh()
}

/// As many of a line as there could be.
fn most(lines: Lines, at: usize) -> u32 {
    let offer = lines.offer.get();
    let most = lines.cart.with(|cart| {
        let line = cart.lines().get(at)?;
        let item = offer.get(line.menu_id)?;
        let room = cart.room(&offer, item, &line.option_ids)?;
        Some((line.quantity + room).min(MOST))
    });
    most.unwrap_or(MOST)
}

fn amount(lines: Lines, at: usize) -> Option<String> {
    let offer = lines.offer.get();
    lines.cart.with(|cart| {
        let line = cart.lines().get(at)?;
        let item = offer.get(line.menu_id)?;
        Some(lines.currency.format(line.amount(item)))
    })
}

fn gone(lines: Lines, at: usize) -> Option<String> {
    if lines.fixed.get() {
        return None;
    }
    let offer = lines.offer.get();
    let gone = lines.cart.with(|cart| cart.check(&offer));
    let gone = gone.into_iter().find(|gone| gone.index == at)?;
    Some(why(lines.messages, &gone.why))
}

/// Why something cannot be ordered now, in words.
#[must_use]
pub fn why(messages: &Messages, why: &Why) -> String {
    let words = &messages.entry;
    match why {
        Why::SoldOut => words.sold_out.to_owned(),
        Why::OptionSoldOut(name) => words.option_sold_out.with(&[name.get(messages.language)]),
        Why::Changed => words.changed.to_owned(),
        Why::Few(left) => words.left.with(&[&left.to_string()]),
    }
}

/// 품절, or how few there are; nothing when there is enough.
#[must_use]
pub fn few(messages: &Messages, left: Left) -> String {
    let words = &messages.entry;
    match left {
        Left::Enough => String::new(),
        Left::Few(left) => words.left.with(&[&left.to_string()]),
        Left::Nothing => words.sold_out.to_owned(),
    }
}

//! The bar below, the cart, and what went away while it was in it.

use leptos::prelude::*;

use super::state::{Guest, Sheet};
use crate::entry::{CartLines, why};
use crate::ui::{Dialog, Erase, Icon, icon, when};

/// Calls, and what is in the cart.
#[component]
pub fn BottomBar() -> impl IntoView {
    let guest: Guest = expect_context();
    let words = &guest.messages.guest;
    let count = Memo::new(move |_| guest.cart.with(|cart| cart.count()));
    let bar = move || {
        view! {
            <button
                class="primary"
                type="button"
                data-testid="cart-bar"
                on:click=move |_| guest.sheet.set(Some(Sheet::Cart))
            >
                <span>{move || words.bar.with(&[&count.get().to_string()])}</span>
                <b>{move || total(guest)}</b>
            </button>
        }
        .fresh()
    };
    view! {
        <div class="bottom-bar">
            <button
                class="call-button"
                type="button"
                aria-haspopup="dialog"
                on:click=move |_| guest.sheet.set(Some(Sheet::Calls))
            >
                {icon(Icon::Bell)}
                {words.call}
            </button>
            {when(move || count.get() > 0, bar)}
        </div>
    }
    .fresh()
}

fn total(guest: Guest) -> String {
    let offer = guest.offer.get();
    guest.money(guest.cart.with(|cart| cart.total(&offer)))
}

/// The cart.
#[component]
pub fn CartSheet() -> impl IntoView {
    let guest: Guest = expect_context();
    let words = &guest.messages.guest;
    let close = Callback::new(move |()| guest.sheet.set(None));
    let empty = Memo::new(move |_| guest.cart.with(|cart| cart.is_empty()));
    // An order without an answer must be sent again as it was.
    let fixed = move || guest.unsent.with(Option::is_some);
    let lines = move || {
        let currency = guest
            .store
            .with(|store| store.as_ref().map(|s| s.currency))?;
        let (cart, offer, fixed) = (guest.cart, guest.offer, Signal::derive(fixed));
        Some(view! { <CartLines cart offer currency fixed /> }.fresh())
    };
    let nothing = move || view! { <p class="quiet">{words.cart_empty}</p> }.fresh();
    view! {
        <Dialog title=words.cart close class="cart-sheet" testid="cart">
            <fieldset class="cart-fields" disabled=fixed>
                {lines}
                {when(move || empty.get(), nothing)}
                {note(guest)}
            </fieldset>
            <p class="cart-sum">
                <span>{words.total}</span>
                <b>{move || total(guest)}</b>
            </p>
            <div class="cart-foot">
                <p class="trouble" role="alert">
                    {move || (fixed() && !guest.sending.get()).then_some(words.no_answer)}
                </p>
                {place_button(guest, empty)}
            </div>
        </Dialog>
    }
    .fresh()
}

fn note(guest: Guest) -> AnyView {
    view! {
        <label class="field">
            <span>{guest.messages.guest.note}</span>
            <textarea
                rows="1"
                maxlength="500"
                dir="auto"
                prop:value=move || guest.note.get()
                on:input=move |event| guest.note.set(event_target_value(&event))
            ></textarea>
        </label>
    }
    .fresh()
}

fn place_button(guest: Guest, empty: Memo<bool>) -> AnyView {
    let words = &guest.messages.guest;
    let name = move || {
        if guest.sending.get() {
            words.ordering
        } else if guest.unsent.with(Option::is_some) {
            words.again
        } else {
            words.order
        }
    };
    view! {
        <button
            class="primary"
            type="button"
            aria-disabled=move || (guest.sending.get() || empty.get()).then_some("true")
            on:click=move |_| guest.place()
        >
            {name}
        </button>
    }
    .fresh()
}

/// Names what went away while it was in the cart.
#[component]
pub fn GoneDialog() -> impl IntoView {
    let guest: Guest = expect_context();
    let close = Callback::new(move |()| guest.gone.set(Vec::new()));
    let shown = move || {
        let gone = guest.gone.get();
        (!gone.is_empty()).then(|| {
            let words = &guest.messages.guest;
            let each = gone.into_iter().map(|gone| {
                let name = gone.name.get(guest.language()).to_owned();
                view! { <li><b dir="auto">{name}</b> " · " {why(guest.messages, &gone.why)}</li> }
            });
            let each = each.collect_view();
            view! {
                <Dialog title=words.gone close testid="gone">
                    <p>{words.gone_lead}</p>
                    <ul class="gone-list">{each}</ul>
                    <form method="dialog">
                        <button class="primary">{words.gone_seen}</button>
                    </form>
                </Dialog>
            }
            .fresh()
        })
    };
    shown.fresh()
}

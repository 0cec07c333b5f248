//! The cart beside the menu; on a narrow screen a bar that opens it.

use leptos::prelude::*;

use super::Ordering;
use crate::entry::CartLines;
use crate::ui::{Erase, Icon, icon, when};

/// The cart.
pub(super) fn panel(ordering: Ordering) -> AnyView {
    let words = &ordering.screen.messages.ordering;
    let count = Memo::new(move |_| ordering.cart.with(|cart| cart.count()));
    let pieces = move || words.pieces.with(&[&count.get().to_string()]);
    let total = move || {
        let offer = ordering.offer.get();
        ordering
            .screen
            .money(ordering.cart.with(|cart| cart.total(&offer)))
    };
    let place = move || ordering.place_words(ordering.place.get());
    let lines = move || {
        let (cart, offer) = (ordering.cart, ordering.offer);
        let currency = ordering.currency()?;
        let fixed = Signal::derive(move || ordering.is_sending());
        Some(view! { <CartLines cart offer currency fixed /> }.fresh())
    };
    let empty = move || view! { <p class="quiet">{words.empty}</p> }.fresh();
    view! {
        <button
            class="primary cart-bar"
            type="button"
            on:click=move |_| ordering.cart_shown.set(true)
        >
            <span>{pieces}</span>
            <b>{total}</b>
        </button>
        <aside class="cart-panel" class:shown=move || ordering.cart_shown.get() aria-label=words.cart>
            <header>
                <button
                    class="ghost square"
                    type="button"
                    aria-label=words.back_to_menu
                    on:click=move |_| ordering.cart_shown.set(false)
                >
                    {icon(Icon::Back)}
                </button>
                <b dir="auto">{place}</b>
                <span class="quiet">{pieces}</span>
            </header>
            <fieldset class="cart-body" disabled=move || ordering.is_sending()>
                {when(move || count.get() == 0, empty)}
                {lines}
            </fieldset>
            <footer>
                {note(ordering)}
                <p class="sum">
                    <span>{words.total}</span>
                    <b>{total}</b>
                </p>
                {send(ordering, count)}
            </footer>
        </aside>
    }
    .fresh()
}

fn note(ordering: Ordering) -> AnyView {
    let words = &ordering.screen.messages.ordering;
    view! {
        <input
            class="order-note"
            type="text"
            maxlength="500"
            dir="auto"
            placeholder=words.note
            aria-label=words.note
            disabled=move || ordering.is_sending()
            prop:value=move || ordering.note.get()
            on:input=move |event| ordering.note.set(event_target_value(&event))
        />
    }
    .fresh()
}

fn send(ordering: Ordering, count: Memo<u32>) -> AnyView {
    let words = &ordering.screen.messages.ordering;
    let sending = move || ordering.is_sending();
    let name = move || if sending() { words.sending } else { words.send };
    view! {
        <p class="quiet" role="status">
            {move || sending().then_some(words.sending_hint)}
        </p>
        <button
            class="primary"
            type="button"
            aria-disabled=move || (sending() || count.get() == 0).then_some("true")
            on:click=move |_| ordering.send()
        >
            {name}
        </button>
    }
    .fresh()
}

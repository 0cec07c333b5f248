//! Less, how many, more.

use leptos::prelude::*;

use crate::i18n;
use crate::ui::Erase;

/// How many of something. What a press asks for is told as it is, also when out of bounds.
#[component]
pub fn Stepper(
    /// Of what, for those who listen.
    name: String,
    /// How many.
    quantity: Signal<u32>,
    /// More cannot be had.
    most: Signal<u32>,
    /// Asks for so many.
    change: Callback<i64>,
) -> impl IntoView {
    let words = &i18n::messages().entry;
    let step = move |by: i64| change.run(i64::from(quantity.get_untracked()) + by);
    let full = move || quantity.get() >= most.get();
    view! {
        <div class="stepper" role="group" aria-label=[&name, " · ", words.quantity].concat()>
            <button
                type="button"
                aria-label=words.less
                disabled=move || quantity.get() <= 1
                on:click=move |_| step(-1)
            >
                "−"
            </button>
            <b role="status">{move || quantity.get()}</b>
            <button
                type="button"
                aria-label=words.more
                disabled=full
                on:click=move |_| step(1)
            >
                "+"
            </button>
        </div>
    }
    .fresh()
}

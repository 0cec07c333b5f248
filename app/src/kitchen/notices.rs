//! The bar that says the browser waits for a touch before it sounds.

use leptos::prelude::*;

use super::store::Kitchen;
use crate::ui::{Erase, when};

/// 소리 켜기, over the full width.
pub fn unlock_bar(kitchen: Kitchen) -> AnyView {
    let bar = move || {
        view! {
            <button class="notice unlock" type="button" on:click=move |_| kitchen.sounds.unlock()>
                {kitchen.messages.kitchen.sound_locked}
            </button>
        }
        .fresh()
    };
    when(move || kitchen.sounds.locked.get(), bar)
}

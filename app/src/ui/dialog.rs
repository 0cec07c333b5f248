//! A modal dialog: the browser's own, which traps focus, closes on Esc and gives focus back.

use leptos::html;
use leptos::prelude::*;

use super::{Contents, Erase};

use super::{Icon, icon};
use crate::i18n;

/// Shown as long as it is mounted. `close` is called when it was closed, by whatever means,
/// and unmounts it.
#[component]
pub fn Dialog(
    /// Its heading.
    #[prop(into)]
    title: String,
    /// Takes it away.
    close: Callback<()>,
    /// More classes.
    #[prop(optional)]
    class: &'static str,
    /// For tests.
    #[prop(optional)]
    testid: &'static str,
    /// What it says.
    children: Contents,
) -> impl IntoView {
    let node = NodeRef::<html::Dialog>::new();
    // Shows it: an effect on the outside world, the page.
    Effect::new(move |_| {
        if let Some(dialog) = node.get() {
            // Refused only when it is open already.
            dialog.show_modal().unwrap_or_default();
        }
    });
    let shut = move || {
        if let Some(dialog) = node.get_untracked() {
            dialog.close();
        }
    };
    // A press on the backdrop lands on the dialog itself, outside its panel.
    let backdrop = move |event: leptos::ev::MouseEvent| {
        let on_itself = event.target() == event.current_target();
        if on_itself {
            shut();
        }
    };
    let label = title.clone();
    view! {
        <dialog
            node_ref=node
            class=["dialog ", class].concat()
            data-testid=testid
            aria-label=label
            on:close=move |_| close.run(())
            on:click=backdrop
        >
            <div class="dialog-panel">
                <header class="dialog-head">
                    <h2>{title}</h2>
                    <button
                        class="ghost square"
                        type="button"
                        aria-label=i18n::messages().common.close
                        on:click=move |_| shut()
                    >
                        {icon(Icon::Close)}
                    </button>
                </header>
                <div class="dialog-body">{children.view()}</div>
            </div>
        </dialog>
    }
    .fresh()
}

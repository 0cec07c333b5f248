//! Short messages that go by themselves, spoken to those who listen.

use std::time::Duration;

use leptos::html;
use leptos::prelude::*;

use super::Erase;

/// How long one stays.
const SHOWN_FOR: Duration = Duration::from_secs(6);
/// The oldest goes when there are more.
const MOST: usize = 3;

/// One message.
#[derive(Clone)]
struct Toast {
    id: u32,
    text: String,
    /// Good news.
    good: bool,
}

/// The messages shown now.
#[derive(Clone, Copy)]
pub struct Toasts {
    shown: RwSignal<Vec<Toast>>,
    next: StoredValue<u32>,
}

impl Toasts {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            shown: RwSignal::new(Vec::new()),
            next: StoredValue::new(0),
        }
    }

    /// Shows why something did not work, unless it is shown already.
    pub fn say(self, text: String) {
        self.show(text, false);
    }

    /// Shows that something was done.
    pub fn done(self, text: String) {
        self.show(text, true);
    }

    fn show(self, text: String, good: bool) {
        let repeated = self
            .shown
            .with_untracked(|shown| shown.iter().any(|old| old.text == text));
        if repeated {
            return;
        }
        let id = self.next.get_value();
        self.next.set_value(id.wrapping_add(1));
        self.shown.update(|shown| {
            shown.push(Toast { id, text, good });
            if shown.len() > MOST {
                shown.remove(0);
            }
        });
        set_timeout(move || self.dismiss(id), SHOWN_FOR);
    }

    fn dismiss(self, id: u32) {
        // The screen may be gone before its message.
        self.shown
            .try_update(|shown| shown.retain(|old| old.id != id));
    }
}

impl Default for Toasts {
    fn default() -> Self {
        Self::new()
    }
}

/// Where the messages appear: over everything, dialogs too.
#[component]
pub fn Toaster(
    /// What to show.
    toasts: Toasts,
) -> impl IntoView {
    let place = NodeRef::<html::Div>::new();
    // A dialog that opened later lies above: shown again, the messages are above it.
    Effect::new(move |_| {
        let some = toasts.shown.with(|shown| !shown.is_empty());
        if let Some(place) = place.get() {
            // Refused when it is hidden or shown already; a browser without popovers shows it in
            // its place on the page.
            drop(place.hide_popover());
            if some {
                drop(place.show_popover());
            }
        }
    });
    let toast = |toast: Toast| {
        view! { <p class="toast" class:good=toast.good dir="auto">{toast.text}</p> }.fresh()
    };
    let shown = move || toasts.shown.get().into_iter().map(toast).collect_view();
    view! {
        <div class="toasts" role="status" aria-live="polite" popover="manual" node_ref=place>
            {shown}
        </div>
    }
    .erased()
}

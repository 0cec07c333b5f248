//! Short messages that go by themselves, spoken to those who listen.

use std::time::Duration;

use leptos::prelude::*;

use super::Erase;

/// How long one stays.
const SHOWN_FOR: Duration = Duration::from_secs(6);
/// The oldest goes when there are more.
const MOST: usize = 3;

/// The messages shown now.
#[derive(Clone, Copy)]
pub struct Toasts {
    shown: RwSignal<Vec<(u32, String)>>,
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

    /// Shows `text`, unless it is shown already.
    pub fn say(self, text: String) {
        let repeated = self
            .shown
            .with_untracked(|shown| shown.iter().any(|(_, old)| *old == text));
        if repeated {
            return;
        }
        let id = self.next.get_value();
        self.next.set_value(id.wrapping_add(1));
        self.shown.update(|shown| {
            shown.push((id, text));
            if shown.len() > MOST {
                shown.remove(0);
            }
        });
        set_timeout(move || self.dismiss(id), SHOWN_FOR);
    }

    fn dismiss(self, id: u32) {
        // The screen may be gone before its message.
        self.shown
            .try_update(|shown| shown.retain(|(old, _)| *old != id));
    }
}

impl Default for Toasts {
    fn default() -> Self {
        Self::new()
    }
}

/// Where the messages appear.
#[component]
pub fn Toaster(
    /// What to show.
    toasts: Toasts,
) -> impl IntoView {
    let toast = |(_, text)| view! { <p class="toast" dir="auto">{text}</p> }.fresh();
    let shown = move || toasts.shown.get().into_iter().map(toast).collect_view();
    view! {
        <div class="toasts" role="status" aria-live="polite">
            {shown}
        </div>
    }
    .erased()
}

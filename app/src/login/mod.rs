//! The login page: store code, staff tiles, PIN pad.

mod pad;
mod state;
mod who;

use leptos::prelude::*;

use crate::ui::{Erase, Preferences};
use pad::Pad;
use state::LoginState;
use who::Who;

/// Signs a member of staff in.
#[component]
pub fn LoginPage() -> impl IntoView {
    let state = LoginState::new();
    provide_context(state);
    Effect::new(move |_| state.begin());
    // Keys of a keyboard, unless a field has them.
    Effect::new(move |_| {
        let keys = window_event_listener(leptos::ev::keydown, move |event| pad::key(state, &event));
        on_cleanup(move || keys.remove());
    });
    view! {
        <main class="login">
            <Who />
            <Pad />
            <div class="device">
                <Preferences />
            </div>
        </main>
    }
    .erased()
}

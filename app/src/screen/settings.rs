//! Settings of this device: the other screens, what this screen adds, language, theme, signing
//! out.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{Screen, places, to_login};
use crate::api::auth;
use crate::ui::{Dialog, Erase, Preferences};

/// The settings; `own` is what the screen adds.
pub fn settings(screen: Screen, own: Option<fn() -> AnyView>) -> AnyView {
    let messages = screen.messages;
    let close = Callback::new(move |()| screen.settings_open.set(false));
    let sign_out = move |_| {
        spawn_local(async move {
            match auth::logout().await {
                Ok(()) => to_login(),
                Err(problem) => screen.toasts.say(problem.words(messages)),
            }
        });
    };
    view! {
        <Dialog title=messages.common.settings close testid="settings">
            <nav class="setting" aria-label=messages.common.screens>
                <h3>{messages.common.screens}</h3>
                <div class="choices">{links(screen)}</div>
            </nav>
            {own.map(|own| own())}
            <Preferences />
            <button class="wide" type="button" on:click=sign_out>
                {messages.common.sign_out}
            </button>
        </Dialog>
    }
    .fresh()
}

fn links(screen: Screen) -> AnyView {
    let me = screen.me.get_untracked();
    let here = window().location().pathname().unwrap_or_default();
    let link = |me: &auth::Me| {
        let code = me.store_code.clone();
        let here = here.clone();
        let each = places(me.role).iter().map(move |place| {
            let path = place.path(&code);
            let current = (path == here).then_some("page");
            view! {
                <a class="choice button" href=path aria-current=current>
                    {place.name(screen.messages)}
                </a>
            }
        });
        let home = me.role.manages().then(|| {
            view! { <a class="choice button" href="/">{screen.messages.home.title}</a> }
        });
        view! {
            {home}
            {each.collect_view()}
        }
        .fresh()
    };
    me.as_ref().map(link).fresh()
}

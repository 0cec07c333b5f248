//! The life of a screen: sign-in, stream, seconds.

use std::sync::Arc;
use std::time::Duration;

use domain::bridge::Status;
use domain::store::ClientStore;
use domain::stream::Scope;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{Change, Follow, Screen};
use crate::api::auth::{self, Me};
use crate::browser::{device, wall};
use crate::live::{self, News, Session};

/// Seconds are looked at twice each, so that none is left out.
const LOOK: Duration = Duration::from_millis(500);
/// The server was not there when the page opened: asked again after this.
const ASK_AGAIN: Duration = Duration::from_secs(2);

/// To the login page, and back here from there.
pub fn to_login() {
    let here = window().location();
    let path = here.pathname().unwrap_or_default();
    let search = here.search().unwrap_or_default();
    let store = path.split('/').nth(1).unwrap_or_default().to_owned();
    let next = String::from(js_sys::encode_uri_component(
        &[path.as_str(), &search].concat(),
    ));
    device::go(&["/login?store=", &store, "&next=", &next].concat());
}

/// The store's code in the address of this page.
fn code_here() -> Option<String> {
    let here = window().location().pathname().ok()?;
    let code = here.split('/').nth(1)?;
    js_sys::decode_uri_component(code).ok().map(String::from)
}

impl Screen {
    /// Begins to follow the store; it ends with the screen.
    pub fn begin(self, follow: Follow) {
        self.listener.set_value(Some(Arc::from(follow.changed)));
        self.sign_in(follow.name, follow.scopes);
        let looking = set_interval_with_handle(move || self.look(), LOOK).ok();
        on_cleanup(move || {
            live::stop();
            if let Some(looking) = looking {
                looking.clear();
            }
        });
    }

    fn sign_in(self, name: String, scopes: Vec<Scope>) {
        spawn_local(async move {
            match auth::me().await {
                Ok(me) if Some(&me.store_code) == code_here().as_ref() => {
                    self.follow(me, name, scopes);
                }
                Ok(_) => to_login(),
                Err(problem) if problem.status == 401 => to_login(),
                Err(_) => set_timeout(move || self.sign_in(name, scopes), ASK_AGAIN),
            }
        });
    }

    fn follow(self, me: Me, name: String, scopes: Vec<Scope>) {
        let store_id = me.store_id;
        // The screen may be gone before the answer.
        if self.me.try_set(Some(me)).is_some() {
            return;
        }
        live::start(Session {
            store_id,
            scopes,
            screen: name,
            build: device::page_build().unwrap_or_default(),
            listener: Box::new(move |news| self.hear(news)),
        });
    }

    fn look(self) {
        let now = live::server_now();
        if now.0 / 1_000 != self.now.get_untracked().0 / 1_000 {
            self.now.set(now);
        }
        if let Some(status) = live::status() {
            let second = |status: &Status| Status {
                age_ms: status.age_ms / 1_000,
                ..*status
            };
            if self.status.with_untracked(second) != second(&status) {
                self.status.set(status);
            }
        }
        live::with_store(|store| self.look_whether_based(store));
    }

    fn hear(self, news: News<'_>) {
        match news {
            News::Show(store, touched) => {
                if touched.settings {
                    self.settle_in(store);
                }
                self.tell(Change::Store(store, touched));
                self.look_whether_based(store);
            }
            News::Heard(event_type, entity) => self.tell(Change::Heard(event_type, entity)),
            News::CaughtUp => self.tell(Change::CaughtUp),
            News::Link(status) => {
                self.status.set(status);
                self.now.set(live::server_now());
                live::with_store(|store| self.look_whether_based(store));
            }
            News::SignedOut => to_login(),
        }
    }

    /// Everything of the first baseline is there when every scope has an answer.
    fn look_whether_based(self, store: &ClientStore) {
        let based = store.covering().is_some();
        if self.based.get_untracked() != based {
            self.based.set(based);
        }
    }

    fn settle_in(self, store: &ClientStore) {
        let Some(settings) = store.settings() else {
            return;
        };
        wall::set_zone(&settings.time_zone);
        let language = settings.language;
        self.settings.set(Some(Arc::clone(settings)));
        if language != self.language() && device::follow_store_language(language) {
            device::reload();
        }
    }
}

//! Is this true right now? A dot, a word and an age.

use domain::bridge::{Link, Status};
use leptos::prelude::*;

use super::{Erase, varying};

use crate::i18n::{self, Messages};
use crate::live;

/// The word of a link.
#[must_use]
pub fn link_word(messages: &Messages, link: Link, based: bool) -> &'static str {
    let words = &messages.status;
    match link {
        Link::CatchingUp(_) if !based => words.connecting,
        Link::Live => words.live,
        Link::Delayed => words.delayed,
        Link::Offline => words.offline,
        Link::CatchingUp(_) => words.catching_up,
        Link::SignedOut => words.signed_out,
    }
}

/// How long ago the last proof was.
#[must_use]
pub fn age(messages: &Messages, age_ms: i64) -> String {
    let seconds = age_ms.max(0) / 1_000;
    if seconds < 60 {
        messages.status.seconds_ago.with(&[&seconds.to_string()])
    } else {
        messages
            .status
            .minutes_ago
            .with(&[&(seconds / 60).to_string()])
    }
}

/// The connection pill.
#[component]
pub fn Pill(
    /// How the screen stands to the server.
    status: RwSignal<Status>,
    /// Whether the first baseline is there.
    based: RwSignal<bool>,
) -> impl IntoView {
    let messages = i18n::messages();
    let link = Memo::new(move |_| status.with(|status| status.link));
    let word = Memo::new(move |_| link_word(messages, link.get(), based.get()));
    let detail = move || match (link.get(), based.get()) {
        (Link::CatchingUp(events), true) if events > 0 => events.to_string(),
        (Link::CatchingUp(_) | Link::SignedOut, _) => String::new(),
        (Link::Live | Link::Delayed | Link::Offline, _) => {
            age(messages, status.with(|status| status.age_ms))
        }
    };
    view! {
        <span class="pill" data-testid="pill" data-state=move || live::state_name(link.get())>
            <span role="status">{varying(move || word.get())}</span>
            <small>{detail}</small>
        </span>
    }
    .erased()
}

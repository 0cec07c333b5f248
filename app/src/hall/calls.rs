//! The strip of calls on top, the oldest first.

use domain::call::{CallReason, CallState};
use leptos::prelude::*;
use uuid::Uuid;

use super::state::{Caller, Hall};
use crate::i18n::Hall as Words;
use crate::screen::Intent;
use crate::ui::{Erase, elapsed, when};

/// The strip, while somebody calls.
pub fn calls(hall: Hall) -> AnyView {
    let any = move || hall.calls.ids.with(|ids| !ids.is_empty());
    let strip = move || {
        view! {
            <ul class="calls" aria-label=hall.words().calls>
                {hall.calls.each(|id| view! { <CallRow id /> }.erased())}
            </ul>
        }
        .fresh()
    };
    when(any, strip)
}

/// What a call is for, in a word.
pub fn reason(words: &Words, reason: CallReason) -> &'static str {
    let [staff, water, plate, bill] = words.reasons;
    match reason {
        CallReason::Staff => staff,
        CallReason::Water => water,
        CallReason::SidePlate => plate,
        CallReason::Bill => bill,
    }
}

#[component]
fn CallRow(id: Uuid) -> impl IntoView {
    let hall: Hall = expect_context();
    hall.calls.row(id).map(|caller| row(hall, id, caller))
}

fn row(hall: Hall, id: Uuid, caller: ArcRwSignal<Caller>) -> AnyView {
    let words = hall.words();
    let taken = {
        let caller = caller.clone();
        Memo::new(move |_| caller.with(|caller| caller.call.state != CallState::Requested))
    };
    let what = {
        let caller = caller.clone();
        Memo::new(move |_| caller.with(|caller| what(words, caller)))
    };
    let since = caller.with_untracked(|caller| caller.call.requested_at);
    let age = move || elapsed(hall.screen.now.get().since(since));
    let who = {
        let caller = caller.clone();
        move || {
            let name = caller.with(|caller| caller.call.accepted_by.clone());
            name.map(|name| {
                view! { <small dir="auto">{words.taken.with(&[&name])}</small> }.fresh()
            })
        }
    };
    let next = move || {
        if taken.get() {
            words.done
        } else {
            words.accept
        }
    };
    let name = move || [&what.get(), " · ", next()].concat();
    let press = move |_| {
        if !hall.finger.takes() {
            return;
        }
        if taken.get_untracked() {
            hall.screen.press(id, Intent::Done);
        } else {
            hall.accept(id);
        }
    };
    let shut = move || hall.finger.rests() || caller.with(|caller| caller.pending);
    view! {
        <li class="call" class:taken=move || taken.get()>
            <span>
                <bdi dir="auto">{move || what.get()}</bdi>
                " · "
                <span class="timer">{age}</span>
                {who}
            </span>
            <button
                type="button"
                aria-label=name
                aria-disabled=move || shut().then_some("true")
                on:click=press
            >
                {next}
            </button>
        </li>
    }
    .fresh()
}

/// `A-12 · 물`, and `×2` if they asked again.
fn what(words: &Words, caller: &Caller) -> String {
    let call = &caller.call;
    let mut text = [&caller.label, " · ", reason(words, call.reason)].concat();
    if call.count > 1 {
        text.push_str(" ×");
        text.push_str(&call.count.to_string());
    }
    text
}

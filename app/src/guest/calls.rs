//! The sheet of calls: what can be asked for, whether it was, and whether somebody has seen it.

use domain::call::{COOLDOWN, CallReason, CallState};
use domain::guest::GuestCall;
use leptos::prelude::*;
use serde::Serialize;
use uuid::Uuid;

use super::follow;
use super::state::Guest;
use crate::api::Problem;
use crate::browser::random;
use crate::ui::{Dialog, Erase, varying};

/// What can be asked for, as it is shown.
const REASONS: [CallReason; 4] = [
    CallReason::Staff,
    CallReason::Water,
    CallReason::SidePlate,
    CallReason::Bill,
];

/// The place of a reason among [`REASONS`].
fn place_of(reason: CallReason) -> usize {
    match reason {
        CallReason::Staff => 0,
        CallReason::Water => 1,
        CallReason::SidePlate => 2,
        CallReason::Bill => 3,
    }
}

#[derive(Serialize)]
struct Body {
    reason: CallReason,
}

/// What can be asked for.
#[component]
pub fn CallSheet() -> impl IntoView {
    let guest: Guest = expect_context();
    let close = Callback::new(move |()| guest.sheet.set(None));
    let each = REASONS.map(|reason| reason_button(guest, reason));
    view! {
        <Dialog title=guest.messages.guest.call close testid="calls">
            <div class="call-choices">{each.into_iter().collect_view()}</div>
        </Dialog>
    }
    .fresh()
}

fn reason_button(guest: Guest, reason: CallReason) -> AnyView {
    let at = place_of(reason);
    let waits = Memo::new(move |_| {
        let until = guest.cooldowns.with(|until| until[at]);
        (until.since(guest.now.get()) + 999) / 1_000
    });
    let state = move || {
        let ids = guest.calls.ids.get();
        let mut calls = ids.into_iter().filter_map(|id| guest.calls.row(id));
        calls.find_map(|call| {
            call.with(|call| (call.reason == reason).then(|| state_words(guest, call)))
        })
    };
    let wait = move || {
        let seconds = Some(waits.get()).filter(|seconds| *seconds > 0)?;
        let words = &guest.messages.guest;
        Some(words.cooldown.with(&[&seconds.to_string()]))
    };
    view! {
        <button
            class="wide"
            type="button"
            aria-disabled=move || (waits.get() > 0).then_some("true")
            on:click=move |_| guest.call(reason)
        >
            <b>{guest.messages.guest.reasons[at]}</b>
            <span class="call-state">{state}</span>
            <small>{wait}</small>
        </button>
    }
    .fresh()
}

fn state_words(guest: Guest, call: &GuestCall) -> &'static str {
    match call.state {
        CallState::Requested => guest.messages.guest.called,
        CallState::Accepted | CallState::Done => guest.messages.guest.accepted,
    }
}

/// The calls that are not done, over the menu.
#[component]
pub fn OpenCalls() -> impl IntoView {
    let guest: Guest = expect_context();
    view! {
        <div class="open-calls" role="status">
            {guest.calls.each(move |id| open_call(guest, id))}
        </div>
    }
    .fresh()
}

fn open_call(guest: Guest, id: Uuid) -> AnyView {
    let Some(call) = guest.calls.row(id) else {
        return ().fresh();
    };
    let reason = call.with_untracked(|call| place_of(call.reason));
    let reason = guest.messages.guest.reasons[reason];
    let state = varying(move || call.with(|call| state_words(guest, call)));
    view! { <p class="open-call"><b>{reason}</b> " · " {state}</p> }.fresh()
}

impl Guest {
    /// Asks for something.
    fn call(self, reason: CallReason) {
        let now = self.now.get_untracked();
        let at = place_of(reason);
        if self.cooldowns.with_untracked(|until| until[at] > now) {
            return;
        }
        self.cool_down(at, COOLDOWN);
        // Plain data always serializes.
        let body = serde_json::to_string(&Body { reason }).unwrap_or_default();
        let (path, key) = ("/api/guest/calls".to_owned(), random::uuid().to_string());
        follow::command(path, body, key, move |result| {
            if let Err(problem) = result {
                self.not_called(at, &problem);
            }
        });
    }

    fn not_called(self, at: usize, problem: &Problem) {
        let wait = match problem.status {
            429 => i64::from(problem.retry_after.unwrap_or(1)) * 1_000,
            _ => 0,
        };
        self.cool_down(at, wait);
        self.toasts.say(problem.words(self.messages));
    }

    fn cool_down(self, at: usize, ms: i64) {
        let until = self.now.get_untracked().plus(ms);
        self.cooldowns.update(|each| each[at] = until);
    }
}

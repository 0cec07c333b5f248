//! The sheet of a stock row: count anew, and what holds it.

use std::sync::Arc;

use domain::stock::Stock;
use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use serde::Serialize;
use uuid::Uuid;

use super::count::{Count, signed, typed};
use super::holds::hold_list;
use super::state::Menu;
use crate::api::Problem;
use crate::ui::{Dialog, Erase};

/// The most characters of a reason.
const REASON_MOST: &str = "120";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    on_hand: i64,
    expected_version: u64,
    reason: &'a str,
}

/// What is typed on an open sheet.
#[derive(Clone, Copy)]
struct Draft {
    menu: Menu,
    stock: Memo<Arc<Stock>>,
    /// What was there when somebody began to count. Holds come and go meanwhile; that is no matter.
    base: RwSignal<i64>,
    text: RwSignal<String>,
    reason: RwSignal<Option<usize>>,
    other: RwSignal<String>,
    trouble: RwSignal<String>,
    sending: RwSignal<bool>,
}

/// The sheet of the stock row of that id.
pub fn sheet(menu: Menu, id: Uuid) -> Option<AnyView> {
    let row = menu.stock.row(id)?;
    let first = row.get_untracked();
    let draft = Draft {
        menu,
        stock: Memo::new(move |_| row.get()),
        base: RwSignal::new(first.on_hand),
        text: RwSignal::new(first.on_hand.to_string()),
        reason: RwSignal::new(None),
        other: RwSignal::new(String::new()),
        trouble: RwSignal::new(String::new()),
        sending: RwSignal::new(false),
    };
    let words = menu.stock_words();
    let name = first.name.get(menu.screen.language()).to_owned();
    let close = Callback::new(move |()| menu.adjusting.set(None));
    let counts = move || draft.stock.with(|stock| menu.counts_words(stock));
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        draft.save();
    };
    let view = view! {
        <Dialog title=words.adjust_of.with(&[&name]) close class="adjust" testid="adjust">
            <p class="quiet">{counts}</p>
            <form class="adjust-form" on:submit=submit>
                {count_field(draft)} {reasons(draft)}
                <p class="trouble" role="alert">
                    {move || draft.trouble.get()}
                </p>
                <button
                    class="primary"
                    type="submit"
                    aria-disabled=move || (!draft.is_ready()).then_some("true")
                >
                    {words.save}
                </button>
            </form>
            <h3>{words.holds}</h3>
            {hold_list(menu, Some(id))}
        </Dialog>
    };
    Some(view.fresh())
}

fn count_field(draft: Draft) -> AnyView {
    let words = draft.menu.stock_words();
    let step = move |by: i64| {
        let count = draft
            .text
            .with_untracked(|text| typed(text))
            .unwrap_or_default();
        draft.text.set((count + by).max(0).to_string());
    };
    let entry = &draft.menu.screen.messages.entry;
    let change = move || {
        let stock = draft.stock.get();
        draft.text.with(|text| match Count::of(text, &stock) {
            Count::By(by) => {
                let (from, to) = (stock.on_hand, stock.on_hand + by);
                Some(
                    words
                        .difference
                        .with(&[&from.to_string(), &to.to_string(), &signed(by)]),
                )
            }
            Count::BelowHeld => Some(words.below_held.with(&[&stock.held.to_string()])),
            Count::Bad | Count::Same => None,
        })
    };
    view! {
        <div class="count-field">
            <label for="count">{words.counted}</label>
            <div class="count-row">
                <button type="button" aria-label=entry.less on:click=move |_| step(-1)>
                    "−"
                </button>
                <input
                    id="count"
                    type="text"
                    inputmode="numeric"
                    autocomplete="off"
                    maxlength="7"
                    prop:value=move || draft.text.get()
                    on:input=move |event| draft.text.set(event_target_value(&event))
                />
                <button type="button" aria-label=entry.more on:click=move |_| step(1)>
                    "+"
                </button>
            </div>
            <p class="difference" role="status">
                {change}
            </p>
        </div>
    }
    .fresh()
}

fn reasons(draft: Draft) -> AnyView {
    let words = draft.menu.stock_words();
    let choice = move |(at, name): (usize, &'static str)| {
        let chosen = move || (draft.reason.get() == Some(at)).to_string();
        view! {
            <button
                class="choice"
                type="button"
                aria-pressed=chosen
                on:click=move |_| draft.reason.set(Some(at))
            >
                {name}
            </button>
        }
    };
    let choices = words
        .reasons
        .into_iter()
        .enumerate()
        .map(choice)
        .collect_view();
    view! {
        <fieldset class="why">
            <legend>{words.why}</legend>
            <div class="choices">{choices}</div>
            <input
                type="text"
                maxlength=REASON_MOST
                autocomplete="off"
                dir="auto"
                placeholder=words.other
                aria-label=words.other
                prop:value=move || draft.other.get()
                on:input=move |event| draft.other.set(event_target_value(&event))
            />
        </fieldset>
    }
    .fresh()
}

impl Draft {
    /// What was typed stands before what was chosen.
    fn why(self) -> Option<String> {
        let other = self.other.get().trim().to_owned();
        if !other.is_empty() {
            return Some(other);
        }
        let chosen = self.reason.get()?;
        let reasons = self.menu.stock_words().reasons;
        reasons.get(chosen).map(|reason| (*reason).to_owned())
    }

    fn by(self) -> Option<i64> {
        let stock = self.stock.get();
        match self.text.with(|text| Count::of(text, &stock)) {
            Count::By(by) => Some(by),
            Count::Bad | Count::Same | Count::BelowHeld => None,
        }
    }

    fn is_ready(self) -> bool {
        !self.sending.get() && self.by().is_some() && self.why().is_some()
    }

    fn save(self) {
        let ready = untrack(|| self.is_ready());
        let (by, reason) = untrack(|| (self.by(), self.why()));
        let (true, Some(by), Some(reason)) = (ready, by, reason) else {
            return;
        };
        let stock = self.stock.get_untracked();
        let count = stock.on_hand + by;
        if stock.on_hand != self.base.get_untracked() {
            self.counted_meanwhile();
            return;
        }
        let body = Body {
            on_hand: count,
            expected_version: stock.version,
            reason: &reason,
        };
        // Plain data always serializes.
        let body = serde_json::to_string(&body).unwrap_or_default();
        let path = ["/stock/", &stock.id.to_string(), "/adjust"].concat();
        self.sending.set(true);
        self.trouble.set(String::new());
        let screen = self.menu.screen;
        let name = stock.name.get(screen.language()).to_owned();
        screen.ask(path, body, move |result| {
            self.answered(result, &name, count)
        });
    }

    /// Whoever looks again counts against what is there now.
    fn counted_meanwhile(self) {
        self.trouble
            .set(self.menu.stock_words().recounted.to_owned());
        self.base
            .set(self.stock.with_untracked(|stock| stock.on_hand));
    }

    fn answered(self, result: Result<(), Problem>, name: &str, count: i64) {
        let words = self.menu.stock_words();
        // The sheet may be gone.
        let shown = self.sending.try_set(false).is_none();
        match result {
            Ok(()) => {
                let said = words.saved.with(&[name, &count.to_string()]);
                self.menu.screen.toasts.done(said);
                if shown {
                    self.menu.adjusting.set(None);
                }
            }
            Err(problem) if shown => {
                if problem.code == "VERSION_CONFLICT" {
                    self.counted_meanwhile();
                } else {
                    self.trouble.set(problem.words(self.menu.screen.messages));
                }
                self.menu.load_holds();
            }
            Err(problem) => {
                let said = problem.words(self.menu.screen.messages);
                self.menu.screen.toasts.say(said);
            }
        }
    }
}

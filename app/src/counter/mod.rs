//! The counter: payments, confirmed or refused (screens, "Counter").

mod queue;

mod state;

mod row;
mod sheets;

use std::time::Duration;

use domain::stream::Scope;
use leptos::ev;
use leptos::prelude::*;

use crate::ordering::OrderEntry;
use crate::screen::{Finger, Follow, StaffPage};
use crate::ui::{Erase, age, link_word, when};
use state::{Counter, Sheet};

/// Looked at again so often: what was paid a while ago goes.
const LOOK: Duration = Duration::from_secs(5);

/// The payments of a store.
#[component]
pub fn CounterPage() -> impl IntoView {
    let counter = Counter::new();
    Effect::new(move |_| begin(counter));
    let words = counter.words();
    view! {
        <StaffPage
            screen=counter.screen
            class="counter"
            title=words.title.erased()
            counts=counts(counter)
            tools=tools(counter)
        >
            <main class="counter-main">
                {when(move || counter.waiting.get() == 0, move || nothing(counter))}
                <ul class="pays" aria-label=words.queue>
                    {counter.rows.each(move |id| row::row(counter, id))}
                </ul>
            </main>
            <OrderEntry ordering=counter.ordering />
            {sheets::sheet(counter)}
        </StaffPage>
    }
    .erased()
}

fn begin(counter: Counter) {
    counter.screen.begin(Follow {
        name: "counter".to_owned(),
        scopes: vec![
            Scope::Payments,
            Scope::HallOrders,
            Scope::Menu,
            Scope::Tables,
            Scope::Store,
        ],
        changed: Box::new(move |change| counter.hear(change)),
    });
    // On a phone the means of payment lie where the row was that asks for them.
    Finger::new().listen(counter.ordering.is_open);
    let keys = window_event_listener(ev::keydown, move |event| press(counter, &event));
    let looking = set_interval_with_handle(move || counter.look(), LOOK).ok();
    on_cleanup(move || {
        keys.remove();
        if let Some(looking) = looking {
            looking.clear();
        }
    });
}

/// 1, 2, 3 choose the tender while it is asked for.
fn press(counter: Counter, event: &ev::KeyboardEvent) {
    let Some(Sheet::Tender(id, _)) = counter.sheet.get_untracked() else {
        return;
    };
    let key = event.key().parse::<usize>().ok();
    let tender = key.and_then(|key| sheets::TENDERS.get(key.checked_sub(1)?));
    if let Some(tender) = tender
        && !event.repeat()
    {
        counter.confirm(id, *tender);
    }
}

fn counts(counter: Counter) -> AnyView {
    let words = counter.words();
    let sales = move || {
        counter.today.with(|today| {
            let today = today.as_ref()?;
            Some(today.currency.format(today.sales.total))
        })
    };
    let report = move || {
        view! {
            <button
                class="count sales"
                type="button"
                aria-haspopup="dialog"
                on:click=move |_| counter.sheet.set(Some(Sheet::Report))
            >
                {words.sales}
                " "
                <b>{sales}</b>
            </button>
        }
        .fresh()
    };
    view! {
        <span class="count">{words.waiting} " " <b>{move || counter.waiting.get()}</b></span>
        {when(move || counter.today.with(Option::is_some), report)}
    }
    .erased()
}

fn tools(counter: Counter) -> AnyView {
    view! {
        <button class="ghost" type="button" on:click=move |_| counter.ordering.open(None)>
            {counter.words().enter_order}
        </button>
    }
    .erased()
}

/// Empty is never mistaken for broken.
fn nothing(counter: Counter) -> AnyView {
    let messages = counter.screen.messages;
    let based = counter.screen.based;
    let words = move || {
        if based.get() {
            messages.counter.empty
        } else {
            messages.status.connecting
        }
    };
    let proof = move || {
        let status = counter.screen.status.get();
        let word = link_word(messages, status.link, true);
        let age = age(messages, status.age_ms);
        based
            .get()
            .then(|| messages.status.proof.with(&[word, &age]))
    };
    view! {
        <div class="vacant">
            <b>{words}</b>
            <span class="quiet">{proof}</span>
        </div>
    }
    .erased()
}

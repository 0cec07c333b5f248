//! The kitchen display (screens, "Kitchen display").

mod board;
mod elapsed;
mod intent;
mod rows;

mod press;
mod session;
mod sounds;
mod store;

mod all_day;
mod bar;
mod card;
mod columns;
mod keys;
mod line;
mod notices;
mod recall;
mod settings;
mod sheet;

mod fixture;

use leptos::ev;
use leptos::prelude::*;
use leptos_meta::Title;

use crate::browser::awake;
use crate::ui::{Erase, Toaster, when};
use all_day::AllDayPanel;
use bar::Bar;
use columns::Columns;
use notices::{Notices, UndoBar};
use recall::RecallList;
use settings::Settings;
use sheet::TicketSheet;
use store::{Kitchen, Sheet};

/// The board of a store's kitchen; `?station=` shows one station.
#[component]
pub fn KitchenPage() -> impl IntoView {
    let kitchen = Kitchen::new();
    provide_context(kitchen);
    Effect::new(move |_| {
        session::begin(kitchen);
        listen(kitchen);
    });
    let title = ["Jumun · ", kitchen.messages.kitchen.title].concat();
    let stale = move || live_is_lost(kitchen);
    let sheet = move || {
        kitchen.sheet.get().map(|sheet| match sheet {
            Sheet::Recall => view! { <RecallList /> }.fresh(),
            Sheet::Settings => view! { <Settings /> }.fresh(),
            Sheet::Ticket(id) => view! { <TicketSheet id /> }.fresh(),
        })
    };
    view! {
        <Title text=title />
        <div class="kitchen" class:stale=stale>
            <Bar />
            <Notices />
            <main class="kitchen-main">
                {when(move || kitchen.all_day_open.get(), || view! { <AllDayPanel /> }.fresh())}
                <Columns />
            </main>
            <UndoBar />
            <Toaster toasts=kitchen.toasts />
            <p class="spoken" aria-live="polite">
                {move || kitchen.spoken.get()}
            </p>
            {sheet}
        </div>
    }
    .erased()
}

fn live_is_lost(kitchen: Kitchen) -> bool {
    kitchen
        .status
        .with(|status| status.link == domain::bridge::Link::Offline)
}

/// Fingers, keys, and coming back to the page.
fn listen(kitchen: Kitchen) {
    let down = window_event_listener(ev::pointerdown, move |_| {
        kitchen.hold();
        kitchen.sounds.unlock();
    });
    let keys = window_event_listener(ev::keydown, move |event| {
        kitchen.sounds.unlock();
        keys::press(kitchen, &event);
    });
    let shown = window_event_listener(ev::visibilitychange, |_| awake::stay_awake());
    on_cleanup(move || {
        down.remove();
        keys.remove();
        shown.remove();
    });
}

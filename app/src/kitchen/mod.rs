//! The kitchen display (screens, "Kitchen display").

mod board;
mod rows;
mod step;

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

pub(crate) mod fixture;

use leptos::ev;
use leptos::prelude::*;

use crate::browser::awake;
use crate::screen::StaffPage;
use crate::ui::{Erase, when};
use all_day::AllDayPanel;
use bar::station_name;
use columns::Columns;
use notices::unlock_bar;
use recall::RecallList;
use settings::own_settings;
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
    let sheet = move || {
        kitchen.sheet.get().map(|sheet| match sheet {
            Sheet::Recall => view! { <RecallList /> }.fresh(),
            Sheet::Ticket(id) => view! { <TicketSheet id /> }.fresh(),
        })
    };
    view! {
        <StaffPage
            screen=kitchen.screen
            class="kitchen"
            title=(move || station_name(kitchen)).erased()
            counts=bar::counts(kitchen)
            tools=bar::tools(kitchen)
            own_settings=own_settings
        >
            {unlock_bar(kitchen)}
            <main class="kitchen-main">
                {when(move || kitchen.all_day_open.get(), || view! { <AllDayPanel /> }.fresh())}
                <Columns />
            </main>
            {sheet}
        </StaffPage>
    }
    .erased()
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

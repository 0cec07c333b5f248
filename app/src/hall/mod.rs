//! The hall: the floor, calls, and what waits to be served (screens, "Hall").

mod floor;
mod picking;
mod serving;

mod act;
mod asked;
mod state;

mod calls;
mod drawer;
mod line;
mod queue;
mod sheet;
mod tiles;

mod fixture;

use domain::stream::Scope;
use leptos::ev;
use leptos::prelude::*;

use crate::ordering::OrderEntry;
use crate::screen::{Follow, StaffPage};
use crate::ui::{Erase, when};
use picking::{Move, Picking};
use state::Hall;

/// The floor of a store.
#[component]
pub fn HallPage() -> impl IntoView {
    let hall = Hall::new();
    provide_context(hall);
    Effect::new(move |_| begin(hall));
    let words = hall.words();
    let count = |name: &'static str, count: Signal<usize>| {
        view! { <span class="count">{name} " " <b>{count}</b></span> }.erased()
    };
    let calls = Signal::derive(move || hall.calls.ids.with(Vec::len));
    let groups = Signal::derive(move || hall.groups.ids.with(Vec::len));
    let counts = [count(words.calls, calls), count(words.serving, groups)];
    view! {
        <StaffPage
            screen=hall.screen
            class="hall"
            title=words.title.erased()
            counts=counts.into_iter().collect_view().erased()
            tools=order_button(hall)
        >
            <main class="hall-main" class:serving=move || hall.serving.get()>
                <div class="views">
                    {view_tab(hall, false, words.floor, None)}
                    {view_tab(hall, true, words.serving, Some(groups))}
                </div>
                <div class="hall-floor">
                    {calls::calls(hall)}
                    {picking_bar(hall)}
                    {tiles::floor(hall)}
                </div>
                {queue::queue(hall)}
            </main>
            {drawer::drawer(hall)}
            <OrderEntry ordering=hall.ordering />
        </StaffPage>
    }
    .erased()
}

fn begin(hall: Hall) {
    hall.finger.listen(hall.ordering.is_open);
    hall.recall_zone();
    hall.screen.begin(Follow {
        name: "hall".to_owned(),
        scopes: Scope::ALL.to_vec(),
        changed: Box::new(move |change| hall.hear(change)),
    });
    let escape = window_event_listener(ev::keydown, move |event| {
        if event.key() == "Escape" {
            hall.picking.set(None);
        }
    });
    on_cleanup(move || escape.remove());
}

fn order_button(hall: Hall) -> AnyView {
    view! {
        <button class="ghost" type="button" on:click=move |_| hall.ordering.open(None)>
            {hall.screen.messages.ordering.title}
        </button>
    }
    .erased()
}

/// A view of a narrow screen.
fn view_tab(
    hall: Hall,
    serving: bool,
    name: &'static str,
    count: Option<Signal<usize>>,
) -> AnyView {
    view! {
        <button
            type="button"
            class="view"
            aria-pressed=move || (hall.serving.get() == serving).to_string()
            on:click=move |_| hall.serving.set(serving)
        >
            {name}
            " "
            <b>{count}</b>
        </button>
    }
    .erased()
}

/// Says that a table is to be chosen.
fn picking_bar(hall: Hall) -> AnyView {
    let words = hall.words();
    let text = move || {
        let sentence = |picking: &Picking| {
            let sentence = match picking.what {
                Move::Party => words.pick_transfer,
                Move::Join => words.pick_join,
                Move::Lines(_) => words.pick_lines,
            };
            let text = sentence.with(&[&picking.label]);
            if picking.sent {
                [&text, " · ", words.moving].concat()
            } else {
                text
            }
        };
        hall.picking.with(|picking| picking.as_ref().map(sentence))
    };
    let bar = move || {
        view! {
            <div class="picking" role="status">
                <span>{text}</span>
                <button type="button" on:click=move |_| hall.picking.set(None)>
                    {words.cancel}
                </button>
            </div>
        }
        .fresh()
    };
    when(move || hall.picking.with(Option::is_some), bar)
}

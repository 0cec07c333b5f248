//! The drawer of a table: its orders, its total, and what can be done.

use leptos::prelude::*;

use super::asked::Asked;
use super::floor::{State, Tile};
use super::picking::Move;
use super::sheet::orders;
use super::state::Hall;
use super::tiles::{hours, minutes, state_words};
use crate::screen::Intent;
use crate::ui::{Dialog, Erase};

/// Guests of a party that nobody has counted, to begin with.
const GUESSED: u32 = 2;
/// The most guests of a party.
const MOST: u32 = 99;

/// The drawer, while one is open. Tables that are joined or part begin a new one.
pub fn drawer(hall: Hall) -> AnyView {
    let title = Memo::new(move |_| {
        hall.detail
            .with(|tile| tile.as_ref().map(|tile| tile.label.clone()))
    });
    (move || title.get().map(|title| dialog(hall, title))).erased()
}

fn dialog(hall: Hall, title: String) -> AnyView {
    let close = Callback::new(move |()| hall.close());
    view! {
        <Dialog title close class="side drawer" testid="drawer">
            {facts(hall)}
            {orders(hall)}
            {actions(hall)}
        </Dialog>
    }
    .fresh()
}

/// Guests, since when, and the state.
fn facts(hall: Hall) -> AnyView {
    let words = hall.words();
    let text = move || {
        let tile = hall.detail.get()?;
        let of = match tile.covers {
            Some(covers) => words.people.with(&[&covers.to_string()]),
            None => words.seats.with(&[&tile.seats.to_string()]),
        };
        let sat = tile.seated_at.map(|at| hours(minutes(hall, at)));
        let bill = tile.bill_at.map(|_| words.bill_asked.to_owned());
        let state = Some(state_words(words, &tile));
        let parts = [Some(of), sat, state, bill].into_iter().flatten();
        Some(parts.collect::<Vec<_>>().join(" · "))
    };
    view! { <p class="facts quiet">{text}</p> }.fresh()
}

/// What the foot of the drawer offers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Foot {
    Free,
    Dirty,
    Party { joined: bool, covers: Option<u32> },
    Covers,
    Lines,
}

fn foot(tile: &Tile, asked: Option<Asked>) -> Foot {
    match tile.state {
        State::Dirty => return Foot::Dirty,
        State::Free
        | State::Seated
        | State::AwaitingPayment
        | State::Cooking
        | State::ReadyToServe
        | State::Dining => {}
    }
    if tile.party.is_none() {
        return Foot::Free;
    }
    match asked {
        Some(Asked::Covers) => Foot::Covers,
        Some(Asked::Lines) => Foot::Lines,
        // These are asked for where the order or the line is.
        Some(Asked::Tender(_) | Asked::Note(_) | Asked::Line(..)) | None => Foot::Party {
            joined: tile.joined,
            covers: tile.covers,
        },
    }
}

fn actions(hall: Hall) -> AnyView {
    let offered = Memo::new(move |_| {
        let asked = hall.asked.get();
        hall.detail
            .with(|tile| tile.as_ref().map(|tile| foot(tile, asked)))
    });
    let shown = move || {
        Some(match offered.get()? {
            Foot::Free => free(hall),
            Foot::Dirty => {
                let words = hall.words();
                primary(words.cleaned, move || hall.press_table(Intent::Cleaned))
            }
            Foot::Party { joined, covers } => party(hall, joined, covers),
            Foot::Covers => count_again(hall),
            Foot::Lines => move_chosen(hall),
        })
    };
    view! { <footer class="actions">{shown}</footer> }.fresh()
}

fn free(hall: Hall) -> AnyView {
    let count = RwSignal::new(GUESSED);
    let seat = move || hall.press_table(Intent::Seat(Some(count.get_untracked())));
    view! {
        {stepper(hall, count)}
        {primary(hall.words().seat, seat)}
        {add_order(hall, "wide ghost")}
    }
    .fresh()
}

fn party(hall: Hall, joined: bool, covers: Option<u32>) -> AnyView {
    let words = hall.words();
    let counted = covers.map(|covers| covers.to_string()).unwrap_or_default();
    let with_tile = move |act: fn(Hall, &Tile)| {
        move || {
            if let Some(tile) = hall.detail.get_untracked() {
                act(hall, &tile);
            }
        }
    };
    let mut buttons = vec![
        action(words.transfer.to_owned(), move || hall.pick(Move::Party)),
        action(words.join.to_owned(), move || hall.pick(Move::Join)),
        action(words.move_lines.to_owned(), move || {
            hall.toggle(Asked::Lines)
        }),
        action([words.covers, " ", &counted].concat(), move || {
            hall.toggle(Asked::Covers)
        }),
        action(words.bill.to_owned(), move || {
            hall.press_table(Intent::Bill)
        }),
        action(words.clear.to_owned(), with_tile(Hall::clear)),
    ];
    if joined {
        buttons.push(action(words.unjoin.to_owned(), with_tile(Hall::unjoin)));
    }
    let class = if joined { "three four" } else { "three" };
    view! {
        <div class=class>{buttons}</div>
        {add_order(hall, "primary")}
    }
    .fresh()
}

fn count_again(hall: Hall) -> AnyView {
    let covers = hall
        .detail
        .with_untracked(|tile| tile.as_ref().and_then(|tile| tile.covers));
    let count = RwSignal::new(covers.unwrap_or(GUESSED));
    let save = move || hall.press_table(Intent::Covers(count.get_untracked()));
    view! {
        {stepper(hall, count)}
        {primary(hall.words().save, save)}
        {stop(hall)}
    }
    .fresh()
}

fn move_chosen(hall: Hall) -> AnyView {
    let words = hall.words();
    let count = move || hall.chosen.with(std::collections::BTreeSet::len);
    let label = move || match count() {
        0 => words.choose_lines.to_owned(),
        count => words.move_chosen.with(&[&count.to_string()]),
    };
    view! {
        <button
            class="primary"
            type="button"
            disabled=move || count() == 0
            on:click=move |_| hall.pick_for_chosen()
        >
            {label}
        </button>
        {stop(hall)}
    }
    .fresh()
}

/// Back to what else can be done.
fn stop(hall: Hall) -> AnyView {
    action(hall.words().cancel.to_owned(), move || hall.asked.set(None))
}

/// Guests, one more or fewer.
fn stepper(hall: Hall, count: RwSignal<u32>) -> AnyView {
    let words = hall.words();
    let step = move |by: i32| {
        hall.finger.stays();
        let next = count.get_untracked().saturating_add_signed(by);
        count.set(next.clamp(1, MOST));
    };
    view! {
        <div class="guests" role="group" aria-label=words.covers>
            <span>{words.covers}</span>
            <button type="button" aria-label=words.fewer on:click=move |_| step(-1)>
                "−"
            </button>
            <output aria-live="polite">{count}</output>
            <button type="button" aria-label=words.more on:click=move |_| step(1)>
                "+"
            </button>
        </div>
    }
    .fresh()
}

fn action(words: String, act: impl Fn() + 'static) -> AnyView {
    button("ghost", words, Box::new(act))
}

fn primary(words: &str, act: impl Fn() + 'static) -> AnyView {
    button("primary", words.to_owned(), Box::new(act))
}

/// A button, its type forgotten: the client carries it once.
pub fn button(class: &'static str, words: String, act: Box<dyn Fn()>) -> AnyView {
    view! {
        <button class=class type="button" on:click=move |_| act()>
            {words}
        </button>
    }
    .fresh()
}

fn add_order(hall: Hall, class: &'static str) -> AnyView {
    let open = move || {
        let table = hall
            .detail
            .with_untracked(|tile| tile.as_ref().map(|tile| tile.table));
        if let Some(table) = table {
            hall.order_at(table);
        }
    };
    button(class, hall.words().add_order.to_owned(), Box::new(open))
}

//! The floor: zones as tabs, tables as tiles. A tile follows its own signal.

use domain::id::ZoneId;
use domain::money::Amount;
use domain::time::Time;
use leptos::prelude::*;
use uuid::Uuid;

use super::calls::reason;
use super::floor::{Badge, State, Tab, Tile};
use super::picking::Picking;
use super::state::Hall;
use crate::i18n::Hall as Words;
use crate::ui::{Erase, Icon, icon, when};

/// Tabs and tiles.
pub fn floor(hall: Hall) -> AnyView {
    let words = hall.words();
    let nothing = move || match (hall.tiles.ids.with(Vec::is_empty), hall.screen.based.get()) {
        (false, _) => "",
        (true, true) => words.no_tables,
        (true, false) => words.loading,
    };
    view! {
        <section class="floor" aria-label=words.floor>
            <div class="zones">
                {hall.tabs.each(|id| view! { <ZoneTab id /> }.erased())}
            </div>
            <div class="tiles">
                {hall.tiles.each(|id| view! { <TileButton id /> }.erased())}
            </div>
            <p class="quiet empty">{nothing}</p>
        </section>
    }
    .erased()
}

#[component]
fn ZoneTab(id: Uuid) -> impl IntoView {
    let hall: Hall = expect_context();
    hall.tabs.row(id).map(|tab| zone_tab(hall, ZoneId(id), tab))
}

fn zone_tab(hall: Hall, id: ZoneId, tab: ArcRwSignal<Tab>) -> AnyView {
    let content = move || tab.with(|tab| zone_content(hall, tab));
    view! {
        <button
            type="button"
            class="zone"
            aria-pressed=move || (hall.zone.get() == Some(id)).to_string()
            on:click=move |_| hall.choose_zone(id)
        >
            {content}
        </button>
    }
    .fresh()
}

fn zone_content(hall: Hall, tab: &Tab) -> AnyView {
    let words = hall.words();
    let badge = |class: &'static str, count: usize, words: String| {
        (count > 0).then(|| view! { <span class=class>{words}</span> }.fresh())
    };
    let (calls, ready) = (tab.calls.to_string(), tab.ready.to_string());
    view! {
        <span dir="auto">{tab.name.get(hall.screen.language()).to_owned()}</span>
        " · "
        {tab.tables}
        {badge("badge urgent", tab.calls, [words.calls, " ", &calls].concat())}
        {badge("badge ready", tab.ready, words.ready.with(&[&ready]))}
    }
    .fresh()
}

#[component]
fn TileButton(id: Uuid) -> impl IntoView {
    let hall: Hall = expect_context();
    hall.tiles.row(id).map(|tile| button(hall, tile))
}

fn button(hall: Hall, tile: ArcRwSignal<Tile>) -> AnyView {
    let with = |read: fn(&Tile) -> &'static str| {
        let tile = tile.clone();
        move || tile.with(read)
    };
    let late = {
        let tile = tile.clone();
        Memo::new(move |_| is_late(hall, tile.with(|tile| tile.late_at)))
    };
    let shut = {
        let tile = tile.clone();
        Memo::new(move |_| {
            let shut = |picking: &Picking| !tile.with(|tile| picking.allows(tile));
            hall.picking
                .with(|picking| picking.as_ref().is_some_and(shut))
        })
    };
    let label = {
        let tile = tile.clone();
        move || tile.with(|tile| spoken(hall, tile, late.get()))
    };
    let pending = {
        let tile = tile.clone();
        move || tile.with(|tile| tile.pending)
    };
    let joined = {
        let tile = tile.clone();
        move || tile.with(|tile| tile.joined)
    };
    let content = {
        let tile = tile.clone();
        move || tile.with(|tile| content(hall, tile, late))
    };
    view! {
        <button
            type="button"
            class="tile"
            class:pending=pending
            data-state=with(|tile| state_name(tile.state))
            class:joined=joined
            aria-label=label
            aria-disabled=move || shut.get().then_some("true")
            on:click=move |_| hall.tap(&tile.get_untracked())
        >
            {content}
        </button>
    }
    .fresh()
}

/// Whether that moment has come.
pub fn is_late(hall: Hall, at: Option<Time>) -> bool {
    at.is_some_and(|at| hall.screen.now.get() >= at)
}

fn content(hall: Hall, tile: &Tile, late: Memo<bool>) -> AnyView {
    let words = hall.words();
    let seats = tile.seats.to_string();
    let of = match tile.covers {
        Some(covers) => [&covers.to_string(), "/", &seats].concat(),
        None => words.seats.with(&[&seats]),
    };
    let since = tile.seated_at;
    let sat = move || since.map(|at| hours(minutes(hall, at)));
    view! {
        <span class="top">
            <b class="name" dir="auto">{tile.label.clone()}</b>
            {badge(words, tile.badge, late)}
        </span>
        <span class="state">{icon(state_icon(tile.state))} {state_words(words, tile)}</span>
        <span class="row">
            <span>{of}</span>
            <span>{sat}</span>
        </span>
        <span class="amount">{amount(hall, tile.amount)}</span>
    }
    .fresh()
}

fn badge(words: &'static Words, badge: Option<Badge>, late: Memo<bool>) -> AnyView {
    match badge {
        Some(badge) => {
            let class = match badge {
                Badge::Call(_) => "badge urgent",
                Badge::Ready(_) => "badge ready",
                Badge::Unpaid => "badge unpaid",
            };
            view! { <span class=class>{badge_words(words, badge)}</span> }.fresh()
        }
        None => when(
            move || late.get(),
            move || view! { <span class="badge urgent">{words.late}</span> }.fresh(),
        ),
    }
}

fn badge_words(words: &Words, badge: Badge) -> String {
    match badge {
        Badge::Call(of) => words.called.with(&[reason(words, of)]),
        Badge::Ready(lines) => words.ready.with(&[&lines.to_string()]),
        Badge::Unpaid => words.unpaid.to_owned(),
    }
}

/// Everything a tile says, for those who listen.
fn spoken(hall: Hall, tile: &Tile, late: bool) -> String {
    let words = hall.words();
    let mut parts = vec![tile.label.clone(), state_words(words, tile)];
    let seats = tile.seats.to_string();
    parts.push(match tile.covers {
        Some(covers) => words.people_of.with(&[&covers.to_string(), &seats]),
        None => words.seats.with(&[&seats]),
    });
    if let Some(at) = tile.seated_at {
        parts.push(words.minutes.with(&[&minutes(hall, at).to_string()]));
    }
    if tile.amount != Amount::ZERO {
        parts.push(hall.screen.money(tile.amount));
    }
    match tile.badge {
        Some(badge) => parts.push(badge_words(words, badge)),
        None if late => parts.push(words.late.to_owned()),
        None => {}
    }
    parts.join(", ")
}

/// What a tile is busy with, in words.
pub fn state_words(words: &Words, tile: &Tile) -> String {
    let state = words.states[tile.state as usize];
    if tile.joined {
        [words.joined, " · ", state].concat()
    } else {
        state.to_owned()
    }
}

fn state_name(state: State) -> &'static str {
    match state {
        State::Free => "free",
        State::Seated => "seated",
        State::AwaitingPayment => "awaiting-payment",
        State::Cooking => "cooking",
        State::ReadyToServe => "ready",
        State::Dining => "dining",
        State::Dirty => "dirty",
    }
}

fn state_icon(state: State) -> Icon {
    match state {
        State::Free => Icon::Circle,
        State::Seated => Icon::Person,
        State::AwaitingPayment => Icon::Card,
        State::Cooking => Icon::Flame,
        State::ReadyToServe => Icon::Bell,
        State::Dining => Icon::Fork,
        State::Dirty => Icon::Broom,
    }
}

/// An amount without its currency, which a tile has no room for; nothing is left out.
fn amount(hall: Hall, amount: Amount) -> String {
    if amount == Amount::ZERO {
        return String::new();
    }
    let money = hall.screen.money(amount);
    money
        .trim_start_matches(|c: char| !c.is_ascii_digit())
        .to_owned()
}

/// Whole minutes since then.
pub fn minutes(hall: Hall, at: Time) -> i64 {
    hall.screen.now.get().since(at) / 60_000
}

/// Minutes as `h:mm`.
pub fn hours(minutes: i64) -> String {
    let (hours, minutes) = (minutes / 60, minutes % 60);
    let colon = if minutes < 10 { ":0" } else { ":" };
    [&hours.to_string(), colon, &minutes.to_string()].concat()
}

//! Keys: 1–9 select, Enter bump, Backspace recall, arrows, A all-day, R recall list, P priority.

use domain::id::OrderId;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::board::{COLUMNS, index};
use super::store::{Kitchen, Sheet};
use crate::browser::device;
use crate::screen::Intent;

/// A key of a keyboard or a bump bar.
pub fn press(kitchen: Kitchen, event: &KeyboardEvent) {
    let modified = event.ctrl_key() || event.meta_key() || event.alt_key();
    // A dialog has its own keys.
    let covered = kitchen.sheet.get_untracked().is_some() || kitchen.settings_open.get_untracked();
    if modified || covered {
        return;
    }
    let selected = kitchen.selected.get_untracked();
    match event.key().as_str() {
        "Enter" if !event.repeat() && !on_a_button() => {
            if let Some(id) = selected {
                kitchen.bump(id);
                select(kitchen, id);
            }
        }
        "Backspace" if !event.repeat() => {
            if let Some(id) = selected {
                kitchen.recall(id);
                select(kitchen, id);
            }
        }
        "p" | "P" => {
            if let Some(card) = selected.and_then(|id| kitchen.card_now(id)) {
                kitchen.act(card.order.id, Intent::Priority(!card.ticket.priority));
            }
        }
        "a" | "A" => kitchen.all_day_open.update(|open| *open = !*open),
        "r" | "R" => kitchen.sheet.set(Some(Sheet::Recall)),
        "ArrowUp" => walk(kitchen, event, 0, -1),
        "ArrowDown" => walk(kitchen, event, 0, 1),
        "ArrowLeft" => walk(kitchen, event, -1, 0),
        "ArrowRight" => walk(kitchen, event, 1, 0),
        key => {
            let place = key
                .parse::<usize>()
                .ok()
                .filter(|place| (1..=9).contains(place));
            let id = place.and_then(|place| kitchen.in_reading_order().get(place - 1).copied());
            if let Some(id) = id {
                select(kitchen, id);
            }
        }
    }
}

/// Enter on a button is a press of that button.
fn on_a_button() -> bool {
    let focused = document().active_element();
    focused.is_some_and(|element| element.tag_name().eq_ignore_ascii_case("button"))
}

/// Selects a card, shows its column, and takes the focus there once it is in place.
fn select(kitchen: Kitchen, id: OrderId) {
    kitchen.selected.set(Some(id));
    kitchen.see(id);
    if let Some(card) = kitchen.card_now(id) {
        kitchen.tab.set(card.ticket.column);
    }
    let focus = move || {
        let name = ["t", &id.to_string()].concat();
        let card = document().get_element_by_id(&name);
        if let Some(card) = card.and_then(|card| card.dyn_into::<HtmlElement>().ok()) {
            // A card that cannot take the focus is selected all the same.
            card.focus().unwrap_or_default();
        }
        device::show(&name);
    };
    request_animation_frame(focus);
}

fn walk(kitchen: Kitchen, event: &KeyboardEvent, columns: i32, rows: i32) {
    let selected = kitchen.selected.get_untracked();
    let card = selected.and_then(|id| kitchen.card_now(id));
    let Some(card) = card else {
        if let Some(first) = kitchen.in_reading_order().first() {
            select(kitchen, *first);
            event.prevent_default();
        }
        return;
    };
    let column = index(card.ticket.column);
    let ids = kitchen.columns[column].get_untracked();
    let row = ids.iter().position(|id| *id == card.order.id).unwrap_or(0);
    let found = if columns == 0 {
        row.checked_add_signed(isize::try_from(rows).unwrap_or(0))
            .and_then(|row| ids.get(row).copied())
    } else {
        beside(kitchen, column, columns, row)
    };
    if let Some(id) = found {
        select(kitchen, id);
        event.prevent_default();
    }
}

/// The card at the same height in the next column that has any.
fn beside(kitchen: Kitchen, column: usize, step: i32, row: usize) -> Option<OrderId> {
    let step = isize::try_from(step).ok()?;
    let mut at = column.checked_add_signed(step)?;
    while at < COLUMNS.len() {
        let ids = kitchen.columns[at].get_untracked();
        if let Some(id) = ids.get(row).or(ids.last()) {
            return Some(*id);
        }
        at = at.checked_add_signed(step)?;
    }
    None
}

//! What changed on the party's page, as the screen shows it: only what differs is told.

use std::cmp::Reverse;
use std::sync::Arc;

use domain::call::CallState;
use domain::guest::{GuestCall, GuestOrder, GuestPage, Part};
use domain::id::MenuId;
use domain::menu::{Category, MenuItem};
use domain::sorting::sort_by_key;
use domain::stock::Shelf;
use leptos::prelude::*;
use uuid::Uuid;

use super::state::{Guest, Section};
use crate::browser::wall;
use crate::entry::Offer;

impl Guest {
    /// A part of the page changed.
    pub fn show(self, part: Part, page: &GuestPage) {
        match part {
            Part::Page => {
                self.show_store(page);
                self.table.set(Some(page.table.clone()));
                self.show_menu(page);
                self.show_orders(page);
                self.show_calls(page);
            }
            Part::Orders => self.show_orders(page),
            Part::Calls => self.show_calls(page),
            Part::Items => self.show_menu(page),
            Part::Table => self.table.set(Some(page.table.clone())),
        }
    }

    fn show_store(self, page: &GuestPage) {
        let same = self
            .store
            .with_untracked(|store| store.as_deref() == Some(&page.store));
        if !same {
            wall::set_zone(&page.store.time_zone);
            self.store.set(Some(Arc::new(page.store.clone())));
        }
    }

    fn show_menu(self, page: &GuestPage) {
        let before = self.offer.get_untracked();
        let item = |item: &MenuItem| {
            let known = before.get(item.id).filter(|known| ***known == *item);
            let item = known.map_or_else(|| Arc::new(item.clone()), Arc::clone);
            (item.id, item)
        };
        let items = page.items.iter().map(item).collect();
        let left = page.stock.iter().map(|row| (row.id, row.available));
        let offer = Offer::new(items, Shelf::of_guests(left));
        let sections = sections(page);
        let order = sections.iter().flat_map(|(_, ids)| ids);
        let rows = order.filter_map(|id| Some((*id, offer.dish(MenuId(*id))?)));
        self.dishes.show(rows.collect());
        let rows = sections.into_iter();
        let rows = rows.map(|section| (section.0.id.0, section));
        self.sections.show(rows.collect());
        if *before != offer {
            self.offer.set(Arc::new(offer));
            self.check_cart();
        }
    }

    fn show_orders(self, page: &GuestPage) {
        let mut orders: Vec<&GuestOrder> = page.orders.iter().collect();
        sort_by_key(&mut orders, |order| {
            Reverse((order.placed_at, order.number))
        });
        self.speak(page, &orders);
        let rows = orders.into_iter().map(|order| (order.id.0, order.clone()));
        self.orders.show(rows.collect());
    }

    fn show_calls(self, page: &GuestPage) {
        let open = page.calls.iter();
        let mut calls: Vec<&GuestCall> = open.filter(|call| is_open(call)).collect();
        sort_by_key(&mut calls, |call| call.requested_at);
        let rows = calls.into_iter().map(|call| (call.id.0, call.clone()));
        self.calls.show(rows.collect());
    }
}

fn is_open(call: &GuestCall) -> bool {
    match call.state {
        CallState::Requested | CallState::Accepted => true,
        CallState::Done => false,
    }
}

/// The menu by category, each by its place; what is empty is left out.
fn sections(page: &GuestPage) -> Vec<Section> {
    let mut categories: Vec<&Category> = page.categories.iter().collect();
    sort_by_key(&mut categories, |category| category.sort);
    let mut items: Vec<&MenuItem> = page.items.iter().collect();
    sort_by_key(&mut items, |item| item.sort);
    let section = |category: &Category| {
        let own = items.iter().filter(|item| item.category_id == category.id);
        let ids: Vec<Uuid> = own.map(|item| item.id.0).collect();
        (!ids.is_empty()).then(|| (category.clone(), ids))
    };
    categories.into_iter().filter_map(section).collect()
}

//! What the page of guests shows: the page's one context.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::bridge::{Link, Status};
use domain::call::CallReason;
use domain::guest::session::Stage;
use domain::guest::{GuestCall, GuestOrder, GuestPage, GuestStore, GuestTable, Part};
use domain::id::MenuId;
use domain::menu::{Category, MenuItem};
use domain::money::Amount;
use domain::text::Language;
use domain::time::Time;
use leptos::prelude::*;
use uuid::Uuid;

use super::follow;
use super::progress::{Progress, progress, reached};
use crate::browser::wall;
use crate::entry::{Cart, Gone, Items};
use crate::i18n::{self, Messages};
use crate::ordering::draft::Draft;
use crate::ordering::unsent::Unsent;
use crate::ui::{Rows, Toasts};

/// What lies over the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sheet {
    /// Options of a dish.
    Dish(MenuId),
    /// The cart.
    Cart,
    /// What can be asked for.
    Calls,
}

/// A category, and the dishes in it.
pub type Section = (Category, Vec<Uuid>);

/// The context of the page.
#[derive(Clone, Copy)]
pub struct Guest {
    /// Texts.
    pub messages: &'static Messages,
    /// What the page is.
    pub stage: RwSignal<Stage>,
    /// The restaurant, once loaded.
    pub store: RwSignal<Option<Arc<GuestStore>>>,
    /// The table.
    pub table: RwSignal<Option<GuestTable>>,
    /// The menu: what stands in which category.
    pub sections: RwSignal<Arc<Vec<Section>>>,
    /// The category that is read.
    pub section: RwSignal<usize>,
    /// The dishes.
    pub dishes: Rows<Arc<MenuItem>>,
    /// The menu by id.
    pub items: RwSignal<Arc<Items>>,
    /// The orders of the table, the newest first.
    pub orders: Rows<GuestOrder>,
    /// Calls that are not done.
    pub calls: RwSignal<Vec<GuestCall>>,
    /// The cart.
    pub cart: RwSignal<Cart>,
    /// For the whole order.
    pub note: RwSignal<String>,
    /// What went away while it was in the cart.
    pub gone: RwSignal<Vec<Gone>>,
    /// The order on its way.
    pub unsent: RwSignal<Option<Unsent>>,
    /// It is being sent.
    pub sending: RwSignal<bool>,
    /// When the same may be asked for again, by [`place_of`] the reason.
    pub cooldowns: RwSignal<[Time; 4]>,
    /// What lies over the menu.
    pub sheet: RwSignal<Option<Sheet>>,
    /// The pill.
    pub status: RwSignal<Status>,
    /// Whether the page is there: the pill has something to say.
    pub based: RwSignal<bool>,
    /// The server's clock, to the second.
    pub now: RwSignal<Time>,
    /// Spoken to those who listen.
    pub spoken: RwSignal<String>,
    /// Refusals.
    pub toasts: Toasts,
}

/// What can be asked for, as it is shown.
pub const REASONS: [CallReason; 4] = [
    CallReason::Staff,
    CallReason::Water,
    CallReason::SidePlate,
    CallReason::Bill,
];

/// The place of a reason among [`REASONS`].
#[must_use]
pub fn place_of(reason: CallReason) -> usize {
    match reason {
        CallReason::Staff => 0,
        CallReason::Water => 1,
        CallReason::SidePlate => 2,
        CallReason::Bill => 3,
    }
}

impl Guest {
    /// An empty page.
    #[must_use]
    pub fn new() -> Self {
        let waiting = Status {
            link: Link::CatchingUp(0),
            age_ms: 0,
            new_version: false,
        };
        Self {
            messages: i18n::messages(),
            stage: RwSignal::new(Stage::Loading),
            store: RwSignal::new(None),
            table: RwSignal::new(None),
            sections: RwSignal::new(Arc::default()),
            section: RwSignal::new(0),
            dishes: Rows::new(),
            items: RwSignal::new(Arc::default()),
            orders: Rows::new(),
            calls: RwSignal::new(Vec::new()),
            cart: RwSignal::new(Cart::default()),
            note: RwSignal::new(String::new()),
            gone: RwSignal::new(Vec::new()),
            unsent: RwSignal::new(None),
            sending: RwSignal::new(false),
            cooldowns: RwSignal::new([Time(0); 4]),
            sheet: RwSignal::new(None),
            status: RwSignal::new(waiting),
            based: RwSignal::new(false),
            now: RwSignal::new(Time(0)),
            spoken: RwSignal::new(String::new()),
            toasts: Toasts::new(),
        }
    }

    /// The language of this page.
    #[must_use]
    pub fn language(self) -> Language {
        self.messages.language
    }

    /// An amount of the store's money as people read it.
    #[must_use]
    pub fn money(self, amount: Amount) -> String {
        self.store.with(|store| {
            let currency = store.as_ref().map(|store| store.currency);
            currency.map_or_else(String::new, |currency| currency.format(amount))
        })
    }

    /// The page is at another stage.
    pub fn set_stage(self, stage: Stage) {
        match stage {
            Stage::Open => self.recall(),
            Stage::Over => self.forget(),
            Stage::Loading | Stage::Unreachable | Stage::NoTable | Stage::AskStaff => {}
        }
        self.based.set(stage == Stage::Open);
        self.stage.set(stage);
    }

    /// What the phone kept of this party.
    fn recall(self) {
        let Some(keep) = follow::kept() else {
            return;
        };
        let Draft { cart, note } = keep.draft();
        self.cart.set(cart);
        self.note.set(note);
        if let Some(unsent) = keep.unsent() {
            // Pressed on a page that is gone: the same key, so that it is done once.
            self.sheet.set(Some(Sheet::Cart));
            self.deliver(unsent);
        } else {
            self.check_cart();
        }
    }

    /// Keeps the cart on the device.
    pub fn keep_cart(self) {
        if let Some(keep) = follow::kept() {
            let (cart, note) = (self.cart.get_untracked(), self.note.get_untracked());
            keep.keep_draft(&Draft { cart, note });
        }
    }

    /// Nothing of the party stays on the page.
    fn forget(self) {
        self.stage.set(Stage::Over);
        self.sheet.set(None);
        self.gone.set(Vec::new());
        self.unsent.set(None);
        self.sending.set(false);
        self.cart.set(Cart::default());
        self.note.set(String::new());
        self.orders.show(Vec::new());
        self.calls.set(Vec::new());
        self.cooldowns.set([Time(0); 4]);
        self.table.set(None);
        self.spoken.set(String::new());
    }

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
        let before = self.items.get_untracked();
        let item = |item: &MenuItem| {
            let known = before.get(&item.id).filter(|known| ***known == *item);
            let item = known.map_or_else(|| Arc::new(item.clone()), Arc::clone);
            (item.id, item)
        };
        let items: Items = page.items.iter().map(item).collect();
        let sections = sections(page);
        let order = sections.iter().flat_map(|(_, ids)| ids);
        let rows = order.filter_map(|id| Some((*id, Arc::clone(items.get(&MenuId(*id))?))));
        self.dishes.show(rows.collect());
        if self.sections.with_untracked(|shown| **shown != sections) {
            self.sections.set(Arc::new(sections));
        }
        if *before != items {
            self.items.set(Arc::new(items));
            self.check_cart();
        }
    }

    /// Something in the cart may have gone away: it is named, the rest is kept.
    pub fn check_cart(self) {
        if self.unsent.with_untracked(Option::is_some) {
            return;
        }
        let gone = self
            .items
            .with_untracked(|items| self.cart.with_untracked(|cart| cart.check(items)));
        if !gone.is_empty() {
            self.cart.update(|cart| cart.drop_gone(&gone));
            self.gone.update(|named| named.extend(gone));
        }
    }

    fn show_orders(self, page: &GuestPage) {
        let mut orders: Vec<&GuestOrder> = page.orders.iter().collect();
        orders.sort_by_key(|order| std::cmp::Reverse((order.placed_at, order.number)));
        self.speak(page, &orders);
        let rows = orders.into_iter().map(|order| (order.id.0, order.clone()));
        self.orders.show(rows.collect());
    }

    /// Says which step an order that was shown has taken.
    fn speak(self, page: &GuestPage, orders: &[&GuestOrder]) {
        let timing = page.store.payment_timing;
        for order in orders {
            let Some(shown) = self.orders.row(order.id.0) else {
                continue;
            };
            let before = shown.with_untracked(|before| progress(before, timing));
            let after = progress(order, timing);
            if reached(&before) != reached(&after) || is_end(&before) != is_end(&after) {
                self.spoken.set(self.order_words(order, &after));
            }
        }
    }

    /// An order and how it stands, in words.
    fn order_words(self, order: &GuestOrder, progress: &Progress) -> String {
        let words = &self.messages.guest;
        let number = words.number.with(&[&order.number.to_string()]);
        let state = match progress {
            Progress::Steps(_) => {
                reached(progress).map_or(String::new(), |step| words.steps[step.index()].to_owned())
            }
            Progress::Rejected => self.rejected_words(order),
            Progress::Cancelled => words.cancelled.to_owned(),
        };
        [&number, " · ", &state].concat()
    }

    /// Why an order was rejected, in words.
    #[must_use]
    pub fn rejected_words(self, order: &GuestOrder) -> String {
        let reason = order.reject_reason.as_deref().unwrap_or_default();
        self.messages.guest.rejected.with(&[reason])
    }

    fn show_calls(self, page: &GuestPage) {
        let open = page.calls.iter();
        let open = open.filter(|call| call.state != domain::call::CallState::Done);
        let mut calls: Vec<GuestCall> = open.cloned().collect();
        calls.sort_by_key(|call| call.requested_at);
        if self.calls.with_untracked(|shown| *shown != calls) {
            self.calls.set(calls);
        }
    }

    /// The second hand: the pill, and countdowns.
    pub fn look(self) {
        let Some((status, now)) = follow::look() else {
            return;
        };
        // The page may be gone.
        if self.now.try_get_untracked().is_none() {
            return;
        }
        let second = |status: &Status| Status {
            age_ms: status.age_ms / 1_000,
            ..*status
        };
        if self.status.with_untracked(second) != second(&status) {
            self.status.set(status);
        }
        if self.now.get_untracked().0 / 1_000 != now.0 / 1_000 {
            self.now.set(now);
        }
    }
}

fn is_end(progress: &Progress) -> bool {
    match progress {
        Progress::Steps(_) => false,
        Progress::Rejected | Progress::Cancelled => true,
    }
}

/// The menu by category, each by its place; what is empty is left out.
fn sections(page: &GuestPage) -> Vec<Section> {
    let mut by_category: BTreeMap<Uuid, Vec<&MenuItem>> = BTreeMap::new();
    for item in &page.items {
        by_category
            .entry(item.category_id.0)
            .or_default()
            .push(item);
    }
    let mut categories = page.categories.clone();
    categories.sort_by_key(|category| category.sort);
    let section = |category: Category| {
        let mut items = by_category.remove(&category.id.0)?;
        items.sort_by_key(|item| item.sort);
        let ids = items.iter().map(|item| item.id.0).collect();
        Some((category, ids))
    };
    categories.into_iter().filter_map(section).collect()
}

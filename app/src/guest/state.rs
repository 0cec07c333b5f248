//! What the page of guests shows: the page's one context.

use std::sync::Arc;

use domain::bridge::{Link, Status};
use domain::guest::session::Stage;
use domain::guest::{GuestCall, GuestOrder, GuestStore, GuestTable};
use domain::id::MenuId;
use domain::menu::Category;
use domain::money::Amount;
use domain::text::Language;
use domain::time::Time;
use leptos::prelude::*;
use uuid::Uuid;

use super::follow;
use crate::entry::{Cart, Dish, Gone, Offer};
use crate::i18n::{self, Messages};
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
    pub sections: Rows<Section>,
    /// The category that is read, once somebody has moved.
    pub section: RwSignal<Option<Uuid>>,
    /// The dishes.
    pub dishes: Rows<Dish>,
    /// What can be ordered.
    pub offer: RwSignal<Arc<Offer>>,
    /// The orders of the table, the newest first.
    pub orders: Rows<GuestOrder>,
    /// Calls that are not done.
    pub calls: Rows<GuestCall>,
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
    /// When the same may be asked for again, by the place of its reason.
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
            sections: Rows::new(),
            section: RwSignal::new(None),
            dishes: Rows::new(),
            offer: RwSignal::new(Arc::default()),
            orders: Rows::new(),
            calls: Rows::new(),
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

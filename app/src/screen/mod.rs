//! What every screen of the staff has: sign-in, the stream, presses that show at once, the bar,
//! and the words of what went wrong. A screen adds what it shows.

mod act;
mod finger;
mod intent;
mod places;
mod presses;
mod session;

mod bar;
mod notices;
mod page;
mod settings;
mod short;

use std::sync::Arc;

use domain::bridge::{Link, Status};
use domain::call::Call;
use domain::event::EventType;
use domain::floor::Table;
use domain::menu::MenuItem;
use domain::order::{Channel, Order};
use domain::settings::Store;
use domain::store::{ClientStore, Touched};
use domain::stream::Scope;
use domain::text::Language;
use domain::time::Time;
use leptos::prelude::*;
use uuid::Uuid;

use crate::api::auth::Me;
use crate::i18n::{self, Messages};
use crate::ui::Toasts;

pub use finger::Finger;
pub use intent::Intent;
pub use page::StaffPage;
pub use places::{Place, places};
pub use presses::Presses;
pub use session::to_login;
pub use short::Unsold;

/// What a screen hears.
pub enum Change<'a> {
    /// Entities of the store changed.
    Store(&'a ClientStore, &'a Touched),
    /// A press on this entity was made, or has settled.
    Pressed(Uuid),
    /// An event passed the cursor live: it may sound.
    Heard(EventType, Option<Uuid>),
    /// Changes that were missed are there: one sound for all.
    CaughtUp,
}

/// Hears of every change. It may read the store, and send nothing at once.
pub type Listener = dyn Fn(Change<'_>) + Send + Sync;

/// What a screen follows.
pub struct Follow {
    /// Its name, such as `kitchen:{stationId}`.
    pub name: String,
    /// What it shows.
    pub scopes: Vec<Scope>,
    /// Who hears of changes.
    pub changed: Box<Listener>,
}

/// A press that can be taken back for a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undo {
    /// What was pressed, and what takes it back.
    pub back: Vec<(Uuid, Intent)>,
    /// What the bar says.
    pub words: String,
}

impl Undo {
    /// Whether it takes back a press on `id`.
    fn is_of(&self, id: Uuid) -> bool {
        self.back.iter().any(|(of, _)| *of == id)
    }
}

/// The common part of a screen.
#[derive(Clone, Copy)]
pub struct Screen {
    /// Texts.
    pub messages: &'static Messages,
    /// Who is signed in.
    pub me: RwSignal<Option<Me>>,
    /// The store, once loaded.
    pub settings: RwSignal<Option<Arc<Store>>>,
    /// The server's clock, to the second.
    pub now: RwSignal<Time>,
    /// The pill.
    pub status: RwSignal<Status>,
    /// Whether the first baseline is there.
    pub based: RwSignal<bool>,
    /// Spoken to those who listen.
    pub spoken: RwSignal<String>,
    /// Refusals.
    pub toasts: Toasts,
    /// What can be taken back.
    pub undo: RwSignal<Option<Undo>>,
    /// Whether the settings of this device are open.
    pub settings_open: RwSignal<bool>,
    /// A payment that could not be confirmed.
    pub unsold: RwSignal<Option<Unsold>>,
    presses: StoredValue<Presses>,
    listener: StoredValue<Option<Arc<Listener>>>,
}

impl Screen {
    /// An empty screen.
    #[must_use]
    pub fn new() -> Self {
        let waiting = Status {
            link: Link::CatchingUp(0),
            age_ms: 0,
            new_version: false,
        };
        Self {
            messages: i18n::messages(),
            me: RwSignal::new(None),
            settings: RwSignal::new(None),
            now: RwSignal::new(Time(0)),
            status: RwSignal::new(waiting),
            based: RwSignal::new(false),
            spoken: RwSignal::new(String::new()),
            toasts: Toasts::new(),
            undo: RwSignal::new(None),
            settings_open: RwSignal::new(false),
            unsold: RwSignal::new(None),
            presses: StoredValue::new(Presses::default()),
            listener: StoredValue::new(None),
        }
    }

    /// The language of this page.
    #[must_use]
    pub fn language(self) -> Language {
        self.messages.language
    }

    /// An amount of the store's money as people read it.
    #[must_use]
    pub fn money(self, amount: domain::money::Amount) -> String {
        self.settings.with(|store| {
            let currency = store.as_ref().map(|store| store.currency);
            currency.map_or_else(String::new, |currency| currency.format(amount))
        })
    }

    /// How an order is called: its table, or what it is and its number.
    #[must_use]
    pub fn label(self, order: &Order) -> String {
        if order.table_label.is_empty() {
            let words = self.channel(order.channel);
            [words, " ", &order.number.to_string()].concat()
        } else {
            order.table_label.clone()
        }
    }

    /// The number of an order and where it is.
    #[must_use]
    pub fn order_name(self, order: &Order) -> String {
        ["#", &order.number.to_string(), " ", self.place_of(order)].concat()
    }

    /// Where an order is: its table, or what it is.
    #[must_use]
    pub fn place_of(self, order: &Order) -> &str {
        match order.table_label.as_str() {
            "" => self.channel(order.channel),
            label => label,
        }
    }

    /// A channel in words.
    #[must_use]
    pub fn channel(self, channel: Channel) -> &'static str {
        let [qr, hall, counter, takeout] = self.messages.kitchen.channels;
        match channel {
            Channel::Qr => qr,
            Channel::Hall => hall,
            Channel::Counter => counter,
            Channel::Takeout => takeout,
        }
    }

    /// Reads the presses that have not settled.
    pub fn with_presses<R>(self, read: impl FnOnce(&Presses) -> R) -> R {
        self.presses.with_value(read)
    }

    /// Whether a press on it has not settled.
    #[must_use]
    pub fn is_pending(self, id: Uuid) -> bool {
        self.with_presses(|presses| presses.is_pending(id))
    }

    /// The order as the presses on it foresee.
    #[must_use]
    pub fn order(self, order: &Arc<Order>) -> Arc<Order> {
        self.with_presses(|presses| presses.order(order))
    }

    /// The same of a call.
    #[must_use]
    pub fn call(self, call: &Arc<Call>) -> Arc<Call> {
        self.with_presses(|presses| presses.call(call))
    }

    /// The same of a table.
    #[must_use]
    pub fn table(self, table: &Arc<Table>) -> Arc<Table> {
        self.with_presses(|presses| presses.table(table))
    }

    /// The same of a menu item.
    #[must_use]
    pub fn item(self, item: &Arc<MenuItem>) -> Arc<MenuItem> {
        self.with_presses(|presses| presses.item(item))
    }
}

impl Default for Screen {
    fn default() -> Self {
        Self::new()
    }
}

//! What the menu screen shows: computed anew after each piece of news; only what differs is told.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use domain::event::Kind;
use domain::id::{MenuId, OptionId, StationId};
use domain::menu::MenuItem;
use domain::sorting::sort_by_key;
use domain::stock::{Hold, Left, Shelf, Stock};
use domain::store::ClientStore;
use leptos::prelude::*;
use uuid::Uuid;

use super::list::{Known, Row, Wanted, rows};
use crate::api::stock::{RefundDue, Refunds, Reservations};
use crate::i18n::Menu as Words;
use crate::live;
use crate::screen::{Change, Intent, Screen};
use crate::ui::Rows;

/// Holds are read so long after a count changed.
const HOLDS_AFTER: Duration = Duration::from_millis(300);

/// The context of the menu screen.
#[derive(Clone, Copy)]
pub struct Menu {
    /// What every screen has.
    pub screen: Screen,
    /// Categories and items.
    pub rows: Rows<Row>,
    /// How many items there are, and how many of them cannot be ordered.
    pub counts: RwSignal<(usize, usize)>,
    /// What was typed.
    pub search: RwSignal<String>,
    /// 품절만
    pub only_out: RwSignal<bool>,
    /// Whether stock is shown instead of the menu.
    pub stock_shown: RwSignal<bool>,
    /// What is counted.
    pub stock: Rows<Arc<Stock>>,
    /// Open holds, once read; managers only.
    pub holds: RwSignal<Option<Arc<Vec<Hold>>>>,
    /// Money to give back; managers only.
    pub refunds: RwSignal<Arc<Vec<RefundDue>>>,
    /// The stock row whose count is open.
    pub adjusting: RwSignal<Option<Uuid>>,
    /// The hold that is to be broken.
    pub breaking: RwSignal<Option<Hold>>,
    holds_due: StoredValue<bool>,
    wanted: StoredValue<Wanted>,
}

impl Menu {
    /// An empty screen.
    #[must_use]
    pub fn new() -> Self {
        Self {
            screen: Screen::new(),
            rows: Rows::new(),
            counts: RwSignal::new((0, 0)),
            search: RwSignal::new(String::new()),
            only_out: RwSignal::new(false),
            stock_shown: RwSignal::new(false),
            stock: Rows::new(),
            holds: RwSignal::new(None),
            refunds: RwSignal::new(Arc::default()),
            adjusting: RwSignal::new(None),
            breaking: RwSignal::new(None),
            holds_due: StoredValue::new(false),
            wanted: StoredValue::new(Wanted::default()),
        }
    }

    /// The words of the menu.
    #[must_use]
    pub fn words(self) -> &'static Words {
        &self.screen.messages.menu
    }

    /// What a piece of news changes.
    pub fn hear(self, change: Change<'_>) {
        match change {
            Change::Store(store, touched) => {
                self.show(store);
                let counted = |(kind, _): &(Kind, Uuid)| *kind == Kind::Stock;
                let open = self.stock_shown.get_untracked()
                    || self.adjusting.with_untracked(Option::is_some);
                if touched.settings || (open && touched.entities.iter().any(counted)) {
                    self.holds_soon();
                }
            }
            Change::Pressed(_) => self.look(),
            Change::Heard(..) | Change::CaughtUp => {}
        }
    }

    fn look(self) {
        live::with_store(|store| self.show(store));
    }

    fn show(self, store: &ClientStore) {
        self.show_stock(store);
        let left = store.stock().map(|stock| (stock.id, stock.available));
        let shelf = Shelf::of(left);
        let item = |item: &Arc<MenuItem>| {
            let pending = self.screen.is_pending(item.id.0);
            let item = self.screen.item(item);
            let used_up = !item.is_sold_out() && shelf.left(&item) == Left::Nothing;
            Known {
                item,
                pending,
                used_up,
            }
        };
        let items: Vec<_> = store.items().map(item).collect();
        let out = items.iter().filter(|known| known.is_out()).count();
        let counts = (items.len(), out);
        if self.counts.get_untracked() != counts {
            self.counts.set(counts);
        }
        let shown = self
            .wanted
            .try_update_value(|wanted| rows(items, store.categories(), wanted));
        // The screen may be gone.
        if let Some(shown) = shown {
            self.rows.show(shown);
        }
    }

    fn show_stock(self, store: &ClientStore) {
        let mut stock: Vec<&Arc<Stock>> = store.stock().collect();
        sort_by_key(&mut stock, |stock| {
            (stock.name.get(self.screen.language()), stock.id)
        });
        // The screen may be gone.
        if self.stock_shown.try_get_untracked().is_some() {
            let rows = stock.into_iter();
            self.stock
                .show(rows.map(|stock| (stock.id.0, Arc::clone(stock))).collect());
        }
    }

    /// Whether counts may be changed and holds be seen here.
    #[must_use]
    pub fn manages(self) -> bool {
        self.screen
            .me
            .with(|me| me.as_ref().is_some_and(|me| me.role.manages()))
    }

    /// Reads holds once for all that happens within a moment.
    fn holds_soon(self) {
        if self.holds_due.get_value() {
            return;
        }
        self.holds_due.set_value(true);
        let read = move || {
            if self.holds_due.try_set_value(false).is_none() {
                self.load_holds();
            }
        };
        set_timeout(read, HOLDS_AFTER);
    }

    /// Reads the open holds and the refunds that are due.
    pub fn load_holds(self) {
        if !untrack(|| self.manages()) {
            return;
        }
        live::read("/reservations?status=held", move |answer| {
            // Without an answer what was known stays.
            let read = answer.ok().and_then(|answer| answer.read().ok());
            if let Some(Reservations { reservations }) = read {
                self.holds.try_set(Some(Arc::new(reservations)));
            }
        });
        live::read("/refunds/due", move |answer| {
            let read = answer.ok().and_then(|answer| answer.read().ok());
            if let Some(Refunds { refunds }) = read {
                self.refunds.try_set(Arc::new(refunds));
            }
        });
    }

    /// The money was given back.
    pub fn settle(self, id: Uuid) {
        let path = ["/refunds/", &id.to_string(), "/settle"].concat();
        self.screen.ask(path, "{}".to_owned(), move |result| {
            if let Err(problem) = result {
                self.screen.toasts.say(problem.words(self.screen.messages));
            }
            self.load_holds();
        });
    }

    /// Opens the count of a stock row, with the holds on it.
    pub fn adjust(self, id: Uuid) {
        self.adjusting.set(Some(id));
        self.load_holds();
    }

    /// Shows stock, or the menu.
    pub fn show_view(self, stock: bool) {
        self.stock_shown.set(stock);
        if stock {
            self.load_holds();
        }
    }

    /// Shows what has `text` in its name.
    pub fn find(self, text: String) {
        self.wanted
            .update_value(|wanted| wanted.search.clone_from(&text));
        self.search.set(text);
        self.look();
    }

    /// Shows only what is sold out, or everything.
    pub fn filter(self, only_out: bool) {
        let kept = only_out.then(BTreeSet::new);
        self.wanted.update_value(|wanted| wanted.only_out = kept);
        self.only_out.set(only_out);
        self.look();
    }

    /// 품절 of an item or of one of its options, and back.
    pub fn set_sold_out(self, item: MenuId, option: Option<OptionId>, out: bool, name: &str) {
        let words = self.words();
        let became = if out { words.sold_out } else { words.on_sale };
        let undo = Intent::SoldOut(!out, option);
        let words = words.changed.with(&[name, became]);
        let intent = Intent::SoldOut(out, option);
        self.screen.press_undoable(item.0, intent, undo, words);
    }

    /// The station that cooks an item.
    #[must_use]
    pub fn station(self, id: Option<StationId>) -> String {
        self.screen.settings.with(|store| {
            let Some(store) = store else {
                return String::new();
            };
            let id = id.or_else(|| store.default_station());
            let found = store.stations.iter().find(|station| Some(station.id) == id);
            let name = found.map(|station| station.name.get(self.screen.language()));
            name.unwrap_or_default().to_owned()
        })
    }
}

impl Default for Menu {
    fn default() -> Self {
        Self::new()
    }
}

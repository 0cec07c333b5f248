//! Order entry by the staff, over the hall and the counter: the menu in big tiles, options, notes,
//! the cart. The screen below stays, with its stream.

pub mod draft;
mod page;
mod panel;
mod place;
mod send;
pub mod unsent;

use std::sync::Arc;
use std::time::Duration;

use domain::floor::Table;
use domain::id::{CategoryId, MenuId, PartyId, TableId};
use domain::menu::{Category, MenuItem};
use domain::money::Currency;
use domain::sorting::sort_by_key;
use domain::stock::Shelf;
use domain::store::{ClientStore, Touched};
use leptos::prelude::*;

use crate::entry::{Cart, CartLine, Dish, Gone, Offer, Tap};
use crate::live;
use crate::screen::Screen;
use crate::ui::Rows;
use draft::Draft;
use unsent::Unsent;

pub use page::OrderEntry;
pub use place::Place;

/// What lies over the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sheet {
    /// Options of an item.
    Item(MenuId),
    /// For whom the order is.
    Places,
}

/// Order entry of a screen.
#[derive(Clone, Copy)]
pub struct Ordering {
    /// The screen it belongs to.
    pub screen: Screen,
    /// Whether it lies over the screen.
    pub is_open: RwSignal<bool>,
    /// Whether a screen offers places without a table.
    at_counter: bool,
    place: RwSignal<Option<Place>>,
    /// The party at the table when it was chosen: the cart is theirs, wherever they move.
    party: RwSignal<Option<PartyId>>,
    tables: RwSignal<Arc<Vec<Arc<Table>>>>,
    categories: RwSignal<Vec<Category>>,
    category: RwSignal<Option<CategoryId>>,
    search: RwSignal<String>,
    offer: RwSignal<Arc<Offer>>,
    tiles: Rows<Dish>,
    cart: RwSignal<Cart>,
    note: RwSignal<String>,
    cart_shown: RwSignal<bool>,
    sheet: RwSignal<Option<Sheet>>,
    gone: RwSignal<Vec<Gone>>,
    unsent: RwSignal<Option<Unsent>>,
}

impl Ordering {
    /// Closed; `at_counter` offers counter and takeout as well as tables.
    #[must_use]
    pub fn new(screen: Screen, at_counter: bool) -> Self {
        Self {
            screen,
            is_open: RwSignal::new(false),
            at_counter,
            place: RwSignal::new(None),
            party: RwSignal::new(None),
            tables: RwSignal::new(Arc::default()),
            categories: RwSignal::new(Vec::new()),
            category: RwSignal::new(None),
            search: RwSignal::new(String::new()),
            offer: RwSignal::new(Arc::default()),
            tiles: Rows::new(),
            cart: RwSignal::new(Cart::default()),
            note: RwSignal::new(String::new()),
            cart_shown: RwSignal::new(false),
            sheet: RwSignal::new(None),
            gone: RwSignal::new(Vec::new()),
            unsent: RwSignal::new(None),
        }
    }

    /// Lays it over the screen, for a place; without one it asks before it sends.
    pub fn open(self, place: Option<Place>) {
        live::with_store(|store| self.look(store));
        self.choose_place(place);
        self.is_open.set(true);
        // What went away since the draft was put together.
        self.gone.set(self.gone_now());
    }

    /// Takes it away; what was put together stays on the device.
    pub fn close(self) {
        self.sheet.set(None);
        self.cart_shown.set(false);
        self.search.set(String::new());
        self.is_open.set(false);
    }

    fn choose_place(self, place: Option<Place>) {
        let same = place == self.place.get_untracked() && self.is_open.get_untracked();
        // What is on its way is for whom it was sent.
        if same || (self.is_open.get_untracked() && self.is_sending()) {
            return;
        }
        // What is in an open cart goes along to the place that is meant.
        let carried = if self.is_open.get_untracked() {
            let carried = self.draft();
            draft::keep(&self.draft_name(), &Draft::default());
            carried
        } else {
            Draft::default()
        };
        self.place.set(place);
        self.party.set(self.party_at(place));
        let there = draft::recall(&self.draft_name());
        let together = there.with(carried);
        self.cart.set(together.cart);
        self.note.set(together.note);
        self.keep_draft();
    }

    fn draft_name(self) -> String {
        // By the party: the next guests at the table find nothing of it.
        let place = match (self.party.get_untracked(), self.place.get_untracked()) {
            (Some(party), _) => party.to_string(),
            (None, Some(place)) => place.name(),
            (None, None) => String::new(),
        };
        ["jumun_draft:", &self.store_code(), ":", &place].concat()
    }

    /// An order has no answer yet: nothing of the cart may change.
    fn is_sending(self) -> bool {
        self.unsent.with(Option::is_some)
    }

    fn party_at(self, place: Option<Place>) -> Option<PartyId> {
        match place? {
            Place::Table(id) => Some(self.table(id)?.party.as_ref()?.id),
            Place::Counter | Place::Takeout => None,
        }
    }

    fn draft(self) -> Draft {
        Draft {
            cart: self.cart.get_untracked(),
            note: self.note.get_untracked(),
        }
    }

    fn keep_draft(self) {
        draft::keep(&self.draft_name(), &self.draft());
    }

    fn store_code(self) -> String {
        let me = self.screen.me.get_untracked();
        me.map(|me| me.store_code).unwrap_or_default()
    }

    fn currency(self) -> Option<Currency> {
        self.screen
            .settings
            .with(|store| store.as_ref().map(|store| store.currency))
    }

    /// The screen tells it what changed.
    pub fn hear(self, store: &ClientStore, touched: &Touched) {
        if self.is_open.get_untracked() {
            self.look(store);
        }
        // The first load: an order that an earlier page did not finish is sent again.
        if touched.settings {
            set_timeout(move || self.resume(), Duration::ZERO);
        }
    }

    /// The menu and the tables as they are now. What went away in the cart is named.
    fn look(self, store: &ClientStore) {
        let known = store.items().map(|item| (item.id, self.screen.item(item)));
        let left = store.stock().map(|stock| (stock.id, stock.available));
        let offer = Offer::new(known.collect(), Shelf::of(left));
        if self.offer.with_untracked(|shown| **shown != offer) {
            let before = self.gone_now();
            self.offer.set(Arc::new(offer));
            let gone = self.gone_now();
            // What this very cart has taken is not gone for it: its answer says what is.
            let asks = self.is_open.get_untracked() && self.unsent.with_untracked(Option::is_none);
            if asks && gone.iter().any(|gone| !before.contains(gone)) {
                self.gone.set(gone);
            }
        }
        let mut categories = store.categories().to_vec();
        sort_by_key(&mut categories, |category| (category.sort, category.id));
        if self.categories.with_untracked(|shown| *shown != categories) {
            self.categories.set(categories);
        }
        let mut tables: Vec<_> = store.tables().cloned().collect();
        sort_by_key(&mut tables, |table| (table.sort, table.id));
        if self.tables.with_untracked(|shown| **shown != tables) {
            self.tables.set(Arc::new(tables));
        }
        self.show_tiles();
    }

    fn gone_now(self) -> Vec<Gone> {
        self.offer
            .with_untracked(|offer| self.cart.with_untracked(|cart| cart.check(offer)))
    }

    /// The items of the chosen category, or those whose name has what was typed.
    fn show_tiles(self) {
        let first = self
            .categories
            .with_untracked(|categories| categories.first().map(|category| category.id));
        let category = self.category.get_untracked().or(first);
        let search = self.search.get_untracked().trim().to_lowercase();
        let fits = |item: &&Arc<MenuItem>| {
            if search.is_empty() {
                return Some(item.category_id) == category;
            }
            let names = [&item.name.ko, &item.name.en];
            let has = |name: &&Option<String>| {
                name.as_ref()
                    .is_some_and(|name| name.to_lowercase().contains(&search))
            };
            item.code.to_lowercase() == search || names.iter().any(has)
        };
        let offer = self.offer.get_untracked();
        let mut shown: Vec<&Arc<MenuItem>> = offer.items().filter(fits).collect();
        sort_by_key(&mut shown, |item| (item.sort, item.id));
        let tiles = shown.into_iter().map(|item| item.id);
        let tiles = tiles.filter_map(|id| Some((id.0, offer.dish(id)?)));
        self.tiles.show(tiles.collect());
    }

    /// A finger on an item.
    fn tap(self, id: MenuId) {
        let dish = self.offer.with_untracked(|offer| offer.dish(id));
        let Some(dish) = dish.filter(|dish| !dish.is_out() && !self.is_sending()) else {
            return;
        };
        match Tap::on(&dish.item, true) {
            Tap::Ask => self.sheet.set(Some(Sheet::Item(id))),
            Tap::Add(line) => self.add(line),
        }
    }

    fn add(self, line: CartLine) {
        if self.is_sending() {
            return;
        }
        let words = &self.screen.messages.entry;
        if self.room(&line).is_some_and(|room| room < line.quantity) {
            self.screen.toasts.say(words.no_more.to_owned());
            return;
        }
        let mut fits = true;
        self.cart.update(|cart| fits = cart.add(line));
        if !fits {
            self.screen.toasts.say(words.full.to_owned());
        }
    }

    /// So many of it can be added.
    fn room(self, line: &CartLine) -> Option<u32> {
        self.offer.with_untracked(|offer| {
            let item = offer.get(line.menu_id)?;
            self.cart
                .with_untracked(|cart| cart.room(offer, item, &line.option_ids))
        })
    }

    /// Takes out what cannot be ordered, or as much of it; the rest is kept.
    fn drop_gone(self) {
        let gone = self.gone.get_untracked();
        self.cart.update(|cart| cart.drop_gone(&gone));
        self.gone.set(Vec::new());
    }

    fn table(self, id: TableId) -> Option<Arc<Table>> {
        self.tables
            .with(|tables| tables.iter().find(|table| table.id == id).cloned())
    }

    /// The table of a place; when its party has moved, where it sits.
    fn table_of(self, id: TableId) -> Option<Arc<Table>> {
        let party = self.party.get();
        let theirs = self.tables.with(|tables| {
            let sits = |table: &&Arc<Table>| {
                party.is_some() && table.party.as_ref().map(|sits| sits.id) == party
            };
            tables.iter().find(sits).cloned()
        });
        theirs.or_else(|| self.table(id))
    }

    /// A place in words: the tables of its party and how many guests, or what it is.
    fn place_words(self, place: Option<Place>) -> String {
        let words = &self.screen.messages.ordering;
        match place {
            None => words.choose_place.to_owned(),
            Some(Place::Counter) => words.counter.to_owned(),
            Some(Place::Takeout) => words.takeout.to_owned(),
            Some(Place::Table(id)) => self.table_of(id).map_or_else(String::new, |table| {
                let Some(party) = &table.party else {
                    return table.name.clone();
                };
                let name = |id: &TableId| self.table(*id).map(|table| table.name.clone());
                let names: Vec<String> = party.table_ids.iter().filter_map(name).collect();
                let label = names.join("+");
                match party.covers {
                    Some(covers) => words.guests.with(&[&label, &covers.to_string()]),
                    None => label,
                }
            }),
        }
    }
}

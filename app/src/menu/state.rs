//! What the menu screen shows: computed anew after each piece of news; only what differs is told.

use std::collections::BTreeSet;
use std::sync::Arc;

use domain::id::{MenuId, OptionId, StationId};
use domain::menu::MenuItem;
use domain::store::ClientStore;
use leptos::prelude::*;

use super::list::{Row, Wanted, rows};
use crate::i18n::Menu as Words;
use crate::live;
use crate::screen::{Change, Intent, Screen};
use crate::ui::Rows;

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
            Change::Store(store, _) => self.show(store),
            Change::Pressed(_) => self.look(),
            Change::Heard(..) | Change::CaughtUp => {}
        }
    }

    fn look(self) {
        live::with_store(|store| self.show(store));
    }

    fn show(self, store: &ClientStore) {
        let item = |item: &Arc<MenuItem>| {
            let pending = self.screen.is_pending(item.id.0);
            (self.screen.item(item), pending)
        };
        let items: Vec<_> = store.items().map(item).collect();
        let out = items.iter().filter(|(item, _)| item.is_sold_out()).count();
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

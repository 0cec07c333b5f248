//! What the hall screen shows: computed anew after each piece of news; only what differs is told.

use std::collections::BTreeSet;
use std::sync::Arc;

use domain::call::{Call, CallState};
use domain::id::{LineId, OrderId, TableId, ZoneId};
use domain::order::{Line, Order};
use domain::store::ClientStore;
use domain::stream::Scope;
use leptos::prelude::*;
use uuid::Uuid;

use super::asked::Asked;

use super::floor::{House, Tab, Tile, is_wanted};
use super::picking::Picking;
use super::serving::Group;
use crate::browser::device;
use crate::i18n::Hall as Words;
use crate::live;
use crate::ordering::{Ordering, Place};
use crate::screen::{Change, Finger, Screen};
use crate::ui::Rows;

/// The zone that this device shows.
const ZONE: &str = "jumun_zone";

/// A call as the strip shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// With what its presses foresee.
    pub call: Arc<Call>,
    /// Where.
    pub label: String,
    /// A press has not settled.
    pub pending: bool,
}

/// An order as the drawer shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// With what its presses foresee.
    pub order: Arc<Order>,
    /// A press has not settled.
    pub pending: bool,
}

/// A line of an order as the drawer shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Of this order.
    pub order: OrderId,
    /// With what presses foresee.
    pub line: Line,
    /// Neither voided nor refused.
    pub wanted: bool,
}

/// The context of the hall screen.
#[derive(Clone, Copy)]
pub struct Hall {
    /// What every screen has.
    pub screen: Screen,
    /// The zone shown.
    pub zone: RwSignal<Option<ZoneId>>,
    /// The zones.
    pub tabs: Rows<Tab>,
    /// The tiles of the zone.
    pub tiles: Rows<Tile>,
    /// The calls, the oldest first.
    pub calls: Rows<Caller>,
    /// What can be served, the oldest first.
    pub groups: Rows<Group>,
    /// Whether a narrow screen shows what can be served, and not the floor.
    pub serving: RwSignal<bool>,
    /// The table whose drawer is open.
    pub open: RwSignal<Option<TableId>>,
    /// What is known of it.
    pub detail: RwSignal<Option<Tile>>,
    /// The orders of its party.
    pub orders: Rows<Sheet>,
    /// The lines of all of them.
    pub lines: Rows<Item>,
    /// What the drawer asks for.
    pub asked: RwSignal<Option<Asked>>,
    /// What is written there, and not saved.
    pub draft: RwSignal<String>,
    /// The lines chosen to be moved.
    pub chosen: RwSignal<BTreeSet<(OrderId, LineId)>>,
    /// A move that waits for its target.
    pub picking: RwSignal<Option<Picking>>,
    /// Order entry over the floor.
    pub ordering: Ordering,
    /// Where the last tap was.
    pub finger: Finger,
    /// Calls and dishes that were spoken of.
    known: StoredValue<BTreeSet<Uuid>>,
}

impl Hall {
    /// An empty screen.
    #[must_use]
    pub fn new() -> Self {
        let screen = Screen::new();
        Self {
            screen,
            zone: RwSignal::new(None),
            tabs: Rows::new(),
            tiles: Rows::new(),
            calls: Rows::new(),
            groups: Rows::new(),
            serving: RwSignal::new(false),
            open: RwSignal::new(None),
            detail: RwSignal::new(None),
            orders: Rows::new(),
            lines: Rows::new(),
            asked: RwSignal::new(None),
            draft: RwSignal::new(String::new()),
            chosen: RwSignal::new(BTreeSet::new()),
            picking: RwSignal::new(None),
            ordering: Ordering::new(screen, false),
            finger: Finger::new(),
            known: StoredValue::new(BTreeSet::new()),
        }
    }

    /// The words of the floor.
    #[must_use]
    pub fn words(self) -> &'static Words {
        &self.screen.messages.hall
    }

    /// What a piece of news changes.
    pub fn hear(self, change: Change<'_>) {
        match change {
            Change::Store(store, touched) => {
                self.show(&self.house(store));
                self.ordering.hear(store, touched);
            }
            Change::Pressed(_) => self.look(),
            Change::Heard(..) | Change::CaughtUp => {}
        }
    }

    /// Looks at everything again.
    pub fn look(self) {
        if let Some(house) = live::with_store(|store| self.house(store)) {
            self.show(&house);
        }
    }

    /// Shows a zone, on this device from now on.
    pub fn choose_zone(self, zone: ZoneId) {
        device::keep(ZONE, &zone.to_string());
        self.zone.set(Some(zone));
        self.look();
    }

    /// The zone this device showed last.
    pub fn recall_zone(self) {
        self.zone
            .set(device::recall(ZONE).and_then(|id| id.parse().ok()));
    }

    /// Opens the drawer of a table.
    pub fn open_table(self, table: TableId) {
        self.asked.set(None);
        self.open.set(Some(table));
        self.look();
    }

    /// Closes the drawer.
    pub fn close(self) {
        self.open.set(None);
        self.detail.set(None);
        self.asked.set(None);
    }

    /// Opens order entry for a table.
    pub fn order_at(self, table: TableId) {
        self.close();
        self.ordering.open(Some(Place::Table(table)));
    }

    fn house(self, store: &ClientStore) -> House {
        let screen = self.screen;
        let calls = store.calls().map(|call| screen.call(call));
        let orders = store.orders(Scope::HallOrders);
        House {
            zones: store.zones().to_vec(),
            tables: store.tables().map(|table| screen.table(table)).collect(),
            orders: orders.map(|order| screen.order(order)).collect(),
            calls: calls.filter(|call| call.is_open()).collect(),
            settings: store.settings().cloned(),
        }
        .sorted()
    }

    /// Shows what `house` is like.
    pub fn show(self, house: &House) {
        self.show_floor(house);
        self.calls.show(self.callers(house));
        let groups = house.serving(&|order| self.screen.label(order));
        self.speak(house, &groups);
        let groups = groups.into_iter().map(|group| (group.id, group));
        self.groups.show(groups.collect());
        self.show_drawer(house);
        self.show_picking(house);
    }

    fn show_floor(self, house: &House) {
        let tabs = house.tabs();
        let chosen = self.zone.get_untracked();
        if !tabs.iter().any(|tab| Some(tab.id) == chosen) {
            self.zone.set(tabs.first().map(|tab| tab.id));
        }
        self.tabs
            .show(tabs.into_iter().map(|tab| (tab.id.0, tab)).collect());
        let zone = self.zone.get_untracked();
        let here = house
            .tiles()
            .into_iter()
            .filter(|tile| Some(tile.zone) == zone);
        let rows = here.map(|tile| (tile.table.0, self.marked(tile)));
        self.tiles.show(rows.collect());
    }

    fn marked(self, tile: Tile) -> Tile {
        Tile {
            pending: self.screen.is_pending(tile.table.0),
            ..tile
        }
    }

    fn callers(self, house: &House) -> Vec<(Uuid, Caller)> {
        let row = |call: &Arc<Call>| {
            let caller = Caller {
                call: Arc::clone(call),
                label: house.label_at(call.table_id),
                pending: self.screen.is_pending(call.id.0),
            };
            (call.id.0, caller)
        };
        house.calls.iter().map(row).collect()
    }

    fn show_drawer(self, house: &House) {
        let open = self.open.get_untracked();
        let detail = open.and_then(|table| house.tile_at(table));
        let party = |tile: &Option<Tile>| tile.as_ref().and_then(|tile| tile.party);
        let (before, now) = (self.detail.with_untracked(party), party(&detail));
        let orders = || now.into_iter().flat_map(|party| house.orders_of(party));
        let sheet = |order: &Arc<Order>| {
            let pending = self.screen.is_pending(order.id.0);
            let order = Arc::clone(order);
            (order.id.0, Sheet { order, pending })
        };
        self.lines.show(orders().flat_map(|o| items(o)).collect());
        self.orders.show(orders().map(sheet).collect());
        let detail = detail.map(|tile| self.marked(tile));
        if self.detail.with_untracked(|shown| *shown != detail) {
            self.detail.set(detail);
        }
        self.forget_gone(before, now);
    }

    /// A move follows its party, and is given up when that has left.
    fn show_picking(self, house: &House) {
        let picking = self.picking.get_untracked();
        let still = picking.as_ref().and_then(|picking| picking.still(house));
        if still != picking {
            self.picking.set(still);
        }
    }

    /// Says what has come, unless it was there when the page opened.
    fn speak(self, house: &House, groups: &[Group]) {
        let words = self.words();
        let mut known = BTreeSet::new();
        let mut news: Vec<String> = Vec::new();
        let new = |id: Uuid| self.known.with_value(|known| !known.contains(&id));
        for call in &house.calls {
            known.insert(call.id.0);
            if new(call.id.0) && call.state == CallState::Requested {
                let reason = super::calls::reason(words, call.reason);
                news.push(
                    words
                        .call_came
                        .with(&[&house.label_at(call.table_id), reason]),
                );
            }
        }
        for group in groups {
            known.extend(group.dishes.iter().map(|dish| dish.line.0));
            if group.dishes.iter().any(|dish| new(dish.line.0)) {
                news.push(words.ready_for.with(&[&group.label]));
            }
        }
        self.known.set_value(known);
        if self.screen.based.get_untracked() && !news.is_empty() {
            self.screen.spoken.set(news.join(", "));
        }
    }
}

fn items(order: &Order) -> impl Iterator<Item = (Uuid, Item)> {
    let item = |line: &Line| {
        let item = Item {
            order: order.id,
            line: line.clone(),
            wanted: is_wanted(order, line),
        };
        (line.id.0, item)
    };
    order.lines.iter().map(item)
}

impl Default for Hall {
    fn default() -> Self {
        Self::new()
    }
}

#[path = "state_tests.rs"]
mod tests;

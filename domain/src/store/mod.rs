//! The client's store: per scope, what is in it and as of when (realtime, section 4).
//!
//! Every entity of a scope is decided, present or absent, as of some seq: that of the event or
//! the watermark of the answer that last decided it. Older information never undoes newer, in
//! whatever order it arrives. The store never asks for anything: that is the bridge's part.

mod decide;
mod entries;
mod read;

pub use entries::Entries;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use uuid::Uuid;

use crate::call::Call;
use crate::event::{Event, Kind, Payload};
use crate::floor::{Table, Zone};
use crate::id::{CallId, MenuId, OrderId, StockId, TableId};
use crate::menu::{Category, MenuItem};
use crate::order::Order;
use crate::settings::Store;
use crate::snapshot::Entities;
use crate::stock::Stock;
use crate::stream::Scope;

/// Rules that a test can switch off to see the suite fail (realtime, section 7.7). Each is on
/// in the product.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Guards {
    /// Older information never undoes newer.
    pub as_of: bool,
    /// An answer to `?ids=` moves no scope's watermark.
    pub ids_keep_watermark: bool,
    /// A marker in the log stops the cursor until a full baseline covers it.
    pub marker_waits: bool,
    /// `sent` is compared with the cursor, not with what was received last.
    pub sent_against_cursor: bool,
}

impl Default for Guards {
    fn default() -> Self {
        Self {
            as_of: true,
            ids_keep_watermark: true,
            marker_waits: true,
            sent_against_cursor: true,
        }
    }
}

/// What a step changed, for the view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// Entities that came, went or changed in at least one scope.
    pub entities: BTreeSet<(Kind, Uuid)>,
    /// Zones, categories or settings changed.
    pub settings: bool,
}

impl Touched {
    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entities.is_empty() && !self.settings
    }

    /// Adds what `other` has.
    pub fn merge(&mut self, mut other: Self) {
        self.entities.append(&mut other.entities);
        self.settings |= other.settings;
    }
}

/// The client's entities, by scope.
#[derive(Clone, Debug, Default)]
pub struct ClientStore {
    guards: Guards,
    used: BTreeSet<Scope>,
    orders: BTreeMap<Scope, Entries<OrderId, Order>>,
    calls: Entries<CallId, Call>,
    tables: Entries<TableId, Table>,
    zones: Vec<Zone>,
    categories: Vec<Category>,
    items: Entries<MenuId, MenuItem>,
    stock: Entries<StockId, Stock>,
    settings: Option<Arc<Store>>,
    settings_as_of: Option<u64>,
}

impl ClientStore {
    /// A store of these scopes, none of them loaded.
    #[must_use]
    pub fn new(scopes: &[Scope], guards: Guards) -> Self {
        let mut store = Self {
            guards,
            ..Self::default()
        };
        for scope in scopes {
            store.use_scope(*scope);
        }
        store
    }

    /// From now on events apply to `scope`. `false`: it was in use already.
    pub fn use_scope(&mut self, scope: Scope) -> bool {
        if scope.kinds() == [Kind::Order] {
            self.orders.entry(scope).or_default();
        }
        self.used.insert(scope)
    }

    /// `scope` is forbidden: it leaves the scopes in use, with all that is known of it.
    pub fn leave_scope(&mut self, scope: Scope) -> Touched {
        let mut left = Self::new(&[], self.guards);
        if !self.used.remove(&scope) {
            return Touched::default();
        }
        match scope {
            Scope::Payments | Scope::Servings | Scope::HallOrders | Scope::KitchenOrders => {
                let orders = self.orders.remove(&scope);
                left.orders.extend(orders.map(|orders| (scope, orders)));
            }
            Scope::Calls => left.calls = std::mem::take(&mut self.calls),
            Scope::Tables => {
                left.tables = std::mem::take(&mut self.tables);
                self.zones.clear();
            }
            Scope::Menu => {
                left.items = std::mem::take(&mut self.items);
                left.stock = std::mem::take(&mut self.stock);
                self.categories.clear();
            }
            Scope::Store => {
                self.settings = None;
                self.settings_as_of = None;
            }
        }
        left.clear()
    }

    /// The scopes in use.
    pub fn scopes(&self) -> impl Iterator<Item = Scope> + '_ {
        self.used.iter().copied()
    }

    /// Whether `scope` is in use.
    #[must_use]
    pub fn uses(&self, scope: Scope) -> bool {
        self.used.contains(&scope)
    }

    /// As of which seq `scope` is known; `None` before its first answer.
    #[must_use]
    pub fn watermark(&self, scope: Scope) -> Option<u64> {
        match scope {
            Scope::Payments | Scope::Servings | Scope::HallOrders | Scope::KitchenOrders => {
                self.orders.get(&scope)?.as_of()
            }
            Scope::Calls => self.calls.as_of(),
            Scope::Tables => self.tables.as_of(),
            Scope::Menu => self.items.as_of(),
            Scope::Store => self.settings_as_of,
        }
    }

    /// The smallest watermark of all scopes in use; `None` while one is not loaded.
    #[must_use]
    pub fn covering(&self) -> Option<u64> {
        let marks = self.used.iter().map(|scope| self.watermark(*scope));
        marks.min().flatten()
    }

    /// Forgets every entity and watermark; the scopes stay in use.
    pub fn clear(&mut self) -> Touched {
        let mut touched = Touched {
            settings: true,
            ..Touched::default()
        };
        let mut note = |kind, ids: Vec<Uuid>| {
            touched
                .entities
                .extend(ids.into_iter().map(|id| (kind, id)));
        };
        for entries in self.orders.values() {
            note(Kind::Order, entries.ids().map(|id| id.0).collect());
        }
        note(Kind::Call, self.calls.ids().map(|id| id.0).collect());
        note(Kind::Table, self.tables.ids().map(|id| id.0).collect());
        note(Kind::Menu, self.items.ids().map(|id| id.0).collect());
        note(Kind::Stock, self.stock.ids().map(|id| id.0).collect());
        let scopes: Vec<Scope> = self.scopes().collect();
        *self = Self::new(&scopes, self.guards);
        touched
    }

    /// An event of the log, in order. Thin events and markers carry no entity and change nothing.
    pub fn apply_event(&mut self, seq: u64, event: &Event) -> Touched {
        let mut touched = Touched::default();
        match event {
            Event::HallPayment(payload)
            | Event::HallPaymentResolved(payload)
            | Event::KitchenCook(payload)
            | Event::KitchenProgress(payload)
            | Event::HallServe(payload)
            | Event::OrderChanged(payload) => {
                if let Payload::Whole(order) = payload {
                    self.decide_order(order.id, Some(order), seq, true, &mut touched);
                }
            }
            Event::CustomerCall(Payload::Whole(call)) => {
                self.decide_call(call.id, Some(call), seq, true, &mut touched);
            }
            Event::TableChanged(Payload::Whole(table)) => {
                self.decide_table(table.id, Some(table), seq, true, &mut touched);
            }
            Event::KitchenMenuChanged(Payload::Whole(item)) => {
                self.decide_item(item.id, Some(item), seq, true, &mut touched);
            }
            Event::StockChanged(Payload::Whole(stock)) => {
                self.decide_stock(stock.id, Some(stock), seq, true, &mut touched);
            }
            Event::CustomerCall(Payload::Thin(_))
            | Event::TableChanged(Payload::Thin(_))
            | Event::KitchenMenuChanged(Payload::Thin(_))
            | Event::StockChanged(Payload::Thin(_))
            | Event::ReloadRequired(_) => {}
        }
        touched
    }

    /// The whole of `scope` as of `watermark`. An answer below the scope's watermark is ignored.
    pub fn apply_scope(&mut self, scope: Scope, watermark: u64, entities: Entities) -> Touched {
        let mut touched = Touched::default();
        let stale = self.watermark(scope).is_some_and(|known| watermark < known);
        if !self.uses(scope) || (stale && self.guards.as_of) {
            return touched;
        }
        let guard = self.guards.as_of;
        let note = |kind: Kind| move |id: Uuid| (kind, id);
        match scope {
            Scope::Payments | Scope::Servings | Scope::HallOrders | Scope::KitchenOrders => {
                let all = entities
                    .orders
                    .into_iter()
                    .map(|order| (order.id, Arc::new(order)));
                if let Some(entries) = self.orders.get_mut(&scope) {
                    let changed = entries.answer(watermark, all, guard);
                    touched
                        .entities
                        .extend(changed.into_iter().map(|id| id.0).map(note(Kind::Order)));
                }
            }
            Scope::Calls => {
                let all = entities
                    .calls
                    .into_iter()
                    .map(|call| (call.id, Arc::new(call)));
                let changed = self.calls.answer(watermark, all, guard);
                touched
                    .entities
                    .extend(changed.into_iter().map(|id| id.0).map(note(Kind::Call)));
            }
            Scope::Tables => {
                let all = entities
                    .tables
                    .into_iter()
                    .map(|table| (table.id, Arc::new(table)));
                let changed = self.tables.answer(watermark, all, guard);
                touched
                    .entities
                    .extend(changed.into_iter().map(|id| id.0).map(note(Kind::Table)));
                touched.settings |= self.zones != entities.zones;
                self.zones = entities.zones;
            }
            Scope::Menu => {
                let all = entities
                    .items
                    .into_iter()
                    .map(|item| (item.id, Arc::new(item)));
                let changed = self.items.answer(watermark, all, guard);
                touched
                    .entities
                    .extend(changed.into_iter().map(|id| id.0).map(note(Kind::Menu)));
                let all = entities
                    .stock
                    .into_iter()
                    .map(|stock| (stock.id, Arc::new(stock)));
                let changed = self.stock.answer(watermark, all, guard);
                touched
                    .entities
                    .extend(changed.into_iter().map(|id| id.0).map(note(Kind::Stock)));
                touched.settings |= self.categories != entities.categories;
                self.categories = entities.categories;
            }
            Scope::Store => {}
        }
        touched
    }

    /// The settings as of `watermark`.
    pub fn apply_settings(&mut self, watermark: u64, settings: Store) -> Touched {
        let stale = self.settings_as_of.is_some_and(|known| watermark < known);
        if !self.uses(Scope::Store) || stale {
            return Touched::default();
        }
        self.settings_as_of = Some(watermark);
        let changed = self.settings.as_deref() != Some(&settings);
        self.settings = Some(Arc::new(settings));
        Touched {
            settings: changed,
            ..Touched::default()
        }
    }

    /// An answer to `?ids=` at the endpoint of `scope`: it decides exactly `ids`, missing is
    /// absent. From `hallOrders`, which contains the other order scopes, in all of them; from
    /// `kitchenOrders`, which says nothing of the others, there only.
    pub fn apply_ids(
        &mut self,
        scope: Scope,
        watermark: u64,
        ids: &[Uuid],
        entities: &Entities,
    ) -> Touched {
        let mut touched = Touched::default();
        for id in ids {
            match scope {
                Scope::HallOrders => {
                    let found = entities.orders.iter().find(|order| order.id.0 == *id);
                    self.decide_order(OrderId(*id), found, watermark, false, &mut touched);
                }
                Scope::KitchenOrders | Scope::Payments | Scope::Servings => {
                    let found = entities.orders.iter().find(|order| order.id.0 == *id);
                    let (id, at) = (OrderId(*id), watermark);
                    self.decide_order_in(scope, id, found, at, false, &mut touched);
                }
                Scope::Calls => {
                    let found = entities.calls.iter().find(|call| call.id.0 == *id);
                    self.decide_call(CallId(*id), found, watermark, false, &mut touched);
                }
                Scope::Tables => {
                    let found = entities.tables.iter().find(|table| table.id.0 == *id);
                    self.decide_table(TableId(*id), found, watermark, false, &mut touched);
                }
                Scope::Menu => {
                    let found = entities.items.iter().find(|item| item.id.0 == *id);
                    self.decide_item(MenuId(*id), found, watermark, false, &mut touched);
                    let found = entities.stock.iter().find(|stock| stock.id.0 == *id);
                    self.decide_stock(StockId(*id), found, watermark, false, &mut touched);
                }
                Scope::Store => {}
            }
        }
        if !self.guards.ids_keep_watermark {
            self.raise(scope, watermark);
        }
        touched
    }

    /// A command's own answer: it decides the entities it holds, and moves nothing else.
    pub fn apply_command(&mut self, watermark: u64, entities: &Entities) -> Touched {
        let mut touched = Touched::default();
        let at = watermark;
        for order in &entities.orders {
            self.decide_order(order.id, Some(order), at, false, &mut touched);
        }
        for call in &entities.calls {
            self.decide_call(call.id, Some(call), at, false, &mut touched);
        }
        for table in &entities.tables {
            self.decide_table(table.id, Some(table), at, false, &mut touched);
        }
        for item in &entities.items {
            self.decide_item(item.id, Some(item), at, false, &mut touched);
        }
        for stock in &entities.stock {
            self.decide_stock(stock.id, Some(stock), at, false, &mut touched);
        }
        touched
    }

    /// The cursor stands at `cursor`: everything up to it is decided in every loaded scope, so
    /// notes up to it say nothing beyond the scope's own watermark, which takes their place.
    pub fn forget(&mut self, cursor: u64) {
        for entries in self.orders.values_mut() {
            entries.forget(cursor);
        }
        self.calls.forget(cursor);
        self.tables.forget(cursor);
        self.items.forget(cursor);
        self.stock.forget(cursor);
    }
}

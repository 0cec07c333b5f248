//! What screens read.

use std::sync::Arc;

use super::{ClientStore, Entries};
use crate::call::Call;
use crate::floor::{Table, Zone};
use crate::id::{MenuId, OrderId};
use crate::menu::{Category, MenuItem};
use crate::order::Order;
use crate::settings::Store;
use crate::stock::Stock;
use crate::stream::Scope;

impl ClientStore {
    /// The orders in `scope`, by id; none when it is not in use.
    pub fn orders(&self, scope: Scope) -> impl Iterator<Item = &Arc<Order>> {
        self.orders
            .get(&scope)
            .into_iter()
            .flat_map(Entries::values)
    }

    /// The order in `scope`.
    #[must_use]
    pub fn order(&self, scope: Scope, id: OrderId) -> Option<&Arc<Order>> {
        self.orders.get(&scope)?.get(id)
    }

    /// As of which seq the order was last decided in `scope`: what is shown of it has happened by
    /// then, and a screen that has applied so much shows it too.
    #[must_use]
    pub fn order_as_of(&self, scope: Scope, id: OrderId) -> Option<u64> {
        self.orders.get(&scope)?.decided(id)
    }

    /// The open calls, by id.
    pub fn calls(&self) -> impl Iterator<Item = &Arc<Call>> {
        self.calls.values()
    }

    /// The tables, by id.
    pub fn tables(&self) -> impl Iterator<Item = &Arc<Table>> {
        self.tables.values()
    }

    /// The zones.
    #[must_use]
    pub fn zones(&self) -> &[Zone] {
        &self.zones
    }

    /// The categories.
    #[must_use]
    pub fn categories(&self) -> &[Category] {
        &self.categories
    }

    /// The menu items, by id.
    pub fn items(&self) -> impl Iterator<Item = &Arc<MenuItem>> {
        self.items.values()
    }

    /// A menu item.
    #[must_use]
    pub fn item(&self, id: MenuId) -> Option<&Arc<MenuItem>> {
        self.items.get(id)
    }

    /// The stock rows, by id.
    pub fn stock(&self) -> impl Iterator<Item = &Arc<Stock>> {
        self.stock.values()
    }

    /// The settings, once loaded.
    #[must_use]
    pub fn settings(&self) -> Option<&Arc<Store>> {
        self.settings.as_ref()
    }
}

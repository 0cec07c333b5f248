//! One entity's news, in every scope of its kind.

use super::{ClientStore, Touched};
use crate::call::Call;
use crate::event::Kind;
use crate::floor::Table;
use crate::id::{CallId, MenuId, OrderId, StockId, TableId};
use crate::menu::MenuItem;
use crate::order::Order;
use crate::stock::Stock;
use crate::stream::Scope;

impl ClientStore {
    pub(super) fn raise(&mut self, scope: Scope, watermark: u64) {
        match scope {
            Scope::Payments | Scope::Servings | Scope::HallOrders | Scope::KitchenOrders => {
                if let Some(entries) = self.orders.get_mut(&scope) {
                    entries.raise(watermark);
                }
            }
            Scope::Calls => self.calls.raise(watermark),
            Scope::Tables => self.tables.raise(watermark),
            Scope::Menu => self.items.raise(watermark),
            Scope::Store => {}
        }
    }

    pub(super) fn decide_order(
        &mut self,
        id: OrderId,
        order: Option<&Order>,
        at: u64,
        event: bool,
        touched: &mut Touched,
    ) {
        let scopes: Vec<Scope> = self.orders.keys().copied().collect();
        for scope in scopes {
            self.decide_order_in(scope, id, order, at, event, touched);
        }
    }

    pub(super) fn decide_order_in(
        &mut self,
        scope: Scope,
        id: OrderId,
        order: Option<&Order>,
        at: u64,
        event: bool,
        touched: &mut Touched,
    ) {
        let guard = self.guards.as_of;
        let member = order.filter(|order| scope.holds_order(order));
        if let Some(entries) = self.orders.get_mut(&scope)
            && entries.decide(id, member, at, event, guard)
        {
            touched.entities.insert((Kind::Order, id.0));
        }
    }

    pub(super) fn decide_call(
        &mut self,
        id: CallId,
        call: Option<&Call>,
        at: u64,
        event: bool,
        touched: &mut Touched,
    ) {
        let member = call.filter(|call| call.is_open());
        if self.uses(Scope::Calls) && self.calls.decide(id, member, at, event, self.guards.as_of) {
            touched.entities.insert((Kind::Call, id.0));
        }
    }

    pub(super) fn decide_table(
        &mut self,
        id: TableId,
        table: Option<&Table>,
        at: u64,
        event: bool,
        touched: &mut Touched,
    ) {
        if self.uses(Scope::Tables) && self.tables.decide(id, table, at, event, self.guards.as_of) {
            touched.entities.insert((Kind::Table, id.0));
        }
    }

    pub(super) fn decide_item(
        &mut self,
        id: MenuId,
        item: Option<&MenuItem>,
        at: u64,
        event: bool,
        touched: &mut Touched,
    ) {
        if self.uses(Scope::Menu) && self.items.decide(id, item, at, event, self.guards.as_of) {
            touched.entities.insert((Kind::Menu, id.0));
        }
    }

    pub(super) fn decide_stock(
        &mut self,
        id: StockId,
        stock: Option<&Stock>,
        at: u64,
        event: bool,
        touched: &mut Touched,
    ) {
        if self.uses(Scope::Menu) && self.stock.decide(id, stock, at, event, self.guards.as_of) {
            touched.entities.insert((Kind::Stock, id.0));
        }
    }
}

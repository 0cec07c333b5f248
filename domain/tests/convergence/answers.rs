//! Answers of the server: snapshots by the domain's predicates, and what changed.

use domain::bridge::{Answer, Load};
use domain::event::Kind;
use domain::order::Order;
use domain::snapshot::{Changes, ChangesReason, Entities};
use domain::stream::{EventId, Scope};
use uuid::Uuid;

use super::server::Server;

impl Server {
    /// What the scope's endpoint answers; the scope `store` has no entities.
    pub fn snapshot(&self, scope: Scope) -> Entities {
        let house = &self.house;
        let mut entities = Entities::default();
        match scope {
            Scope::Payments | Scope::Servings | Scope::HallOrders | Scope::KitchenOrders => {
                let held = |order: &&Order| scope.holds_order(order);
                entities.orders = house.orders.values().filter(held).cloned().collect();
            }
            Scope::Calls => {
                let open = house.calls.values().filter(|call| call.is_open());
                entities.calls = open.cloned().collect();
            }
            Scope::Tables => {
                entities.zones.clone_from(&house.zones);
                entities.tables.clone_from(&house.tables);
            }
            Scope::Menu => {
                entities.categories.clone_from(&house.categories);
                entities.items = house.items.values().cloned().collect();
                entities.stock = house.stock.values().cloned().collect();
            }
            Scope::Store => {}
        }
        entities
    }

    pub fn answer(&self, load: &Load) -> Answer {
        let watermark = self.id(self.seq);
        match load {
            Load::Scope(Scope::Store) => {
                Answer::Settings(watermark, Box::new(self.house.settings.clone()))
            }
            Load::Scope(scope) => Answer::Entities(watermark, Box::new(self.snapshot(*scope))),
            Load::Ids(scope, ids) => {
                let mut entities = self.snapshot(*scope);
                let asked = |id: Uuid| ids.contains(&id);
                entities.orders.retain(|order| asked(order.id.0));
                entities.tables.retain(|table| asked(table.id.0));
                entities.items.retain(|item| asked(item.id.0));
                entities.stock.retain(|stock| asked(stock.id.0));
                Answer::Entities(watermark, Box::new(entities))
            }
            Load::Changes(since) => Answer::Changes(self.changes(*since)),
        }
    }

    fn changes(&self, since: EventId) -> Changes {
        let watermark = self.id(self.seq);
        let reload = |reason| Changes::reload(watermark, reason);
        if since == EventId::NONE {
            return reload(ChangesReason::NoCursor);
        }
        if since.epoch != self.epoch {
            return reload(ChangesReason::EpochChanged);
        }
        if since.seq > self.seq {
            return reload(ChangesReason::CursorAhead);
        }
        let range = since.seq + 1..self.seq + 1;
        if self.rules.history_proven && since.seq + 1 < self.first && since.seq < self.seq {
            return reload(ChangesReason::HistoryExpired);
        }
        let mut rows: Vec<_> = self.rows.range(range).map(|(_, row)| row).collect();
        if rows.len() as u64 > self.limits.changes {
            if self.rules.no_page_of_changes {
                return reload(ChangesReason::TooManyEvents);
            }
            rows.truncate(self.limits.changes as usize);
        }
        let mut changes = Changes::none(watermark);
        for row in rows {
            let Some((kind, id)) = row.about else {
                return reload(ChangesReason::ReloadMarker);
            };
            let ids = changes.ids_mut(kind);
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        let kinds = [
            Kind::Order,
            Kind::Table,
            Kind::Menu,
            Kind::Stock,
            Kind::Call,
        ];
        let most = kinds
            .into_iter()
            .map(|kind| changes.ids_mut(kind).len())
            .max();
        if most > Some(self.limits.entities) {
            return reload(ChangesReason::TooManyChangedEntities);
        }
        changes
    }
}

//! What watches a screen of the simulation (realtime, section 7, 1 and 2).

use domain::bridge::Input;
use domain::event::Kind;
use domain::snapshot::Entities;
use domain::stream::{EventId, Scope};
use uuid::Uuid;

use super::client::{Client, Seen};
use super::server::Server;

impl Client {
    /// At most one effect an event, and only of the event that passes the cursor now.
    pub(super) fn check_sound(&mut self, heard: u64, frame: Option<EventId>) -> Result<(), String> {
        self.heard += heard;
        match (heard, frame) {
            (0, _) => Ok(()),
            (1, Some(id)) if self.heard_ids.insert(id.to_string()) => Ok(()),
            _ => Err(format!("{heard} effects of {frame:?}")),
        }
    }

    /// The database will have lost events of this epoch: the cursor goes back, once.
    pub fn expect_loss(&mut self) {
        self.heard_ids.clear();
        self.loss_expected = true;
    }

    pub(super) fn check_cursor(&mut self) -> Result<(), String> {
        let cursor = self.bridge.cursor();
        let back = cursor.epoch == self.last_cursor.epoch && cursor.seq < self.last_cursor.seq;
        if back && std::mem::take(&mut self.loss_expected) {
            self.view.clear();
            self.known_scope.clear();
            self.known_entity.clear();
        } else if back {
            return Err(format!(
                "cursor back from {:?} to {cursor}",
                self.last_cursor
            ));
        }
        if cursor.epoch != self.last_cursor.epoch {
            self.view.clear();
            self.known_scope.clear();
            self.known_entity.clear();
        }
        self.last_cursor = cursor;
        Ok(())
    }

    /// What this input says of single entities beyond the cursor, if it is accepted.
    pub(super) fn information(&self, input: &Input) -> Vec<(Kind, Uuid, u64)> {
        let of = |watermark: EventId, entities: &Entities| {
            let at = watermark.seq;
            let mut all = vec![];
            all.extend(entities.orders.iter().map(|o| (Kind::Order, o.id.0, at)));
            all.extend(entities.calls.iter().map(|c| (Kind::Call, c.id.0, at)));
            all.extend(entities.tables.iter().map(|t| (Kind::Table, t.id.0, at)));
            all.extend(entities.items.iter().map(|i| (Kind::Menu, i.id.0, at)));
            all.extend(entities.stock.iter().map(|s| (Kind::Stock, s.id.0, at)));
            all
        };
        match input {
            Input::Commanded {
                watermark,
                entities,
            } if watermark.epoch == self.bridge.cursor().epoch => of(*watermark, entities),
            _ => vec![],
        }
    }

    fn look(&self) -> Seen {
        let store = self.bridge.store();
        let mut seen = Seen::new();
        for scope in store.scopes() {
            for order in store.orders(scope) {
                seen.insert((scope, Kind::Order, order.id.0), order.version);
            }
            if scope == Scope::Calls {
                let calls = store.calls();
                seen.extend(calls.map(|c| ((scope, Kind::Call, c.id.0), c.version)));
            }
            if scope == Scope::Tables {
                let tables = store.tables();
                seen.extend(tables.map(|t| ((scope, Kind::Table, t.id.0), t.version)));
            }
            if scope == Scope::Menu {
                let items = store.items();
                seen.extend(items.map(|i| ((scope, Kind::Menu, i.id.0), i.version)));
                let stock = store.stock();
                seen.extend(stock.map(|s| ((scope, Kind::Stock, s.id.0), s.version)));
            }
        }
        seen
    }

    /// A state that a scope changes to was still true when, or after, what it knew before.
    pub(super) fn check_view(
        &mut self,
        server: &Server,
        shown: bool,
        decided: Vec<(Kind, Uuid, u64)>,
    ) -> Result<(), String> {
        let same_history = self.bridge.cursor().epoch == server.epoch;
        if shown {
            let seen = self.look();
            if same_history {
                for (key, version) in &seen {
                    if self.view.get(key) != Some(version) {
                        self.check_change(server, key, Some(*version))?;
                    }
                }
                for key in self.view.keys() {
                    let used = self.bridge.store().uses(key.0);
                    if used && !seen.contains_key(key) {
                        self.check_change(server, key, None)?;
                    }
                }
            }
            self.view = seen;
        }
        let store = self.bridge.store();
        for scope in store.scopes() {
            if let Some(mark) = store.watermark(scope) {
                let known = self.known_scope.entry(scope).or_default();
                *known = mark.max(*known);
            }
            for (kind, id, at) in &decided {
                if scope.kinds().contains(kind) {
                    let known = self.known_entity.entry((scope, *kind, *id)).or_default();
                    *known = (*at).max(*known);
                }
            }
        }
        Ok(())
    }

    fn check_change(
        &self,
        server: &Server,
        key: &(Scope, Kind, Uuid),
        version: Option<u64>,
    ) -> Result<(), String> {
        let (scope, kind, id) = *key;
        let by_scope = self.known_scope.get(&scope).copied().unwrap_or(0);
        let by_entity = self.known_entity.get(key).copied().unwrap_or(0);
        let known = by_scope.max(by_entity);
        match server.last_true(scope, (kind, id), version) {
            Some(until) if until >= known => Ok(()),
            until => Err(format!(
                "backwards: {scope:?} {kind:?} {id} to {version:?}, true until {until:?}, knew {known}"
            )),
        }
    }

    /// The first scope that differs from the server's snapshot.
    pub fn differs(&self, server: &Server) -> Option<String> {
        let store = self.bridge.store();
        for scope in &self.scopes {
            if !store.uses(*scope) {
                if self.forbidden == Some(*scope) {
                    continue;
                }
                return Some(format!("{scope:?} left"));
            }
            let truth = server.snapshot(*scope);
            let same = match scope {
                Scope::Payments | Scope::Servings | Scope::HallOrders | Scope::KitchenOrders => {
                    store.orders(*scope).map(|o| &**o).eq(&truth.orders)
                }
                Scope::Calls => store.calls().map(|c| &**c).eq(&truth.calls),
                Scope::Tables => {
                    store.tables().map(|t| &**t).eq(&truth.tables) && store.zones() == truth.zones
                }
                Scope::Menu => {
                    store.items().map(|i| &**i).eq(&truth.items)
                        && store.stock().map(|s| &**s).eq(&truth.stock)
                        && store.categories() == truth.categories
                }
                Scope::Store => store
                    .settings()
                    .is_some_and(|s| **s == server.house.settings),
            };
            if !same {
                return Some(format!("{scope:?} diverged"));
            }
        }
        None
    }
}

//! A screen's store against the server's snapshots, entity by entity, scope by scope.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use domain::settings::Store;
use domain::snapshot::Entities;
use domain::store::ClientStore;
use domain::stream::{EventId, Scope};
use uuid::Uuid;

use crate::api::{Api, ApiError};

/// Everything the server knows, as of one moment.
#[derive(Clone, Debug)]
pub struct Truth {
    /// The moment.
    pub watermark: EventId,
    scopes: BTreeMap<Scope, Entities>,
    settings: Store,
}

/// How often the scopes are asked for until no command came between them.
const ATTEMPTS: usize = 50;

/// Asks for every scope until all answers are of one moment; `None` when commands keep coming.
///
/// # Errors
/// The server refuses or cannot be reached.
pub async fn truth(api: &Api) -> Result<Option<Truth>, ApiError> {
    for _ in 0..ATTEMPTS {
        let (watermark, settings) = api.snapshot::<Store>(Scope::Store.path()).await?;
        let mut scopes = BTreeMap::new();
        let mut marks = BTreeSet::from([watermark.to_string()]);
        for scope in Scope::ALL {
            if scope != Scope::Store {
                let (mark, entities) = api.snapshot::<Entities>(scope.path()).await?;
                marks.insert(mark.to_string());
                scopes.insert(scope, entities);
            }
        }
        if marks.len() == 1 {
            return Ok(Some(Truth {
                watermark,
                scopes,
                settings,
            }));
        }
    }
    Ok(None)
}

impl Truth {
    /// The entities of `scope`; none of the settings.
    #[must_use]
    pub fn scope(&self, scope: Scope) -> Option<&Entities> {
        self.scopes.get(&scope)
    }

    /// What `screen` has otherwise than the server, in the scopes it uses; a sentence each.
    #[must_use]
    pub fn differences(&self, screen: &ClientStore) -> Vec<String> {
        let mut found = Vec::new();
        for scope in screen.scopes() {
            match self.scopes.get(&scope) {
                Some(server) => compare_scope(scope, screen, server, &mut found),
                None if screen.settings().map(|own| &**own) != Some(&self.settings) => {
                    found.push("store: the settings differ".to_owned());
                }
                None => {}
            }
        }
        found
    }
}

fn compare_scope(scope: Scope, screen: &ClientStore, server: &Entities, found: &mut Vec<String>) {
    match scope {
        Scope::Payments | Scope::Servings | Scope::HallOrders | Scope::KitchenOrders => {
            let own = screen.orders(scope).map(|order| (order.id.0, &**order));
            let theirs = server.orders.iter().map(|order| (order.id.0, order));
            compare(scope, "order", own, theirs, found);
        }
        Scope::Calls => {
            let own = screen.calls().map(|call| (call.id.0, &**call));
            let theirs = server.calls.iter().map(|call| (call.id.0, call));
            compare(scope, "call", own, theirs, found);
        }
        Scope::Tables => {
            let own = screen.tables().map(|table| (table.id.0, &**table));
            let theirs = server.tables.iter().map(|table| (table.id.0, table));
            compare(scope, "table", own, theirs, found);
            let own = screen.zones().iter().map(|zone| (zone.id.0, zone));
            let theirs = server.zones.iter().map(|zone| (zone.id.0, zone));
            compare(scope, "zone", own, theirs, found);
        }
        Scope::Menu => {
            let own = screen.items().map(|item| (item.id.0, &**item));
            let theirs = server.items.iter().map(|item| (item.id.0, item));
            compare(scope, "item", own, theirs, found);
            let own = screen.stock().map(|stock| (stock.id.0, &**stock));
            let theirs = server.stock.iter().map(|stock| (stock.id.0, stock));
            compare(scope, "stock", own, theirs, found);
            let own = screen.categories().iter().map(|one| (one.id.0, one));
            let theirs = server.categories.iter().map(|one| (one.id.0, one));
            compare(scope, "category", own, theirs, found);
        }
        Scope::Store => {}
    }
}

fn compare<'a, T: PartialEq + Debug + 'a>(
    scope: Scope,
    kind: &str,
    screen: impl Iterator<Item = (Uuid, &'a T)>,
    server: impl Iterator<Item = (Uuid, &'a T)>,
    found: &mut Vec<String>,
) {
    let mut screen: BTreeMap<Uuid, &T> = screen.collect();
    let place = scope.path();
    for (id, theirs) in server {
        match screen.remove(&id) {
            None => found.push(format!("{place}: {kind} {id} is missing on the screen")),
            Some(own) if own != theirs => found.push(format!(
                "{place}: {kind} {id} differs: the screen has {own:?}, the server {theirs:?}"
            )),
            Some(_) => {}
        }
    }
    let extra = screen.into_keys();
    found.extend(extra.map(|id| format!("{place}: {kind} {id} is on the screen alone")));
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::floor::{Table, TableState};
    use domain::id::{TableId, ZoneId};
    use domain::store::Guards;

    fn table(number: u128, version: u64) -> Table {
        Table {
            id: TableId(Uuid::from_u128(number)),
            version,
            zone_id: ZoneId(Uuid::nil()),
            name: "1".to_owned(),
            seats: 4,
            sort: 0,
            code: "a".to_owned(),
            state: TableState::Free,
            party: None,
        }
    }

    fn entities(tables: Vec<Table>) -> Entities {
        Entities {
            tables,
            ..Entities::default()
        }
    }

    fn found(screen: Vec<Table>, server: Vec<Table>) -> Vec<String> {
        let mut store = ClientStore::new(&[Scope::Tables], Guards::default());
        store.apply_scope(Scope::Tables, 1, entities(screen));
        let mut found = Vec::new();
        compare_scope(Scope::Tables, &store, &entities(server), &mut found);
        found
    }

    #[test]
    fn equal_stores_have_no_difference() {
        let tables = || vec![table(1, 3), table(2, 1)];
        assert_eq!(found(tables(), tables()), Vec::<String>::new());
    }

    #[test]
    fn missing_extra_and_changed_entities_are_one_difference_each() {
        let differences = found(
            vec![table(1, 3), table(2, 1)],
            vec![table(1, 4), table(3, 1)],
        );
        assert_eq!(differences.len(), 3);
        assert!(differences[0].contains("differs"));
        assert!(differences[1].contains("missing on the screen"));
        assert!(differences[2].contains("on the screen alone"));
    }
}

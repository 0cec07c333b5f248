//! A screen's store against the server's snapshots.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::store::{ClientStore, Guards};
use domain::stream::{EventId, Scope};
use serde::Serialize;
use serde_json::Value;
use tokio::time::Instant;

use super::{PATIENCE, Screen, Staff, entities};

/// Everything in those scopes, by one name each.
fn shown(store: &ClientStore) -> BTreeMap<String, Value> {
    let mut all = BTreeMap::new();
    let mut show = |name: String, value: &dyn erased::Json| {
        all.insert(name, value.json());
    };
    for scope in store.scopes() {
        let at = scope.path();
        match scope {
            Scope::Payments | Scope::Servings | Scope::HallOrders | Scope::KitchenOrders => {
                store
                    .orders(scope)
                    .for_each(|order| show(format!("{at} {}", order.id), &**order));
            }
            Scope::Calls => store
                .calls()
                .for_each(|call| show(format!("{at} {}", call.id), &**call)),
            Scope::Tables => {
                show(format!("{at} zones"), &store.zones());
                store
                    .tables()
                    .for_each(|table| show(format!("{at} {}", table.id), &**table));
            }
            Scope::Menu => {
                show(format!("{at} categories"), &store.categories());
                store
                    .items()
                    .for_each(|item| show(format!("{at} {}", item.id), &**item));
                store
                    .stock()
                    .for_each(|stock| show(format!("{at} {}", stock.id), &**stock));
            }
            Scope::Store => show(at.to_owned(), &store.settings().map(|store| &**store)),
        }
    }
    all
}

/// Values of several types, as JSON.
mod erased {
    use super::{Serialize, Value};

    pub trait Json {
        fn json(&self) -> Value;
    }

    impl<T: Serialize> Json for T {
        fn json(&self) -> Value {
            serde_json::to_value(self).unwrap()
        }
    }
}

/// The server's snapshots of these scopes, all of one moment.
pub async fn truth(staff: &Staff, scopes: &[Scope]) -> (EventId, ClientStore) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let mut store = ClientStore::new(scopes, Guards::default());
        let mut marks = Vec::new();
        for scope in scopes {
            let reply = staff.get(scope.path()).await.unwrap();
            assert_eq!(reply.status, 200, "{reply:?}");
            let mark = reply.watermark.unwrap();
            if *scope == Scope::Store {
                store.apply_settings(mark.seq, serde_json::from_str(&reply.text).unwrap());
            } else {
                store.apply_scope(*scope, mark.seq, entities(&reply));
            }
            marks.push(mark);
        }
        if marks.windows(2).all(|two| two[0] == two[1]) {
            return (marks[0], store);
        }
        assert!(Instant::now() < deadline, "commands keep coming");
    }
}

/// What the screen has otherwise than the server.
pub fn differences(screen: &ClientStore, server: &ClientStore) -> Vec<String> {
    let (own, theirs) = (shown(screen), shown(server));
    let names: std::collections::BTreeSet<&String> = own.keys().chain(theirs.keys()).collect();
    let differs = names
        .into_iter()
        .filter(|name| own.get(*name) != theirs.get(*name));
    let told = |name: &String| {
        let side = |side: &BTreeMap<String, Value>| {
            side.get(name)
                .map_or("nothing".to_owned(), Value::to_string)
        };
        format!(
            "{name}: the screen has {}, the server {}",
            side(&own),
            side(&theirs)
        )
    };
    differs.map(told).collect()
}

/// Waits until the screen is at the server's head and equal to its snapshots.
pub async fn settled(staff: &Staff, screen: &Screen) -> EventId {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let scopes: Vec<Scope> = screen.look().await.0.scopes().collect();
        let (head, server) = truth(staff, &scopes).await;
        screen.reaches(head).await;
        let (store, seen) = screen.look().await;
        let found = differences(&store, &server);
        if seen.cursor == head && found.is_empty() {
            return head;
        }
        assert!(
            Instant::now() < deadline,
            "never equal: the head is {head}, the screen {seen:?}\n{}",
            found.join("\n")
        );
        tokio::time::sleep(Duration::from_millis(60)).await;
    }
}

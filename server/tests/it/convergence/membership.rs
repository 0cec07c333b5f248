//! What a snapshot's SQL holds is what `Scope::holds_order` says.

use rstest::rstest;
use std::collections::BTreeSet;

use domain::order::Order;
use domain::snapshot::Entities;
use domain::stream::Scope;
use serde_json::json;
use uuid::Uuid;

use super::hand::Hand;
use crate::screens::{House, entities};
use crate::support::Engine::{self, Postgres, Sqlite};

const SCOPES: [Scope; 4] = [
    Scope::HallOrders,
    Scope::KitchenOrders,
    Scope::Payments,
    Scope::Servings,
];

/// Compares every order there is, open or not.
pub async fn compare(house: &House) -> usize {
    let (app, store) = (&house.app, house.owner.store);
    let mut tx = app.db.read().await.unwrap();
    let docs = tx
        .fetch_all::<(String,)>("select doc from orders", [])
        .await;
    drop(tx);
    let orders: Vec<Order> = docs
        .unwrap()
        .iter()
        .map(|(doc,)| serde_json::from_str(doc).unwrap())
        .collect();
    let all: Vec<Uuid> = orders.iter().map(|order| order.id.0).collect();
    let ids = |body: &str| -> BTreeSet<Uuid> {
        let held: Entities = serde_json::from_str(body).unwrap();
        held.orders.iter().map(|order| order.id.0).collect()
    };
    for scope in SCOPES {
        let holds = orders.iter().filter(|order| scope.holds_order(order));
        let expected: BTreeSet<Uuid> = holds.map(|order| order.id.0).collect();
        let whole = app.services.snapshot(store, scope).await.unwrap();
        assert_eq!(ids(&whole.body), expected, "{}", scope.path());
        if matches!(scope, Scope::HallOrders | Scope::KitchenOrders) {
            let some = app.services.snapshot_of(store, scope, &all).await.unwrap();
            assert_eq!(ids(&some.body), expected, "{}?ids=", scope.path());
        }
    }
    orders.len()
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_scopes_of_the_database_hold_what_the_domain_says(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::late_on(engine, |_| {}, |app| app).await;
    let mut hand = Hand::new(&house, 7).await;
    for round in 0..10 {
        for _ in 0..24 {
            hand.press().await;
        }
        if round == 5 {
            house.app.clock.advance(3_600_000);
        }
        compare(&house).await;
    }
    assert!(compare(&house).await > 15, "{:?}", hand.tally);
}

#[rstest]
#[tokio::test]
async fn lines_that_are_moved_after_the_cut_become_an_order_of_the_new_day(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::late_on(engine, |_| {}, |app| app).await;
    let (owner, item) = (&house.owner, house.owner.plain_item().await);
    let tables = entities(&owner.get(Scope::Tables.path()).await.unwrap()).tables;
    let place = async |table: usize| {
        let line = json!({ "menuId": item, "quantity": 1 });
        let body = json!({
            "channel": "hall",
            "tableId": tables[table].id,
            "lines": [line.clone(), line],
        });
        entities(&owner.does("/hall/orders", body).await).orders[0].clone()
    };
    let (first, second) = (place(0).await, place(1).await);
    assert_eq!((first.number, second.number), (1, 2));
    house.app.clock.advance(3_600_000);
    // The first number of the new day is given to an order of the old one.
    let path = format!("/hall/orders/{}/move-lines", second.id);
    let body = json!({ "lineIds": [second.lines[0].id], "toTableId": tables[0].id });
    let moved = entities(&owner.does(&path, body).await).orders;
    let part = moved.iter().find(|order| order.id != second.id).unwrap();
    assert_eq!(part.number, 1);
    assert_eq!(part.business_day, second.business_day.tomorrow());
    let kept = moved.iter().find(|order| order.id == second.id).unwrap();
    assert_eq!((kept.number, kept.business_day), (2, second.business_day));
}

//! Orders from the queue to the report.

use std::collections::BTreeMap;

use domain::id::{CategoryId, LineId, OrderId, PartyId, StationId, StoreId};
use domain::kitchen::CookTo;
use domain::money::Currency;
use domain::order::{
    Channel, ItemFor, NewOrder, Order, PlacedBy, PlacedByKind, Tender, VoidBy, Wanted,
};
use domain::settings::PaymentTiming;
use domain::stream::Scope;
use domain::time::BusinessDay;
use rstest::rstest;
use server::db::{Tx, Value};
use server::store::order::{
    order_find, order_open_doc, order_save, orders_in_scope, orders_left_board, orders_of_party,
    orders_open_of_party, orders_sales,
};
use server::store::refund::refunds_due;
use uuid::Uuid;

use super::house::{House, NOW, item};
use crate::support::Engine::{self, Postgres, Sqlite};
use crate::support::settings;

fn today() -> BusinessDay {
    settings(StoreId(Uuid::nil()), "one", NOW.0).business_day
}

/// Two portions and one, placed that many milliseconds after noon.
pub(super) fn order(number: u32, party: Option<PartyId>, after: i64) -> Order {
    let rice = item(CategoryId(Uuid::now_v7()), "117", 1);
    let wanted = |quantity| Wanted {
        menu_id: rice.id,
        quantity,
        option_ids: Vec::new(),
        note: String::new(),
        allergy: String::new(),
    };
    let items = BTreeMap::from([(rice.id, rice.clone())]);
    let entry = ItemFor {
        items: &items,
        default_station: StationId(Uuid::nil()),
        now: NOW.plus(after),
    };
    let lines = entry.lines(&[wanted(2), wanted(1)], || LineId(Uuid::now_v7()));
    let new = NewOrder {
        id: OrderId(Uuid::now_v7()),
        number,
        business_day: today(),
        channel: Channel::Takeout,
        party_id: party,
        table_ids: Vec::new(),
        table_label: String::new(),
        zone: None,
        placed_by: PlacedBy {
            kind: PlacedByKind::Staff,
            name: "Hana".to_owned(),
        },
        note: "포장 🍲".to_owned(),
        currency: Currency::KRW,
        timing: PaymentTiming::Prepaid,
    };
    Order::place(new, lines.unwrap(), NOW.plus(after))
        .unwrap()
        .0
}

pub(super) async fn save(tx: &mut Tx, store: StoreId, order: &Order) {
    let doc = order_save(tx, store, order).await.unwrap();
    assert_eq!(doc, serde_json::to_string(order).unwrap());
}

/// Which of the scopes of orders hold it, of those asked one by one too.
async fn scopes(tx: &mut Tx, store: StoreId, id: OrderId) -> Vec<Scope> {
    let mut holding = Vec::new();
    for scope in Scope::ALL {
        let docs = orders_in_scope(tx, store, scope).await.unwrap();
        if docs.iter().any(|doc| doc.contains(&id.to_string())) {
            holding.push(scope);
        }
    }
    for (scope, kitchen) in [(Scope::HallOrders, false), (Scope::KitchenOrders, true)] {
        let one = order_open_doc(tx, store, id, kitchen).await.unwrap();
        assert_eq!(one.is_some(), holding.contains(&scope));
    }
    holding
}

#[rstest]
#[tokio::test]
async fn an_order_is_in_each_scope_while_it_belongs_there(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::open(engine).await;
    let store = house.store;
    let mut tx = house.write().await;
    let mut one = order(1, None, 0);
    save(&mut tx, store, &one).await;
    let kept = order_find(&mut tx, store, one.id).await.unwrap();
    assert_eq!(kept.as_ref(), Some(&one));
    let nowhere = StoreId(Uuid::now_v7());
    assert_eq!(order_find(&mut tx, nowhere, one.id).await.unwrap(), None);
    assert_eq!(
        scopes(&mut tx, store, one.id).await,
        [Scope::Payments, Scope::HallOrders]
    );
    one.confirm(Tender::Card, false, NOW.plus(1)).unwrap();
    save(&mut tx, store, &one).await;
    let kitchen = [Scope::HallOrders, Scope::KitchenOrders];
    assert_eq!(scopes(&mut tx, store, one.id).await, kitchen);
    for to in [CookTo::Cooking, CookTo::Cooked] {
        one.advance(None, to, NOW.plus(2)).unwrap();
    }
    save(&mut tx, store, &one).await;
    assert_eq!(
        scopes(&mut tx, store, one.id).await,
        [Scope::Servings, Scope::HallOrders, Scope::KitchenOrders]
    );
    let line = one.lines[1].id;
    let by = VoidBy {
        name: "Max",
        manager: true,
        reason: "변심",
    };
    let new = LineId(Uuid::now_v7());
    one.void(line, None, by, new, false, NOW.plus(3)).unwrap();
    one.serve(None, false, NOW.plus(4)).unwrap();
    save(&mut tx, store, &one).await;
    assert_eq!(scopes(&mut tx, store, one.id).await, kitchen);
    one.acknowledge_voids(&[line], false, NOW.plus(5)).unwrap();
    assert!(!one.is_open());
    save(&mut tx, store, &one).await;
    assert_eq!(scopes(&mut tx, store, one.id).await, []);
    assert_eq!(order_find(&mut tx, store, one.id).await.unwrap(), Some(one));
}

#[rstest]
#[tokio::test]
async fn orders_are_listed_as_they_were_placed_and_left_the_board(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::open(engine).await;
    let store = house.store;
    let (_, party) = house.seated("a-1").await;
    let (_, other) = house.seated("a-2").await;
    let mut tx = house.write().await;
    let mut placed = Vec::new();
    // The second and the third at the same moment, the last one first of all.
    for (number, of, after) in [
        (1, Some(party), 1),
        (3, Some(party), 2),
        (2, Some(party), 2),
        (4, Some(other), 1),
        (5, None, 0),
    ] {
        let order = order(number, of, after);
        save(&mut tx, store, &order).await;
        placed.push(order);
    }
    let numbers =
        |orders: Vec<Order>| -> Vec<u32> { orders.into_iter().map(|order| order.number).collect() };
    let all = orders_of_party(&mut tx, store, party).await.unwrap();
    assert_eq!(numbers(all), [1, 2, 3]);
    let first = &mut placed[0];
    first.reject("품절", false, NOW.plus(9)).unwrap();
    assert!(!first.is_open());
    save(&mut tx, store, first).await;
    let open = orders_open_of_party(&mut tx, store, party).await.unwrap();
    assert_eq!(numbers(open), [2, 3]);
    let all = orders_of_party(&mut tx, store, party).await.unwrap();
    assert_eq!(numbers(all), [1, 2, 3]);
    let queue = orders_in_scope(&mut tx, store, Scope::Payments);
    let queue = queue.await.unwrap();
    let number = |doc: &String| -> u32 { serde_json::from_str::<Order>(doc).unwrap().number };
    assert_eq!(queue.iter().map(number).collect::<Vec<_>>(), [5, 4, 2, 3]);

    for (order, served) in placed[1..].iter_mut().zip([20, 30, 30, 10]) {
        let at = NOW.plus(served);
        order.confirm(Tender::Cash, true, at).unwrap();
        for to in [CookTo::Cooking, CookTo::Cooked] {
            order.advance(None, to, at).unwrap();
        }
        order.serve(None, true, at).unwrap();
        save(&mut tx, store, order).await;
    }
    let left = async |tx: &mut Tx, since, limit| -> Vec<u32> {
        let docs = orders_left_board(tx, store, NOW.plus(since), limit).await;
        docs.unwrap().iter().map(number).collect()
    };
    assert_eq!(left(&mut tx, 0, 9).await, [4, 2, 3, 5]);
    assert_eq!(left(&mut tx, 20, 9).await, [4, 2, 3]);
    assert_eq!(left(&mut tx, 20, 1).await, [4]);
}

#[rstest]
#[tokio::test]
async fn a_days_sales_are_summed_by_stage_and_tender_beyond_small_numbers(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::open(engine).await;
    let store = house.store;
    let mut tx = house.write().await;
    assert_eq!(orders_sales(&mut tx, store, today()).await.unwrap(), []);
    let large = i64::from(i32::MAX);
    for (number, tender) in [
        (1, None),
        (2, Some(Tender::Card)),
        (3, Some(Tender::Cash)),
        (4, Some(Tender::Card)),
        (5, None),
    ] {
        let mut order = order(number, None, 0);
        if let Some(tender) = tender {
            order.confirm(tender, false, NOW).unwrap();
        }
        order.total.0 = large;
        if number == 5 {
            order.business_day = order.business_day.tomorrow();
        }
        save(&mut tx, store, &order).await;
    }
    let rows = orders_sales(&mut tx, store, today()).await.unwrap();
    let told: Vec<_> = rows
        .iter()
        .map(|row| (&*row.checkout_stage, row.tender.as_deref(), row.orders))
        .collect();
    assert_eq!(
        told,
        [
            ("awaitingPayment", None, 1),
            ("confirmed", Some("card"), 2),
            ("confirmed", Some("cash"), 1),
        ]
    );
    assert_eq!(rows[1].total, 2 * large);
    let twice = order(2, None, 0);
    let taken = order_save(&mut tx, store, &twice).await.unwrap_err();
    let name = "orders_store_id_business_day_number_key";
    assert!(taken.is_constraint(name), "{taken:?}");
}

#[rstest]
#[tokio::test]
async fn refunds_are_due_until_they_are_settled(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::open(engine).await;
    let store = house.store;
    let mut tx = house.write().await;
    let (order, other) = (order(1, None, 0), order(2, None, 0));
    for order in [&order, &other] {
        save(&mut tx, store, order).await;
    }
    let put = "insert into refund_due (id, store_id, order_id, amount, reason, created_at, \
        settled_at) values ($1, $2, $3, $4, $5, $6, $7)";
    // One at a time is due for an order.
    for (of, reason, at, settled) in [
        (&other, "late", 2, None),
        (&order, "early", 1, None),
        (&order, "paid", 0, Some(3)),
    ] {
        let values = [
            Value::from(Uuid::now_v7()),
            Value::from(store),
            Value::from(of.id),
            Value::from(9_900_i64),
            Value::from(reason),
            Value::from(NOW.plus(at)),
            Value::from(settled.map(|after| NOW.plus(after))),
        ];
        tx.execute(put, values).await.unwrap();
    }
    let due = refunds_due(&mut tx, store).await.unwrap();
    let reasons: Vec<&str> = due.iter().map(|due| &*due.reason).collect();
    assert_eq!(reasons, ["early", "late"]);
    assert_eq!((due[0].order_id, due[0].amount), (order.id.0, 9_900));
    assert_eq!(due[0].created_at, NOW.0 + 1);
}

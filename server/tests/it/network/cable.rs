//! The cable is cut and mended (trials C02 and C40).

use std::collections::BTreeSet;
use std::time::Duration;

use domain::bridge::Link;
use domain::event::EventType;
use domain::stream::Scope;
use serde_json::json;
use uuid::Uuid;

use super::commit;
use super::proxy::{Line, Proxy};
use crate::screens::{House, Screen, Seen, Setup, entities, eventually, settled};

const KITCHEN: [Scope; 3] = [Scope::KitchenOrders, Scope::Menu, Scope::Store];

/// A beat of the house, in ms.
const BEAT: i64 = 200;

/// The events of every order were applied once, and it sounded at most once.
fn once_each(before: &Seen, after: &Seen, orders: &[Uuid]) {
    let cooked = |seen: &Seen| -> Vec<Uuid> {
        let fired = seen
            .heard
            .iter()
            .filter(|(what, _)| *what == EventType::KitchenCook);
        fired.filter_map(|(_, entity)| *entity).collect()
    };
    let heard = cooked(after);
    let distinct: BTreeSet<&Uuid> = heard.iter().collect();
    assert_eq!(heard.len(), distinct.len(), "a sound came twice");
    // Awaiting payment, paid, to be cooked.
    let events = 3 * u64::try_from(orders.len()).unwrap();
    assert_eq!(after.cursor.seq - before.cursor.seq, events);
    assert_eq!(after.counters.applied - before.counters.applied, events);
    assert_eq!(after.counters.full_reloads, before.counters.full_reloads);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cable_that_is_cut_and_mended_loses_and_doubles_nothing() {
    let house = House::open(|_| {}).await;
    let proxy = Proxy::before(house.addr).await;
    let item = house.owner.plain_item().await;
    let screen = Screen::start(&house.kitchen.through(proxy.addr), Setup::of(&KITCHEN));
    commit(&house.owner, item, 2).await;
    settled(&house.owner, &screen).await;
    let before = screen.seen();

    proxy.answer_streams(&[]);
    proxy.set(Line::Cut);
    screen
        .until("an error", |seen| seen.failed.len() > before.failed.len())
        .await;
    screen.pace(0).await;
    let orders = commit(&house.owner, item, 7).await;
    screen.pace(1).await;
    proxy.set(Line::Open);

    settled(&house.owner, &screen).await;
    let after = screen.seen();
    after.assert_sound();
    once_each(&before, &after, &orders);
    assert_eq!(after.opened.last().unwrap().cursor, before.cursor);
    screen.rests().await;
}

/// Trial C02: the line goes silent with its sockets open, and the old socket comes alive again.
/// A ticket that was swallowed is waited for so long that the screen is polled first; else only
/// the stream brings anything.
async fn silent(line: Line, pace: i64) {
    let house = House::open(|_| {}).await;
    let proxy = Proxy::before(house.addr).await;
    let item = house.owner.plain_item().await;
    // What the old stream still brings is handed to the bridge, as a browser might.
    let setup = Setup {
        pace,
        keeps_closed_streams: true,
        ..Setup::of(&KITCHEN)
    };
    let screen = Screen::start(&house.kitchen.through(proxy.addr), setup);
    commit(&house.owner, item, 1).await;
    settled(&house.owner, &screen).await;
    screen.rests().await;
    let before = screen.seen();
    assert_eq!(before.opened.len(), 1);

    if line == Line::Held {
        proxy.answer_streams(&[]);
    }
    proxy.set(line);
    screen.pace(0).await;
    let mut orders = commit(&house.owner, item, 7).await;
    screen.pace(pace).await;
    eventually("the screen says it is offline", async || {
        let status = screen.status().await;
        if status.link == Link::Live {
            assert!(2 * status.age_ms <= 3 * BEAT * pace, "{status:?}");
        }
        status.link == Link::Offline
    })
    .await;
    screen
        .until("another attempt", |seen| {
            seen.tickets.len() > before.tickets.len()
        })
        .await;
    let cut = screen.seen();
    assert_eq!((cut.cursor, cut.opened.len()), (before.cursor, 1));
    proxy.set(Line::Open);

    settled(&house.owner, &screen).await;
    orders.extend(commit(&house.owner, item, 2).await);
    settled(&house.owner, &screen).await;
    let after = screen
        .until("late bytes", |seen| seen.late > before.late)
        .await;
    after.assert_sound();
    assert_eq!(after.opened.len(), 2, "one new stream: {:?}", after.opened);
    if line == Line::Held {
        once_each(&before, &after, &orders);
        assert_eq!(after.opened[1].cursor, before.cursor);
    }
    assert_ne!(after.opened[0].ticket, after.opened[1].ticket);
    assert_eq!(after.counters.duplicates, before.counters.duplicates);
    eventually("the screen is live", async || {
        screen.status().await.link == Link::Live
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn late_bytes_of_a_line_that_was_silent_are_ignored_and_one_new_stream_goes_on() {
    silent(Line::Held, 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_old_socket_that_lost_bytes_and_comes_alive_makes_no_hole() {
    silent(Line::Swallowed, 5).await;
}

/// Trial C40, also after a restart.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_whose_answer_was_lost_is_answered_and_not_placed_again() {
    let house = House::open(|_| {}).await;
    let proxy = Proxy::before(house.addr).await;
    let item = house.owner.plain_item().await;
    let key = Uuid::now_v7().to_string();
    let body = json!({
        "channel": "counter",
        "lines": [{ "menuId": item, "quantity": 2 }],
        "note": key,
    });
    proxy.set(Line::AnswersSwallowed);
    let asks = {
        let (through, key, body) = (house.owner.through(proxy.addr), key.clone(), body.clone());
        tokio::spawn(async move { through.post("/hall/orders", &key, &body).await })
    };
    let placed = async |staff: &crate::screens::Staff| -> Vec<Uuid> {
        let reply = staff.get(Scope::HallOrders.path()).await.unwrap();
        let orders = entities(&reply).orders;
        let own = orders.iter().filter(|order| order.note == key);
        own.map(|order| order.id.0).collect()
    };
    eventually("the order is there", async || {
        !placed(&house.owner).await.is_empty()
    })
    .await;
    proxy.set(Line::Cut);
    let lost = tokio::time::timeout(Duration::from_secs(10), asks).await;
    assert!(lost.unwrap().unwrap().is_err());

    let first = house.owner.post("/hall/orders", &key, &body).await.unwrap();
    assert_eq!(first.status, 201);
    assert_eq!(placed(&house.owner).await, [first.order()]);
    let house = house.restart().await;
    let again = house.owner.post("/hall/orders", &key, &body).await.unwrap();
    assert_eq!((again.status, &again.text), (201, &first.text));
    assert_eq!(again.watermark, first.watermark);
    assert_eq!(placed(&house.owner).await, [first.order()]);

    let other = json!({ "channel": "takeout", "lines": [{ "menuId": item, "quantity": 2 }] });
    let reused = house
        .owner
        .post("/hall/orders", &key, &other)
        .await
        .unwrap();
    assert_eq!(reused.status, 422, "{reused:?}");
    assert_eq!(reused.json()["code"], "IDEMPOTENCY_KEY_REUSED");
}

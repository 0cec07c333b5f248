//! Two nodes over one database, asked at the same instant.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use serde_json::json;
use server::clock::Clock;
use server::service::import::import_menu;

use crate::commands::{House, NOON, RICE};
use crate::guest::Phone;
use crate::support::{Engine, Place, Server};

const HOUR: i64 = 3_600_000;

/// The demo at two nodes, each with the owner at a screen of it.
async fn nodes() -> [House; 2] {
    let first = House::on(Engine::Postgres).await;
    let second = first.server.beside(|_| {}).await;
    let second = House::of(second, first.clock.clone()).await;
    [first, second]
}

/// So many at once, at one node and the other in turn.
async fn at_once<T>(
    nodes: &[House; 2],
    count: usize,
    ask: impl AsyncFn(&House, usize) -> T,
) -> Vec<T> {
    join_all((0..count).map(|n| ask(&nodes[n % 2], n))).await
}

async fn takeout(house: &House, key: &str) -> crate::support::Answer {
    let item = house.item(RICE).await["id"].clone();
    let body = json!({ "channel": "takeout", "lines": [{ "menuId": item, "quantity": 1 }] });
    let path = format!("{}/hall/orders", house.path);
    let answer = house.owner.post_keyed(&path, key, body).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn orders_at_two_nodes_have_each_number_once_and_their_events_no_hole() {
    let nodes = nodes().await;
    let before = nodes[0].seq().await;
    let answers = at_once(&nodes, 40, async |house, n| {
        takeout(house, &n.to_string()).await
    })
    .await;
    let numbers = answers.iter().map(|answer| {
        let order = answer.json()["orders"][0].clone();
        (
            order["number"].as_u64().unwrap(),
            crate::commands::seq(answer),
        )
    });
    let numbers: BTreeSet<(u64, u64)> = numbers.collect();
    // The order of numbers is the order of commits.
    let expected = (1..=40).map(|n| (n, before + n)).collect();
    assert_eq!(numbers, expected);
    assert_eq!(nodes[1].events_after(before).await.len(), 40);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_key_at_two_nodes_makes_one_order() {
    let nodes = nodes().await;
    let answers = at_once(&nodes, 24, async |house, _| takeout(house, "once").await).await;
    assert!(answers.iter().all(|answer| answer.text == answers[0].text));
    let queue = nodes[1].get("/payments").await.json();
    assert_eq!(queue["orders"].as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn phones_that_scan_one_table_at_two_nodes_are_one_party() {
    let nodes = nodes().await;
    let before = nodes[0].seq().await;
    let phones = at_once(&nodes, 20, async |house, _| Phone::at(house, "b3").await).await;
    let parties: BTreeSet<&str> = phones.iter().map(|phone| &*phone.party).collect();
    assert_eq!(parties.len(), 1);
    assert_eq!(nodes[0].events_after(before).await, ["TABLE_CHANGED"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_guesses_at_two_nodes_one_is_looked_at_and_right_pins_both_open() {
    let nodes = nodes().await;
    let codes = at_once(&nodes, 8, async |house, _| {
        let client = house.server.client();
        client.try_login("demo", "hall", "0000").await.code()
    })
    .await;
    let looked_at = codes.iter().filter(|code| *code == "WRONG_PIN").count();
    let late = codes.iter().filter(|code| *code == "TOO_MANY_ATTEMPTS");
    assert_eq!((looked_at, late.count()), (1, 7), "{codes:?}");
    nodes[0].clock.advance(1_000);
    let opened = at_once(&nodes, 8, async |house, _| {
        let client = house.server.client();
        client.try_login("demo", "hall", "3000").await.status
    })
    .await;
    assert_eq!(opened, [200; 8]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_day_that_two_nodes_cut_beside_orders_is_cut_once() {
    let nodes = nodes().await;
    let before = nodes[0].seq().await;
    nodes[0].clock.advance(17 * HOUR);
    let [first, second] = nodes;
    let clock = first.clock.clone();
    let nodes = [
        House::of(first.server, clock.clone()).await,
        House::of(second.server, clock).await,
    ];
    let orders = at_once(&nodes, 12, async |house, n| {
        house.server.app.services.cut_days().await.unwrap();
        takeout(house, &n.to_string()).await.json()["orders"][0].clone()
    })
    .await;
    let numbers: BTreeSet<u64> = orders
        .iter()
        .map(|order| order["number"].as_u64().unwrap())
        .collect();
    assert_eq!(numbers, (1..=12).collect());
    assert!(
        orders
            .iter()
            .all(|order| order["businessDay"] == "2026-03-02")
    );
    let events = nodes[0].events_after(before).await;
    let markers = events.iter().filter(|kind| *kind == "RELOAD_REQUIRED");
    assert_eq!((events.len(), markers.count()), (13, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_menu_that_is_imported_twice_at_once_is_there_once() {
    let nodes = nodes().await;
    let menu = "menu_item_id,item_name,category,price\n900,Tea,Hot,3000\n901,Cocoa,Hot,4000\n";
    let imports = at_once(&nodes, 6, async |house, _| {
        let app = &house.server.app;
        let done = import_menu(&app.db, &app.clock, "demo", menu.as_bytes(), true).await;
        done.unwrap()
    })
    .await;
    let sum = |count: fn(&server::service::import::Imported) -> u64| -> u64 {
        imports.iter().map(count).sum()
    };
    assert_eq!(
        (
            sum(|done| done.added),
            sum(|done| done.updated),
            sum(|done| done.categories)
        ),
        (2, 10, 1)
    );
    assert_eq!(nodes[1].item("900").await["version"], 6);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_that_start_together_over_an_empty_database_open_one_demo() {
    let place = Place::on(Engine::Postgres).await;
    let start = || {
        let change = |config: &mut server::config::Config| config.demo = true;
        Server::over(place.clone(), change, Clock::manual(NOON))
    };
    let (first, second, third) = tokio::join!(start(), start(), start());
    for server in [first, second, third] {
        let client = server.client();
        let tiles = client.get("/api/auth/stores/demo/staff").await;
        assert_eq!(tiles.json().as_array().unwrap().len(), 5);
        assert_eq!(client.try_login("demo", "owner", "1000").await.status, 200);
    }
}

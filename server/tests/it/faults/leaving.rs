//! Clients that leave before they are answered: the handler's future is dropped wherever it stands,
//! and neither a command nor a connection of the database is lost by it.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::stream::Scope;
use futures_util::future::join_all;
use rstest::rstest;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::database::postgres::forgotten;
use crate::screens::{House, Staff, entities, eventually};
use crate::support::Engine::{self, Postgres, Sqlite};
use crate::support::sized;

fn order(item: uuid::Uuid, name: &str) -> Value {
    json!({
        "channel": "counter",
        "lines": [{ "menuId": item, "quantity": 1 }],
        "note": name,
    })
}

/// Sends a request whole and is gone after so many µs, with a reset.
async fn ask_and_leave(house: &House, head: &str, key: &str, body: &str, after: u64) {
    let mut socket = TcpStream::connect(house.addr).await.unwrap();
    let request = format!(
        "{head} HTTP/1.1\r\nhost: x\r\ncookie: {}\r\nidempotency-key: {key}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        house.owner.cookie(),
        body.len()
    );
    socket.write_all(request.as_bytes()).await.unwrap();
    tokio::time::sleep(Duration::from_micros(after)).await;
    let socket = socket2::SockRef::from(&socket);
    socket.set_linger(Some(Duration::ZERO)).unwrap();
}

/// A command, and what is only read, each left at another moment.
async fn leave(house: &House, item: uuid::Uuid, n: usize) {
    let below = format!("/api/pos/{}", house.owner.store);
    let after = u64::try_from(n).unwrap() * 131 % 12_000;
    let name = n.to_string();
    let post = format!("POST {below}/hall/orders");
    let body = order(item, &name).to_string();
    let looks = [
        "/hall/orders",
        "/menu",
        "/notifications/ticket",
        "/notifications/changes?since=0:0",
    ];
    let look = format!("GET {below}{}", looks[n % looks.len()]);
    tokio::join!(
        ask_and_leave(house, &post, &name, &body, after),
        ask_and_leave(house, &look, &name, "", after / 2),
    );
}

async fn press(owner: &Staff, item: uuid::Uuid, n: usize) -> u16 {
    let name = n.to_string();
    let reply = owner.post("/hall/orders", &name, &order(item, &name)).await;
    reply.unwrap().status
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_leave_before_the_answer_lose_no_command_and_no_connection(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine, |_| {}).await;
    let item = house.owner.plain_item().await;
    let before = orders(&house).await.len();
    let count = sized(160, 2_000);
    for first in (0..count).step_by(16) {
        join_all((first..first + 16).map(|n| leave(&house, item, n))).await;
    }
    // Each press again: it is answered as it was carried out, or carried out.
    for first in (0..count).step_by(32) {
        let again = (first..count.min(first + 32)).map(|n| press(&house.owner, item, n));
        assert!(join_all(again).await.iter().all(|status| *status == 201));
    }
    let orders = orders(&house).await;
    assert_eq!(orders.len(), before + count);
    assert!(orders.values().all(|times| *times == 1), "{orders:?}");
    let looks = (0..64).map(|_| house.owner.get(Scope::HallOrders.path()));
    for look in join_all(looks).await {
        assert_eq!(look.unwrap().status, 200);
    }
    if engine == Postgres {
        let db = &house.app.db;
        eventually("nothing is left begun", async || forgotten(db).await == 0).await;
    }
}

/// How often there is an order of each name.
async fn orders(house: &House) -> BTreeMap<String, usize> {
    let reply = house.owner.get(Scope::HallOrders.path()).await.unwrap();
    let mut times = BTreeMap::new();
    for order in entities(&reply).orders {
        *times.entry(order.note.clone()).or_default() += 1;
    }
    times
}

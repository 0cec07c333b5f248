//! Answers that were lost on the way.

use rstest::rstest;
use std::time::Duration;

use serde_json::json;
use uuid::Uuid;

use super::{Phone, open_on, rice, text};
use crate::commands::{House, invalid, refused};
use crate::network::proxy::{Line, Proxy};
use crate::screens::eventually;
use crate::support::Engine::{self, Postgres, Sqlite};

const ROUNDS: usize = 20;

/// Trial C40, for guests: the server has the order, its answer is lost, and the page, loaded
/// again, sends it with the key it kept.
#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_whose_answer_was_lost_is_there_once_after_the_page_sent_it_again(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let phone = Phone::at(&house, "a1").await;
    let mut placed = Vec::new();
    for round in 0..ROUNDS {
        let proxy = Proxy::before(house.server.addr).await;
        let (through, key) = (phone.through(proxy.addr), Uuid::now_v7().to_string());
        let body = rice(&house, 1).await;
        proxy.set(Line::AnswersSwallowed);
        let asks = {
            let (key, body) = (key.clone(), body.clone());
            tokio::spawn(async move {
                let request = through.request(reqwest::Method::POST, "/orders");
                request
                    .header("idempotency-key", key)
                    .json(&body)
                    .send()
                    .await
            })
        };
        eventually("the order is there", async || {
            phone.sees().await.len() > round
        })
        .await;
        proxy.set(Line::Cut);
        let lost = tokio::time::timeout(Duration::from_secs(10), asks).await;
        assert!(lost.unwrap().unwrap().is_err());

        let page_loaded_again = phone.through(house.server.addr);
        let again = page_loaded_again.post_keyed("/orders", &key, body).await;
        assert_eq!(again.status, 201, "{}", again.text);
        placed.push(text(&again.json()["orders"][0]["id"]));
        assert_eq!(phone.sees().await, placed, "round {round}");
    }
    let queue = house.get("/payments").await.json();
    assert_eq!(queue["orders"].as_array().unwrap().len(), ROUNDS);
}

#[rstest]
#[tokio::test]
async fn the_answer_is_remembered_across_a_restart(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = open_on(engine).await;
    let phone = Phone::at(&house, "a1").await;
    let body = rice(&house, 1).await;
    let first = phone.post_keyed("/orders", "k", body.clone()).await;
    let clock = house.clock.clone();
    let house = House::of(house.server.restart().await, clock).await;
    let phone = phone.through(house.server.addr);
    let again = phone.post_keyed("/orders", "k", body).await;
    assert_eq!((again.status, &again.text), (201, &first.text));
    let mark = "x-pos-stream-watermark";
    assert_eq!(again.header(mark), first.header(mark));
    assert_eq!(phone.sees().await.len(), 1);
}

#[rstest]
#[tokio::test]
async fn keys_are_the_partys_and_mean_one_thing(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = open_on(engine).await;
    let (first, second) = (Phone::at(&house, "a1").await, Phone::at(&house, "a1").await);
    let other = Phone::at(&house, "a2").await;
    let body = rice(&house, 1).await;
    assert_eq!(
        first.post_keyed("/orders", "k", body.clone()).await.status,
        201
    );
    let reused = second
        .post_keyed("/orders", "k", rice(&house, 2).await)
        .await;
    assert_eq!(refused(&reused), invalid("IDEMPOTENCY_KEY_REUSED"));
    let call = second
        .post_keyed("/calls", "k", json!({ "reason": "water" }))
        .await;
    assert_eq!(refused(&call), invalid("IDEMPOTENCY_KEY_REUSED"));
    assert_eq!(other.post_keyed("/orders", "k", body).await.status, 201);
    assert_eq!((first.sees().await.len(), other.sees().await.len()), (1, 1));
}

/// The answer was lost, and before the phone asked again staff joined the tables, or they parted.
#[rstest]
#[tokio::test]
async fn a_press_is_known_again_after_its_party_was_joined_or_parted(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let (host, guest) = (Phone::at(&house, "a1").await, Phone::at(&house, "a2").await);
    host.orders(&house, 1).await;
    let body = rice(&house, 2).await;
    let first = guest.post_keyed("/orders", "lost", body.clone()).await;
    assert_eq!(first.status, 201);
    let (a1, a2) = (house.table_id("A-1").await, house.table_id("A-2").await);
    house
        .done(&format!("/tables/{a1}/join"), json!({ "tableIds": [a2] }))
        .await;
    let again = guest.post_keyed("/orders", "lost", body.clone()).await;
    assert_eq!((again.status, &again.text), (201, &first.text));
    house.done(&format!("/tables/{a1}/unjoin"), json!({})).await;
    let again = guest.post_keyed("/orders", "lost", body).await;
    assert_eq!((again.status, &again.text), (201, &first.text));
    assert_eq!(guest.sees().await.len(), 1);
}

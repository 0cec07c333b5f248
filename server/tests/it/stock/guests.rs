//! Carts of phones.

use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Larder, counts, rid};
use crate::commands::{conflict, refused};
use crate::guest::Phone;
use crate::support::Answer;
use crate::support::Engine::{self, Postgres, Sqlite};

async fn batch(phone: &Phone, lines: Vec<Value>) -> Answer {
    let request = phone.request(Method::POST, "/reservations/batch");
    phone
        .client
        .send(request.json(&json!({ "lines": lines })))
        .await
}

#[rstest]
#[tokio::test]
async fn two_phones_of_one_party_are_two_carts(#[values(Sqlite, Postgres)] engine: Engine) {
    let larder = Larder::on(engine, &[('A', 5)]).await;
    let one = Phone::at(&larder.house, "a1").await;
    let other = Phone::at(&larder.house, "a1").await;
    let first = batch(&one, larder.lines(&[('A', 1)])).await;
    let second = batch(&other, larder.lines(&[('A', 1)])).await;
    assert_eq!((first.status, second.status), (201, 201), "{}", second.text);
    let again = batch(&one, larder.lines(&[('A', 1)])).await;
    assert_eq!((again.status, rid(&again)), (200, rid(&first)));
    assert_eq!(larder.counts('A').await, counts(5, 2));
    // Neither sees or ends the other's.
    let own = format!("/reservations/{}", rid(&first));
    assert_eq!(one.get(&own).await.json()["status"], "held");
    assert_eq!(other.get(&own).await.status, 404);
    assert_eq!(
        other
            .post(&format!("{own}/release"), json!({}))
            .await
            .status,
        404
    );
    let request = other
        .request(Method::PATCH, &own)
        .json(&json!({ "extend": true }));
    let key = Uuid::now_v7().to_string();
    let foreign = other
        .client
        .send(request.header("idempotency-key", key))
        .await;
    assert_eq!(foreign.status, 404);
    let released = one.post(&format!("{own}/release"), json!({})).await;
    assert_eq!(released.json()["reason"], "cancelled");
    assert_eq!(larder.counts('A').await, counts(5, 1));
    let held = larder.house.get("/reservations").await.json();
    assert_eq!(held["reservations"][0]["holder"], "A-1");
}

#[rstest]
#[tokio::test]
async fn guests_are_told_what_is_left_up_to_nine(#[values(Sqlite, Postgres)] engine: Engine) {
    let larder = Larder::on(engine, &[('A', 30)]).await;
    let phone = Phone::at(&larder.house, "a1").await;
    let refusal = batch(&phone, larder.lines(&[('A', 40)])).await;
    assert_eq!(refused(&refusal), conflict("INSUFFICIENT_STOCK"));
    let short = &refusal.json()["lines"][0];
    assert_eq!(
        (&short["available"], &short["shortBy"]),
        (&json!(9), &json!(31))
    );
    assert!(refusal.json().get("stock").is_none());
    let ordered = phone
        .post("/orders", json!({ "lines": larder.lines(&[('A', 40)]) }))
        .await;
    assert_eq!(refused(&ordered), conflict("INSUFFICIENT_STOCK"));
    assert_eq!(ordered.json()["lines"][0]["available"], 9);
    let staff = larder.try_hold(&[('A', 40)]).await;
    assert_eq!(staff.json()["lines"][0]["available"], 30);
}

#[rstest]
#[tokio::test]
async fn an_order_adopts_the_hold_of_its_phone(#[values(Sqlite, Postgres)] engine: Engine) {
    let larder = Larder::on(engine, &[('A', 5)]).await;
    let phone = Phone::at(&larder.house, "a1").await;
    let hold = rid(&batch(&phone, larder.lines(&[('A', 2), ('A', 1)])).await);
    let body = json!({ "lines": larder.lines(&[('A', 3)]), "rid": hold });
    let other = Phone::at(&larder.house, "a2").await;
    assert_eq!(other.post("/orders", body.clone()).await.status, 404);
    let placed = phone.post("/orders", body).await;
    assert_eq!(placed.status, 201, "{}", placed.text);
    assert_eq!(larder.counts('A').await, counts(5, 3), "not held twice");
    let order = larder.house.get("/payments").await.json()["orders"][0].clone();
    assert_eq!(order["rid"], json!(hold));
    larder.house.confirm(&order).await;
    assert_eq!(larder.counts('A').await, counts(2, 0));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn guests_who_have_left_hold_nothing(#[values(Sqlite, Postgres)] engine: Engine) {
    let larder = Larder::on(engine, &[('A', 5)]).await;
    let phone = Phone::at(&larder.house, "a1").await;
    let other = Phone::at(&larder.house, "a2").await;
    batch(&phone, larder.lines(&[('A', 2)])).await;
    batch(&other, larder.lines(&[('A', 1)])).await;
    crate::guest::clear(&larder.house, "A-1").await;
    assert_eq!(larder.counts('A').await, counts(5, 1));
    larder.assert_sound().await;
}

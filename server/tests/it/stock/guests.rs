//! Carts of phones.

use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Larder, counts, rid};
use crate::commands::{conflict, refused};
use crate::guest::{Phone, find};
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

#[rstest]
#[tokio::test]
async fn what_is_left_is_on_the_page_and_follows_live(#[values(Sqlite, Postgres)] engine: Engine) {
    let larder = Larder::on(engine, &[('A', 30), ('B', 4)]).await;
    let phone = Phone::at(&larder.house, "a1").await;
    let row = |name: char| larder.rows[&name].1.to_string();
    let left = |list: &Value, id: &str| {
        let rows = list.as_array().unwrap();
        let found = rows.iter().find(|row| row["id"] == id).unwrap();
        let fields: Vec<_> = found.as_object().unwrap().keys().cloned().collect();
        assert_eq!(fields, ["available", "id", "version"], "nothing else");
        found["available"].as_i64().unwrap()
    };
    let page = phone.page().await;
    assert_eq!(left(&page["stock"], &row('A')), 9, "as many or more");
    assert_eq!(left(&page["stock"], &row('B')), 4);
    let mut hears = phone.stream().await;
    // Somebody else takes the last ones, and one comes back.
    let hold = larder.hold(&[('B', 4)]).await;
    let frame = find(&mut hears, "STOCK_CHANGED").await;
    assert_eq!(frame.data["payload"], phone_row(&phone, &row('B')).await);
    assert_eq!(frame.data["payload"]["available"], 0);
    larder.finalize(&hold, false).await;
    let frame = find(&mut hears, "STOCK_CHANGED").await;
    assert_eq!(frame.data["payload"]["available"], 4);
    // The answer to its own order says so too, in the guests' view.
    let body = json!({ "lines": larder.lines(&[('A', 22), ('B', 1)]) });
    let placed = phone.post("/orders", body).await;
    assert_eq!(placed.status, 201, "{}", placed.text);
    let stock = &placed.json()["stock"];
    assert_eq!((left(stock, &row('A')), left(stock, &row('B'))), (8, 3));
}

/// The stock row of that id on the phone's page.
async fn phone_row(phone: &Phone, id: &str) -> Value {
    let page = phone.page().await;
    let rows = page["stock"].as_array().unwrap();
    rows.iter().find(|row| row["id"] == id).unwrap().clone()
}

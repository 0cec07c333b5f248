//! Calls: counted up while open, and not too often.

use rstest::rstest;
use serde_json::{Value, json};

use super::{Phone, open_on, text};
use crate::commands::{House, id, invalid, refused};
use crate::support::Answer;
use crate::support::Engine::{self, Postgres, Sqlite};

async fn water(phone: &Phone) -> Answer {
    phone.post("/calls", json!({ "reason": "water" })).await
}

async fn open_calls(house: &House) -> Vec<Value> {
    let calls = house.get("/calls").await.json();
    calls["calls"].as_array().unwrap().clone()
}

#[rstest]
#[tokio::test]
async fn the_same_again_is_refused_for_half_a_minute_and_then_counts_up(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let (first, second) = (Phone::at(&house, "a1").await, Phone::at(&house, "a1").await);
    let before = house.seq().await;
    let called = water(&first).await;
    assert_eq!(called.status, 200);
    let call = called.json()["calls"][0].clone();
    assert_eq!(
        (&call["count"], &call["state"]),
        (&json!(1), &json!("requested"))
    );
    assert_eq!(house.events_after(before).await, ["CUSTOMER_CALL"]);

    house.clock.advance(12_500);
    // Whichever phone of the party asks.
    let soon = water(&second).await;
    assert_eq!(refused(&soon), (429, "CALL_COOLDOWN".to_owned()));
    assert_eq!(soon.header("retry-after"), "18");
    assert_eq!(soon.json()["calls"], json!([call]));
    house.clock.advance(17_499);
    assert_eq!(water(&first).await.header("retry-after"), "1");

    house.clock.advance(1);
    let again = water(&second).await.json()["calls"][0].clone();
    assert_eq!((&again["id"], &again["count"]), (&call["id"], &json!(2)));
    assert_eq!(open_calls(&house).await.len(), 1);
    // From the last press on.
    house.clock.advance(29_999);
    assert_eq!(water(&first).await.status, 429);
    assert_eq!(house.events_after(before).await.len(), 2);
}

#[rstest]
#[tokio::test]
async fn another_reason_and_another_party_wait_for_nobody(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let (phone, other) = (Phone::at(&house, "a1").await, Phone::at(&house, "a2").await);
    for reason in ["water", "staff", "sidePlate", "bill"] {
        let body = json!({ "reason": reason });
        assert_eq!(phone.post("/calls", body).await.status, 200, "{reason}");
    }
    assert_eq!(water(&other).await.status, 200);
    assert_eq!(open_calls(&house).await.len(), 5);
    assert_eq!(other.page().await["calls"].as_array().unwrap().len(), 1);
    let unknown = phone.post("/calls", json!({ "reason": "song" })).await;
    assert_eq!(refused(&unknown), invalid("VALIDATION"));
}

#[rstest]
#[tokio::test]
async fn a_call_that_is_done_leaves_the_page_and_the_next_is_a_new_one(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let phone = Phone::at(&house, "a1").await;
    let call = text(&water(&phone).await.json()["calls"][0]["id"]);
    house
        .done(&format!("/calls/{call}/accept"), json!({}))
        .await;
    assert_eq!(phone.page().await["calls"][0]["state"], "accepted");
    house.done(&format!("/calls/{call}/done"), json!({})).await;
    assert_eq!(phone.page().await["calls"], json!([]));
    assert_eq!(water(&phone).await.status, 429, "done or not");
    house.clock.advance(30_000);
    let next = water(&phone).await.json()["calls"][0].clone();
    assert_ne!(next["id"], call);
    assert_eq!(next["count"], 1);
}

#[rstest]
#[tokio::test]
async fn a_press_that_is_sent_again_is_answered_again_and_not_counted(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let phone = Phone::at(&house, "a1").await;
    let body = json!({ "reason": "bill" });
    let first = phone.post_keyed("/calls", "press", body.clone()).await;
    let again = phone.post_keyed("/calls", "press", body.clone()).await;
    assert_eq!((again.status, &again.text), (200, &first.text));
    assert_eq!(open_calls(&house).await[0]["count"], 1);
    // A refusal of the moment is not remembered.
    let soon = phone.post_keyed("/calls", "soon", body.clone()).await;
    assert_eq!(soon.status, 429);
    house.clock.advance(30_000);
    let later = phone.post_keyed("/calls", "soon", body).await;
    assert_eq!(later.json()["calls"][0]["count"], 2);
}

#[rstest]
#[tokio::test]
async fn a_call_follows_its_guests_to_another_table(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = open_on(engine).await;
    let phone = Phone::at(&house, "a1").await;
    water(&phone).await;
    let transfer = format!("/tables/{}/transfer", house.table_id("A-1").await);
    let to = house.table_id("B-1").await;
    house.done(&transfer, json!({ "toTableId": to })).await;
    house.clock.advance(30_000);
    let again = water(&phone).await.json()["calls"][0].clone();
    assert_eq!(again["count"], 2);
    let open = open_calls(&house).await;
    assert_eq!(
        (open.len(), id(&open[0]), text(&open[0]["tableId"])),
        (1, id(&again), to)
    );
}

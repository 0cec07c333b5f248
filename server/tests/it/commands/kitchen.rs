//! The kitchen and the serving hatch.

use rstest::rstest;
use serde_json::json;

use super::{House, conflict, id, refused};
use crate::support::Engine::{self, Postgres, Sqlite};

#[rstest]
#[tokio::test]
async fn a_ticket_goes_from_waiting_to_served_with_an_event_for_each_step(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine).await;
    let order = house.order("A-1", 1).await;
    house.confirm(&order).await;
    let path = format!("/kitchen/orders/{}/advance", id(&order));
    let too_early = house.post(&path, json!({ "to": "cooked" })).await;
    assert_eq!(refused(&too_early), conflict("INVALID_TRANSITION"));
    let before = house.seq().await;
    house.done(&path, json!({ "to": "cooking" })).await;
    let again = house.done(&path, json!({ "to": "cooking" })).await;
    assert_eq!(
        again["orders"][0]["version"], 3,
        "the same again changes nothing"
    );
    house.done(&path, json!({ "to": "cooked" })).await;
    assert_eq!(
        house.get("/servings").await.json()["orders"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let serve = format!("/servings/{}/serve", id(&order));
    house.done(&serve, json!({})).await;
    house.done(&serve, json!({})).await;
    assert_eq!(
        house.events_after(before).await,
        [
            "KITCHEN_PROGRESS",
            "KITCHEN_PROGRESS",
            "HALL_SERVE",
            "HALL_SERVE"
        ]
    );
    assert_eq!(
        house.get("/kitchen/orders").await.json()["orders"],
        json!([])
    );
    let recent = house.get("/kitchen/recent").await.json();
    assert_eq!(recent["orders"][0]["id"], order["id"]);
    // Half an hour later it is no longer offered.
    house.clock.advance(31 * 60_000);
    assert_eq!(
        house.get("/kitchen/recent").await.json()["orders"],
        json!([])
    );
}

#[rstest]
#[tokio::test]
async fn a_recall_puts_the_earlier_clock_back(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::on(engine).await;
    let order = house.order("A-1", 1).await;
    house.confirm(&order).await;
    let advance = format!("/kitchen/orders/{}/advance", id(&order));
    let recall = format!("/kitchen/orders/{}/recall", id(&order));
    house.clock.advance(60_000);
    let cooking = house.done(&advance, json!({ "to": "cooking" })).await;
    let since = cooking["orders"][0]["lines"][0]["stateSince"].clone();
    house.clock.advance(60_000);
    house.done(&advance, json!({ "to": "cooked" })).await;
    house
        .done(&format!("/servings/{}/serve", id(&order)), json!({}))
        .await;
    let before = house.seq().await;
    let back = house.done(&recall, json!({})).await;
    assert_eq!(back["orders"][0]["lines"][0]["kitchenState"], "cooked");
    let back = house.done(&recall, json!({})).await;
    let line = &back["orders"][0]["lines"][0];
    assert_eq!(
        (line["kitchenState"].as_str(), &line["stateSince"]),
        (Some("cooking"), &since)
    );
    assert!(line["recalledAt"].is_i64());
    assert_eq!(
        house.events_after(before).await,
        ["HALL_SERVE", "KITCHEN_PROGRESS"]
    );
    house.done(&recall, json!({})).await;
    assert_eq!(
        refused(&house.post(&recall, json!({})).await),
        conflict("INVALID_TRANSITION")
    );
}

#[rstest]
#[tokio::test]
async fn priority_and_lines_one_by_one(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::on(engine).await;
    let order = house.order("A-1", 1).await;
    let path = format!("/kitchen/orders/{}", id(&order));
    let line = json!([order["lines"][0]["id"]]);
    let body = json!({ "to": "cooking", "lineIds": line });
    let unfired = house.post(&format!("{path}/advance"), body.clone()).await;
    assert_eq!(refused(&unfired), conflict("INVALID_TRANSITION"));
    house.confirm(&order).await;
    let first = house
        .done(&format!("{path}/priority"), json!({ "priority": true }))
        .await;
    assert_eq!(first["orders"][0]["priority"], true);
    let moved = house.done(&format!("{path}/advance"), body).await;
    assert_eq!(moved["orders"][0]["lines"][0]["kitchenState"], "cooking");
    let stray = json!({ "to": "cooked", "lineIds": [uuid::Uuid::now_v7()] });
    assert_eq!(
        house.post(&format!("{path}/advance"), stray).await.status,
        404
    );
    let ack = json!({ "lineIds": line });
    let not_void = house.post(&format!("{path}/voids/ack"), ack).await;
    assert_eq!(refused(&not_void), conflict("INVALID_TRANSITION"));
}

#[rstest]
#[tokio::test]
async fn sold_out_and_back_is_an_event_each_time_it_changes(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine).await;
    let item = house.item(super::RICE).await;
    let path = format!("/menu/{}/sold-out", id(&item));
    let before = house.seq().await;
    let kitchen = house.login("kitchen", "5000").await;
    let answer = kitchen
        .post(&format!("{}{path}", house.path), json!({ "soldOut": true }))
        .await;
    assert_eq!(answer.json()["items"][0]["soldOut"], true);
    house.done(&path, json!({ "soldOut": true })).await;
    house.done(&path, json!({ "soldOut": false })).await;
    assert_eq!(
        house.events_after(before).await,
        ["KITCHEN_MENU_CHANGED", "KITCHEN_MENU_CHANGED"]
    );
    let stray = json!({ "soldOut": true, "optionId": uuid::Uuid::now_v7() });
    let answer = house.post(&path, stray).await;
    assert_eq!(refused(&answer), super::invalid("OPTION_NOT_IN_ITEM"));
}

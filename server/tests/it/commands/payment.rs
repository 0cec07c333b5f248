//! Payment, rejection, notes, voids.

use rstest::rstest;
use serde_json::json;

use super::{House, RICE, conflict, id, invalid, refused};
use crate::support::Engine::{self, Postgres, Sqlite};

#[rstest]
#[tokio::test]
async fn confirming_fires_every_line_and_says_so_in_two_events(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine).await;
    let order = house.order("A-1", 2).await;
    let before = house.seq().await;
    let paid = house.confirm(&order).await;
    assert_eq!(
        (paid["checkoutStage"].as_str(), paid["tender"].as_str()),
        (Some("confirmed"), Some("card"))
    );
    assert_eq!(paid["lines"][0]["firedAt"], paid["confirmedAt"]);
    assert_eq!(paid["version"], 2);
    assert_eq!(
        house.events_after(before).await,
        ["HALL_PAYMENT_RESOLVED", "KITCHEN_COOK"]
    );
    // The same again is harmless; by another means it is not the same.
    let path = format!("/hall/orders/{}/confirm", id(&order));
    let again = house.post(&path, json!({ "tender": "card" })).await;
    assert_eq!(
        (again.status, again.json()["orders"][0]["version"].clone()),
        (200, json!(2))
    );
    let other = house.post(&path, json!({ "tender": "cash" })).await;
    assert_eq!(refused(&other), conflict("INVALID_TRANSITION"));
    assert_eq!(
        other.json()["orders"][0]["id"],
        order["id"],
        "with the order as it is"
    );
    assert!(other.header("x-pos-stream-watermark").contains(':'));
    let odd = house.post(&path, json!({ "tender": "cheque" })).await;
    assert_eq!(refused(&odd), invalid("VALIDATION"));
    assert_eq!(house.events_after(before).await.len(), 2);
    let today = house.get("/reports/today").await.json();
    assert_eq!(today["sales"], json!({ "orders": 1, "total": 2_000 }));
    assert_eq!(
        today["byTender"]["card"],
        json!({ "orders": 1, "total": 2_000 })
    );
    assert_eq!(today["businessDay"], "2026-03-01");
    assert_eq!(
        house.get("/refunds/due").await.json(),
        json!({ "refunds": [] })
    );
}

#[rstest]
#[tokio::test]
async fn an_unpaid_order_is_rejected_with_a_reason_and_a_paid_one_is_not(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine).await;
    let order = house.order("A-1", 1).await;
    let path = format!("/hall/orders/{}/reject", id(&order));
    for bad in ["", "  ", &"이".repeat(121)] {
        let answer = house.post(&path, json!({ "reason": bad })).await;
        assert_eq!(refused(&answer), invalid("VALIDATION"), "{bad:?}");
    }
    let before = house.seq().await;
    let rejected = house.done(&path, json!({ "reason": "재료 소진" })).await;
    assert_eq!(rejected["orders"][0]["rejectReason"], "재료 소진");
    assert_eq!(house.events_after(before).await, ["HALL_PAYMENT_RESOLVED"]);
    assert_eq!(house.get("/payments").await.json()["orders"], json!([]));
    let paid = house.order("A-2", 1).await;
    house.confirm(&paid).await;
    let path = format!("/hall/orders/{}/reject", id(&paid));
    let answer = house.post(&path, json!({ "reason": "재료 소진" })).await;
    assert_eq!(refused(&answer), conflict("INVALID_TRANSITION"));
}

#[rstest]
#[tokio::test]
async fn notes_change_in_place_and_the_line_is_flagged(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::on(engine).await;
    let order = house.order("A-1", 1).await;
    let path = format!("/hall/orders/{}", id(&order));
    let noted = house
        .done(&format!("{path}/note"), json!({ "note": "창가" }))
        .await;
    assert_eq!(noted["orders"][0]["note"], "창가");
    let line = id(&order["lines"][0]).to_owned();
    let noted = house
        .done(
            &format!("{path}/lines/{line}/note"),
            json!({ "note": "덜 맵게" }),
        )
        .await;
    let changed = &noted["orders"][0]["lines"][0];
    assert_eq!(
        (id(changed), changed["note"].as_str()),
        (line.as_str(), Some("덜 맵게"))
    );
    assert!(changed["noteChangedAt"].is_i64());
    let long = house
        .post(&format!("{path}/note"), json!({ "note": "가".repeat(501) }))
        .await;
    assert_eq!(refused(&long), invalid("VALIDATION"));
    let stray = format!("{path}/lines/{}/note", uuid::Uuid::now_v7());
    assert_eq!(house.post(&stray, json!({ "note": "" })).await.status, 404);
}

// Trial C47.
#[rstest]
#[tokio::test]
async fn the_kitchen_sees_part_of_a_line_voided_and_another_added(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine).await;
    let order = house.order("A-1", 2).await;
    let line = id(&order["lines"][0]).to_owned();
    house.confirm(&order).await;
    let void = format!("/hall/orders/{}/lines/{line}/void", id(&order));
    // Fired: only a manager voids it.
    let hall = house.login("hall", "3000").await;
    let path = format!("{}{void}", house.path);
    let refusal = hall
        .post(&path, json!({ "reason": "변심", "quantity": 1 }))
        .await;
    assert_eq!(refused(&refusal), (403, "FORBIDDEN".to_owned()));
    let three = house
        .post(&void, json!({ "reason": "변심", "quantity": 3 }))
        .await;
    assert_eq!(refused(&three), invalid("VALIDATION"));

    let before = house.seq().await;
    let voided = house
        .done(&void, json!({ "reason": "변심", "quantity": 1 }))
        .await;
    let lines = voided["orders"][0]["lines"].as_array().unwrap().clone();
    assert_eq!(
        (lines[0]["quantity"].clone(), lines[0]["amount"].clone()),
        (json!(1), json!(1_000))
    );
    assert_eq!(
        (lines[1]["quantity"].clone(), lines[1]["amount"].clone()),
        (json!(1), json!(0))
    );
    assert_eq!(lines[1]["voided"]["reason"], "변심");
    assert_eq!(voided["orders"][0]["total"], 1_000);
    assert_eq!(house.events_after(before).await, ["ORDER_CHANGED"]);

    // The rest is voided too: the ticket stays until the kitchen has seen it.
    house.done(&void, json!({ "reason": "변심" })).await;
    let kitchen = house.get("/kitchen/orders").await.json();
    assert_eq!(kitchen["orders"].as_array().unwrap().len(), 1);
    let ids: Vec<_> = kitchen["orders"][0]["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|l| l["id"].clone())
        .collect();
    let ack = format!("/kitchen/orders/{}/voids/ack", id(&order));
    house.done(&ack, json!({ "lineIds": ids })).await;
    assert_eq!(
        house.get("/kitchen/orders").await.json()["orders"],
        json!([])
    );
}

#[rstest]
#[tokio::test]
async fn voiding_all_of_an_unpaid_order_rejects_it_so_the_table_can_be_cleared(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine).await;
    let order = house.order("A-1", 1).await;
    let clear = format!("/tables/{}/clear", house.table_id("A-1").await);
    let unpaid = house.post(&clear, json!({})).await;
    assert_eq!(refused(&unpaid), conflict("UNPAID_ORDERS"));
    assert_eq!(unpaid.json()["orders"][0]["id"], order["id"]);
    let line = id(&order["lines"][0]).to_owned();
    let hall = house.login("hall", "3000").await;
    let void = format!(
        "{}/hall/orders/{}/lines/{line}/void",
        house.path,
        id(&order)
    );
    let answer = hall.post(&void, json!({ "reason": "변심" })).await;
    assert_eq!(answer.json()["orders"][0]["checkoutStage"], "rejected");
    house.done(&clear, json!({})).await;
}

// Trial C41, one after the other; at the same instant in `screens`.
#[rstest]
#[tokio::test]
async fn two_waiters_add_to_one_table_and_both_succeed(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::on(engine).await;
    let order = house.order("B-1", 1).await;
    let (rice, cola) = (
        house.item(RICE).await["id"].clone(),
        house.item("118").await["id"].clone(),
    );
    let path = format!("/hall/orders/{}/lines", id(&order));
    house
        .done(
            &path,
            json!({ "lines": [{ "menuId": cola, "quantity": 2 }] }),
        )
        .await;
    let last = house
        .done(
            &path,
            json!({ "lines": [{ "menuId": rice, "quantity": 3 }] }),
        )
        .await;
    let quantities: Vec<_> = last["orders"][0]["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|l| l["quantity"].clone())
        .collect();
    assert_eq!(quantities, [json!(1), json!(2), json!(3)]);
}

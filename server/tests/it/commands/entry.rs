//! Placing orders and adding to them.

use rstest::rstest;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{House, RICE, STEW, conflict, id, invalid, refused, seq};
use crate::support::Engine::{self, Postgres, Sqlite};

async fn place(house: &House, lines: Value) -> crate::support::Answer {
    let body = json!({ "tableId": house.table_id("A-1").await, "channel": "hall", "lines": lines });
    house.post("/hall/orders", body).await
}

#[rstest]
#[tokio::test]
async fn an_order_copies_names_options_and_prices_and_waits_for_payment(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine).await;
    let stew = house.item(STEW).await;
    let hot = stew["optionGroups"][0]["options"][2].clone();
    let rice = stew["optionGroups"][1]["options"][0].clone();
    let before = house.seq().await;
    let note = "땅콩 빼고\r\n포장 따로\n🍲 두 개";
    let answer = place(
        &house,
        json!([{ "menuId": stew["id"], "quantity": 2, "optionIds": [rice["id"], hot["id"]],
            "note": note, "allergy": "땅콩" }]),
    )
    .await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    let order = &answer.json()["orders"][0];
    assert_eq!(order["number"], 1);
    assert_eq!(order["checkoutStage"], "awaitingPayment");
    assert_eq!(order["paymentDue"], true);
    assert_eq!(order["tableLabel"], "A-1");
    assert_eq!(order["total"], (9_900 + 1_000) * 2);
    let line = &order["lines"][0];
    assert_eq!(line["unitPrice"], 9_900);
    assert_eq!(
        line["note"], note,
        "a note keeps every character (trial C10)"
    );
    assert_eq!(
        line["options"][0]["name"]["ko"], "매운맛",
        "options stand in the menu's order"
    );
    assert_eq!(line["options"][1]["priceDelta"], 1_000);
    assert!(line.get("firedAt").is_none());
    // A free table is seated with the order.
    assert_eq!(answer.json()["tables"][0]["state"], "seated");
    assert_eq!(
        house.events_after(before).await,
        ["TABLE_CHANGED", "HALL_PAYMENT"]
    );
    assert_eq!(seq(&answer), before + 2);
}

// Trials C58, C59.
#[rstest]
#[case(json!(0))]
#[case(json!(-3))]
#[case(json!(1.5))]
#[case(json!("2"))]
#[case(Value::Null)]
#[case(json!(1000))]
#[case(json!(4_294_967_296_i64))]
#[case(json!(i64::MAX))]
#[case(json!(1e3))]
#[tokio::test]
async fn an_odd_quantity_is_refused_and_its_line_named(#[case] quantity: Value) {
    let house = House::open().await;
    let rice = house.item(RICE).await["id"].clone();
    let lines =
        json!([{ "menuId": rice, "quantity": 2 }, { "menuId": rice, "quantity": quantity }]);
    let answer = place(&house, lines).await;
    assert_eq!(refused(&answer), invalid("VALIDATION"), "{}", answer.text);
    assert_eq!(answer.json()["errors"][0]["field"], "lines[1].quantity");
    assert_eq!(
        house.table("A-1").await["state"],
        "free",
        "nothing is half done"
    );
}

#[rstest]
#[tokio::test]
async fn lines_are_one_to_a_hundred_and_notes_at_most_500_characters(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine).await;
    let rice = house.item(RICE).await["id"].clone();
    let line = json!({ "menuId": rice, "quantity": 1 });
    assert_eq!(
        refused(&place(&house, json!([])).await),
        invalid("VALIDATION")
    );
    let many = vec![line.clone(); 101];
    assert_eq!(
        refused(&place(&house, json!(many)).await),
        invalid("VALIDATION")
    );
    assert_eq!(place(&house, json!(vec![line; 100])).await.status, 201);
    let note = |n: usize| json!([{ "menuId": rice, "quantity": 1, "note": "가".repeat(n) }]);
    assert_eq!(place(&house, note(500)).await.status, 201);
    let over = place(&house, note(501)).await;
    assert_eq!(refused(&over), invalid("VALIDATION"));
    assert_eq!(over.json()["errors"][0]["field"], "lines[0].note");
}

// Trial C11: the order request has the limit, so that the relay never sticks.
#[rstest]
#[tokio::test]
async fn a_huge_order_is_refused_and_the_largest_allowed_one_arrives(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine).await;
    let rice = house.item(RICE).await["id"].clone();
    let line = |note: &str| json!({ "menuId": rice, "quantity": 1, "note": note });
    let huge = vec![line(&"가".repeat(500)); 400];
    let answer = place(&house, json!(huge)).await;
    assert_eq!(
        (answer.status, answer.code()),
        (413, "BODY_TOO_LARGE".to_owned())
    );
    // 40 lines of 500 characters: under the body's limit, over the event's.
    let before = house.seq().await;
    let large = place(&house, json!(vec![line(&"가".repeat(500)); 40])).await;
    assert_eq!(large.status, 201);
    for _ in 0..3 {
        assert_eq!(place(&house, json!([line("")])).await.status, 201);
    }
    assert_eq!(house.events_after(before).await.len(), 5);
    let mut tx = house.server.app.db.read().await.unwrap();
    let store = house.path.rsplit('/').next().unwrap().parse().unwrap();
    let rows = server::store::outbox::outbox_between(&mut tx, store, before + 1, before + 2, 9);
    let payload: Value = serde_json::from_str(&rows.await.unwrap()[0].payload).unwrap();
    let thin = json!({ "id": large.json()["orders"][0]["id"], "version": 1, "fetch": true });
    assert_eq!(payload, thin);
}

#[rstest]
#[tokio::test]
async fn what_is_not_on_the_menu_or_sold_out_is_refused_by_name(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine).await;
    let stew = house.item(STEW).await;
    let rice = house.item(RICE).await;
    let hot = stew["optionGroups"][0]["options"][2]["id"].clone();
    let unknown = place(&house, json!([{ "menuId": Uuid::now_v7(), "quantity": 1 }])).await;
    assert_eq!(refused(&unknown), invalid("VALIDATION"));
    assert_eq!(unknown.json()["errors"][0]["field"], "lines[0].menuId");
    let stranger = json!([{ "menuId": rice["id"], "quantity": 1, "optionIds": [hot] }]);
    assert_eq!(
        refused(&place(&house, stranger).await),
        invalid("OPTION_NOT_IN_ITEM")
    );
    let none_chosen = json!([{ "menuId": stew["id"], "quantity": 1 }]);
    assert_eq!(
        refused(&place(&house, none_chosen).await),
        invalid("VALIDATION")
    );
    let path = format!("/menu/{}/sold-out", id(&rice));
    house.done(&path, json!({ "soldOut": true })).await;
    let sold_out = place(&house, json!([{ "menuId": rice["id"], "quantity": 1 }])).await;
    assert_eq!(refused(&sold_out), conflict("SOLD_OUT"));
    assert!(
        sold_out.json()["detail"]
            .as_str()
            .unwrap()
            .contains("공깃밥")
    );
    // An option that is sold out, and a group that is starved by it.
    house.done(&path, json!({ "soldOut": false })).await;
    let path = format!("/menu/{}/sold-out", id(&stew));
    for option in stew["optionGroups"][0]["options"].as_array().unwrap() {
        let body = json!({ "soldOut": true, "optionId": option["id"] });
        house.done(&path, body).await;
    }
    let body = json!([{ "menuId": stew["id"], "quantity": 1, "optionIds": [hot] }]);
    assert_eq!(refused(&place(&house, body).await), conflict("SOLD_OUT"));
}

#[rstest]
#[tokio::test]
async fn a_hall_order_needs_a_table_and_takeout_needs_none(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine).await;
    let lines = json!([{ "menuId": house.item(RICE).await["id"], "quantity": 1 }]);
    let body = json!({ "channel": "hall", "lines": lines });
    assert_eq!(
        refused(&house.post("/hall/orders", body).await),
        invalid("VALIDATION")
    );
    let takeout = json!({ "channel": "takeout", "lines": lines });
    let order = house.done("/hall/orders", takeout).await["orders"][0].clone();
    assert_eq!(
        (order["tableLabel"].as_str(), order.get("partyId")),
        (Some(""), None)
    );
    let qr = json!({ "channel": "qr", "lines": lines });
    assert_eq!(
        refused(&house.post("/hall/orders", qr).await),
        invalid("VALIDATION")
    );
    let unknown = json!({ "channel": "hall", "tableId": Uuid::now_v7(), "lines": lines });
    assert_eq!(house.post("/hall/orders", unknown).await.status, 404);
    let stray = json!({ "channel": "takeout", "lines": lines, "discount": 5 });
    let stray = house.post("/hall/orders", stray).await;
    assert_eq!(refused(&stray), invalid("UNKNOWN_FIELD"));
    assert_eq!(stray.json()["errors"][0]["field"], "discount");
}

#[rstest]
#[tokio::test]
async fn added_lines_join_an_unpaid_order_and_open_a_new_one_after_payment(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine).await;
    let order = house.order("A-1", 1).await;
    let path = format!("/hall/orders/{}/lines", id(&order));
    let lines = json!({ "lines": [{ "menuId": house.item(RICE).await["id"], "quantity": 3 }] });
    let joined = house.done(&path, lines.clone()).await["orders"][0].clone();
    assert_eq!(
        (joined["id"].clone(), joined["total"].clone()),
        (order["id"].clone(), json!(4_000))
    );
    assert_eq!(joined["version"], 2);
    house.confirm(&order).await;
    let before = house.seq().await;
    let answer = house.post(&path, lines.clone()).await;
    assert_eq!(answer.status, 201);
    let second = answer.json()["orders"][0].clone();
    assert_ne!(second["id"], order["id"]);
    assert_eq!(
        (second["number"].clone(), second["partyId"].clone()),
        (json!(2), order["partyId"].clone())
    );
    assert_eq!(house.events_after(before).await, ["HALL_PAYMENT"]);
    let reject = format!("/hall/orders/{}/reject", id(&second));
    house.done(&reject, json!({ "reason": "손님 취소" })).await;
    let path = format!("/hall/orders/{}/lines", id(&second));
    assert_eq!(
        refused(&house.post(&path, lines).await),
        conflict("INVALID_TRANSITION")
    );
}

#[rstest]
#[tokio::test]
async fn a_party_that_left_gets_no_more_orders(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::on(engine).await;
    let order = house.cooked("A-1").await;
    house
        .done(&format!("/servings/{}/serve", id(&order)), json!({}))
        .await;
    house
        .done(
            &format!("/tables/{}/clear", house.table_id("A-1").await),
            json!({}),
        )
        .await;
    let lines = json!([{ "menuId": house.item(RICE).await["id"], "quantity": 1 }]);
    let body = json!({ "partyId": order["partyId"], "channel": "hall", "lines": lines });
    assert_eq!(
        refused(&house.post("/hall/orders", body).await),
        conflict("PARTY_CLEARED")
    );
    let path = format!("/hall/orders/{}/lines", id(&order));
    let answer = house.post(&path, json!({ "lines": lines })).await;
    assert_eq!(refused(&answer), conflict("PARTY_CLEARED"));
}

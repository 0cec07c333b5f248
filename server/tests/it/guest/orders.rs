//! What guests order.

use domain::settings::PaymentTiming;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Phone, open_on, rice, text};
use crate::commands::{House, RICE, STEW, conflict, id, invalid, refused, seq};
use crate::support::Engine::{self, Postgres, Sqlite};

#[rstest]
#[tokio::test]
async fn a_prepaid_order_waits_for_its_payment_in_the_queue(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let phone = Phone::at(&house, "a1").await;
    let before = house.seq().await;
    let mut body = rice(&house, 2).await;
    body["note"] = json!("천천히 주세요");
    body["lines"][0]["note"] = json!("고추 빼고");
    body["lines"][0]["allergy"] = json!("땅콩");
    let answer = phone.post("/orders", body).await;
    assert_eq!(answer.status, 201);
    assert_eq!(seq(&answer), before + 1);
    assert_eq!(house.events_after(before).await, ["HALL_PAYMENT"]);
    let keys: Vec<String> = answer.json().as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, ["orders"]);
    let view = answer.json()["orders"][0].clone();
    assert_eq!(
        (
            &view["number"],
            &view["total"],
            &view["checkoutStage"],
            &view["note"]
        ),
        (
            &json!(1),
            &json!(2_000),
            &json!("awaitingPayment"),
            &json!("천천히 주세요")
        )
    );
    let staff = house.get("/payments").await.json()["orders"][0].clone();
    assert_eq!(staff["id"], view["id"]);
    assert_eq!(
        (
            &staff["channel"],
            &staff["placedBy"],
            &staff["tableLabel"],
            &staff["partyId"]
        ),
        (
            &json!("qr"),
            &json!({ "kind": "guest", "name": "A-1" }),
            &json!("A-1"),
            &json!(phone.party)
        )
    );
    assert_eq!(staff["lines"][0]["allergy"], "땅콩");
}

#[rstest]
#[tokio::test]
async fn a_guest_never_sees_who_works_there_or_how_it_was_paid(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let phone = Phone::at(&house, "a1").await;
    let order = phone.orders(&house, 2).await;
    let line = id(&order["lines"][0]).to_owned();
    house.confirm(&order).await;
    let void = format!("/hall/orders/{}/lines/{line}/void", id(&order));
    let body = json!({ "reason": "손님이 싫어함", "quantity": 1 });
    house.done(&void, body).await;
    let called = phone.post("/calls", json!({ "reason": "staff" })).await;
    let call = text(&called.json()["calls"][0]["id"]);
    house
        .done(&format!("/calls/{call}/accept"), json!({}))
        .await;
    let page = phone.page().await;
    let (orders, calls) = (page["orders"].to_string(), page["calls"].to_string());
    for secret in [
        "\"by\"",
        "tender",
        "stationId",
        "placedBy",
        "partyId",
        "싫어함",
        "businessDay",
    ] {
        assert!(!orders.contains(secret), "{secret}: {orders}");
    }
    assert!(
        !calls.contains("accepted_by") && !calls.contains("acceptedBy"),
        "{calls}"
    );
    let lines = page["orders"][0]["lines"].as_array().unwrap();
    let voided: Vec<&Value> = lines.iter().map(|line| &line["voided"]).collect();
    assert_eq!(voided, [&json!(false), &json!(true)]);
    assert_eq!(page["calls"][0]["state"], "accepted");
}

#[rstest]
#[tokio::test]
async fn a_postpaid_order_goes_to_the_kitchen_at_once(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = open_on(engine).await;
    house
        .set(|store| store.payment_timing = PaymentTiming::Postpaid)
        .await;
    let phone = Phone::at(&house, "a1").await;
    let before = house.seq().await;
    let order = phone.orders(&house, 1).await;
    assert_eq!(house.events_after(before).await, ["KITCHEN_COOK"]);
    let kitchen = house.get("/kitchen/orders").await.json();
    assert_eq!(kitchen["orders"][0]["id"], order["id"]);
    assert_eq!(house.get("/payments").await.json()["orders"], json!([]));
}

#[rstest]
#[tokio::test]
async fn what_is_sold_out_is_named_with_the_items_as_they_are(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let phone = Phone::at(&house, "a1").await;
    let (rice, cola) = (house.item(RICE).await, house.item("118").await);
    let sold_out = format!("/menu/{}/sold-out", id(&cola));
    house.done(&sold_out, json!({ "soldOut": true })).await;
    let before = house.seq().await;
    let body = json!({ "lines": [
        { "menuId": rice["id"], "quantity": 1 },
        { "menuId": cola["id"], "quantity": 1 },
    ] });
    let answer = phone.post_keyed("/orders", "k", body.clone()).await;
    assert_eq!(refused(&answer), conflict("SOLD_OUT"));
    let problem = answer.json();
    assert_eq!(problem["errors"].as_array().unwrap().len(), 1);
    assert_eq!(problem["errors"][0]["field"], "lines[1].menuId");
    assert_eq!(problem["errors"][0]["code"], "SOLD_OUT");
    let items = problem["items"].as_array().unwrap();
    let cola_now = items.iter().find(|item| item["id"] == cola["id"]).unwrap();
    assert_eq!((items.len(), &cola_now["soldOut"]), (2, &json!(true)));
    assert!(house.events_after(before).await.is_empty());
    assert_eq!(phone.sees().await, Vec::<String>::new());
    let again = phone.post_keyed("/orders", "k", body).await;
    assert_eq!((again.status, again.json()), (409, problem));
}

#[rstest]
#[tokio::test]
async fn options_are_chosen_by_the_rules_of_the_menu(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = open_on(engine).await;
    let phone = Phone::at(&house, "a1").await;
    let stew = house.item(STEW).await;
    let line = |options: Value| json!({ "lines": [{ "menuId": stew["id"], "quantity": 1, "optionIds": options }] });
    let none = phone.post("/orders", line(json!([]))).await;
    assert_eq!(refused(&none), invalid("VALIDATION"));
    let stranger = phone
        .post("/orders", line(json!([uuid::Uuid::now_v7()])))
        .await;
    assert_eq!(stranger.status, 422);
    let option = stew["optionGroups"][0]["options"][0].clone();
    let taken = phone.post("/orders", line(json!([option["id"]]))).await;
    assert_eq!(taken.status, 201, "{}", taken.text);
    let options = &taken.json()["orders"][0]["lines"][0]["options"];
    assert_eq!(options[0]["id"], option["id"]);
    // An option that is out is out for guests too.
    let sold_out = format!("/menu/{}/sold-out", id(&stew));
    let body = json!({ "soldOut": true, "optionId": option["id"] });
    house.done(&sold_out, body).await;
    let out = phone.post("/orders", line(json!([option["id"]]))).await;
    assert_eq!(refused(&out), conflict("SOLD_OUT"));
    assert_eq!(out.json()["errors"][0]["field"], "lines[0].optionIds");
}

#[rstest]
#[tokio::test]
async fn bad_orders_are_refused_with_the_field_and_change_nothing(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let phone = Phone::at(&house, "a1").await;
    let before = house.seq().await;
    let item = house.item(RICE).await["id"].clone();
    let line = json!({ "menuId": item, "quantity": 1 });
    let with = |name: &str, value: Value| {
        let mut line = line.clone();
        line[name] = value;
        json!({ "lines": [line] })
    };
    let long = "👨‍👩‍👧‍👦".repeat(501);
    let cases = [
        (
            with("quantity", json!(0)),
            "VALIDATION",
            "lines[0].quantity",
        ),
        (
            with("quantity", json!(1_000)),
            "VALIDATION",
            "lines[0].quantity",
        ),
        (
            with("quantity", json!(1.5)),
            "VALIDATION",
            "lines[0].quantity",
        ),
        (
            with("menuId", json!(uuid::Uuid::now_v7())),
            "VALIDATION",
            "lines[0].menuId",
        ),
        (with("note", json!(long)), "VALIDATION", "lines[0].note"),
        (with("price", json!(1)), "UNKNOWN_FIELD", "lines[0].price"),
        (json!({ "lines": [] }), "VALIDATION", "lines"),
        (
            json!({ "lines": vec![line.clone(); 101] }),
            "VALIDATION",
            "lines",
        ),
        (
            json!({ "lines": [line], "tableId": item }),
            "UNKNOWN_FIELD",
            "tableId",
        ),
    ];
    for (body, code, field) in cases {
        let answer = phone.post("/orders", body).await;
        assert_eq!(refused(&answer), invalid(code), "{field}");
        assert_eq!(answer.json()["errors"][0]["field"], field);
    }
    let mut held = rice(&house, 1).await;
    held["rid"] = json!(uuid::Uuid::now_v7());
    assert_eq!(phone.post("/orders", held).await.status, 404);
    let large = phone
        .post("/orders", json!({ "note": "x".repeat(70_000) }))
        .await;
    assert_eq!(refused(&large), (413, "BODY_TOO_LARGE".to_owned()));
    let request = phone.request(reqwest::Method::POST, "/orders");
    let keyless = request.json(&rice(&house, 1).await);
    let keyless = phone.client.send(keyless).await;
    assert_eq!(refused(&keyless), invalid("IDEMPOTENCY_KEY_REQUIRED"));
    assert!(house.events_after(before).await.is_empty());
}

#[rstest]
#[tokio::test]
async fn every_phone_of_a_party_sees_its_orders_and_another_party_none_of_them(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let (first, second) = (Phone::at(&house, "a1").await, Phone::at(&house, "a1").await);
    let other = Phone::at(&house, "b1").await;
    let order = first.orders(&house, 1).await;
    let theirs = other.orders(&house, 3).await;
    let by_staff = house.order("A-1", 1).await;
    let expected = vec![text(&order["id"]), text(&by_staff["id"])];
    assert_eq!(first.sees().await, expected);
    assert_eq!(second.sees().await, expected);
    assert_eq!(other.sees().await, [text(&theirs["id"])]);
}

#[rstest]
#[tokio::test]
async fn a_party_that_orders_without_end_is_refused_for_a_while(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine).await;
    let phone = Phone::at(&house, "a1").await;
    let body = json!({ "reason": "staff" });
    let mut refusals = Vec::new();
    for _ in 0..80 {
        let answer = phone.post_keyed("/calls", "one", body.clone()).await;
        if answer.status != 200 {
            refusals.push(answer);
        }
    }
    let last = refusals.last().expect("a refusal");
    assert_eq!(refused(last), (429, "TOO_MANY_ATTEMPTS".to_owned()));
    assert!(!last.header("retry-after").is_empty());
    assert_eq!(phone.get("").await.status, 200, "the page still loads");
}

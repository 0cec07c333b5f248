//! Orders hold their stock while they wait for the payment, and sell it when they fire.

use domain::settings::PaymentTiming;
use rstest::rstest;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Larder, TTL, counts, rid};
use crate::commands::{House, NOON, conflict, id, refused};
use crate::support::Engine::{self, Postgres, Sqlite};

async fn confirm(larder: &Larder, order: &Value, money_taken: bool) -> crate::support::Answer {
    let path = format!("/hall/orders/{}/confirm", id(order));
    let body = json!({ "tender": "card", "moneyTaken": money_taken });
    larder.house.post(&path, body).await
}

/// Guests at A-1 and at A-2.
pub async fn seated(larder: &Larder) -> [String; 2] {
    let tables = [
        larder.house.table_id("A-1").await,
        larder.house.table_id("A-2").await,
    ];
    for table in &tables {
        larder
            .house
            .done(&format!("/tables/{table}/seat"), json!({ "covers": 2 }))
            .await;
    }
    tables
}

#[rstest]
#[tokio::test]
async fn an_order_holds_when_placed_and_sells_when_confirmed(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 5), ('B', 5)]).await;
    let before = larder.house.seq().await;
    let order = larder.order(&[('A', 2), ('B', 1)]).await;
    assert_eq!(order["holdExpiresAt"], NOON.0 + TTL);
    assert_eq!(order["holdLost"], false);
    let events = larder.house.events_after(before).await;
    assert_eq!(events, ["HALL_PAYMENT", "STOCK_CHANGED", "STOCK_CHANGED"]);
    assert_eq!(larder.counts('A').await, counts(5, 2));
    let hold = larder.get_hold(order["rid"].as_str().unwrap()).await;
    assert_eq!(hold["orderId"], order["id"]);
    // Held portions are not sellable at the counter.
    let short = larder.try_order(&[('A', 4)], None).await;
    assert_eq!(refused(&short), conflict("INSUFFICIENT_STOCK"));
    let paid = larder.house.confirm(&order).await;
    assert_eq!(paid["holdExpiresAt"], Value::Null);
    assert_eq!(paid["rid"], order["rid"]);
    assert_eq!(larder.counts('A').await, counts(3, 0));
    assert_eq!(larder.counts('B').await, counts(4, 0));
    let hold = larder.get_hold(order["rid"].as_str().unwrap()).await;
    assert_eq!(hold["status"], "confirmed");
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn an_order_of_what_is_not_counted_holds_nothing(#[values(Sqlite, Postgres)] engine: Engine) {
    let larder = Larder::on(engine, &[('A', 5)]).await;
    let order = larder.house.order("A-1", 2).await;
    assert_eq!(order["rid"], Value::Null);
    larder.house.confirm(&order).await;
    let held = larder.house.get("/reservations").await.json();
    assert_eq!(held["reservations"], json!([]));
}

#[rstest]
#[tokio::test]
async fn a_rejected_order_gives_back(#[values(Sqlite, Postgres)] engine: Engine) {
    let larder = Larder::on(engine, &[('A', 5)]).await;
    let order = larder.order(&[('A', 2)]).await;
    let path = format!("/hall/orders/{}/reject", id(&order));
    let rejected = larder
        .house
        .done(&path, json!({ "reason": "재료 소진" }))
        .await;
    assert_eq!(rejected["orders"][0]["holdExpiresAt"], Value::Null);
    assert_eq!(rejected["stock"][0]["held"], 0);
    assert_eq!(larder.counts('A').await, counts(5, 0));
    let hold = larder.get_hold(order["rid"].as_str().unwrap()).await;
    assert_eq!(
        (&hold["status"], &hold["reason"]),
        (&json!("released"), &json!("재료 소진"))
    );
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn a_hold_that_expires_marks_its_order_and_is_taken_again_at_the_counter_if_it_can(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 5)]).await;
    let order = larder.order(&[('A', 2)]).await;
    let before = larder.house.seq().await;
    larder.house.clock.advance(TTL);
    // The house's own sweeper may have been faster.
    larder.sweep().await;
    let marked = larder.order_now(&order).await;
    assert_eq!(
        (&marked["holdLost"], &marked["holdExpiresAt"]),
        (&json!(true), &Value::Null)
    );
    assert_eq!(
        larder.house.events_after(before).await,
        ["ORDER_CHANGED", "STOCK_CHANGED"]
    );
    assert_eq!(larder.counts('A').await, counts(5, 0));
    let paid = larder.house.confirm(&order).await;
    assert_eq!(
        (&paid["checkoutStage"], &paid["holdLost"]),
        (&json!("confirmed"), &json!(false))
    );
    assert_eq!(larder.counts('A').await, counts(3, 0));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn confirmed_after_it_is_gone_changes_nothing_unless_the_money_is_taken(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 5), ('B', 5)]).await;
    let order = larder.order(&[('B', 1), ('A', 3)]).await;
    larder.house.clock.advance(TTL);
    larder.sweep().await;
    larder.hold(&[('A', 3)]).await;
    let before = larder.house.seq().await;
    let refusal = confirm(&larder, &order, false).await;
    assert_eq!(refused(&refusal), conflict("INSUFFICIENT_STOCK"));
    assert_eq!(
        refusal.json()["orders"][0]["checkoutStage"],
        "awaitingPayment"
    );
    assert_eq!(refusal.json()["lines"][0]["available"], 2);
    assert!(larder.house.events_after(before).await.is_empty());
    assert_eq!(
        larder.house.get("/refunds/due").await.json()["refunds"],
        json!([])
    );
    // The money is in the drawer: one refund, whoever presses how often.
    for _ in 0..3 {
        let refusal = confirm(&larder, &order, true).await;
        assert_eq!(refused(&refusal), conflict("INSUFFICIENT_STOCK"));
        assert_eq!(
            refusal.json()["orders"][0]["checkoutStage"],
            "awaitingPayment"
        );
    }
    let due = larder.house.get("/refunds/due").await.json();
    let due = due["refunds"].as_array().unwrap();
    assert_eq!(due.len(), 1);
    assert_eq!(
        (&due[0]["orderId"], &due[0]["amount"]),
        (&order["id"], &json!(4_000))
    );
    assert_eq!(due[0]["number"], order["number"]);
    assert_eq!(due[0]["reason"], "A −1");
    assert_eq!(larder.counts('B').await, counts(5, 0), "never half");
    larder.assert_sound().await;
    // Given back by hand, once; after that a later payment stands on its own.
    let path = format!("/refunds/{}/settle", due[0]["id"].as_str().unwrap());
    for _ in 0..2 {
        assert_eq!(larder.house.post(&path, json!({})).await.status, 200);
    }
    let none = larder.house.get("/refunds/due").await.json();
    assert_eq!(none["refunds"], json!([]));
    let nowhere = format!("/refunds/{}/settle", Uuid::now_v7());
    assert_eq!(larder.house.post(&nowhere, json!({})).await.status, 404);
    // Due anew, and then there is enough: the order is confirmed, and its money stays.
    assert_eq!(confirm(&larder, &order, true).await.status, 409);
    let row = larder.rows[&'A'].1;
    let more = json!({ "delta": 1, "reason": "delivery" });
    larder
        .house
        .done(&format!("/stock/{row}/adjust"), more)
        .await;
    assert_eq!(confirm(&larder, &order, true).await.status, 200);
    let none = larder.house.get("/refunds/due").await.json();
    assert_eq!(none["refunds"], json!([]));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn money_taken_for_an_unswept_hold_that_is_gone_marks_the_order_and_is_remembered(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 5)]).await;
    let order = larder.order(&[('A', 3)]).await;
    larder.house.clock.advance(TTL);
    larder.hold(&[('A', 4)]).await;
    let path = format!("{}/hall/orders/{}/confirm", larder.house.path, id(&order));
    let body = json!({ "tender": "card", "moneyTaken": true });
    let first = larder
        .house
        .owner
        .post_keyed(&path, "k", body.clone())
        .await;
    assert_eq!(refused(&first), conflict("INSUFFICIENT_STOCK"));
    assert!(first.header("x-pos-stream-watermark").contains(':'));
    let again = larder.house.owner.post_keyed(&path, "k", body).await;
    assert_eq!((again.status, &again.text), (first.status, &first.text));
    assert_eq!(larder.order_now(&order).await["holdLost"], true);
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn what_nobody_holds_any_more_is_no_reason_to_give_money_back(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 5)]).await;
    let order = larder.order(&[('A', 3)]).await;
    larder.house.clock.advance(TTL);
    larder.hold(&[('A', 4)]).await;
    larder.house.clock.advance(TTL);
    let paid = confirm(&larder, &order, true).await;
    assert_eq!(paid.status, 200, "{}", paid.text);
    assert_eq!(larder.counts('A').await, counts(2, 0));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn a_broken_hold_marks_its_order_and_is_taken_anew_when_it_is_paid(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 5)]).await;
    let order = larder.order(&[('A', 3)]).await;
    let path = format!("/reservations/{}/release", order["rid"].as_str().unwrap());
    larder
        .house
        .done(&path, json!({ "reason": "급한 손님" }))
        .await;
    assert_eq!(larder.order_now(&order).await["holdLost"], true);
    assert_eq!(larder.counts('A').await, counts(5, 0));
    let paid = larder.house.confirm(&order).await;
    assert_ne!(paid["rid"], order["rid"]);
    assert_eq!(larder.counts('A').await, counts(2, 0));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn a_line_voided_before_firing_is_free_and_the_rest_is_sold_once(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 9), ('B', 9)]).await;
    let order = larder.order(&[('A', 3), ('A', 2), ('B', 4)]).await;
    assert_eq!(larder.counts('A').await, counts(9, 5));
    let void = |line: usize| {
        let line = id(&order["lines"][line]).to_owned();
        format!("/hall/orders/{}/lines/{line}/void", id(&order))
    };
    larder
        .house
        .done(&void(1), json!({ "reason": "변심" }))
        .await;
    assert_eq!(larder.counts('A').await, counts(9, 3));
    larder
        .house
        .done(&void(2), json!({ "reason": "변심", "quantity": 3 }))
        .await;
    assert_eq!(larder.counts('B').await, counts(9, 1));
    larder.assert_sound().await;
    larder.house.confirm(&order).await;
    assert_eq!(larder.counts('A').await, counts(6, 0));
    assert_eq!(larder.counts('B').await, counts(8, 0));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn an_order_whose_last_counted_line_is_voided_holds_nothing_and_expires_never(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 9)]).await;
    let rice = larder.house.item("117").await["id"].clone();
    let mut lines = larder.lines(&[('A', 2)]);
    lines.push(json!({ "menuId": rice, "quantity": 1 }));
    let body = json!({ "channel": "takeout", "lines": lines });
    let order = larder.house.done("/hall/orders", body).await["orders"][0].clone();
    let line = id(&order["lines"][0]);
    let path = format!("/hall/orders/{}/lines/{line}/void", id(&order));
    let voided = larder.house.done(&path, json!({ "reason": "변심" })).await;
    assert_eq!(voided["orders"][0]["rid"], Value::Null);
    assert_eq!(larder.counts('A').await, counts(9, 0));
    larder.house.clock.advance(TTL);
    larder.sweep().await;
    assert_eq!(larder.order_now(&order).await["holdLost"], false);
    // Voiding all of it rejects the order; its hold is gone with that.
    let other = larder.order(&[('A', 2)]).await;
    let line = id(&other["lines"][0]);
    let path = format!("/hall/orders/{}/lines/{line}/void", id(&other));
    larder.house.done(&path, json!({ "reason": "변심" })).await;
    assert_eq!(larder.counts('A').await, counts(9, 0));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn what_was_fired_and_not_cooked_is_back_on_the_shelf_once(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 9)]).await;
    let order = larder.order(&[('A', 3), ('A', 2)]).await;
    larder.house.confirm(&order).await;
    assert_eq!(larder.counts('A').await, counts(4, 0));
    let void = |line: usize| {
        let line = id(&order["lines"][line]).to_owned();
        format!("/hall/orders/{}/lines/{line}/void", id(&order))
    };
    larder
        .house
        .done(&void(0), json!({ "reason": "변심", "quantity": 1 }))
        .await;
    assert_eq!(larder.counts('A').await, counts(5, 0));
    larder
        .house
        .done(&void(0), json!({ "reason": "변심" }))
        .await;
    larder
        .house
        .done(&void(0), json!({ "reason": "변심" }))
        .await;
    assert_eq!(larder.counts('A').await, counts(7, 0));
    // In the pan it is used up.
    let path = format!("/kitchen/orders/{}/advance", id(&order));
    larder.house.done(&path, json!({ "to": "cooking" })).await;
    larder
        .house
        .done(&void(1), json!({ "reason": "변심" }))
        .await;
    assert_eq!(larder.counts('A').await, counts(7, 0));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn lines_that_are_added_grow_the_hold_or_begin_it_again(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 9), ('B', 9)]).await;
    let order = larder.order(&[('A', 3)]).await;
    let path = format!("/hall/orders/{}/lines", id(&order));
    let more = json!({ "lines": larder.lines(&[('A', 2), ('B', 1)]) });
    let grown = larder.house.done(&path, more).await;
    assert_eq!(grown["orders"][0]["rid"], order["rid"]);
    assert_eq!(larder.counts('A').await, counts(9, 5));
    let short = json!({ "lines": larder.lines(&[('B', 1), ('A', 5)]) });
    let refusal = larder.house.post(&path, short).await;
    assert_eq!(refused(&refusal), conflict("INSUFFICIENT_STOCK"));
    assert_eq!(larder.counts('B').await, counts(9, 1));
    larder.assert_sound().await;
    larder.house.clock.advance(TTL);
    let again = json!({ "lines": larder.lines(&[('B', 2)]) });
    let again = larder.house.done(&path, again).await["orders"][0].clone();
    assert_ne!(again["rid"], order["rid"]);
    assert_eq!(
        (&again["holdLost"], &again["holdExpiresAt"]),
        (&json!(false), &json!(NOON.0 + 2 * TTL))
    );
    assert_eq!(larder.counts('A').await, counts(9, 5));
    assert_eq!(larder.counts('B').await, counts(9, 3));
    larder.house.confirm(&order).await;
    assert_eq!(larder.counts('A').await, counts(4, 0));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn lines_that_move_take_their_units_along(#[values(Sqlite, Postgres)] engine: Engine) {
    let larder = Larder::on(engine, &[('A', 9), ('B', 9)]).await;
    let tables = seated(&larder).await;
    let body = json!({
        "tableId": tables[0],
        "channel": "hall",
        "lines": larder.lines(&[('A', 3), ('B', 2), ('A', 1)]),
    });
    let order = larder.house.done("/hall/orders", body).await["orders"][0].clone();
    let before = larder.house.seq().await;
    let path = format!("/hall/orders/{}/move-lines", id(&order));
    let ids = [
        order["lines"][0]["id"].clone(),
        order["lines"][1]["id"].clone(),
    ];
    let body = json!({ "lineIds": ids, "toTableId": tables[1] });
    let moved = larder.house.done(&path, body).await["orders"].clone();
    let events = larder.house.events_after(before).await;
    assert!(!events.contains(&"STOCK_CHANGED".to_owned()), "{events:?}");
    let (stays, goes) = (&moved[0], &moved[1]);
    assert_eq!(stays["rid"], order["rid"]);
    assert_ne!(goes["rid"], order["rid"]);
    assert_eq!(goes["holdExpiresAt"], order["holdExpiresAt"]);
    assert_eq!(larder.counts('A').await, counts(9, 4));
    larder.assert_sound().await;
    larder.house.confirm(goes).await;
    assert_eq!(larder.counts('A').await, counts(6, 1));
    assert_eq!(larder.counts('B').await, counts(7, 0));
    // What was sold is found by its line, wherever it goes.
    let path = format!(
        "/hall/orders/{}/lines/{}/void",
        id(goes),
        id(&goes["lines"][0])
    );
    larder
        .house
        .done(&path, json!({ "reason": "변심", "quantity": 2 }))
        .await;
    assert_eq!(larder.counts('A').await, counts(8, 1));
    let path = format!("/hall/orders/{}/reject", id(stays));
    larder
        .house
        .done(&path, json!({ "reason": "재료 소진" }))
        .await;
    assert_eq!(larder.counts('A').await, counts(8, 0));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn moved_past_their_time_lines_are_taken_afresh_where_they_are_paid(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 9)]).await;
    let tables = seated(&larder).await;
    let body = json!({
        "tableId": tables[0],
        "channel": "hall",
        "lines": larder.lines(&[('A', 3), ('A', 1)]),
    });
    let order = larder.house.done("/hall/orders", body).await["orders"][0].clone();
    larder.house.clock.advance(TTL);
    larder.sweep().await;
    let path = format!("/hall/orders/{}/move-lines", id(&order));
    let body = json!({ "lineIds": [order["lines"][0]["id"]], "toTableId": tables[1] });
    let moved = larder.house.done(&path, body).await["orders"].clone();
    assert_eq!(moved[1]["holdLost"], true);
    larder.house.confirm(&moved[1]).await;
    assert_eq!(larder.counts('A').await, counts(6, 0));
    larder.house.confirm(&moved[0]).await;
    assert_eq!(larder.counts('A').await, counts(5, 0));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn postpaid_orders_sell_when_they_are_placed_and_when_lines_are_added(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 9), ('B', 9)]).await;
    larder
        .house
        .set(|store| store.payment_timing = PaymentTiming::Postpaid)
        .await;
    let order = larder.order(&[('A', 3)]).await;
    assert_eq!(order["holdExpiresAt"], Value::Null);
    assert_eq!(larder.counts('A').await, counts(6, 0));
    let path = format!("/hall/orders/{}/lines", id(&order));
    let more = json!({ "lines": larder.lines(&[('A', 2), ('B', 1)]) });
    larder.house.done(&path, more).await;
    assert_eq!(larder.counts('A').await, counts(4, 0));
    assert_eq!(larder.counts('B').await, counts(8, 0));
    let short = larder.try_order(&[('A', 5)], None).await;
    assert_eq!(refused(&short), conflict("INSUFFICIENT_STOCK"));
    larder.house.clock.advance(3 * TTL);
    larder.house.confirm(&order).await;
    assert_eq!(larder.counts('A').await, counts(4, 0), "sold once");
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn a_postpaid_order_sells_the_hold_that_it_adopts(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 9)]).await;
    larder
        .house
        .set(|store| store.payment_timing = PaymentTiming::Postpaid)
        .await;
    let hold = larder.hold(&[('A', 3)]).await;
    let placed = larder.try_order(&[('A', 3)], Some(&hold)).await;
    assert_eq!(placed.status, 201, "{}", placed.text);
    assert_eq!(placed.json()["orders"][0]["holdExpiresAt"], Value::Null);
    assert_eq!(larder.counts('A').await, counts(6, 0));
    assert_eq!(larder.get_hold(&hold).await["status"], "confirmed");
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn an_order_adopts_an_open_hold_of_its_content_and_entering_payment_extends_it(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 9), ('B', 9)]).await;
    let hold = larder.hold(&[('A', 2), ('A', 2), ('B', 1)]).await;
    let placed = larder.try_order(&[('B', 1), ('A', 4)], Some(&hold)).await;
    assert_eq!(placed.status, 201, "{}", placed.text);
    let order = placed.json()["orders"][0].clone();
    assert_eq!(
        (&order["rid"], &order["holdExpiresAt"]),
        (&json!(hold), &json!(NOON.0 + 2 * TTL))
    );
    assert_eq!(larder.counts('A').await, counts(9, 4));
    // It is the order's: no other order has it, and its cart does not find it.
    let twice = larder.try_order(&[('B', 1), ('A', 4)], Some(&hold)).await;
    assert_eq!(refused(&twice), conflict("INVALID_TRANSITION"));
    larder.assert_sound().await;
    // A line of it that is voided leaves the rest.
    let path = format!(
        "/hall/orders/{}/lines/{}/void",
        id(&order),
        id(&order["lines"][1])
    );
    larder
        .house
        .done(&path, json!({ "reason": "변심", "quantity": 1 }))
        .await;
    assert_eq!(larder.counts('A').await, counts(9, 3));
    larder.house.confirm(&order).await;
    assert_eq!(larder.counts('A').await, counts(6, 0));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn an_order_of_another_content_takes_the_place_of_the_hold_it_names(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 4), ('B', 4)]).await;
    let hold = larder.hold(&[('A', 4)]).await;
    let placed = larder.try_order(&[('A', 3), ('B', 1)], Some(&hold)).await;
    assert_eq!(placed.status, 201, "{}", placed.text);
    assert_ne!(placed.json()["orders"][0]["rid"], json!(hold));
    assert_eq!(larder.counts('A').await, counts(4, 3));
    assert_eq!(larder.get_hold(&hold).await["reason"], "superseded");
    // One that is over is no help and no hindrance.
    let gone = larder.hold(&[('A', 1)]).await;
    larder.finalize(&gone, false).await;
    let placed = larder.try_order(&[('A', 1)], Some(&gone)).await;
    assert_eq!(placed.status, 201, "{}", placed.text);
    larder.house.clock.advance(TTL);
    let overdue = larder.hold(&[('A', 1)]).await;
    larder.house.clock.advance(TTL);
    let placed = larder.try_order(&[('A', 1)], Some(&overdue)).await;
    assert_eq!(placed.status, 201, "{}", placed.text);
    assert_ne!(placed.json()["orders"][0]["rid"], json!(overdue));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn a_cart_of_nothing_counted_gives_its_order_no_hold_to_lose(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 4)]).await;
    let rice = larder.house.item("117").await["id"].clone();
    let lines = json!([{ "menuId": rice, "quantity": 1 }]);
    let empty = larder.batch(json!({ "lines": lines })).await;
    let full = larder.hold(&[('A', 1)]).await;
    for hold in [rid(&empty), full] {
        let body = json!({ "channel": "takeout", "lines": lines, "rid": hold });
        let order = larder.house.done("/hall/orders", body).await["orders"][0].clone();
        assert_eq!(order["rid"], Value::Null);
        assert_eq!(larder.get_hold(&hold).await["reason"], "superseded");
    }
    assert_eq!(larder.counts('A').await, counts(4, 0));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn a_sold_hold_is_adopted_by_no_order(#[values(Sqlite, Postgres)] engine: Engine) {
    let larder = Larder::on(engine, &[('A', 4)]).await;
    let answer = larder.try_hold(&[('A', 1)]).await;
    larder.finalize(&rid(&answer), true).await;
    let placed = larder.try_order(&[('A', 1)], Some(&rid(&answer))).await;
    assert_eq!(refused(&placed), conflict("ALREADY_CONFIRMED"));
    let other = larder.try_order(&[('A', 2)], Some(&rid(&answer))).await;
    assert_eq!(refused(&other), conflict("ALREADY_CONFIRMED"));
    assert_eq!(larder.counts('A').await, counts(3, 0));
}

#[rstest]
#[tokio::test]
async fn extending_the_hold_of_an_order_moves_its_countdown(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 4)]).await;
    let order = larder.order(&[('A', 1)]).await;
    let before = larder.house.seq().await;
    larder.extend(order["rid"].as_str().unwrap()).await;
    assert_eq!(larder.house.events_after(before).await, ["ORDER_CHANGED"]);
    assert_eq!(
        larder.order_now(&order).await["holdExpiresAt"],
        NOON.0 + 2 * TTL
    );
}

#[rstest]
#[tokio::test]
async fn the_demo_counts_a_few_things_and_the_menu_carries_them(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine).await;
    let menu = house.get("/menu").await.json();
    let rows = menu["stock"].as_array().unwrap();
    assert_eq!(rows.len(), 4);
    for row in rows {
        assert!(row["available"].as_i64().unwrap() > 0, "{row}");
        assert!(!row["menuIds"].as_array().unwrap().is_empty(), "{row}");
    }
    let drift = server::service::stock::stock_verify(&house.server.app.db).await;
    assert_eq!(drift.unwrap(), []);
}

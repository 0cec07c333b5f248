//! Batches: held as a whole, ended once.

use rstest::rstest;
use serde_json::json;
use uuid::Uuid;

use super::{Larder, OPTION, TTL, counts, rid};
use crate::commands::{NOON, conflict, refused};
use crate::support::Engine::{self, Postgres, Sqlite};

#[rstest]
#[tokio::test]
async fn the_same_thing_on_two_lines_is_held_once_and_given_back_once(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 10), ('B', 9)]).await;
    let before = larder.house.seq().await;
    let answer = larder.try_hold(&[('A', 3), ('A', 3)]).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    let hold = answer.json();
    assert_eq!(hold["status"], "held");
    assert_eq!(hold["replayed"], false);
    assert_eq!(hold["serverNow"], NOON.0);
    assert_eq!(hold["expiresAt"], NOON.0 + TTL);
    assert_eq!(hold["remainingMs"], TTL);
    let row = json!([{
        "stockId": larder.rows[&'A'].1,
        "name": { "ko": "A", "en": "A" },
        "quantity": 6,
        "from": [0, 1],
    }]);
    assert_eq!(hold["lines"], row);
    assert_eq!(larder.counts('A').await, counts(10, 6));
    assert_eq!(larder.house.events_after(before).await, ["STOCK_CHANGED"]);
    let released = larder.finalize(&rid(&answer), false).await;
    assert_eq!(released.json()["status"], "released");
    assert_eq!(larder.counts('A').await, counts(10, 0));
    let again = larder.finalize(&rid(&answer), false).await;
    assert_eq!(
        (again.status, again.json()["already"].clone()),
        (200, json!("released"))
    );
    assert_eq!(larder.house.events_after(before).await.len(), 2);
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn one_unknown_line_and_nothing_of_the_batch_is_held(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 10)]).await;
    let (before, ghost) = (larder.house.seq().await, Uuid::now_v7());
    let mut lines = larder.lines(&[('A', 3), ('A', 3)]);
    lines.push(json!({ "menuId": ghost, "optionIds": [], "quantity": 3 }));
    let answer = larder.batch(json!({ "lines": lines })).await;
    assert_eq!(refused(&answer), conflict("INSUFFICIENT_STOCK"));
    let short = answer.json()["lines"].clone();
    assert_eq!(short.as_array().unwrap().len(), 1, "{short}");
    assert_eq!(short[0]["menuId"], json!(ghost));
    assert_eq!(short[0]["reason"], "unknown");
    assert_eq!(
        (&short[0]["requested"], &short[0]["from"]),
        (&json!(3), &json!([2]))
    );
    assert_eq!(larder.counts('A').await, counts(10, 0));
    assert!(larder.house.events_after(before).await.is_empty());
    let held = larder.house.get("/reservations").await.json();
    assert_eq!(held["reservations"], json!([]), "no row left behind");
    larder.assert_sound().await;
}

/// Trial C55 (c).
#[rstest]
#[tokio::test]
async fn every_short_row_is_named_and_nothing_is_touched(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 3), ('B', 9), ('C', 1)]).await;
    let answer = larder
        .try_hold(&[('A', 2), ('B', 1), ('A', 2), ('C', 2)])
        .await;
    assert_eq!(refused(&answer), conflict("INSUFFICIENT_STOCK"));
    let mut short = answer.json()["lines"].as_array().unwrap().clone();
    short.sort_by_key(|row| row["name"]["ko"].to_string());
    let told: Vec<_> = short
        .iter()
        .map(|row| {
            (
                row["name"]["ko"].as_str().unwrap(),
                row["requested"].as_i64().unwrap(),
                row["available"].as_i64().unwrap(),
                row["shortBy"].as_i64().unwrap(),
                row["reason"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(told, [("A", 4, 3, 1, "short"), ("C", 2, 1, 1, "short")]);
    assert_eq!(short[0]["from"], json!([0, 2]));
    for name in ['A', 'B', 'C'] {
        assert_eq!(larder.counts(name).await.held, 0);
    }
}

#[rstest]
#[tokio::test]
async fn a_row_that_is_held_says_when_to_ask_again(#[values(Sqlite, Postgres)] engine: Engine) {
    let larder = Larder::on(engine, &[('A', 2)]).await;
    larder.hold(&[('A', 2)]).await;
    larder.house.clock.advance(60_000);
    let answer = larder.try_hold(&[('A', 1)]).await;
    assert_eq!(answer.json()["lines"][0]["retryAfterMs"], TTL - 60_000);
    larder.house.clock.advance(TTL - 60_000);
    larder.hold(&[('A', 2)]).await;
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn options_draw_on_their_own_rows_and_what_is_not_counted_on_none(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 10), ('B', 10)]).await;
    let rice = larder.house.item("117").await["id"].clone();
    let lines = json!([
        { "menuId": larder.rows[&'A'].0, "optionIds": [OPTION], "quantity": 3 },
        { "menuId": rice, "quantity": 900 },
    ]);
    let answer = larder.batch(json!({ "lines": lines })).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    assert_eq!(larder.counts('A').await, counts(10, 3));
    assert_eq!(larder.counts('B').await, counts(10, 6));
    let nothing = json!([{ "menuId": rice, "quantity": 1 }]);
    let answer = larder
        .batch(json!({ "actor": "b", "lines": nothing }))
        .await;
    assert_eq!(
        (answer.status, answer.json()["lines"].clone()),
        (201, json!([]))
    );
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn the_same_content_of_one_cart_is_one_hold_while_it_is_open(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 20), ('B', 20)]).await;
    let body =
        |lines: &[(char, i64)], cart: &str| json!({ "actor": cart, "lines": larder.lines(lines) });
    let first = larder
        .batch(body(&[('A', 1), ('B', 2), ('A', 1)], "t1"))
        .await;
    let again = larder.batch(body(&[('B', 2), ('A', 2)], "t1")).await;
    assert_eq!((again.status, rid(&again)), (200, rid(&first)));
    assert_eq!(again.json()["replayed"], true);
    assert_eq!(larder.counts('A').await, counts(20, 2));
    // Another cart, and another content, are others.
    let other = larder.batch(body(&[('B', 2), ('A', 2)], "t2")).await;
    let more = larder.batch(body(&[('B', 2), ('A', 3)], "t1")).await;
    assert_eq!((other.status, more.status), (201, 201));
    assert_eq!(larder.counts('A').await, counts(20, 7));
    // Closed: the same again is a new one.
    larder.finalize(&rid(&first), false).await;
    let fresh = larder.batch(body(&[('B', 2), ('A', 2)], "t1")).await;
    assert_eq!(fresh.status, 201);
    assert_ne!(rid(&fresh), rid(&first));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn a_key_is_the_same_press_and_a_new_key_really_twice(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 20)]).await;
    let path = format!("{}/reservations/batch", larder.house.path);
    let body = json!({ "lines": larder.lines(&[('A', 2)]) });
    let press = async |key: &str, body: &serde_json::Value| {
        larder
            .house
            .owner
            .post_keyed(&path, key, body.clone())
            .await
    };
    let first = press("k1", &body).await;
    assert_eq!(first.status, 201, "{}", first.text);
    let again = press("k1", &body).await;
    assert_eq!((again.status, &again.text), (201, &first.text));
    let twice = press("k2", &body).await;
    assert_eq!(twice.status, 201);
    assert_ne!(rid(&twice), rid(&first));
    // A hold made with a key is never matched by content.
    let keyless = larder.batch(body.clone()).await;
    assert_eq!(keyless.status, 201);
    assert_eq!(larder.counts('A').await, counts(20, 6));
    let other = press("k1", &json!({ "lines": larder.lines(&[('A', 3)]) })).await;
    assert_eq!(refused(&other), (422, "IDEMPOTENCY_KEY_REUSED".to_owned()));
    let short = json!({ "lines": larder.lines(&[('A', 15)]) });
    let refusal = press("k3", &short).await;
    assert_eq!(refused(&refusal), conflict("INSUFFICIENT_STOCK"));
    larder.finalize(&rid(&first), false).await;
    assert_eq!(press("k3", &short).await.text, refusal.text, "remembered");
}

#[rstest]
#[tokio::test]
async fn an_overdue_hold_of_the_same_content_gives_way_to_a_new_one(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 3)]).await;
    let body = json!({ "actor": "t1", "lines": larder.lines(&[('A', 3)]) });
    let first = larder.batch(body.clone()).await;
    larder.house.clock.advance(TTL);
    let second = larder.batch(body).await;
    assert_eq!(second.status, 201, "{}", second.text);
    assert_ne!(rid(&second), rid(&first));
    assert_eq!(larder.get_hold(&rid(&first)).await["status"], "expired");
    assert_eq!(larder.counts('A').await, counts(3, 3));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn a_hold_takes_the_place_of_another_by_the_difference_only(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 5), ('B', 5)]).await;
    let cart = |lines, replaces: Option<&str>| json!({ "actor": "t1", "lines": lines, "replaces": replaces });
    let first = larder
        .batch(cart(larder.lines(&[('A', 4), ('B', 1)]), None))
        .await;
    let first = rid(&first);
    let second = larder
        .batch(cart(larder.lines(&[('A', 5), ('B', 5)]), Some(&first)))
        .await;
    assert_eq!(second.status, 201, "{}", second.text);
    let second = rid(&second);
    assert_eq!(larder.counts('A').await, counts(5, 5));
    let old = larder.get_hold(&first).await;
    assert_eq!(
        (&old["status"], &old["reason"]),
        (&json!("released"), &json!("superseded"))
    );
    // Short: the old one stays, and what it has counts as available.
    let third = larder
        .batch(cart(larder.lines(&[('A', 6)]), Some(&second)))
        .await;
    assert_eq!(refused(&third), conflict("INSUFFICIENT_STOCK"));
    assert_eq!(third.json()["lines"][0]["available"], 5);
    assert_eq!(larder.get_hold(&second).await["status"], "held");
    assert_eq!(larder.counts('B').await, counts(5, 5));
    let stranger = Uuid::now_v7().to_string();
    let none = larder
        .batch(cart(larder.lines(&[('A', 1)]), Some(&stranger)))
        .await;
    assert_eq!(none.status, 404);
    larder.finalize(&second, true).await;
    let sold = larder
        .batch(cart(larder.lines(&[('A', 1)]), Some(&second)))
        .await;
    assert_eq!(refused(&sold), conflict("ALREADY_CONFIRMED"));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn confirming_sells_what_was_held_once(#[values(Sqlite, Postgres)] engine: Engine) {
    let larder = Larder::on(engine, &[('A', 5)]).await;
    let hold = larder.hold(&[('A', 3)]).await;
    let sold = larder.finalize(&hold, true).await;
    assert_eq!(
        (sold.status, sold.json()["status"].clone()),
        (200, json!("confirmed"))
    );
    assert_eq!(larder.counts('A').await, counts(2, 0));
    let again = larder.finalize(&hold, true).await;
    assert_eq!(
        (again.status, again.json()["already"].clone()),
        (200, json!("confirmed"))
    );
    let failed = larder.finalize(&hold, false).await;
    assert_eq!(refused(&failed), conflict("ALREADY_CONFIRMED"));
    let released = larder
        .house
        .post(&format!("/reservations/{hold}/release"), json!({}))
        .await;
    assert_eq!(refused(&released), conflict("ALREADY_CONFIRMED"));
    assert_eq!(larder.counts('A').await, counts(2, 0));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn past_its_time_a_hold_is_confirmed_only_if_all_of_it_is_still_free(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 5), ('B', 5)]).await;
    let free = larder.hold(&[('A', 3), ('B', 1)]).await;
    larder.house.clock.advance(TTL);
    assert_eq!(
        larder.get_hold(&free).await["status"],
        "expired",
        "swept or not"
    );
    let late = larder.finalize(&free, true).await;
    assert_eq!(
        (late.status, late.json()["status"].clone()),
        (200, json!("confirmed"))
    );
    assert_eq!(larder.counts('A').await, counts(2, 0));
    let gone = larder.hold(&[('A', 2), ('B', 2)]).await;
    larder.house.clock.advance(TTL);
    larder.sweep().await;
    larder.hold(&[('A', 1)]).await;
    let before = larder.house.seq().await;
    let refusal = larder.finalize(&gone, true).await;
    assert_eq!(refused(&refusal), conflict("INSUFFICIENT_STOCK"));
    assert_eq!(refusal.json()["lines"][0]["requested"], 2);
    assert_eq!(larder.counts('B').await, counts(4, 0), "never half");
    assert!(larder.house.events_after(before).await.is_empty());
    let failed = larder.finalize(&gone, false).await;
    assert_eq!(failed.json()["already"], "expired");
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn a_hold_is_extended_once_in_time_and_failed_calls_extend_nothing(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 5)]).await;
    let hold = larder.hold(&[('A', 3)]).await;
    larder.try_hold(&[('A', 3)]).await;
    assert_eq!(larder.get_hold(&hold).await["expiresAt"], NOON.0 + TTL);
    larder.house.clock.advance(TTL - 1);
    assert_eq!(larder.get_hold(&hold).await["remainingMs"], 1);
    let longer = larder.extend(&hold).await;
    assert_eq!(longer.status, 200, "{}", longer.text);
    assert_eq!(longer.json()["expiresAt"], NOON.0 + 2 * TTL);
    let again = larder.extend(&hold).await.json();
    assert_eq!(
        (&again["expiresAt"], &again["replayed"]),
        (&json!(NOON.0 + 2 * TTL), &json!(true))
    );
    larder.house.clock.advance(TTL + 1);
    assert_eq!(
        refused(&larder.extend(&hold).await),
        conflict("INVALID_TRANSITION")
    );
    // The house's own sweeper may have been faster.
    larder.sweep().await;
    assert_eq!(larder.counts('A').await, counts(5, 0));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn managers_see_who_holds_and_break_a_named_hold(#[values(Sqlite, Postgres)] engine: Engine) {
    let larder = Larder::on(engine, &[('A', 5)]).await;
    let hold = larder.hold(&[('A', 3)]).await;
    larder.house.clock.advance(90_000);
    let held = larder.house.get("/reservations?status=held").await.json();
    let first = &held["reservations"][0];
    assert_eq!(first["rid"], json!(hold));
    assert_eq!(
        (&first["holder"], &first["ageMs"]),
        (&json!("김하늘"), &json!(90_000))
    );
    assert_eq!(first["lines"][0]["quantity"], 3);
    let path = format!("/reservations/{hold}/release");
    let broken = larder
        .house
        .done(&path, json!({ "reason": "손님이 갔음" }))
        .await;
    assert_eq!(
        (&broken["status"], &broken["reason"]),
        (&json!("released"), &json!("손님이 갔음"))
    );
    assert_eq!(larder.counts('A').await, counts(5, 0));
    let none = larder.house.get("/reservations").await.json();
    assert_eq!(none["reservations"], json!([]));
    let released = larder
        .house
        .get("/reservations?status=released")
        .await
        .json();
    assert_eq!(released["reservations"].as_array().unwrap().len(), 1);
    assert_eq!(
        larder.house.get("/reservations?status=gone").await.status,
        422
    );
    let nobody = format!("/reservations/{}", Uuid::now_v7());
    assert_eq!(larder.house.get(&nobody).await.status, 404);
}

//! What is refused before anything is counted.

use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Larder, OPTION, counts};
use crate::commands::{invalid, refused};
use crate::support::Answer;
use crate::support::Engine::{self, Postgres, Sqlite};

async fn raw(larder: &Larder, body: String) -> Answer {
    let path = format!("{}/reservations/batch", larder.house.path);
    let request = larder.house.owner.request(Method::POST, &path);
    let request = request
        .header("content-type", "application/json")
        .body(body);
    larder.house.owner.send(request).await
}

/// A batch of `A` and of `B` with these words for quantities is refused by its line.
async fn refuses(larder: &Larder, first: &str, second: &str, line: usize) {
    let (a, b) = (larder.rows[&'A'].0, larder.rows[&'B'].0);
    let body = format!(
        r#"{{"lines":[{{"menuId":"{a}","quantity":{first}}},{{"menuId":"{b}","quantity":{second}}}]}}"#
    );
    let answer = raw(larder, body).await;
    assert_eq!(refused(&answer), invalid("VALIDATION"), "{first}, {second}");
    let field = answer.json()["errors"][0]["field"].clone();
    assert_eq!(field, format!("lines[{line}].quantity"), "{}", answer.text);
}

/// Nothing was held, and nobody was told anything.
async fn is_untouched(larder: &Larder, before: u64) {
    for name in ['A', 'B'] {
        assert_eq!(larder.counts(name).await, counts(50, 0));
    }
    assert!(larder.house.events_after(before).await.is_empty());
    let holds = larder.house.get("/reservations").await.json();
    assert_eq!(holds["reservations"], json!([]));
    larder.assert_sound().await;
}

/// Trial C58.
#[rstest]
#[tokio::test]
async fn odd_quantities_are_refused_by_line_and_nothing_is_held(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 50), ('B', 50)]).await;
    let before = larder.house.seq().await;
    for (first, second, line) in [
        ("2", "-3", 1),
        ("0", "1", 0),
        ("1", "1.5", 1),
        ("\"2\"", "1", 0),
        ("1", "null", 1),
        ("1e3", "1", 0),
        ("-0", "1", 0),
        ("1", "1000", 1),
    ] {
        refuses(&larder, first, second, line).await;
    }
    let none = larder.batch(json!({ "lines": [] })).await;
    assert_eq!(refused(&none), invalid("VALIDATION"));
    // Each line by itself first, then the sum.
    let merged = larder.try_hold(&[('A', 5), ('A', -4)]).await;
    assert_eq!(refused(&merged), invalid("VALIDATION"));
    assert_eq!(merged.json()["errors"][0]["field"], "lines[1].quantity");
    let mut many = vec![('A', 999); 10];
    many.push(('A', 10));
    let merged = larder.try_hold(&many).await;
    assert_eq!(refused(&merged), invalid("VALIDATION"));
    assert_eq!(merged.json()["errors"][0]["field"], "lines[10].quantity");
    is_untouched(&larder, before).await;
}

/// Trial C59.
#[rstest]
#[tokio::test]
async fn numbers_past_any_bound_are_refused_and_never_wrap(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 50), ('B', 50)]).await;
    let before = larder.house.seq().await;
    for first in [
        "10000000000",
        "2147483647",
        "4294967296",
        "9223372036854775807",
        "9223372036854775808",
        "931653741096443",
        "18446744073709551617",
    ] {
        refuses(&larder, first, "1", 0).await;
        refuses(&larder, "1", first, 1).await;
    }
    let merged = larder.try_hold(&[('A', 2_147_483_647), ('A', 1)]).await;
    assert_eq!(refused(&merged), invalid("VALIDATION"));
    for ttl in ["18446744073709551615", "9223372036854775807", "1e300", "-1"] {
        let a = larder.rows[&'A'].0;
        let body = format!(r#"{{"lines":[{{"menuId":"{a}","quantity":1}}],"ttlMs":{ttl}}}"#);
        let answer = raw(&larder, body).await;
        assert_eq!(refused(&answer), invalid("VALIDATION"), "{ttl}");
        assert_eq!(answer.json()["errors"][0]["field"], "ttlMs", "{ttl}");
    }
    // An order of the same, by its own way in.
    for quantity in [2_147_483_647_i64, i64::MAX, -3] {
        let answer = larder.try_order(&[('A', quantity)], None).await;
        assert_eq!(answer.status, 422, "{}", answer.text);
    }
    is_untouched(&larder, before).await;
}

#[rstest]
#[tokio::test]
async fn odd_bodies_are_refused_by_field(#[values(Sqlite, Postgres)] engine: Engine) {
    let larder = Larder::on(engine, &[('A', 50), ('B', 50)]).await;
    let line = larder.line('A', 1);
    let with = |more: Value| {
        let mut body = json!({ "lines": [line] });
        body.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        body
    };
    for (body, code, field) in [
        (json!({ "lines": [] }), "VALIDATION", "lines"),
        (json!({}), "VALIDATION", "lines"),
        (
            json!({ "lines": vec![line.clone(); 101] }),
            "VALIDATION",
            "lines",
        ),
        (
            with(json!({ "ttlMs": 18_446_744_073_709_551_615_u64 })),
            "VALIDATION",
            "ttlMs",
        ),
        (with(json!({ "ttlMs": 999 })), "VALIDATION", "ttlMs"),
        (with(json!({ "ttlMs": 1_800_001 })), "VALIDATION", "ttlMs"),
        (with(json!({ "ttlMs": -1 })), "VALIDATION", "ttlMs"),
        (with(json!({ "actor": "" })), "VALIDATION", "actor"),
        (with(json!({ "price": 1 })), "UNKNOWN_FIELD", "price"),
    ] {
        let answer = larder.batch(body.clone()).await;
        assert_eq!(refused(&answer), invalid(code), "{body}");
        assert_eq!(answer.json()["errors"][0]["field"], field, "{body}");
    }
    let path = format!("{}/reservations/batch?mode=later", larder.house.path);
    let request = larder.house.owner.request(Method::POST, &path);
    let odd = larder
        .house
        .owner
        .send(request.json(&with(json!({}))))
        .await;
    assert_eq!(refused(&odd), invalid("VALIDATION"));
    assert_eq!(larder.counts('A').await, counts(50, 0));
}

#[rstest]
#[tokio::test]
async fn options_of_other_items_are_refused_and_other_stores_are_unknown(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 50), ('B', 50)]).await;
    let other = json!([
        larder.line('A', 1),
        { "menuId": larder.rows[&'B'].0, "optionIds": [OPTION], "quantity": 1 },
    ]);
    let answer = larder.batch(json!({ "lines": other })).await;
    assert_eq!(refused(&answer), invalid("OPTION_NOT_IN_ITEM"));
    assert_eq!(answer.json()["errors"][0]["field"], "lines[1].optionIds");
    let twice = json!([
        { "menuId": larder.rows[&'A'].0, "optionIds": [OPTION, OPTION], "quantity": 1 },
    ]);
    let answer = larder.batch(json!({ "lines": twice })).await;
    assert_eq!(refused(&answer), invalid("VALIDATION"));
    // The demo's item, asked for in another store.
    let stranger = larder.house.server.login("hall").await;
    let me = stranger.get("/api/auth/me").await.json();
    let path = format!(
        "/api/pos/{}/reservations/batch",
        me["storeId"].as_str().unwrap()
    );
    let body = json!({ "lines": larder.lines(&[('A', 1)]) });
    let answer = stranger
        .send(stranger.request(Method::POST, &path).json(&body))
        .await;
    assert_eq!(refused(&answer), (409, "INSUFFICIENT_STOCK".to_owned()));
    assert_eq!(answer.json()["lines"][0]["reason"], "unknown");
    // And a hold of the demo is none there.
    let hold = larder.hold(&[('A', 1)]).await;
    let path = path.replace("batch", &hold);
    assert_eq!(stranger.get(&path).await.status, 404);
    let body = json!({ "success": true });
    let ended = stranger.post(&format!("{path}/finalize"), body).await;
    assert_eq!(ended.status, 404);
    assert_eq!(larder.counts('A').await, counts(50, 1));
}

#[rstest]
#[tokio::test]
async fn what_is_off_sale_is_unavailable(#[values(Sqlite, Postgres)] engine: Engine) {
    let larder = Larder::on(engine, &[('A', 50), ('B', 50)]).await;
    let sold_out = format!("/menu/{}/sold-out", larder.rows[&'A'].0);
    larder
        .house
        .done(&sold_out, json!({ "soldOut": true }))
        .await;
    let answer = larder.try_hold(&[('A', 1)]).await;
    assert_eq!(answer.json()["lines"][0]["reason"], "unavailable");
    let mut tx = larder.house.server.app.db.write().await.unwrap();
    let none: [server::db::Value; 0] = [];
    tx.execute("update stock set blocked = true", none)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let answer = larder.try_hold(&[('B', 1)]).await;
    assert_eq!(answer.json()["lines"][0]["reason"], "unavailable");
    assert_eq!(answer.json()["lines"][0]["available"], 0);
    assert_eq!(larder.counts('B').await, counts(50, 0));
}

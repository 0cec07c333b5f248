//! Somebody has counted.

use rstest::rstest;
use serde_json::json;

use super::{Larder, counts};
use crate::commands::{conflict, invalid, refused};
use crate::support::Engine::{self, Postgres, Sqlite};

#[rstest]
#[tokio::test]
async fn a_count_changes_what_is_there_and_says_so(#[values(Sqlite, Postgres)] engine: Engine) {
    let larder = Larder::on(engine, &[('A', 5)]).await;
    let path = format!("/stock/{}/adjust", larder.rows[&'A'].1);
    let before = larder.house.seq().await;
    let more = larder
        .house
        .done(&path, json!({ "delta": 3, "reason": "입고" }))
        .await;
    assert_eq!(
        (&more["stock"][0]["onHand"], &more["stock"][0]["version"]),
        (&json!(8), &json!(2))
    );
    assert_eq!(larder.house.events_after(before).await, ["STOCK_CHANGED"]);
    let body = json!({ "onHand": 4, "expectedVersion": 2, "reason": "실사" });
    larder.house.done(&path, body.clone()).await;
    assert_eq!(larder.counts('A').await, counts(4, 0));
    let stale = larder.house.post(&path, body).await;
    assert_eq!(refused(&stale), conflict("VERSION_CONFLICT"));
    assert_eq!(stale.json()["stock"][0]["version"], 3);
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn what_is_held_cannot_be_counted_away_and_the_holds_are_named(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 5)]).await;
    let hold = larder.hold(&[('A', 3)]).await;
    let path = format!("/stock/{}/adjust", larder.rows[&'A'].1);
    let body = json!({ "delta": -3, "reason": "폐기" });
    let refusal = larder.house.post(&path, body.clone()).await;
    assert_eq!(refused(&refusal), conflict("STOCK_HELD"));
    let named = &refusal.json()["holds"][0];
    assert_eq!(
        (&named["rid"], &named["lines"][0]["quantity"]),
        (&json!(hold), &json!(3))
    );
    assert_eq!(refusal.json()["stock"][0]["held"], 3);
    assert_eq!(larder.counts('A').await, counts(5, 3));
    larder
        .house
        .done(&path, json!({ "delta": -2, "reason": "폐기" }))
        .await;
    // Once it is broken the rest goes too; overdue, it is swept on the way.
    larder.house.clock.advance(super::TTL);
    larder.house.done(&path, body).await;
    assert_eq!(larder.counts('A').await, counts(0, 0));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn counts_that_cannot_be_are_refused_by_field(#[values(Sqlite, Postgres)] engine: Engine) {
    let larder = Larder::on(engine, &[('A', 5)]).await;
    let path = format!("/stock/{}/adjust", larder.rows[&'A'].1);
    for (body, field) in [
        (json!({ "delta": 1, "reason": " " }), "reason"),
        (json!({ "reason": "r" }), "delta"),
        (
            json!({ "delta": 1, "onHand": 2, "expectedVersion": 1, "reason": "r" }),
            "delta",
        ),
        (json!({ "onHand": 2, "reason": "r" }), "expectedVersion"),
        (
            json!({ "onHand": -2, "expectedVersion": 1, "reason": "r" }),
            "onHand",
        ),
        (json!({ "delta": -6, "reason": "r" }), "delta"),
        (
            json!({ "delta": 9_223_372_036_854_775_807_i64, "reason": "r" }),
            "delta",
        ),
    ] {
        let answer = larder.house.post(&path, body.clone()).await;
        assert_eq!(refused(&answer), invalid("VALIDATION"), "{body}");
        assert_eq!(answer.json()["errors"][0]["field"], field, "{body}");
    }
    let none = format!("/stock/{}/adjust", uuid::Uuid::now_v7());
    let answer = larder
        .house
        .post(&none, json!({ "delta": 1, "reason": "r" }))
        .await;
    assert_eq!(answer.status, 404);
    assert_eq!(larder.counts('A').await, counts(5, 0));
}

//! What the model found at the edges of a hold's life, each by itself.

use rstest::rstest;
use serde_json::json;

use super::later::aside;
use super::{Larder, TTL, counts, rid};
use crate::commands::{conflict, id, refused};
use crate::support::Engine::{self, Postgres, Sqlite};

/// Longer than any chain of holds.
const LONG_OVER: i64 = domain::stock::LONGEST + TTL;

#[rstest]
#[tokio::test]
async fn what_takes_the_place_of_a_hold_that_is_long_over_is_not_born_over(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 5)]).await;
    let old = larder.hold(&[('A', 2)]).await;
    larder.house.clock.advance(LONG_OVER);
    let body = json!({ "lines": larder.lines(&[('A', 3)]), "replaces": old });
    let new = larder.batch(body).await;
    assert_eq!(new.status, 201, "{}", new.text);
    assert_eq!(new.json()["remainingMs"], TTL);
    assert_eq!(larder.get_hold(&rid(&new)).await["status"], "held");
    // And an order that names it.
    let placed = larder.try_order(&[('A', 1)], Some(&old)).await;
    let order = placed.json()["orders"][0].clone();
    let until = larder.house.clock.now().plus(TTL);
    assert_eq!(order["holdExpiresAt"], json!(until));
    assert_eq!(larder.counts('A').await, counts(5, 4));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn an_order_whose_hold_was_broken_and_that_was_parted_sells_both_parts(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let larder = Larder::on(engine, &[('A', 5)]).await;
    let tables = super::orders::seated(&larder).await;
    let body = json!({
        "tableId": tables[0],
        "channel": "hall",
        "lines": larder.lines(&[('A', 2), ('A', 1)]),
    });
    let order = larder.house.done("/hall/orders", body).await["orders"][0].clone();
    let path = format!("/reservations/{}/release", order["rid"].as_str().unwrap());
    larder.house.done(&path, json!({})).await;
    let path = format!("/hall/orders/{}/move-lines", id(&order));
    let body = json!({ "lineIds": [order["lines"][0]["id"]], "toTableId": tables[1] });
    let parts = larder.house.done(&path, body).await["orders"].clone();
    for part in parts.as_array().unwrap() {
        assert_eq!(part["holdLost"], true);
    }
    larder.house.confirm(&parts[1]).await;
    assert_eq!(larder.counts('A').await, counts(3, 0));
    larder.house.confirm(&parts[0]).await;
    assert_eq!(larder.counts('A').await, counts(2, 0));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn what_an_order_holds_is_sold_by_confirming_the_order_and_by_nothing_else(
    #[values(Sqlite, Postgres)] engine: Engine,
    #[values(0, TTL)] later: i64,
) {
    let larder = Larder::on(engine, &[('A', 5)]).await;
    let order = larder.order(&[('A', 2)]).await;
    larder.house.clock.advance(later);
    let hold = order["rid"].as_str().unwrap();
    let sold = larder.finalize(hold, true).await;
    assert_eq!(refused(&sold), conflict("INVALID_TRANSITION"));
    // So its lines are sold once, with those that are added, and come back.
    let path = format!("/hall/orders/{}/lines", id(&order));
    let more = json!({ "lines": larder.lines(&[('A', 1)]) });
    larder.house.done(&path, more).await;
    let paid = larder.house.confirm(&order).await;
    assert_eq!(larder.counts('A').await, counts(2, 0));
    let again = larder.finalize(paid["rid"].as_str().unwrap(), true).await;
    assert_eq!(again.json()["already"], "confirmed");
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn a_batch_that_no_worker_was_at_in_time_is_never_sold(
    #[values(Sqlite, Postgres)] engine: Engine,
    #[values(false, true)] swept: bool,
) {
    let larder = Larder::on(engine, &[('A', 5)]).await;
    let waits = aside(&larder, &[('A', 2)]).await.to_string();
    larder.house.clock.advance(TTL);
    if swept {
        larder.sweep().await;
    }
    assert_eq!(larder.get_hold(&waits).await["status"], "expired");
    let sold = larder.finalize(&waits, true).await;
    assert_eq!(refused(&sold), conflict("INVALID_TRANSITION"));
    assert_eq!(larder.get_hold(&waits).await["status"], "expired");
    assert_eq!(larder.counts('A').await, counts(5, 0));
    larder.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn an_overdue_hold_of_an_order_stands_in_nobodys_way_swept_or_not(
    #[values(Sqlite, Postgres)] engine: Engine,
    #[values(false, true)] swept: bool,
) {
    let larder = Larder::on(engine, &[('A', 5)]).await;
    let one = larder.order(&[('A', 2)]).await;
    let other = larder.order(&[('A', 1)]).await;
    larder.house.clock.advance(TTL);
    if swept {
        larder.sweep().await;
    }
    let body = json!({ "lines": larder.lines(&[('A', 3)]), "replaces": one["rid"] });
    let new = larder.batch(body).await;
    assert_eq!(new.status, 201, "{}", new.text);
    // The same content: it would be adopted, if it were open.
    let adopts = larder.try_order(&[('A', 1)], other["rid"].as_str()).await;
    assert_eq!(adopts.status, 201, "{}", adopts.text);
    for order in [one, other] {
        assert_eq!(larder.order_now(&order).await["holdLost"], true);
    }
    assert_eq!(larder.counts('A').await, counts(5, 4));
    larder.assert_sound().await;
}

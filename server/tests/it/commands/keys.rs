//! Idempotency keys.

use rstest::rstest;
use serde_json::json;

use super::{House, RICE, id, invalid, refused};
use crate::support::Engine::{self, Postgres, Sqlite};

#[rstest]
#[tokio::test]
async fn the_same_key_gets_the_first_answer_also_after_a_restart(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine).await;
    let path = format!("{}/hall/orders", house.path);
    let body = json!({
        "tableId": house.table_id("A-1").await,
        "channel": "hall",
        "lines": [{ "menuId": house.item(RICE).await["id"], "quantity": 1 }],
    });
    let first = house.owner.post_keyed(&path, "press-1", body.clone()).await;
    assert_eq!(first.status, 201);
    let second = house.owner.post_keyed(&path, "press-1", body.clone()).await;
    assert_eq!((second.status, &second.text), (201, &first.text));
    let mark = "x-pos-stream-watermark";
    assert_eq!(second.header(mark), first.header(mark));

    let clock = house.clock.clone();
    let house = House::of(house.server.restart().await, clock).await;
    let third = house.owner.post_keyed(&path, "press-1", body.clone()).await;
    assert_eq!((third.status, &third.text), (201, &first.text));
    assert_eq!(
        house.get("/hall/orders").await.json()["orders"]
            .as_array()
            .unwrap()
            .len(),
        1
    );

    // A new press is really twice; another member of staff has keys of their own.
    let hall = house.login("hall", "3000").await;
    let other = hall.post_keyed(&path, "press-1", body.clone()).await;
    assert_ne!(
        other.json()["orders"][0]["id"],
        first.json()["orders"][0]["id"]
    );
    // After a day the key is new.
    house.clock.advance(24 * 3_600_000);
    let house = House::of(house.server, house.clock).await;
    let again = house.owner.post_keyed(&path, "press-1", body).await;
    assert_ne!(
        again.json()["orders"][0]["id"],
        first.json()["orders"][0]["id"]
    );
}

#[rstest]
#[tokio::test]
async fn a_key_with_another_body_or_path_is_refused(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::on(engine).await;
    let (a, b) = (house.table_id("A-1").await, house.table_id("A-2").await);
    let seat = |table: &str| format!("{}/tables/{table}/seat", house.path);
    let done = house
        .owner
        .post_keyed(&seat(&a), "k", json!({ "covers": 2 }))
        .await;
    assert_eq!(done.status, 200);
    for (path, body) in [
        (seat(&a), json!({ "covers": 3 })),
        (seat(&b), json!({ "covers": 2 })),
    ] {
        let reused = house.owner.post_keyed(&path, "k", body).await;
        assert_eq!(refused(&reused), invalid("IDEMPOTENCY_KEY_REUSED"));
    }
    assert_eq!(house.table("A-2").await["state"], "free");
}

#[rstest]
#[tokio::test]
async fn a_refusal_of_the_business_is_remembered_and_a_missing_thing_is_not(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine).await;
    let order = house.order("A-1", 1).await;
    let path = format!("{}/kitchen/orders/{}/advance", house.path, id(&order));
    let body = json!({ "to": "cooking" });
    let first = house.owner.post_keyed(&path, "k", body.clone()).await;
    assert_eq!(first.status, 409);
    house.confirm(&order).await;
    let again = house.owner.post_keyed(&path, "k", body.clone()).await;
    assert_eq!((again.status, again.json()), (409, first.json()));
    assert_eq!(
        house.owner.post_keyed(&path, "other", body).await.status,
        200
    );
}

#[rstest]
#[tokio::test]
async fn a_command_without_a_proper_key_is_refused(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::on(engine).await;
    let path = format!("{}/tables/{}/seat", house.path, house.table_id("A-1").await);
    let request = house
        .owner
        .request(reqwest::Method::POST, &path)
        .json(&json!({}));
    let missing = house.owner.send(request).await;
    assert_eq!(refused(&missing), invalid("IDEMPOTENCY_KEY_REQUIRED"));
    let long = house
        .owner
        .post_keyed(&path, &"k".repeat(129), json!({}))
        .await;
    assert_eq!(refused(&long), invalid("VALIDATION"));
}

#[rstest]
#[tokio::test]
async fn many_presses_with_one_key_at_the_same_instant_make_one_order(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine).await;
    let path = format!("{}/hall/orders", house.path);
    let body = json!({
        "channel": "takeout",
        "lines": [{ "menuId": house.item(RICE).await["id"], "quantity": 1 }],
    });
    let presses = (0..24).map(|_| house.owner.post_keyed(&path, "once", body.clone()));
    let answers = futures_util::future::join_all(presses).await;
    assert!(answers.iter().all(|answer| answer.status == 201));
    assert!(answers.iter().all(|answer| answer.text == answers[0].text));
    assert_eq!(
        house.get("/payments").await.json()["orders"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

/// The command is refused until the order is paid, which happens meanwhile: whichever press came
/// first, each one is answered as it was.
#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn presses_with_one_key_beside_the_change_they_wait_for_are_answered_alike(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine).await;
    for round in 0..8 {
        let order = house.order("A-1", 1).await;
        let path = format!("{}/kitchen/orders/{}/advance", house.path, id(&order));
        let key = format!("cook {round}");
        let press = || {
            house
                .owner
                .post_keyed(&path, &key, json!({ "to": "cooking" }))
        };
        let presses = futures_util::future::join_all((0..8).map(|_| press()));
        let (answers, _) = tokio::join!(presses, house.confirm(&order));
        let last = press().await;
        for answer in &answers {
            assert_eq!(
                (answer.status, answer.json()),
                (last.status, last.json()),
                "round {round}"
            );
        }
    }
}

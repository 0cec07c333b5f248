//! Idempotency keys.

use serde_json::json;

use super::{House, RICE, id, invalid, refused};

#[tokio::test]
async fn the_same_key_gets_the_first_answer_also_after_a_restart() {
    let house = House::open().await;
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

#[tokio::test]
async fn a_key_with_another_body_or_path_is_refused() {
    let house = House::open().await;
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

#[tokio::test]
async fn a_refusal_of_the_business_is_remembered_and_a_missing_thing_is_not() {
    let house = House::open().await;
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

#[tokio::test]
async fn a_command_without_a_proper_key_is_refused() {
    let house = House::open().await;
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

#[tokio::test]
async fn many_presses_with_one_key_at_the_same_instant_make_one_order() {
    let house = House::open().await;
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

//! The stream of a phone.

use rstest::rstest;
use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use server::clock::Clock;
use server::config::Config;

use super::{Phone, clear, find, next, open, open_on, text, until_order};
use crate::commands::{House, NOON, RICE, conflict, id, refused};
use crate::hub::reading::Reader;
use crate::support::Engine::{self, Postgres, Sqlite};
use crate::support::Server;

#[rstest]
#[tokio::test]
async fn it_begins_with_ready_and_its_frames_have_no_id(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let phone = Phone::at(&house, "a1").await;
    let head = house.get("/store").await;
    let answer = phone.events(&phone.ticket().await).await;
    let header = |name: &str| answer.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "text/event-stream");
    assert_eq!(header("cache-control"), "no-cache, no-transform");
    assert_eq!(header("x-accel-buffering"), "no");
    let mut reader = Reader::answer(answer);
    let ready = reader.ready().await;
    assert!(reader.first_bytes.starts_with(b"retry: 3600000\n"));
    let fields: Vec<String> = ready.data.as_object().unwrap().keys().cloned().collect();
    assert_eq!(fields, ["build", "head", "heartbeatMs", "serverTime"]);
    assert_eq!(ready.data["head"], head.header("x-pos-stream-watermark"));
    assert_eq!((&ready.data["heartbeatMs"], ready.id), (&json!(100), None));

    let beat = find(&mut reader, "heartbeat").await;
    assert_eq!(beat.data, json!({ "sent": "0:0", "serverTime": NOON }));
    let order = phone.orders(&house, 1).await;
    let frame = next(&mut reader).await;
    assert_eq!(frame.event, "HALL_PAYMENT");
    assert_eq!(
        frame.data,
        json!({
            "type": "HALL_PAYMENT",
            "eventId": house.get("/store").await.header("x-pos-stream-watermark"),
            "at": NOON,
            "payload": order,
        })
    );
    let beat = find(&mut reader, "heartbeat").await;
    assert_eq!(
        (&beat.data["sent"], beat.id),
        (&frame.data["eventId"], None)
    );
}

#[rstest]
#[tokio::test]
async fn an_order_is_followed_from_the_queue_to_the_table_by_every_phone_of_its_party(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let phones = [Phone::at(&house, "a1").await, Phone::at(&house, "a1").await];
    let stranger = Phone::at(&house, "a2").await;
    let mut hears = [phones[0].stream().await, phones[1].stream().await];
    let mut stranger_hears = stranger.stream().await;
    let order = phones[0].orders(&house, 1).await;
    house.confirm(&order).await;
    let advance = format!("/kitchen/orders/{}/advance", id(&order));
    for to in ["cooking", "cooked"] {
        house.done(&advance, json!({ "to": to })).await;
    }
    let serve = format!("/servings/{}/serve", id(&order));
    house.done(&serve, json!({})).await;
    let page = phones[1].page().await;
    for reader in &mut hears {
        let mut states = Vec::new();
        let last = loop {
            let payload = next(reader).await.data["payload"].clone();
            assert_eq!(payload["id"], order["id"]);
            let state = text(&payload["lines"][0]["kitchenState"]);
            states.push(format!("{} {state}", text(&payload["checkoutStage"])));
            if state == "served" {
                break payload;
            }
        };
        states.dedup();
        assert_eq!(
            states,
            [
                "awaitingPayment waiting",
                "confirmed waiting",
                "confirmed cooking",
                "confirmed cooked",
                "confirmed served"
            ]
        );
        assert_eq!(json!([last]), page["orders"]);
    }
    // All that the other table hears is its own.
    let own = stranger.orders(&house, 1).await;
    let (before, _) = until_order(&mut stranger_hears, &own["id"], 1).await;
    assert!(before.is_empty(), "{before:?}");
}

#[rstest]
#[tokio::test]
async fn sold_out_and_back_reaches_every_table_at_once(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = open_on(engine).await;
    let (a, b) = (Phone::at(&house, "a1").await, Phone::at(&house, "b1").await);
    let mut hears = [a.stream().await, b.stream().await];
    let item = house.item(RICE).await;
    let path = format!("/menu/{}/sold-out", id(&item));
    for sold_out in [true, false] {
        house.done(&path, json!({ "soldOut": sold_out })).await;
        for reader in &mut hears {
            let frame = next(reader).await;
            assert_eq!(frame.event, "KITCHEN_MENU_CHANGED");
            let payload = &frame.data["payload"];
            assert_eq!(
                (&payload["id"], &payload["soldOut"]),
                (&item["id"], &json!(sold_out))
            );
        }
    }
}

#[rstest]
#[tokio::test]
async fn a_call_is_followed_by_its_party_and_does_not_say_who_comes(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let (a, b) = (Phone::at(&house, "a1").await, Phone::at(&house, "a2").await);
    let (mut a_hears, mut b_hears) = (a.stream().await, b.stream().await);
    let call = a.post("/calls", json!({ "reason": "water" })).await;
    let call = text(&call.json()["calls"][0]["id"]);
    for step in ["accept", "done"] {
        house
            .done(&format!("/calls/{call}/{step}"), json!({}))
            .await;
    }
    for state in ["requested", "accepted", "done"] {
        let frame = next(&mut a_hears).await;
        assert_eq!(frame.event, "CUSTOMER_CALL");
        assert_eq!(frame.data["payload"]["state"], state);
        assert!(!frame.data.to_string().contains("cceptedBy"), "{frame:?}");
    }
    b.post("/calls", json!({ "reason": "bill" })).await;
    assert_eq!(next(&mut b_hears).await.data["payload"]["reason"], "bill");
}

#[rstest]
#[tokio::test]
async fn a_party_that_is_cleared_hears_so_at_once_and_no_more(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let phones = [Phone::at(&house, "a1").await, Phone::at(&house, "a1").await];
    let mut hears = [phones[0].stream().await, phones[1].stream().await];
    let staying = Phone::at(&house, "a2").await;
    let mut stays = staying.stream().await;
    let order = phones[0].orders(&house, 1).await;
    house.confirm(&order).await;
    clear(&house, "A-1").await;
    for reader in &mut hears {
        let cleared = find(reader, "partyCleared").await;
        assert_eq!((cleared.data, cleared.id), (json!({}), None));
        assert!(reader.next().await.is_none(), "the last frame");
    }
    let again = phones[0].get("/ticket").await;
    assert_eq!(refused(&again), conflict("PARTY_CLEARED"));
    find(&mut stays, "heartbeat").await;
}

#[rstest]
#[tokio::test]
async fn a_ticket_opens_one_stream_of_a_phone_and_none_of_staff(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let phone = Phone::at(&house, "a1").await;
    let invalid = async |path: &str| {
        let answer = phone.client.get(path).await;
        assert_eq!(
            refused(&answer),
            (401, "INVALID_TICKET".to_owned()),
            "{path}"
        );
    };
    let used = phone.ticket().await;
    drop(phone.events(&used).await);
    let expired = phone.ticket().await;
    let staff = house.get("/notifications/ticket").await.json();
    let staff = text(&staff["ticket"]);
    let foreign = phone.ticket().await;
    invalid("/api/guest/events").await;
    for ticket in [&used, &staff, "", "nonsense", &"0".repeat(32)] {
        invalid(&format!("/api/guest/events?ticket={ticket}")).await;
    }
    let subscribe = format!("{}/notifications/subscribe?ticket=", house.path);
    invalid(&format!("{subscribe}{foreign}")).await;
    house.clock.advance(30_000);
    invalid(&format!("/api/guest/events?ticket={expired}")).await;
}

#[tokio::test]
async fn a_party_has_no_more_streams_than_phones_at_a_large_table() {
    let change = |config: &mut Config| {
        config.demo = true;
        config.max_streams_per_party = 2;
    };
    let clock = Clock::manual(NOON);
    let house = House::of(Server::with(change, clock.clone()).await, clock).await;
    let (phone, other) = (Phone::at(&house, "a1").await, Phone::at(&house, "a2").await);
    let _open = [phone.stream().await, phone.stream().await];
    let path = format!("/api/guest/events?ticket={}", phone.ticket().await);
    let refusal = phone.client.get(&path).await;
    assert_eq!(refused(&refusal), (429, "TOO_MANY_STREAMS".to_owned()));
    assert_eq!(refusal.header("retry-after"), "1");
    other.stream().await;
}

#[rstest]
#[tokio::test]
async fn an_order_too_large_to_travel_reaches_its_party_whole_and_nobody_else(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let (a, b) = (Phone::at(&house, "a1").await, Phone::at(&house, "a2").await);
    let (mut a_hears, mut b_hears) = (a.stream().await, b.stream().await);
    let item = house.item(RICE).await["id"].clone();
    let line = json!({ "menuId": item, "quantity": 1, "note": "매".repeat(150) });
    let order = a.post("/orders", json!({ "lines": vec![line; 100] })).await;
    assert_eq!(order.status, 201, "{}", order.text);
    let frame = next(&mut a_hears).await;
    assert_eq!(frame.event, "HALL_PAYMENT");
    assert_eq!(frame.data["payload"], order.json()["orders"][0]);
    let own = b.orders(&house, 1).await;
    let (before, _) = until_order(&mut b_hears, &own["id"], 1).await;
    assert!(before.is_empty(), "{before:?}");
}

#[rstest]
#[tokio::test]
async fn the_business_days_cut_makes_every_page_load_again(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let phone = Phone::at(&house, "a1").await;
    let mut reader = phone.stream().await;
    house.clock.advance(18 * 3_600_000);
    house.server.app.services.cut_days().await.unwrap();
    let frame = next(&mut reader).await;
    assert_eq!(frame.event, "RELOAD_REQUIRED");
    assert!(frame.data["notBeforeMs"].is_i64() && frame.data.get("eventId").is_none());
    assert_eq!(
        phone.get("").await.status,
        200,
        "a party may sit through the night"
    );
}

#[tokio::test]
async fn a_server_that_leaves_sends_phones_home_and_lets_no_new_one_in() {
    let house = open().await;
    let phone = Phone::at(&house, "a1").await;
    let mut reader = phone.stream().await;
    let ticket = phone.ticket().await;
    house.server.app.hub.drain().await;
    let drain = find(&mut reader, "drain").await;
    assert!(drain.data["reconnectInMs"].is_i64());
    assert!(reader.next().await.is_none());
    assert_eq!(phone.events(&ticket).await.status(), 503);
}

#[tokio::test]
async fn a_stream_is_never_compressed_and_outlives_the_request_timeout() {
    let change = |config: &mut Config| {
        config.demo = true;
        config.heartbeat_ms = 300;
        config.request_timeout_ms = 700;
    };
    let clock = Clock::manual(NOON);
    let house = House::of(Server::with(change, clock.clone()).await, clock).await;
    let phone = Phone::at(&house, "a1").await;
    let path = format!("/api/guest/events?ticket={}", phone.ticket().await);
    let request = phone.client.request(Method::GET, &path);
    let answer = request.header("accept-encoding", "gzip, br").send().await;
    let answer = answer.unwrap();
    assert!(!answer.headers().contains_key("content-encoding"));
    let mut reader = Reader::answer(answer);
    reader.ready().await;
    let begun = tokio::time::Instant::now();
    while begun.elapsed() < Duration::from_millis(1_200) {
        find(&mut reader, "heartbeat").await;
    }
    let order = phone.orders(&house, 1).await;
    assert_eq!(next(&mut reader).await.data["payload"]["id"], order["id"]);
}

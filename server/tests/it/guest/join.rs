//! Scanning a table's code.

use rstest::rstest;
use std::collections::BTreeSet;

use futures_util::future::join_all;
use serde_json::json;

use super::{Phone, clear, join, open_on};
use crate::commands::{House, conflict, refused};
use crate::support::Engine::{self, Postgres, Sqlite};

#[rstest]
#[tokio::test]
async fn the_first_phone_opens_the_table_and_the_next_joins_its_party(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let before = house.seq().await;
    let first = Phone::at(&house, "a1").await;
    let second = Phone::at(&house, "a1").await;
    assert_eq!(first.party, second.party);
    assert_ne!(first.token, second.token);
    assert_eq!(house.events_after(before).await, ["TABLE_CHANGED"]);
    let table = house.table("A-1").await;
    assert_eq!(
        (
            &table["state"],
            &table["party"]["id"],
            table["party"].get("covers")
        ),
        (&json!("seated"), &json!(first.party), None)
    );
    let page = second.page().await;
    assert_eq!(page["table"], json!({ "id": table["id"], "name": "A-1" }));
    let store = page["store"].as_object().unwrap();
    let told: Vec<&str> = store.keys().map(String::as_str).collect();
    let known = [
        "code",
        "currency",
        "language",
        "name",
        "paymentTiming",
        "timeZone",
    ];
    assert_eq!(told, known);
    assert!(!page["items"].as_array().unwrap().is_empty());
    assert!(!page["categories"].as_array().unwrap().is_empty());
    assert_eq!((&page["orders"], &page["calls"]), (&json!([]), &json!([])));
}

#[rstest]
#[tokio::test]
async fn guests_whom_the_staff_seated_join_with_their_covers(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let seat = format!("/tables/{}/seat", house.table_id("A-1").await);
    house.done(&seat, json!({ "covers": 3 })).await;
    let before = house.seq().await;
    let phone = Phone::at(&house, "a1").await;
    assert_eq!(phone.page().await["table"]["covers"], 3);
    assert!(house.events_after(before).await.is_empty());
}

#[rstest]
#[tokio::test]
async fn what_is_no_table_is_404_and_what_is_no_join_is_refused(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let client = house.server.client();
    let unknown = join(&client, "demo-z9").await;
    assert_eq!(refused(&unknown), (404, "NOT_FOUND".to_owned()));
    let path = "/api/guest/demo-a1/join";
    let odd = client.post(path, json!({ "covers": 2 })).await;
    assert_eq!(refused(&odd), (422, "UNKNOWN_FIELD".to_owned()));
    assert_eq!(house.table("A-1").await["state"], "free");
}

#[rstest]
#[tokio::test]
async fn a_store_that_seats_its_guests_refuses_a_free_table_and_no_other(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    house.set(|store| store.guest_seating = false).await;
    let client = house.server.client();
    let free = join(&client, "demo-a1").await;
    assert_eq!(refused(&free), conflict("GUEST_SEATING_OFF"));
    let words = free.json()["detail"].as_str().unwrap().to_owned();
    assert!(words.contains("ask"), "{words}");
    assert_eq!(house.table("A-1").await["state"], "free");
    let seat = format!("/tables/{}/seat", house.table_id("A-1").await);
    house.done(&seat, json!({})).await;
    Phone::at(&house, "a1").await;
}

#[rstest]
#[tokio::test]
async fn a_table_that_is_to_be_cleaned_opens_for_nobody_until_staff_says_so(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    Phone::at(&house, "a1").await;
    clear(&house, "A-1").await;
    let client = house.server.client();
    let dirty = join(&client, "demo-a1").await;
    assert_eq!(refused(&dirty), conflict("GUEST_SEATING_OFF"));
    assert_eq!(house.table("A-1").await["state"], "dirty");
    let cleaned = format!("/tables/{}/cleaned", house.table_id("A-1").await);
    house.done(&cleaned, json!({})).await;
    Phone::at(&house, "a1").await;
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_phones_that_scan_at_the_same_instant_are_one_party(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let before = house.seq().await;
    let phones = join_all((0..20).map(|_| Phone::at(&house, "b3"))).await;
    let parties: BTreeSet<&str> = phones.iter().map(|phone| &*phone.party).collect();
    let tokens: BTreeSet<&str> = phones.iter().map(|phone| &*phone.token).collect();
    assert_eq!((parties.len(), tokens.len()), (1, 20));
    assert_eq!(house.events_after(before).await, ["TABLE_CHANGED"]);
    let pages = join_all(phones.iter().map(Phone::page)).await;
    assert!(pages.iter().all(|page| page["table"]["name"] == "B-3"));
}

#[rstest]
#[tokio::test]
async fn a_code_that_is_scanned_without_end_is_refused_for_a_while(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let client = house.server.client();
    let mut answers = 0;
    let refusal = loop {
        let answer = join(&client, "demo-a1").await;
        if answer.status != 200 {
            break answer;
        }
        answers += 1;
        assert!(answers < 60, "never refused");
    };
    assert!(answers >= 40, "{answers}");
    assert_eq!(refused(&refusal), (429, "TOO_MANY_ATTEMPTS".to_owned()));
    let wait: u64 = refusal.header("retry-after").parse().unwrap();
    assert!((1..=2).contains(&wait), "{wait}");
    Phone::at(&house, "a2").await;
}

#[rstest]
#[tokio::test]
async fn a_restart_keeps_every_token(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = open_on(engine).await;
    let phone = Phone::at(&house, "a1").await;
    let order = phone.orders(&house, 1).await;
    let clock = house.clock.clone();
    let house = House::of(house.server.restart().await, clock).await;
    let phone = phone.through(house.server.addr);
    assert_eq!(phone.page().await["orders"], json!([order]));
    let again = Phone::at(&house, "a1").await;
    assert_eq!(again.party, phone.party);
}

#[rstest]
#[tokio::test]
async fn the_next_guests_see_nothing_of_the_earlier_ones_whose_token_is_dead(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let earlier = Phone::at(&house, "a1").await;
    let order = earlier.orders(&house, 2).await;
    assert_eq!(
        earlier
            .post("/calls", json!({ "reason": "water" }))
            .await
            .status,
        200
    );
    let ticket = earlier.ticket().await;
    house.confirm(&order).await;
    clear(&house, "A-1").await;

    let dead = [
        earlier.get("").await,
        earlier.get("/ticket").await,
        earlier.post("/orders", super::rice(&house, 1).await).await,
        earlier.post("/calls", json!({ "reason": "staff" })).await,
    ];
    for answer in dead {
        assert_eq!(refused(&answer), conflict("PARTY_CLEARED"));
        assert_eq!(answer.json().get("orders"), None);
    }
    let stream = earlier.events(&ticket).await;
    assert_eq!(stream.status(), 409);

    let cleaned = format!("/tables/{}/cleaned", house.table_id("A-1").await);
    house.done(&cleaned, json!({})).await;
    let later = Phone::at(&house, "a1").await;
    assert_ne!(later.party, earlier.party);
    let page = later.page().await;
    assert_eq!((&page["orders"], &page["calls"]), (&json!([]), &json!([])));
    assert_eq!(refused(&earlier.get("").await), conflict("PARTY_CLEARED"));
}

#[rstest]
#[tokio::test]
async fn a_dead_token_is_told_so_for_a_day_and_then_forgotten(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let phone = Phone::at(&house, "a1").await;
    let sits = Phone::at(&house, "a2").await;
    clear(&house, "A-1").await;
    house.clock.advance(24 * 3_600_000 - 1);
    house.server.app.relay.tidy().await.unwrap();
    assert_eq!(refused(&phone.get("").await), conflict("PARTY_CLEARED"));
    house.clock.advance(1);
    house.server.app.relay.tidy().await.unwrap();
    assert_eq!(phone.get("").await.code(), "SIGNED_OUT");
    assert_eq!(
        sits.get("").await.status,
        200,
        "a party that sits keeps its phones"
    );
}

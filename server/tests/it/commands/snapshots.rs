//! Snapshots: scopes, ids, watermarks.

use rstest::rstest;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{House, id, refused, seq};
use crate::support::Engine::{self, Postgres, Sqlite};

#[rstest]
#[tokio::test]
async fn every_scope_comes_with_the_seq_it_is_as_of(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::on(engine).await;
    let order = house.order("A-1", 1).await;
    let head = house.seq().await;
    for scope in [
        "/store",
        "/payments",
        "/servings",
        "/calls",
        "/hall/orders",
        "/kitchen/orders",
        "/kitchen/recent",
        "/tables",
        "/menu",
    ] {
        let answer = house.get(scope).await;
        assert_eq!((answer.status, seq(&answer)), (200, head), "{scope}");
        assert_eq!(answer.header("cache-control"), "no-store", "{scope}");
    }
    let store = house.get("/store").await.json();
    assert_eq!(
        (store["code"].as_str(), store["timeZone"].as_str()),
        (Some("demo"), Some("Asia/Seoul"))
    );
    assert_eq!(
        store["stations"][0]["thresholds"]["waiting"],
        json!([180_000, 360_000])
    );
    let menu = house.get("/menu").await.json();
    let count = |name: &str| menu[name].as_array().unwrap().len();
    assert!(
        count("items") >= 24 && count("categories") == 5,
        "the demo looks real"
    );
    let tables = house.get("/tables").await.json();
    assert_eq!(tables["zones"].as_array().unwrap().len(), 2);
    assert_eq!(tables["tables"].as_array().unwrap().len(), 12);
    assert_eq!(
        house.get("/payments").await.json()["orders"][0]["id"],
        order["id"]
    );
    assert_eq!(
        house.get("/kitchen/orders").await.json()["orders"],
        json!([])
    );
}

#[rstest]
#[tokio::test]
async fn ids_choose_and_what_is_missing_is_absent(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::on(engine).await;
    let order = house.order("A-1", 1).await;
    let stranger = Uuid::now_v7();
    let ids = format!("?ids={},{stranger}", id(&order));
    let found = |answer: Value| answer["orders"].as_array().unwrap().len();
    assert_eq!(
        found(house.get(&format!("/hall/orders{ids}")).await.json()),
        1
    );
    assert_eq!(
        found(house.get(&format!("/kitchen/orders{ids}")).await.json()),
        0
    );
    let table = house.table_id("A-2").await;
    let answer = house.get(&format!("/tables?ids={table}")).await.json();
    assert_eq!(answer["tables"].as_array().unwrap().len(), 1);
    let item = house.item(super::RICE).await;
    let answer = house.get(&format!("/menu?ids={}", id(&item))).await.json();
    assert_eq!(answer["items"].as_array().unwrap().len(), 1);
    let bad = house.get("/hall/orders?ids=1,2").await;
    assert_eq!(refused(&bad), super::invalid("VALIDATION"));
    let many: Vec<String> = (0..201).map(|_| Uuid::now_v7().to_string()).collect();
    let many = house
        .get(&format!("/hall/orders?ids={}", many.join(",")))
        .await;
    assert_eq!(refused(&many), super::invalid("VALIDATION"));
}

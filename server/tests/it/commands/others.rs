//! Ids of another store are of nothing: 404, never 403.

use rstest::rstest;
use serde_json::json;
use uuid::Uuid;

use super::{House, id};
use crate::support::Engine::{self, Postgres, Sqlite};

#[rstest]
#[tokio::test]
async fn another_stores_ids_are_not_found(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::on(engine).await;
    let order = house.order("A-1", 1).await;
    let (order, line) = (id(&order).to_owned(), id(&order["lines"][0]).to_owned());
    let table = house.table_id("A-1").await;
    let item = house.item(super::RICE).await["id"].clone();
    let stranger = house.server.login("owner").await;
    let me = stranger.get("/api/auth/me").await.json();
    let own = format!("/api/pos/{}", me["storeId"].as_str().unwrap());
    let commands = [
        (
            format!("/hall/orders/{order}/lines"),
            json!({ "lines": [{ "menuId": item, "quantity": 1 }] }),
        ),
        (
            format!("/hall/orders/{order}/confirm"),
            json!({ "tender": "cash" }),
        ),
        (
            format!("/hall/orders/{order}/reject"),
            json!({ "reason": "x" }),
        ),
        (format!("/hall/orders/{order}/note"), json!({ "note": "x" })),
        (
            format!("/hall/orders/{order}/lines/{line}/note"),
            json!({ "note": "x" }),
        ),
        (
            format!("/hall/orders/{order}/lines/{line}/void"),
            json!({ "reason": "x" }),
        ),
        (
            format!("/hall/orders/{order}/move-lines"),
            json!({ "lineIds": [line], "toTableId": table }),
        ),
        (
            format!("/kitchen/orders/{order}/advance"),
            json!({ "to": "cooking" }),
        ),
        (format!("/kitchen/orders/{order}/recall"), json!({})),
        (
            format!("/kitchen/orders/{order}/priority"),
            json!({ "priority": true }),
        ),
        (
            format!("/kitchen/orders/{order}/voids/ack"),
            json!({ "lineIds": [line] }),
        ),
        (format!("/servings/{order}/serve"), json!({})),
        (format!("/calls/{}/accept", Uuid::now_v7()), json!({})),
        (format!("/calls/{}/done", Uuid::now_v7()), json!({})),
        (format!("/tables/{table}/seat"), json!({})),
        (format!("/tables/{table}/covers"), json!({ "covers": 2 })),
        (format!("/tables/{table}/clear"), json!({})),
        (format!("/tables/{table}/cleaned"), json!({})),
        (format!("/tables/{table}/bill"), json!({})),
        (
            format!("/tables/{table}/transfer"),
            json!({ "toTableId": table }),
        ),
        (
            format!("/tables/{table}/join"),
            json!({ "tableIds": [table] }),
        ),
        (format!("/tables/{table}/unjoin"), json!({})),
        (
            format!("/menu/{}/sold-out", item.as_str().unwrap()),
            json!({ "soldOut": true }),
        ),
        (
            "/hall/orders".to_owned(),
            json!({ "tableId": table, "channel": "takeout", "lines": [] }),
        ),
    ];
    let before = house.seq().await;
    for (path, body) in &commands {
        let foreign_store = stranger
            .post(&format!("{}{path}", house.path), body.clone())
            .await;
        assert_eq!(foreign_store.status, 404, "{path}: {}", foreign_store.text);
        if path == "/hall/orders" {
            continue;
        }
        let foreign_id = stranger.post(&format!("{own}{path}"), body.clone()).await;
        assert_eq!(foreign_id.status, 404, "{path}: {}", foreign_id.text);
        assert_eq!(foreign_id.code(), "NOT_FOUND");
    }
    for scope in [
        "store",
        "payments",
        "hall/orders",
        "kitchen/orders",
        "tables",
        "menu",
        "calls",
    ] {
        let answer = stranger.get(&format!("{}/{scope}", house.path)).await;
        assert_eq!(answer.status, 404, "{scope}");
        let ids = stranger
            .get(&format!("{own}/{scope}?ids={order},{table}"))
            .await;
        assert!(
            !ids.text.contains(&order) && !ids.text.contains(&table),
            "{scope}"
        );
    }
    assert_eq!(
        house.seq().await,
        before,
        "nothing happened in the other store"
    );
}

#[rstest]
#[tokio::test]
async fn a_malformed_id_is_not_found(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::on(engine).await;
    let answer = house
        .post("/hall/orders/41/confirm", json!({ "tender": "cash" }))
        .await;
    assert_eq!(
        (answer.status, answer.code()),
        (404, "NOT_FOUND".to_owned())
    );
}

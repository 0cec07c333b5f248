//! Tables, parties, calls.

use domain::call::{Call, CallReason};
use domain::id::{CallId, PartyId, TableId};
use rstest::rstest;
use serde_json::json;
use server::store::call::call_save;
use uuid::Uuid;

use super::{House, conflict, id, invalid, refused};
use crate::support::Engine::{self, Postgres, Sqlite};

#[rstest]
#[tokio::test]
async fn a_table_is_seated_counted_cleared_and_cleaned(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::on(engine).await;
    let path = format!("/tables/{}", house.table_id("A-1").await);
    let before = house.seq().await;
    let seated = house
        .done(&format!("{path}/seat"), json!({ "covers": 2 }))
        .await;
    assert_eq!(seated["tables"][0]["party"]["covers"], 2);
    let taken = house
        .post(&format!("{path}/seat"), json!({ "covers": 2 }))
        .await;
    assert_eq!(refused(&taken), conflict("TABLE_OCCUPIED"));
    assert_eq!(taken.json()["tables"][0]["state"], "seated");
    for bad in [0, 100] {
        let answer = house
            .post(&format!("{path}/covers"), json!({ "covers": bad }))
            .await;
        assert_eq!(refused(&answer), invalid("VALIDATION"));
    }
    house
        .done(&format!("{path}/covers"), json!({ "covers": 3 }))
        .await;
    assert_eq!(house.table("A-1").await["party"]["covers"], 3);
    house.done(&format!("{path}/clear"), json!({})).await;
    assert_eq!(house.table("A-1").await["state"], "dirty");
    let dirty = house.post(&format!("{path}/seat"), json!({})).await;
    assert_eq!(refused(&dirty), conflict("INVALID_TRANSITION"));
    house.done(&format!("{path}/cleaned"), json!({})).await;
    house.done(&format!("{path}/cleaned"), json!({})).await;
    assert_eq!(house.table("A-1").await["state"], "free");
    assert_eq!(house.events_after(before).await, ["TABLE_CHANGED"; 4]);
    let nobody = house.post(&format!("{path}/clear"), json!({})).await;
    assert_eq!(refused(&nobody), conflict("INVALID_TRANSITION"));
}

#[rstest]
#[tokio::test]
async fn clearing_closes_the_orders_and_calls_of_the_party(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine).await;
    let order = house.cooked("A-1").await;
    house
        .done(&format!("/servings/{}/serve", id(&order)), json!({}))
        .await;
    let call = house.call("A-1").await;
    let before = house.seq().await;
    let clear = format!("/tables/{}/clear", house.table_id("A-1").await);
    let cleared = house.done(&clear, json!({})).await;
    assert!(cleared["orders"][0]["closedAt"].is_i64());
    assert_eq!(cleared["calls"][0]["state"], "done");
    assert_eq!(
        house.events_after(before).await,
        ["TABLE_CHANGED", "ORDER_CHANGED", "CUSTOMER_CALL"]
    );
    assert_eq!(house.get("/hall/orders").await.json()["orders"], json!([]));
    assert_eq!(house.get("/calls").await.json()["calls"], json!([]));
    let late = house
        .post(&format!("/calls/{call}/accept"), json!({}))
        .await;
    assert_eq!(refused(&late), conflict("INVALID_TRANSITION"));
}

#[rstest]
#[tokio::test]
async fn an_order_the_kitchen_still_has_stays_open_after_clearing(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine).await;
    let order = house.cooked("A-1").await;
    house
        .done(
            &format!("/tables/{}/clear", house.table_id("A-1").await),
            json!({}),
        )
        .await;
    let open = house.get("/kitchen/orders").await.json();
    assert_eq!(open["orders"][0]["id"], order["id"]);
    house
        .done(&format!("/servings/{}/serve", id(&order)), json!({}))
        .await;
    assert_eq!(house.get("/hall/orders").await.json()["orders"], json!([]));
}

#[rstest]
#[tokio::test]
async fn a_call_is_taken_by_one_and_finished(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::on(engine).await;
    let call = house.call("A-1").await;
    let early = house.post(&format!("/calls/{call}/done"), json!({})).await;
    assert_eq!(refused(&early), conflict("INVALID_TRANSITION"));
    let before = house.seq().await;
    let taken = house
        .done(&format!("/calls/{call}/accept"), json!({}))
        .await;
    assert_eq!(taken["calls"][0]["acceptedBy"], "김하늘");
    house
        .done(&format!("/calls/{call}/accept"), json!({}))
        .await;
    let hall = house.login("hall", "3000").await;
    let path = format!("{}/calls/{call}/accept", house.path);
    assert_eq!(
        refused(&hall.post(&path, json!({})).await),
        conflict("INVALID_TRANSITION")
    );
    house.done(&format!("/calls/{call}/done"), json!({})).await;
    assert_eq!(house.events_after(before).await, ["CUSTOMER_CALL"; 2]);
}

#[rstest]
#[tokio::test]
async fn a_transfer_takes_orders_and_calls_along_and_the_kitchen_cooks_nothing_again(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine).await;
    let order = house.order("A-1", 1).await;
    let cooking = house.confirm(&order).await;
    house.call("A-1").await;
    let path = format!("/tables/{}/transfer", house.table_id("A-1").await);
    house.order("A-2", 1).await;
    let taken = house
        .post(&path, json!({ "toTableId": house.table_id("A-2").await }))
        .await;
    assert_eq!(refused(&taken), conflict("TABLE_OCCUPIED"));
    let before = house.seq().await;
    house
        .done(&path, json!({ "toTableId": house.table_id("B-3").await }))
        .await;
    assert_eq!(
        house.events_after(before).await,
        [
            "TABLE_CHANGED",
            "TABLE_CHANGED",
            "ORDER_CHANGED",
            "CUSTOMER_CALL"
        ]
    );
    let moved = house.get("/kitchen/orders").await.json()["orders"][0].clone();
    assert_eq!(
        (moved["tableLabel"].as_str(), moved["zone"]["en"].as_str()),
        (Some("B-3"), Some("Hall B"))
    );
    assert_eq!(moved["lines"], cooking["lines"], "same lines, same states");
    let calls = house.get("/calls").await.json();
    assert_eq!(calls["calls"][0]["tableId"], house.table("B-3").await["id"]);
}

#[rstest]
#[tokio::test]
async fn joined_tables_share_a_party_and_part_again(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::on(engine).await;
    let first = house.order("A-6", 1).await;
    let second = house.order("A-7", 2).await;
    let (six, seven, five) = (
        house.table_id("A-6").await,
        house.table_id("A-7").await,
        house.table_id("A-5").await,
    );
    let join = format!("/tables/{six}/join");
    let joined = house
        .done(&join, json!({ "tableIds": [seven, five] }))
        .await;
    let orders = joined["orders"].as_array().unwrap();
    assert!(
        orders
            .iter()
            .all(|order| order["tableLabel"] == "A-5+A-6+A-7"),
        "{joined}"
    );
    assert!(
        orders
            .iter()
            .all(|order| order["partyId"] == first["partyId"])
    );
    let nothing = house.post(&join, json!({ "tableIds": [six] })).await;
    assert_eq!(refused(&nothing), conflict("INVALID_TRANSITION"));
    let parted = house
        .done(&format!("/tables/{six}/unjoin"), json!({}))
        .await;
    let label = |order: &serde_json::Value| {
        let found = parted["orders"]
            .as_array()
            .unwrap()
            .iter()
            .find(|o| o["id"] == order["id"]);
        found.unwrap()["tableLabel"].clone()
    };
    assert_eq!(
        (label(&first), label(&second)),
        (json!("A-6"), json!("A-7"))
    );
    assert_eq!(house.table("A-5").await["state"], "free");
    let own = house.table("A-7").await["party"]["id"].clone();
    assert_ne!(own, first["partyId"]);
    let again = house
        .post(&format!("/tables/{six}/unjoin"), json!({}))
        .await;
    assert_eq!(refused(&again), conflict("INVALID_TRANSITION"));
}

#[rstest]
#[tokio::test]
async fn moved_lines_keep_their_identity_under_another_order(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine).await;
    let order = house.order("A-1", 1).await;
    let lines =
        json!({ "lines": [{ "menuId": house.item(super::RICE).await["id"], "quantity": 5 }] });
    let path = format!("/hall/orders/{}", id(&order));
    let order = house.done(&format!("{path}/lines"), lines).await["orders"][0].clone();
    house.confirm(&order).await;
    let to = house.table_id("B-1").await;
    let body = json!({ "lineIds": [order["lines"][1]["id"]], "toTableId": to });
    let nobody = house
        .post(&format!("{path}/move-lines"), body.clone())
        .await;
    assert_eq!(refused(&nobody), conflict("INVALID_TRANSITION"));
    house
        .done(&format!("/tables/{to}/seat"), json!({ "covers": 1 }))
        .await;
    let before = house.seq().await;
    let moved = house.done(&format!("{path}/move-lines"), body).await;
    assert_eq!(
        house.events_after(before).await,
        ["ORDER_CHANGED", "ORDER_CHANGED"]
    );
    let (old, new) = (&moved["orders"][0], &moved["orders"][1]);
    assert_eq!(
        (old["total"].clone(), new["total"].clone()),
        (json!(1_000), json!(5_000))
    );
    assert_eq!(new["lines"][0]["id"], order["lines"][1]["id"]);
    assert_eq!(new["lines"][0]["kitchenState"], "waiting");
    assert_eq!(
        (new["tableLabel"].as_str(), new["checkoutStage"].as_str()),
        (Some("B-1"), Some("confirmed"))
    );
}

#[rstest]
#[tokio::test]
async fn asking_for_the_bill_is_noted_once(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::on(engine).await;
    house.order("A-1", 1).await;
    let path = format!("/tables/{}/bill", house.table_id("A-1").await);
    let before = house.seq().await;
    house.done(&path, json!({})).await;
    house.clock.advance(5_000);
    house.done(&path, json!({})).await;
    assert_eq!(
        house.events_after(before).await,
        ["TABLE_CHANGED"],
        "prepaid: it is due already"
    );
    assert_eq!(
        house.table("A-1").await["party"]["billRequestedAt"],
        super::NOON.0
    );
}

impl House {
    /// A call for water from the party at the table, seated if need be; its id.
    async fn call(&self, name: &str) -> Uuid {
        if self.table(name).await["state"] == "free" {
            let path = format!("/tables/{}/seat", self.table_id(name).await);
            self.done(&path, json!({})).await;
        }
        let table = self.table(name).await;
        let party: Uuid = id(&table["party"]).parse().unwrap();
        let call = Call::request(
            CallId(Uuid::now_v7()),
            TableId(id(&table).parse().unwrap()),
            PartyId(party),
            CallReason::Water,
            super::NOON,
        );
        let mut tx = self.server.app.db.write().await.unwrap();
        let store = self.path.rsplit('/').next().unwrap().parse().unwrap();
        call_save(&mut tx, store, &call).await.unwrap();
        tx.commit().await.unwrap();
        call.id.0
    }
}

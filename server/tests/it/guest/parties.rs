//! Parties that move, join and part: the order's party decides who sees it, on the page and on
//! the stream.

use rstest::rstest;
use serde_json::{Value, json};

use super::{Phone, find, next, open_on, text, until_order};
use crate::commands::{House, conflict, id, refused};
use crate::hub::reading::{Frame, Reader};
use crate::support::Engine::{self, Postgres, Sqlite};

/// Two parties, each with a phone and its stream.
struct Two {
    house: House,
    a: Phone,
    b: Phone,
    a_hears: Reader,
    b_hears: Reader,
}

impl Two {
    async fn sit(engine: Engine) -> Self {
        let house = open_on(engine).await;
        let (a, b) = (Phone::at(&house, "a1").await, Phone::at(&house, "a2").await);
        let (a_hears, b_hears) = (a.stream().await, b.stream().await);
        Self {
            house,
            a,
            b,
            a_hears,
            b_hears,
        }
    }

    async fn table(&self, name: &str, act: &str, body: Value) {
        let path = format!("/tables/{}/{act}", self.house.table_id(name).await);
        self.house.done(&path, body).await;
    }

    async fn join(&self) {
        let other = self.house.table_id("A-2").await;
        self.table("A-1", "join", json!({ "tableIds": [other] }))
            .await;
    }

    async fn move_lines(&self, order: &Value, lines: &[&Value]) -> Value {
        let ids: Vec<&Value> = lines.iter().map(|line| &line["id"]).collect();
        let body = json!({ "lineIds": ids, "toTableId": self.house.table_id("A-2").await });
        let path = format!("/hall/orders/{}/move-lines", id(order));
        self.house.done(&path, body).await
    }
}

/// Everything until the page is told to load again; nothing of it may name `foreign`.
async fn until_reload(reader: &mut Reader, foreign: &[&str]) -> Vec<Frame> {
    let mut before = Vec::new();
    loop {
        let frame = next(reader).await;
        let text = frame.data.to_string();
        for id in foreign {
            assert!(!text.contains(id), "{id} in {frame:?}");
        }
        if frame.event == "RELOAD_REQUIRED" {
            return before;
        }
        before.push(frame);
    }
}

#[rstest]
#[tokio::test]
async fn an_order_that_is_moved_as_a_whole_leaves_one_page_and_comes_to_the_other(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let mut two = Two::sit(engine).await;
    let order = two.a.orders(&two.house, 2).await;
    assert_eq!(next(&mut two.a_hears).await.event, "HALL_PAYMENT");
    let line = &order["lines"][0];
    two.move_lines(&order, &[line]).await;
    let before = until_reload(&mut two.a_hears, &[id(&order)]).await;
    assert!(before.is_empty(), "{before:?}");
    let (before, shown) = until_order(&mut two.b_hears, &order["id"], 2).await;
    assert!(before.is_empty(), "{before:?}");
    assert_eq!(shown["lines"][0]["id"], line["id"]);
    assert_eq!(two.a.sees().await, Vec::<String>::new());
    assert_eq!(two.b.sees().await, [text(&order["id"])]);
    // What becomes of it is no longer heard at its old table.
    two.house.confirm(&order).await;
    until_order(&mut two.b_hears, &order["id"], 3).await;
    let own = two.a.orders(&two.house, 1).await;
    let (before, _) = until_order(&mut two.a_hears, &own["id"], 1).await;
    assert!(before.is_empty(), "{before:?}");
}

#[rstest]
#[tokio::test]
async fn lines_that_are_moved_leave_their_order_and_each_party_sees_its_part(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let two = &mut Two::sit(engine).await;
    let (item, cola) = (
        two.house.item(crate::commands::RICE).await,
        two.house.item("118").await,
    );
    let body = json!({ "lines": [
        { "menuId": item["id"], "quantity": 1 },
        { "menuId": cola["id"], "quantity": 1 },
    ] });
    let order = two.a.post("/orders", body).await.json()["orders"][0].clone();
    next(&mut two.a_hears).await;
    let moved = two.move_lines(&order, &[&order["lines"][1]]).await;
    let orders = moved["orders"].as_array().unwrap();
    let part = orders.iter().find(|o| o["id"] != order["id"]).unwrap();
    let (before, kept) = until_order(&mut two.a_hears, &order["id"], 2).await;
    assert!(before.is_empty());
    assert_eq!(kept["lines"].as_array().unwrap().len(), 1);
    until_order(&mut two.b_hears, &part["id"], 1).await;
    assert_eq!(two.a.sees().await, [text(&order["id"])]);
    assert_eq!(two.b.sees().await, [text(&part["id"])]);
    let own = two.a.orders(&two.house, 1).await;
    let (before, _) = until_order(&mut two.a_hears, &own["id"], 1).await;
    assert!(before.is_empty(), "the part is not heard of: {before:?}");
}

#[rstest]
#[tokio::test]
async fn a_party_that_is_transferred_keeps_its_phones_and_its_old_table_tells_them_nothing(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let mut two = Two::sit(engine).await;
    let order = two.a.orders(&two.house, 1).await;
    next(&mut two.a_hears).await;
    let to = two.house.table_id("B-1").await;
    two.table("A-1", "transfer", json!({ "toTableId": to }))
        .await;
    until_reload(&mut two.a_hears, &[]).await;
    let (_, moved) = until_order(&mut two.a_hears, &order["id"], 2).await;
    assert_eq!(moved["number"], order["number"]);
    let page = two.a.page().await;
    assert_eq!(page["table"], json!({ "id": to, "name": "B-1" }));
    assert_eq!(page["orders"], json!([moved]));

    // Others sit down at the old table; neither hears of the other.
    two.table("A-1", "cleaned", json!({})).await;
    let later = Phone::at(&two.house, "a1").await;
    let mut later_hears = later.stream().await;
    assert_eq!(later.sees().await, Vec::<String>::new());
    let theirs = later.orders(&two.house, 2).await;
    let ours = two.a.orders(&two.house, 3).await;
    let (before, _) = until_order(&mut two.a_hears, &ours["id"], 1).await;
    assert!(before.is_empty(), "{before:?}");
    two.table("B-1", "covers", json!({ "covers": 4 })).await;
    let table = next(&mut two.a_hears).await;
    assert_eq!(table.event, "TABLE_CHANGED");
    assert_eq!(
        table.data["payload"],
        json!({ "id": to, "name": "B-1", "covers": 4 })
    );
    let (before, _) = until_order(&mut later_hears, &theirs["id"], 1).await;
    // At most how their own table was got ready and taken.
    let heard = format!("{before:?}");
    for foreign in [id(&order), id(&ours), &two.a.party] {
        assert!(!heard.contains(foreign), "{heard}");
    }
    // The second party heard nothing at all.
    let last = two.b.orders(&two.house, 1).await;
    let (before, _) = until_order(&mut two.b_hears, &last["id"], 1).await;
    assert!(before.is_empty(), "{before:?}");
}

#[rstest]
#[tokio::test]
async fn parties_that_are_joined_see_each_others_orders_from_then_on(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let mut two = Two::sit(engine).await;
    let (first, second) = (
        two.a.orders(&two.house, 1).await,
        two.b.orders(&two.house, 2).await,
    );
    next(&mut two.a_hears).await;
    next(&mut two.b_hears).await;
    two.join().await;
    // The one that stays hears of the other's order as of any; the other's page begins again.
    let (before, _) = until_order(&mut two.a_hears, &second["id"], 2).await;
    assert!(
        before.iter().all(|f| f.event != "RELOAD_REQUIRED"),
        "{before:?}"
    );
    until_reload(&mut two.b_hears, &[id(&first)]).await;
    until_order(&mut two.b_hears, &second["id"], 2).await;
    let mut both = vec![text(&first["id"]), text(&second["id"])];
    both.sort();
    for phone in [&two.a, &two.b] {
        let mut sees = phone.sees().await;
        sees.sort();
        assert_eq!(sees, both);
    }
    let third = two.b.orders(&two.house, 1).await;
    until_order(&mut two.a_hears, &third["id"], 1).await;
    until_order(&mut two.b_hears, &third["id"], 1).await;
    assert_eq!(two.b.page().await["table"]["name"], "A-2", "its own table");
    // One party: cleared together.
    for order in [&first, &second, &third] {
        two.house.confirm(order).await;
    }
    super::clear(&two.house, "A-2").await;
    for (phone, hears) in [(&two.a, &mut two.a_hears), (&two.b, &mut two.b_hears)] {
        find(hears, "partyCleared").await;
        assert!(hears.next().await.is_none());
        assert_eq!(refused(&phone.get("").await), conflict("PARTY_CLEARED"));
    }
}

#[rstest]
#[tokio::test]
async fn tables_that_part_take_their_phones_and_their_orders_home(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let mut two = Two::sit(engine).await;
    two.join().await;
    until_reload(&mut two.b_hears, &[]).await;
    let (first, second) = (
        two.a.orders(&two.house, 1).await,
        two.b.orders(&two.house, 2).await,
    );
    until_order(&mut two.a_hears, &second["id"], 1).await;
    until_order(&mut two.b_hears, &second["id"], 1).await;
    two.table("A-1", "unjoin", json!({})).await;
    until_reload(&mut two.a_hears, &[]).await;
    until_reload(&mut two.b_hears, &[]).await;
    assert_eq!(two.a.sees().await, [text(&first["id"])]);
    assert_eq!(two.b.sees().await, [text(&second["id"])]);
    // From here on they are strangers.
    let (third, fourth) = (
        two.a.orders(&two.house, 1).await,
        two.b.orders(&two.house, 1).await,
    );
    let foreign = [
        (&mut two.a_hears, &third, &fourth),
        (&mut two.b_hears, &fourth, &third),
    ];
    for (hears, own, other) in foreign {
        let (before, _) = until_order(hears, &own["id"], 1).await;
        let heard = format!("{before:?}");
        assert!(!heard.contains(id(other)), "{heard}");
    }
}

#[rstest]
#[tokio::test]
async fn a_phone_of_a_table_that_is_free_again_stays_with_its_party(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let mut two = Two::sit(engine).await;
    two.join().await;
    until_reload(&mut two.b_hears, &[]).await;
    let order = two.a.orders(&two.house, 1).await;
    until_order(&mut two.b_hears, &order["id"], 1).await;
    two.table("A-1", "unjoin", json!({})).await;
    assert_eq!(two.house.table("A-2").await["state"], "free");
    until_reload(&mut two.b_hears, &[]).await;
    let page = two.b.page().await;
    assert_eq!(
        (&page["table"]["name"], &page["orders"][0]["id"]),
        (&json!("A-1"), &order["id"])
    );
    // Who sits down there next is another party.
    let later = Phone::at(&two.house, "a2").await;
    assert_ne!(later.party, two.a.party);
    assert_eq!(later.sees().await, Vec::<String>::new());
}

/// The party of A-1 moves to B-1 and has its tables joined with those of A-2: from either side.
async fn moved_joined_and_parted(engine: Engine, at: &str, other: &str) {
    let two = Two::sit(engine).await;
    let [b1, joins] = [
        two.house.table_id("B-1").await,
        two.house.table_id(other).await,
    ];
    two.table("A-1", "transfer", json!({ "toTableId": b1 }))
        .await;
    two.table(at, "join", json!({ "tableIds": [joins] })).await;
    let (first, second) = (
        two.a.orders(&two.house, 1).await,
        two.b.orders(&two.house, 2).await,
    );
    two.table(at, "unjoin", json!({})).await;
    assert_eq!(two.a.page().await["table"]["name"], "B-1");
    assert_eq!(two.a.sees().await, [text(&first["id"])]);
    assert_eq!(two.b.page().await["table"]["name"], "A-2");
    assert_eq!(two.b.sees().await, [text(&second["id"])]);
}

#[rstest]
#[tokio::test]
async fn phones_of_a_party_that_moved_belong_to_its_table_when_tables_part(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    moved_joined_and_parted(engine, "B-1", "A-2").await;
    moved_joined_and_parted(engine, "A-2", "B-1").await;
}

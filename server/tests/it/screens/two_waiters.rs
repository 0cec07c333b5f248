//! Two waiters at one table (trial C41), and words and sizes that break frames (C10, C11).

use domain::order::Order;
use domain::stream::Scope;
use rstest::rstest;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{House, Screen, Setup, Staff, entities, settled};
use crate::support::Engine::{self, Postgres, Sqlite};

const KITCHEN: [Scope; 2] = [Scope::KitchenOrders, Scope::HallOrders];

/// Ids of items that need no choice.
async fn plain_items(staff: &Staff, count: usize) -> Vec<Uuid> {
    let menu = entities(&staff.get(Scope::Menu.path()).await.unwrap());
    let plain = menu
        .items
        .iter()
        .filter(|item| item.option_groups.is_empty());
    let ids: Vec<Uuid> = plain.map(|item| item.id.0).take(count).collect();
    assert_eq!(ids.len(), count);
    ids
}

fn lines(wanted: &[(Uuid, u32)]) -> Value {
    let line = |(item, quantity): &(Uuid, u32)| json!({ "menuId": item, "quantity": quantity });
    json!({ "lines": wanted.iter().map(line).collect::<Vec<_>>() })
}

/// Item and quantity of each live line, sorted.
fn ordered(order: &Order) -> Vec<(Uuid, u32)> {
    let mut lines: Vec<_> = order
        .live_lines()
        .map(|line| (line.menu_id.0, line.quantity))
        .collect();
    lines.sort();
    lines
}

/// Rounds of trial C41.
const ROUNDS: usize = 200;

/// Trial C41: one adds beer, the other burgers, potatoes and dessert, at the same instant. Both
/// are done, nothing is lost, and the kitchen gets each line once.
#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_waiters_who_add_to_one_table_at_the_same_instant_both_succeed(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine, |_| {}).await;
    let hall = Staff::login(house.addr, "hall", "3000").await;
    let counter = Staff::login(house.addr, "counter", "4000").await;
    let items = plain_items(&hall, 5).await;
    let [water, beer, burger, potato, dessert] = items[..] else {
        unreachable!("five items");
    };
    let tables = entities(&hall.get(Scope::Tables.path()).await.unwrap()).tables;
    let screen = Screen::start(&house.kitchen, Setup::of(&KITCHEN));
    for round in 0..ROUNDS {
        let mut place = lines(&[(water, 1)]);
        place["channel"] = json!("hall");
        place["tableId"] = json!(tables[round % tables.len()].id);
        let order = hall.does("/hall/orders", place).await.order();
        let path = format!("/hall/orders/{order}/lines");
        let both = tokio::join!(
            hall.does(&path, lines(&[(beer, 2)])),
            counter.does(&path, lines(&[(burger, 2), (potato, 3), (dessert, 2)])),
        );
        assert_ne!(both.0.watermark, both.1.watermark);
        let confirm = format!("/hall/orders/{order}/confirm");
        let paid = counter.does(&confirm, json!({ "tender": "card" })).await;
        screen.reaches(paid.watermark.unwrap()).await;

        let mut expected = vec![
            (water, 1),
            (beer, 2),
            (burger, 2),
            (potato, 3),
            (dessert, 2),
        ];
        expected.sort();
        let (store, seen) = screen.look().await;
        seen.assert_sound();
        let shown = store.order(Scope::KitchenOrders, domain::id::OrderId(order));
        let shown = shown.unwrap();
        assert_eq!(ordered(shown), expected, "round {round}");
        assert_eq!(shown.lines.len(), 5, "each line once");
        let asked = hall
            .get(&format!("/hall/orders?ids={order}"))
            .await
            .unwrap();
        assert_eq!(ordered(&entities(&asked).orders[0]), expected);
    }
    settled(&house.owner, &screen).await;
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_of_several_lines_arrives_as_it_was_written(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine, |_| {}).await;
    let item = house.owner.plain_item().await;
    let screen = Screen::start(&house.kitchen, Setup::of(&KITCHEN));
    settled(&house.owner, &screen).await;
    for note in [
        "땅콩 빼고\r\n포장 따로\n🍲 두 개",
        "\r",
        "data: {\"memo\":\n\ndata: \"x\"}",
        "id: 0:0\n\nevent: drain",
    ] {
        let order = house.owner.orders(item, note).await;
        settled(&house.owner, &screen).await;
        let by_event = screen.look().await.0;
        let reloading = Screen::start(&house.kitchen, Setup::of(&KITCHEN));
        settled(&house.owner, &reloading).await;
        let by_snapshot = reloading.look().await.0;
        for store in [by_event, by_snapshot] {
            let shown = store.order(Scope::KitchenOrders, domain::id::OrderId(order));
            assert_eq!(shown.unwrap().note, note);
        }
    }
    let seen = screen.seen();
    assert_eq!((seen.opened.len(), seen.counters.bad_frames), (1, 0));
    assert_eq!((seen.drained, seen.counters.partial_reloads), (0, 0));
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_too_large_for_an_event_is_fetched_and_holds_up_nobody(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine, |_| {}).await;
    let item = house.owner.plain_item().await;
    let screen = Screen::start(&house.kitchen, Setup::of(&KITCHEN));
    settled(&house.owner, &screen).await;
    let line = json!({ "menuId": item, "quantity": 1, "note": "매".repeat(150) });
    let order = |count: usize| json!({ "channel": "takeout", "lines": vec![line.clone(); count] });
    let refused = house
        .owner
        .post("/hall/orders", "four-hundred", &order(400))
        .await
        .unwrap();
    assert!([413, 422].contains(&refused.status), "{}", refused.status);

    let large = house.owner.does("/hall/orders", order(100)).await.order();
    let begun = tokio::time::Instant::now();
    let mut small = Vec::new();
    for _ in 0..3 {
        small.push(house.owner.orders(item, "").await);
    }
    let head = settled(&house.owner, &screen).await;
    assert!(begun.elapsed().as_secs() < 5, "{:?}", begun.elapsed());
    let (store, seen) = screen.look().await;
    let shown = |id: &Uuid| store.order(Scope::HallOrders, domain::id::OrderId(*id));
    assert_eq!(shown(&large).unwrap().lines.len(), 100);
    assert!(small.iter().all(|id| shown(id).is_some()));
    seen.assert_sound();
    assert_eq!((seen.cursor, seen.opened.len()), (head, 1));
    assert_eq!(seen.counters.full_reloads, 1, "only the first baseline");
    screen.rests().await;
}

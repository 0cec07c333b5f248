//! A cancel that the kitchen does not hear of, because its screen is offline (trial C47).

use domain::id::OrderId;
use domain::order::{CheckoutStage, Line, Order};
use domain::settings::{PaymentTiming, Store};
use domain::stream::Scope;
use rstest::rstest;
use serde_json::json;

use super::{House, Screen, Setup, entities, settled};
use crate::network::proxy::{Line as Cable, Proxy};
use crate::support::Engine::{self, Postgres, Sqlite};
use crate::support::change_store;

/// Items of the demo that need no choice: rice and cola.
async fn two_items(house: &House) -> [uuid::Uuid; 2] {
    let menu = entities(&house.owner.get(Scope::Menu.path()).await.unwrap());
    let of = |code: &str| menu.items.iter().find(|item| item.code == code).unwrap();
    [of("117").id.0, of("118").id.0]
}

async fn postpaid(house: &House) {
    let postpaid = |store: &mut Store| store.payment_timing = PaymentTiming::Postpaid;
    change_store(&house.app.db, house.owner.store, postpaid).await;
}

/// Item, quantity and whether it was cancelled, of each line.
fn slip(order: &Order) -> Vec<(uuid::Uuid, u32, bool)> {
    let of = |line: &Line| (line.menu_id.0, line.quantity, line.is_open_void());
    order.lines.iter().map(of).collect()
}

/// Trial C47: M1 −1 and M2 +1 while the kitchen's cable is cut; it comes back and sees both. Then
/// the whole order is cancelled from another terminal, again unheard: the card is still there,
/// marked, until the kitchen has acknowledged it.
#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancel_while_the_kitchen_screen_is_offline_is_marked_when_it_comes_back(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine, |_| {}).await;
    postpaid(&house).await;
    let [m1, m2] = two_items(&house).await;
    let proxy = Proxy::before(house.addr).await;
    let setup = Setup {
        pace: 20,
        ..Setup::of(&[Scope::KitchenOrders, Scope::Store])
    };
    let screen = Screen::start(&house.kitchen.through(proxy.addr), setup);
    settled(&house.owner, &screen).await;
    let tables = entities(&house.owner.get(Scope::Tables.path()).await.unwrap()).tables;
    let place = json!({
        "channel": "hall",
        "tableId": tables[0].id,
        "lines": [{ "menuId": m1, "quantity": 2 }],
    });
    let placed = entities(&house.owner.does("/hall/orders", place).await);
    let order = placed.orders[0].clone();
    settled(&house.owner, &screen).await;

    proxy.set(Cable::Cut);
    let path = format!("/hall/orders/{}", order.id);
    let void = format!("{path}/lines/{}/void", order.lines[0].id);
    let body = json!({ "reason": "변심", "quantity": 1 });
    house.owner.does(&void, body).await;
    let more = json!({ "lines": [{ "menuId": m2, "quantity": 1 }] });
    let added = house.owner.does(&format!("{path}/lines"), more).await;
    let m2_line = entities(&added).orders[0].lines[2].id;
    proxy.set(Cable::Open);
    settled(&house.owner, &screen).await;
    let shown = |store: &domain::store::ClientStore| {
        let order = store.order(Scope::KitchenOrders, OrderId(order.id.0));
        order.map(|order| (**order).clone())
    };
    let ticket = shown(&screen.look().await.0).expect("the ticket");
    assert_eq!(
        slip(&ticket),
        [(m1, 1, false), (m1, 1, true), (m2, 1, false)],
        "취소 M1×1, 추가 M2×1"
    );
    let first = ticket.lines.iter().filter_map(|line| line.fired_at).min();
    assert!(ticket.lines[2].fired_at > first, "추가");

    proxy.set(Cable::Cut);
    let reason = json!({ "reason": "주문 취소" });
    house.owner.does(&void, reason.clone()).await;
    let last = format!("{path}/lines/{m2_line}/void");
    let cancelled = house.owner.does(&last, reason).await;
    assert_eq!(
        entities(&cancelled).orders[0].checkout_stage,
        CheckoutStage::Rejected
    );
    proxy.set(Cable::Open);
    settled(&house.owner, &screen).await;
    let ticket = shown(&screen.look().await.0).expect("marked, not just gone");
    assert_eq!(slip(&ticket), [(m1, 1, true), (m1, 1, true), (m2, 1, true)]);

    let ids: Vec<_> = ticket.lines.iter().map(|line| line.id).collect();
    let ack = format!("/kitchen/orders/{}/voids/ack", order.id);
    house.kitchen.does(&ack, json!({ "lineIds": ids })).await;
    settled(&house.owner, &screen).await;
    let (store, seen) = screen.look().await;
    assert!(shown(&store).is_none());
    seen.assert_sound();
}

/// Trial C47: an order that nobody has paid is refused while the kitchen is offline. The kitchen
/// never had it, and has no slip of nothing.
#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unpaid_order_that_is_rejected_leaves_no_empty_slip(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine, |_| {}).await;
    let proxy = Proxy::before(house.addr).await;
    let setup = Setup {
        pace: 20,
        ..Setup::of(&[Scope::KitchenOrders, Scope::Store])
    };
    let screen = Screen::start(&house.kitchen.through(proxy.addr), setup);
    settled(&house.owner, &screen).await;
    let [m1, _] = two_items(&house).await;
    proxy.set(Cable::Cut);
    let place = json!({ "channel": "counter", "lines": [{ "menuId": m1, "quantity": 2 }] });
    let order = house.owner.does("/hall/orders", place).await.order();
    let reject = format!("/hall/orders/{order}/reject");
    house.owner.does(&reject, json!({ "reason": "품절" })).await;
    proxy.set(Cable::Open);
    settled(&house.owner, &screen).await;
    let (store, seen) = screen.look().await;
    assert_eq!(store.orders(Scope::KitchenOrders).count(), 0);
    seen.assert_sound();
}

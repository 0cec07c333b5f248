//! Counted stock: rows, ledger, holds, their lines, and batches for a worker.

use domain::id::{MenuId, OrderId, PartyId, ReservationId, StockId, StoreId};
use domain::money::Amount;
use domain::stock::{HoldStatus, Life, Stock};
use domain::text::LocalText;
use domain::time::Time;
use rstest::rstest;
use server::clock::Clock;
use server::db::Tx;
use server::store::gauges::hold_gauges;
use server::store::hold::{
    Held, hold_by_signature, hold_find, hold_insert, holds_due, holds_of_party, holds_of_status,
    holds_of_stock, holds_overdue,
};
use server::store::hold_line::{
    LineStatus, Portion, hold_rows, portion_part, portion_turn, portions_ever, portions_insert,
    portions_of_hold, portions_of_line, portions_turn,
};
use server::store::hold_turn::{
    hold_adopt, hold_claim, hold_confirm, hold_confirm_late, hold_expire, hold_extend, hold_grow,
    hold_reject, hold_release, hold_shrink, hold_start, holds_forget,
};
use server::store::ledger::{Cause, Move, MoveKind, moves_fold, moves_insert, stock_drift};
use server::store::refund::{refund_drop, refund_insert, refund_settle, refunds_due};
use server::store::stock::{
    Shift, stock_adjust, stock_find, stock_give, stock_insert, stock_settle, stock_take,
};
use server::store::time::time_of;
use server::store::work::{
    Leased, work_bury, work_deliver, work_done, work_failed, work_insert, work_lease, work_release,
    work_waits,
};
use uuid::Uuid;

use super::house::{House, NOW};
use crate::support::Engine::{self, Postgres, Sqlite};

fn rid(n: u128) -> ReservationId {
    ReservationId(Uuid::from_u128(n))
}

fn stock(id: StockId) -> Stock {
    Stock {
        id,
        version: 0,
        name: LocalText::both("갈비", "Ribs"),
        available: 0,
        on_hand: 0,
        held: 0,
        menu_ids: vec![MenuId(Uuid::from_u128(7))],
    }
}

fn shift(stock_id: StockId, on_hand: i64, held: i64) -> Shift {
    Shift {
        stock_id,
        on_hand,
        held,
        moves: 1,
    }
}

fn held(n: u128, signature: Option<&str>) -> Held {
    Held {
        rid: rid(n),
        owner: "session/1".to_owned(),
        actor: "cart/1".to_owned(),
        holder: "지은".to_owned(),
        content: "c".to_owned(),
        signature: signature.map(str::to_owned),
        status: HoldStatus::Held,
        reason: None,
        order_id: None,
        created_at: NOW,
        life: Life::begin(NOW, 600_000),
        shorts: None,
    }
}

fn cause(store: StoreId, at: Time) -> Cause<'static> {
    Cause {
        store,
        who: "지은",
        why: "told",
        at,
    }
}

/// A row with five of it, and its ledger.
async fn five(tx: &mut Tx, store: StoreId, id: StockId) {
    stock_insert(tx, store, &stock(id)).await.unwrap();
    let place = stock_give(tx, store, &shift(id, 5, 0)).await.unwrap();
    enter(tx, store, id, MoveKind::Stocked, None, (5, place.unwrap())).await;
}

async fn enter(
    tx: &mut Tx,
    store: StoreId,
    stock_id: StockId,
    kind: MoveKind,
    of: Option<(ReservationId, Uuid)>,
    (quantity, place): (i64, i64),
) {
    let moved = Move {
        stock_id,
        kind,
        of,
        quantity,
    };
    moves_insert(tx, &[(place, moved)], cause(store, NOW))
        .await
        .unwrap();
}

async fn status(tx: &mut Tx, store: StoreId, n: u128) -> HoldStatus {
    hold_find(tx, store, rid(n)).await.unwrap().unwrap().status
}

#[rstest]
#[tokio::test]
async fn counters_move_by_what_is_free_and_the_ledger_tells_each_move(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::open(engine).await;
    let (store, id, line) = (house.store, StockId(Uuid::now_v7()), Uuid::now_v7());
    let mut tx = house.write().await;
    five(&mut tx, store, id).await;
    let took = stock_take(&mut tx, store, &shift(id, 0, 3)).await.unwrap();
    assert_eq!(took, Some(2));
    let of = Some((rid(1), line));
    enter(&mut tx, store, id, MoveKind::Reserved, of, (3, 2)).await;
    for (on_hand, held) in [(0, 3), (-3, 0)] {
        let short = stock_take(&mut tx, store, &shift(id, on_hand, held)).await;
        assert_eq!(short.unwrap(), None);
    }
    let elsewhere = StoreId(Uuid::now_v7());
    let foreign = stock_give(&mut tx, elsewhere, &shift(id, 1, 0)).await;
    assert_eq!(foreign.unwrap(), None);
    assert!(stock_find(&mut tx, elsewhere, id).await.unwrap().is_none());
    // Held units are not counted away, and a version is as of a count.
    assert_eq!(
        stock_adjust(&mut tx, store, id, -3, None).await.unwrap(),
        None
    );
    assert_eq!(
        stock_adjust(&mut tx, store, id, -1, Some(9)).await.unwrap(),
        None
    );
    let counted = stock_adjust(&mut tx, store, id, -1, Some(0)).await.unwrap();
    assert_eq!(counted, Some(3));
    enter(&mut tx, store, id, MoveKind::Adjusted, None, (-1, 3)).await;
    stock_settle(&mut tx, store, id).await.unwrap();
    let row = stock_find(&mut tx, store, id).await.unwrap().unwrap();
    assert_eq!(
        (row.on_hand, row.held, row.version, row.is_sold()),
        (4, 3, 1, true)
    );
    assert_eq!(row.entity().unwrap().available, 1);
    // No hold has these three: that is drift.
    let drift = stock_drift(&mut tx, 9).await.unwrap();
    assert_eq!((drift.len(), drift[0].holds_held, drift[0].held), (1, 0, 3));
    // Long ago is one sum, and the sums stay.
    assert_eq!(moves_fold(&mut tx, NOW, 9).await.unwrap(), 0);
    assert_eq!(moves_fold(&mut tx, NOW.plus(1), 9).await.unwrap(), 3);
    let folded = stock_drift(&mut tx, 9).await.unwrap();
    assert_eq!((folded[0].ledger_on_hand, folded[0].ledger_held), (4, 3));
    let time = time_of(&mut tx, &Clock::manual(NOW)).await.unwrap();
    assert_eq!(time, NOW);
    let system = time_of(&mut tx, &Clock::system()).await.unwrap();
    assert!(
        system.0.abs_diff(Clock::system().now().0) < 60_000,
        "{system:?}"
    );
}

#[rstest]
#[tokio::test]
async fn a_line_is_closed_once_and_below_zero_is_no_count(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::open(engine).await;
    let (store, id, line) = (house.store, StockId(Uuid::now_v7()), Uuid::now_v7());
    let mut tx = house.write().await;
    five(&mut tx, store, id).await;
    tx.commit().await.unwrap();
    let mut tx = house.write().await;
    let below = stock_give(&mut tx, store, &shift(id, 0, -1))
        .await
        .unwrap_err();
    assert!(below.is_constraint("stock_never_negative"), "{below:?}");
    drop(tx);
    let mut tx = house.write().await;
    let of = Some((rid(1), line));
    enter(&mut tx, store, id, MoveKind::Released, of, (1, 2)).await;
    let moved = Move {
        stock_id: id,
        kind: MoveKind::Expired,
        of,
        quantity: 1,
    };
    let twice = moves_insert(&mut tx, &[(3, moved)], cause(store, NOW)).await;
    let twice = twice.unwrap_err();
    assert!(
        twice.is_constraint("stock_move_rid_line_stock_id_key"),
        "{twice:?}"
    );
}

#[rstest]
#[tokio::test]
async fn each_end_of_a_hold_is_one_updates(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::open(engine).await;
    let (store, order) = (house.store, OrderId(Uuid::now_v7()));
    let mut tx = house.write().await;
    for n in 1..=6 {
        hold_insert(&mut tx, store, &held(n, None)).await.unwrap();
    }
    let ends = NOW.plus(600_000);
    let last = ends.plus(-1);
    assert!(!hold_confirm(&mut tx, rid(1), None, ends).await.unwrap());
    assert!(
        hold_confirm(&mut tx, rid(1), Some(order), last)
            .await
            .unwrap()
    );
    assert!(!hold_confirm(&mut tx, rid(1), None, last).await.unwrap());
    assert!(!hold_release(&mut tx, rid(1), "late", last).await.unwrap());
    assert!(hold_release(&mut tx, rid(2), "failed", last).await.unwrap());
    assert!(!hold_expire(&mut tx, rid(3), last).await.unwrap());
    assert!(!hold_claim(&mut tx, rid(3), last).await.unwrap());
    assert!(!holds_overdue(&mut tx, store, last).await.unwrap());
    assert!(holds_overdue(&mut tx, store, ends).await.unwrap());
    let due = holds_due(&mut tx, ends, 1).await.unwrap();
    assert_eq!(due, [(store, rid(3))]);
    assert!(hold_claim(&mut tx, rid(3), ends).await.unwrap());
    assert!(hold_expire(&mut tx, rid(3), ends).await.unwrap());
    assert!(
        hold_confirm_late(&mut tx, rid(3), None, ends)
            .await
            .unwrap()
    );
    assert!(
        !hold_confirm_late(&mut tx, rid(3), None, ends)
            .await
            .unwrap()
    );
    // One extension, in time.
    assert_eq!(hold_extend(&mut tx, rid(4), ends).await.unwrap(), None);
    let longer = hold_extend(&mut tx, rid(4), last).await.unwrap();
    assert_eq!(longer, Some(NOW.plus(1_200_000)));
    assert_eq!(hold_extend(&mut tx, rid(4), last).await.unwrap(), None);
    assert!(hold_adopt(&mut tx, rid(5), order, last).await.unwrap());
    assert!(!hold_adopt(&mut tx, rid(5), order, last).await.unwrap());
    assert!(hold_grow(&mut tx, rid(5), last).await.unwrap());
    assert!(!hold_grow(&mut tx, rid(5), ends).await.unwrap());
    assert!(hold_shrink(&mut tx, rid(5)).await.unwrap());
    assert!(!hold_shrink(&mut tx, rid(2)).await.unwrap());
    let open = holds_of_status(&mut tx, store, HoldStatus::Held, 9).await;
    assert_eq!(open.unwrap().len(), 3);
    assert_eq!(holds_forget(&mut tx, ends, 9).await.unwrap(), 2);
    assert_eq!(status(&mut tx, store, 3).await, HoldStatus::Confirmed);
}

#[rstest]
#[tokio::test]
async fn a_cart_finds_its_open_hold_by_its_content_and_a_partys_phones_theirs(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::open(engine).await;
    let store = house.store;
    let mut tx = house.write().await;
    hold_insert(&mut tx, store, &held(1, Some("s")))
        .await
        .unwrap();
    let found = hold_by_signature(&mut tx, store, "cart/1", "s")
        .await
        .unwrap();
    assert_eq!(found.unwrap().rid, rid(1));
    let other = hold_by_signature(&mut tx, store, "cart/2", "s")
        .await
        .unwrap();
    assert!(other.is_none());
    let party = PartyId(Uuid::now_v7());
    let none = holds_of_party(&mut tx, store, party).await.unwrap();
    assert!(none.is_empty());
    tx.commit().await.unwrap();
    let mut tx = house.write().await;
    let twice = hold_insert(&mut tx, store, &held(2, Some("s")))
        .await
        .unwrap_err();
    assert!(
        twice.is_constraint("hold_store_id_actor_signature_key"),
        "{twice:?}"
    );
}

#[rstest]
#[tokio::test]
async fn portions_are_closed_parted_and_shown_by_row(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::open(engine).await;
    let (store, id) = (house.store, StockId(Uuid::now_v7()));
    let mut tx = house.write().await;
    five(&mut tx, store, id).await;
    hold_insert(&mut tx, store, &held(1, None)).await.unwrap();
    let portion = |place: i64, quantity: i64| Portion {
        rid: rid(1),
        line: Uuid::from_u128(place.unsigned_abs().into()),
        stock_id: id,
        place,
        quantity,
    };
    for own in [portion(0, 3), portion(2, 1)] {
        portions_insert(&mut tx, &[own], LineStatus::Held)
            .await
            .unwrap();
    }
    let rows = hold_rows(&mut tx, rid(1), LineStatus::Held).await.unwrap();
    assert_eq!(
        (rows.len(), rows[0].quantity, rows[0].from.as_slice()),
        (1, 4, &[0, 2][..])
    );
    let blocking = holds_of_stock(&mut tx, store, id, 9).await.unwrap();
    assert_eq!(blocking.len(), 1);
    assert!(portion_part(&mut tx, &portion(0, 3), 2).await.unwrap());
    assert!(
        !portion_part(&mut tx, &portion(0, 3), 1).await.unwrap(),
        "none is left"
    );
    let (from, to) = (LineStatus::Held, LineStatus::Released);
    let turned = portion_turn(&mut tx, &portion(2, 1), from, to).await;
    assert!(turned.unwrap());
    let turned = portion_turn(&mut tx, &portion(2, 1), from, to).await;
    assert!(!turned.unwrap());
    let line = portion(0, 1).line;
    let of_line = portions_of_line(&mut tx, line, LineStatus::Held)
        .await
        .unwrap();
    assert_eq!(of_line, [portion(0, 1)]);
    let gauges = hold_gauges(&mut tx, NOW.plus(600_005)).await.unwrap();
    let told = (
        gauges.open,
        gauges.lines,
        gauges.units,
        gauges.oldest_overdue_ms,
    );
    assert_eq!(told, (1, 1, 1, 5));
    let turned = portions_turn(&mut tx, rid(1), from, LineStatus::Moved).await;
    assert_eq!(turned.unwrap(), 1);
    assert!(
        portions_of_hold(&mut tx, rid(1), from)
            .await
            .unwrap()
            .is_empty()
    );
    assert_eq!(portions_ever(&mut tx, rid(1)).await.unwrap().len(), 2);
}

#[rstest]
#[tokio::test]
async fn a_batch_is_leased_delivered_and_done_or_laid_aside(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::open(engine).await;
    let store = house.store;
    let mut tx = house.write().await;
    for n in 1..=3 {
        let pending = Held {
            status: HoldStatus::Pending,
            ..held(n, None)
        };
        hold_insert(&mut tx, store, &pending).await.unwrap();
        work_insert(&mut tx, store, rid(n), "{}", NOW)
            .await
            .unwrap();
    }
    let until = NOW.plus(10);
    assert!(work_waits(&mut tx, NOW).await.unwrap());
    let leased = work_lease(&mut tx, NOW, until, 2).await.unwrap();
    assert_eq!(leased.len(), 2);
    assert_eq!(work_lease(&mut tx, NOW, until, 9).await.unwrap().len(), 1);
    assert!(!work_waits(&mut tx, NOW).await.unwrap());
    let first = Leased {
        id: rid(1),
        deliveries: 0,
    };
    assert!(leased.contains(&first), "{leased:?}");
    let row = work_deliver(&mut tx, first, NOW, until).await.unwrap();
    let row = row.unwrap();
    assert_eq!(
        (row.deliveries, row.payload.as_str(), row.store_id),
        (1, "{}", store)
    );
    // The same again is nothing, until its worker was silent for too long.
    let again = work_deliver(&mut tx, first, NOW, until).await.unwrap();
    assert_eq!(again, None);
    work_release(&mut tx, first, NOW).await.unwrap();
    assert!(!work_waits(&mut tx, NOW).await.unwrap(), "a worker has it");
    let later = until.plus(10);
    let again = work_deliver(&mut tx, first, until, later).await.unwrap();
    assert_eq!(again.unwrap().deliveries, 2);
    let third = Leased {
        id: rid(3),
        deliveries: 0,
    };
    work_release(&mut tx, third, NOW).await.unwrap();
    assert_eq!(work_lease(&mut tx, NOW, until, 9).await.unwrap(), [third]);
    assert!(hold_start(&mut tx, rid(1), NOW).await.unwrap());
    assert!(!hold_start(&mut tx, rid(1), NOW).await.unwrap());
    work_done(&mut tx, rid(1)).await.unwrap();
    assert!(
        work_deliver(&mut tx, first, until, until)
            .await
            .unwrap()
            .is_none()
    );
    let rejected = hold_reject(&mut tx, rid(2), "INSUFFICIENT_STOCK", "[]", NOW).await;
    assert!(rejected.unwrap());
    assert_eq!(status(&mut tx, store, 2).await, HoldStatus::Rejected);
    work_failed(&mut tx, rid(3), "no disk", NOW).await.unwrap();
    assert!(work_waits(&mut tx, NOW).await.unwrap(), "due again");
    work_bury(&mut tx, rid(3), "no disk", NOW).await.unwrap();
    let gauges = hold_gauges(&mut tx, NOW).await.unwrap();
    assert_eq!((gauges.pending, gauges.dead), (1, 1));
}

#[rstest]
#[tokio::test]
async fn one_refund_is_due_for_an_order(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::open(engine).await;
    let store = house.store;
    let mut tx = house.write().await;
    let order = super::orders::order(1, None, 0);
    super::orders::save(&mut tx, store, &order).await;
    for first in [true, false] {
        let due = refund_insert(&mut tx, store, order.id, Amount(9), "gone", NOW).await;
        assert_eq!(due.unwrap(), first);
    }
    let due = refunds_due(&mut tx, store).await.unwrap();
    assert_eq!((due.len(), due[0].number), (1, i64::from(order.number)));
    // Paid back, once; of another store there is none.
    let (id, other) = (due[0].id, StoreId(Uuid::now_v7()));
    assert_eq!(refund_settle(&mut tx, other, id, NOW).await.unwrap(), None);
    for first in [true, false] {
        let settled = refund_settle(&mut tx, store, id, NOW).await;
        assert_eq!(settled.unwrap(), Some(first));
    }
    assert!(refunds_due(&mut tx, store).await.unwrap().is_empty());
    // Due again, and the order is confirmed after all.
    let due = refund_insert(&mut tx, store, order.id, Amount(9), "gone", NOW).await;
    assert!(due.unwrap());
    refund_drop(&mut tx, order.id, NOW).await.unwrap();
    assert!(refunds_due(&mut tx, store).await.unwrap().is_empty());
}

//! What kitchen screens report.

use domain::id::StationId;
use domain::stream::EventId;
use rstest::rstest;
use server::db::Tx;
use server::store::ack::{ack_expire, ack_find, ack_list, ack_open, ack_save, ack_touch};
use uuid::Uuid;

use super::house::{EPOCH, House, NOW};
use crate::support::Engine::{self, Postgres, Sqlite};

#[rstest]
#[tokio::test]
async fn a_screen_is_noted_with_what_it_has_applied_while_it_is_there(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::open(engine).await;
    let store = house.store;
    let grill = Some(StationId(Uuid::now_v7()));
    let at = |seq| EventId::new(EPOCH, seq);
    let mut tx = house.write().await;
    assert!(ack_find(&mut tx, store, "a").await.unwrap().is_none());
    ack_open(&mut tx, store, "b", grill, NOW).await.unwrap();
    ack_open(&mut tx, store, "A", None, NOW).await.unwrap();
    ack_open(&mut tx, store, "a", None, NOW.plus(1))
        .await
        .unwrap();

    let found = ack_find(&mut tx, store, "b").await.unwrap().unwrap();
    assert_eq!((found.station_id, found.applied), (grill, EventId::NONE));
    let save = async |tx: &mut Tx, before, applied, now| {
        let saved = ack_save(tx, store, "b", (before, applied), now).await;
        saved.unwrap()
    };
    assert!(save(&mut tx, EventId::NONE, at(4), NOW).await);
    assert!(!save(&mut tx, EventId::NONE, at(3), NOW).await, "late");
    assert!(save(&mut tx, at(4), at(7), NOW.plus(2)).await);
    // It comes back: what it has applied stays.
    ack_open(&mut tx, store, "b", None, NOW.plus(2))
        .await
        .unwrap();
    let found = ack_find(&mut tx, store, "b").await.unwrap().unwrap();
    assert_eq!((found.station_id, found.applied), (None, at(7)));

    let names = async |tx: &mut Tx, since| -> Vec<String> {
        let rows = ack_list(tx, store, since).await.unwrap();
        rows.into_iter().map(|row| row.connection_id).collect()
    };
    assert_eq!(names(&mut tx, NOW).await, ["b", "a", "A"]);
    assert_eq!(names(&mut tx, NOW.plus(2)).await, ["b"]);
    let both = ["a".to_owned(), "A".to_owned(), "none".to_owned()];
    ack_touch(&mut tx, store, &both, NOW.plus(3)).await.unwrap();
    assert_eq!(names(&mut tx, NOW).await, ["A", "a", "b"]);
    assert_eq!(ack_expire(&mut tx, NOW.plus(3), 9).await.unwrap(), 1);
    assert_eq!(ack_expire(&mut tx, NOW.plus(4), 1).await.unwrap(), 1);
    assert_eq!(names(&mut tx, NOW).await.len(), 1);
}

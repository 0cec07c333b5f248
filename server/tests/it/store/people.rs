//! Staff, their sign-ins and their stream tickets.

use domain::id::{SessionId, StaffId, StoreId};
use domain::staff::Role;
use domain::time::Time;
use rstest::rstest;
use server::store::session::{
    session_delete, session_expire, session_find, session_insert, session_renew,
};
use server::store::staff::{
    NewStaff, StaffCredentials, staff_attempts_set, staff_credentials, staff_insert, staff_tiles,
};
use server::store::ticket::{
    ticket_exists, ticket_expire, ticket_insert, ticket_sessions, ticket_take,
};
use uuid::Uuid;

use super::house::{House, NOW};
use crate::support::Engine::{self, Postgres, Sqlite};

const HOUR: i64 = 3_600_000;

#[rstest]
#[tokio::test]
async fn tiles_stand_by_role_and_then_by_the_bytes_of_the_name(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::open(engine).await;
    for (login, name, role) in [
        ("k", "Zoe", Role::Kitchen),
        ("1", "anna", Role::Hall),
        ("2", "Ben", Role::Hall),
        ("3", "가온", Role::Hall),
        ("4", "Éva", Role::Hall),
        ("o", "Max", Role::Owner),
    ] {
        house.member(login, name, role).await;
    }
    let mut tx = house.read().await;
    assert!(staff_tiles(&mut tx, "two").await.unwrap().is_none());
    let tiles = staff_tiles(&mut tx, "one").await.unwrap().unwrap();
    let names: Vec<&str> = tiles.iter().map(|tile| &*tile.name).collect();
    assert_eq!(names, ["Max", "Ben", "anna", "Éva", "가온", "Zoe"]);
    assert_eq!(
        (tiles[0].login.as_str(), tiles[0].role.0),
        ("o", Role::Owner)
    );
    drop(tx);
    let mut tx = house.write().await;
    let twice = NewStaff {
        id: StaffId(Uuid::now_v7()),
        store: house.store,
        login: "k".to_owned(),
        name: "Other".to_owned(),
        role: Role::Hall,
        pin_hash: String::new(),
    };
    let taken = staff_insert(&mut tx, &twice).await.unwrap_err();
    assert!(taken.is_constraint("staff_store_id_login_key"), "{taken:?}");
}

async fn credentials(house: &House) -> StaffCredentials {
    let mut tx = house.read().await;
    let found = staff_credentials(&mut tx, "one", "hall").await.unwrap();
    found.unwrap()
}

#[rstest]
#[tokio::test]
async fn an_attempt_counts_only_when_no_other_was_counted_since(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::open(engine).await;
    let id = house.member("hall", "Hall", Role::Hall).await;
    let mut tx = house.read().await;
    for (store, login) in [("two", "hall"), ("one", "kitchen")] {
        let nobody = staff_credentials(&mut tx, store, login).await.unwrap();
        assert!(nobody.is_none(), "{store} {login}");
    }
    drop(tx);
    let seen = credentials(&house).await;
    assert_eq!((seen.id, seen.store_id), (id, house.store));
    assert_eq!(seen.pin_hash, "hash");
    assert_eq!((seen.failed_attempts, seen.blocked_until), (0, 0));
    let mut tx = house.write().await;
    assert!(staff_attempts_set(&mut tx, &seen, 1, NOW).await.unwrap());
    tx.commit().await.unwrap();
    // Who looked before that is late, whatever the PIN was.
    for (attempts, until) in [(0, Time(0)), (1, NOW)] {
        let mut tx = house.write().await;
        let late = staff_attempts_set(&mut tx, &seen, attempts, until).await;
        assert!(!late.unwrap());
    }
    let seen = credentials(&house).await;
    assert_eq!((seen.failed_attempts, seen.blocked_until), (1, NOW.0));
    let mut tx = house.write().await;
    assert!(
        staff_attempts_set(&mut tx, &seen, 0, Time(0))
            .await
            .unwrap()
    );
}

/// A session of that token, which ends at the time.
async fn session(house: &House, staff: StaffId, token: &str, ends: Time) -> SessionId {
    let id = SessionId(Uuid::now_v7());
    let mut tx = house.write().await;
    let who = (house.store, staff);
    session_insert(&mut tx, id, token, who, (NOW, ends))
        .await
        .unwrap();
    tx.commit().await.unwrap();
    id
}

#[rstest]
#[tokio::test]
async fn a_session_is_found_until_it_ends_and_renewed_only_forward(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::open(engine).await;
    let staff = house.member("hall", "Hana", Role::Hall).await;
    let (ends, later) = (NOW.plus(HOUR), NOW.plus(2 * HOUR));
    let id = session(&house, staff, "token", ends).await;
    let mut tx = house.write().await;
    let row = session_find(&mut tx, "token", NOW).await.unwrap().unwrap();
    assert_eq!(
        (row.id, row.store_id, row.staff_id),
        (id, house.store, staff)
    );
    assert_eq!((row.name.as_str(), row.role.0), ("Hana", Role::Hall));
    assert_eq!(row.store_code, "one");
    assert!(row.store_doc.contains("\"code\":\"one\""));
    assert!(session_find(&mut tx, "other", NOW).await.unwrap().is_none());
    assert!(
        session_find(&mut tx, "token", ends)
            .await
            .unwrap()
            .is_none()
    );
    session_renew(&mut tx, id, later).await.unwrap();
    session_renew(&mut tx, id, ends).await.unwrap();
    let row = session_find(&mut tx, "token", ends).await.unwrap();
    assert_eq!(row.unwrap().expires_at, later.0);
    session_delete(&mut tx, "token").await.unwrap();
    assert!(session_find(&mut tx, "token", NOW).await.unwrap().is_none());
    tx.commit().await.unwrap();

    for n in 0..5 {
        session(&house, staff, &format!("token {n}"), NOW.plus(n)).await;
    }
    let mut tx = house.write().await;
    assert_eq!(session_expire(&mut tx, NOW.plus(3), 3).await.unwrap(), 3);
    assert_eq!(session_expire(&mut tx, NOW.plus(3), 3).await.unwrap(), 1);
    let left = session_find(&mut tx, "token 4", NOW).await.unwrap();
    assert!(left.is_some());
}

#[rstest]
#[tokio::test]
async fn a_ticket_is_taken_once_in_its_store_while_its_session_lives(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::open(engine).await;
    let other = StoreId(Uuid::now_v7());
    house.another(other, "two").await;
    let staff = house.member("hall", "Hall", Role::Hall).await;
    let (ends, soon) = (NOW.plus(HOUR), NOW.plus(30_000));
    let id = session(&house, staff, "token", ends).await;
    let short = session(&house, staff, "short", NOW.plus(1)).await;
    let mut tx = house.write().await;
    for (hash, session) in [("a", id), ("b", id), ("c", short), ("d", id)] {
        ticket_insert(&mut tx, hash, house.store, session, soon)
            .await
            .unwrap();
    }
    let live = ticket_sessions(&mut tx, house.store, NOW.plus(1)).await;
    assert_eq!(live.unwrap(), [id]);
    for (hash, store, now, taken) in [
        ("none", house.store, NOW, None),
        ("a", other, NOW, None),
        ("a", house.store, NOW, Some(id)),
        ("a", house.store, NOW, None),
        ("b", house.store, soon, None),
        ("c", house.store, NOW.plus(1), None),
    ] {
        let answer = ticket_take(&mut tx, hash, store, now).await.unwrap();
        assert_eq!(answer, taken, "{hash}");
    }
    assert_eq!(ticket_expire(&mut tx, soon, 2).await.unwrap(), 2);
    assert_eq!(ticket_expire(&mut tx, soon, 2).await.unwrap(), 1);
    // Tickets go with their session, and none is kept for one that is gone.
    assert!(!ticket_exists(&mut tx, "e").await.unwrap());
    ticket_insert(&mut tx, "e", house.store, id, soon)
        .await
        .unwrap();
    assert!(ticket_exists(&mut tx, "e").await.unwrap());
    session_delete(&mut tx, "token").await.unwrap();
    let gone = ticket_take(&mut tx, "e", house.store, NOW).await.unwrap();
    assert_eq!(gone, None);
    let late = ticket_insert(&mut tx, "f", house.store, id, soon).await;
    assert!(late.unwrap_err().is_constraint("foreign_key"));
}

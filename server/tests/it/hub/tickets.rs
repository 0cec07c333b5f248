//! Stream tickets.

use domain::time::Time;
use rstest::rstest;
use server::clock::Clock;
use server::service::ticket::{TicketError, ticket_issue, ticket_redeem};

use super::house::{House, quick};
use crate::support::Engine::{self, Postgres, Sqlite};

#[rstest]
#[tokio::test]
async fn a_ticket_opens_one_stream_of_its_own_store_and_session(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine, quick(), Clock::system()).await;
    let (other_store, other_session) = house.another_store("two").await;
    let House {
        db,
        clock,
        store,
        session,
        ..
    } = &house;
    let issue = async || ticket_issue(db, clock, *store, *session).await.unwrap();
    let redeem =
        async |store, ticket: &str, own| ticket_redeem(db, clock, store, ticket, own).await;

    let ticket = issue().await;
    let wrong_store = redeem(other_store, ticket.reveal(), None).await;
    assert!(matches!(wrong_store, Err(TicketError::Invalid)));
    assert_eq!(
        redeem(*store, ticket.reveal(), None).await.unwrap(),
        *session
    );
    let again = redeem(*store, ticket.reveal(), None).await;
    assert!(matches!(again, Err(TicketError::Invalid)));

    let ticket = issue().await;
    assert_eq!(
        redeem(*store, ticket.reveal(), Some(*session))
            .await
            .unwrap(),
        *session
    );

    let ticket = issue().await;
    let foreign = redeem(*store, ticket.reveal(), Some(other_session)).await;
    assert!(matches!(foreign, Err(TicketError::Invalid)));
    for never_issued in ["", "0123456789abcdef0123456789abcdef"] {
        let answer = redeem(*store, never_issued, None).await;
        assert!(matches!(answer, Err(TicketError::Invalid)));
    }
}

#[rstest]
#[tokio::test]
async fn a_ticket_lives_thirty_seconds_and_leaves_nothing_behind(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let clock = Clock::manual(Time(1_000_000));
    let house = House::on(engine, quick(), clock.clone()).await;
    let House {
        db, store, session, ..
    } = &house;
    let issue = async || ticket_issue(db, &clock, *store, *session).await.unwrap();
    let (first, second) = (issue().await, issue().await);
    clock.advance(29_999);
    assert!(
        ticket_redeem(db, &clock, *store, first.reveal(), None)
            .await
            .is_ok()
    );
    clock.advance(1);
    let expired = ticket_redeem(db, &clock, *store, second.reveal(), None).await;
    assert!(matches!(expired, Err(TicketError::Invalid)));
    assert_eq!(tickets(&house).await, 1);
    house.relay.tidy().await.unwrap();
    assert_eq!(tickets(&house).await, 0);
}

#[rstest]
#[tokio::test]
async fn a_ticket_dies_with_its_session(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::on(engine, quick(), Clock::system()).await;
    let House {
        db,
        clock,
        store,
        session,
        ..
    } = &house;
    let ticket = ticket_issue(db, clock, *store, *session).await.unwrap();
    house.execute("delete from session", &[]).await;
    let answer = ticket_redeem(db, clock, *store, ticket.reveal(), None).await;
    assert!(matches!(answer, Err(TicketError::Invalid)));
    assert!(ticket_issue(db, clock, *store, *session).await.is_err());
}

async fn tickets(house: &House) -> i64 {
    #[derive(sqlx::FromRow)]
    struct Count {
        count: i64,
    }
    let mut tx = house.db.read().await.unwrap();
    let sql = "select count(*) as count from ticket";
    tx.fetch_optional::<Count>(sql, [])
        .await
        .unwrap()
        .unwrap()
        .count
}

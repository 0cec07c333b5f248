//! The clock that nodes have in common.

use rstest::rstest;
use server::clock::Clock;
use server::store::clock::clock_read;

use super::house::House;
use crate::support::Engine::{self, Postgres, Sqlite};

#[rstest]
#[tokio::test]
async fn a_database_that_nodes_share_has_a_clock_and_a_file_has_none(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::empty(engine).await;
    let before = Clock::system().now();
    let shown = clock_read(&mut house.write().await).await.unwrap();
    let after = Clock::system().now();
    match engine {
        Sqlite => assert_eq!(shown, None),
        // On the same machine.
        Postgres => assert!((before.plus(-2)..=after.plus(2)).contains(&shown.unwrap())),
    }
}

//! `kill -9` while orders flow. What was answered is there, what was not answered can be asked
//! for again, and a screen that followed all along has everything once.

mod rush;

use rstest::rstest;

use crate::network::proxy::Proxy;
use crate::screens::{House, Staff};
use crate::support::Engine::{self, Postgres, Sqlite};
use crate::support::{Cluster, Place, Process};
use rush::{Rush, at_rest, published};

const KILLS: usize = 5;

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_killed_while_orders_flow_loses_and_doubles_nothing(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let place = Place::on(engine).await;
    let mut process = Process::serve(&place).await;
    // The house has one address, whatever stands behind it.
    let proxy = Proxy::before(process.addr).await;
    let owner = Staff::login(proxy.addr, "owner", "1000").await;
    let mut rush = Rush::begin(&owner).await;
    for _ in 0..KILLS {
        rush.moment().await;
        process.kill().await;
        process = Process::serve(&place).await;
        let streams = rush.screen.seen().opened.len();
        proxy.aim(process.addr);
        rush.screen
            .until("a stream from the new process", |seen| {
                seen.opened.len() > streams
            })
            .await;
    }
    let head = rush.prove().await;
    published(place.open().await).await;
    process.kill().await;
    at_rest(place.open().await, &owner, head).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_killed_while_orders_flow_loses_and_doubles_nothing() {
    let start = || {
        let cluster = Cluster::durable();
        let url = cluster.create(None);
        (cluster, url)
    };
    let (mut cluster, url) = tokio::task::spawn_blocking(start).await.unwrap();
    let place = Place::at(url);
    let house = House::at(place.clone()).await;
    let mut rush = Rush::begin(&house.owner).await;
    for _ in 0..KILLS {
        rush.moment().await;
        let restart = move || {
            cluster.kill_and_restart();
            cluster
        };
        cluster = tokio::task::spawn_blocking(restart).await.unwrap();
    }
    let head = rush.prove().await;
    published(place.open().await).await;
    let owner = house.owner.clone();
    at_rest(house.leave().await.open().await, &owner, head).await;
    drop(cluster);
}

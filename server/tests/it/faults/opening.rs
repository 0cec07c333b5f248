//! Streams that are opened and left at once, and tickets that nobody redeems (trial C14).

use domain::stream::EventId;
use domain::time::Time;
use futures_util::future::join_all;
use rstest::rstest;
use server::clock::Clock;
use server::store::ticket::ticket_insert;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::hub::house::{House, quick};
use crate::hub::reading::Reader;
use crate::screens::{Staff, eventually};
use crate::support::Engine::{self, Postgres, Sqlite};
use crate::support::{Place, Process, sized};

/// At once.
const PROBES: usize = 8;

/// A ticket, a stream, gone: every second before the first byte.
async fn probe(staff: &Staff, addr: std::net::SocketAddr, n: usize) {
    let ticket = staff.ticket().await.unwrap().json();
    let ticket = ticket["ticket"].as_str().unwrap();
    if n.is_multiple_of(2) {
        let stream = staff.subscribe(ticket, "probe", EventId::NONE).await;
        Reader::answer(stream.unwrap()).ready().await;
    } else {
        let path = Staff::stream_path(ticket, "probe", EventId::NONE);
        let head = format!(
            "GET /api/pos/{}{path} HTTP/1.1\r\nhost: x\r\n\r\n",
            staff.store
        );
        let mut socket = TcpStream::connect(addr).await.unwrap();
        socket.write_all(head.as_bytes()).await.unwrap();
    }
}

async fn probes(staff: &Staff, addr: std::net::SocketAddr, count: usize) {
    let probes = (0..PROBES).map(|first| async move {
        for n in (first..count).step_by(PROBES) {
            probe(staff, addr, n / PROBES).await;
        }
    });
    join_all(probes).await;
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_prober_that_opens_and_leaves_thousands_of_times_leaves_nothing_behind(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let place = Place::on(engine).await;
    let settings = [
        "--new-streams-per-second",
        "100000",
        "--max-streams-per-session",
        "1000",
    ];
    let process = Process::measured(&place, &settings).await;
    let owner = Staff::login(process.addr, "owner", "1000").await;
    let none_open = async || process.metric("rt_streams_open", &[]).await == 0.0;

    probes(&owner, process.addr, sized(400, 2_000)).await;
    eventually("the first are gone", none_open).await;
    let warm = process.resident();
    probes(&owner, process.addr, sized(800, 18_000)).await;
    eventually("all are gone", none_open).await;
    let after = process.resident();
    assert!(after * 10 <= warm * 11, "{warm} KiB, then {after} KiB");
    let count = async |name: &str| process.metric(name, &[]).await;
    let (opened, closed) = (
        count("rt_streams_opened_total").await,
        count("rt_streams_closed_total").await,
    );
    assert!(opened >= sized(600.0, 10_000.0), "{opened}");
    assert!((opened - closed).abs() < 0.5, "{opened} and {closed}");

    let ticket = owner.ticket().await.unwrap().json();
    let ticket = ticket["ticket"].as_str().unwrap();
    let stream = owner.subscribe(ticket, "real", EventId::NONE).await;
    Reader::answer(stream.unwrap()).ready().await;
}

#[rstest]
#[tokio::test]
async fn tickets_that_nobody_redeems_are_forgotten_two_hundred_at_a_time(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let clock = Clock::manual(Time(1_000_000));
    let house = House::on(engine, quick(), clock.clone()).await;
    let count: usize = sized(2_500, 20_000);
    let ends = clock.now().plus(30_000);
    let mut tx = house.db.write().await.unwrap();
    for n in 0..count {
        let hash = n.to_string();
        let kept = ticket_insert(&mut tx, &hash, house.store, house.session, ends);
        kept.await.unwrap();
    }
    tx.commit().await.unwrap();
    clock.advance(29_999);
    assert!(!house.relay.tidy().await.unwrap(), "not yet");
    assert_eq!(tickets(&house).await, count);
    clock.advance(1);
    let mut left = count;
    while house.relay.tidy().await.unwrap() {
        left -= 200;
        assert_eq!(tickets(&house).await, left);
    }
    assert_eq!(tickets(&house).await, 0);
}

async fn tickets(house: &House) -> usize {
    let mut tx = house.db.read().await.unwrap();
    let sql = "select count(*) from ticket";
    let row = tx.fetch_optional::<(i64,)>(sql, []).await.unwrap();
    usize::try_from(row.unwrap().0).unwrap()
}

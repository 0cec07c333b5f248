//! Screens whose network has gone without a word (trial C13 b).

use std::time::Duration;

use domain::stream::{EventId, Scope};
use socket2::{SockFilter, SockRef};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::Instant;

use crate::screens::{House, Screen, Setup, Staff, eventually, settled};
use crate::support::sized;

/// `ret #0`: whatever arrives is dropped before anybody hears of it, as behind a cable that is cut.
const NOTHING_PASSES: SockFilter = SockFilter::new(6, 0, 0, 0);

/// Opens a stream, reads its first bytes, and is cut off.
async fn cut_off(house: &House) -> TcpStream {
    let ticket = house.owner.ticket().await.unwrap().json();
    let path = Staff::stream_path(ticket["ticket"].as_str().unwrap(), "x", EventId::NONE);
    let head = format!(
        "GET /api/pos/{}{path} HTTP/1.1\r\nhost: x\r\n\r\n",
        house.owner.store
    );
    let mut socket = TcpStream::connect(house.addr).await.unwrap();
    socket.write_all(head.as_bytes()).await.unwrap();
    let mut start = [0; 12];
    socket.read_exact(&mut start).await.unwrap();
    assert_eq!(&start, b"HTTP/1.1 200");
    let filter = [NOTHING_PASSES];
    SockRef::from(&socket).attach_filter(&filter).unwrap();
    socket
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_whose_network_is_gone_are_given_up_and_nobody_else_notices() {
    let house = House::open(|config| config.slow_consumer_ms = 1_000).await;
    let item = house.owner.plain_item().await;
    let screen = Screen::start(&house.kitchen, Setup::of(&[Scope::KitchenOrders]));
    settled(&house.owner, &screen).await;
    let mut silent = Vec::new();
    for _ in 0..sized(30, 100) {
        silent.push(cut_off(&house).await);
    }
    let begun = Instant::now();
    eventually("only the living are there", async || {
        house.app.hub.streams_open() == 1
    })
    .await;
    // Two beats and the kernel's patience, on a machine that does other things too.
    assert!(begun.elapsed() < Duration::from_secs(10));
    house.owner.orders(item, "").await;
    settled(&house.owner, &screen).await;
    let seen = screen.seen();
    seen.assert_sound();
    assert_eq!(seen.opened.len(), 1);
    drop(silent);
}

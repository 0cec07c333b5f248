//! Readers that do not read (trials C13 and C19).

use domain::stream::EventId;
use server::hub::{HubConfig, RingLimits};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::Instant;

use super::house::{House, eventually, ms, quick};
use super::reading::{Reader, deaf};

/// A payload that fills sockets quickly.
fn large() -> String {
    format!(
        r#"{{"id":"{}","note":"{}"}}"#,
        uuid::Uuid::nil(),
        "x".repeat(30_000)
    )
}

/// Two who take nothing and one who reads, all sent what fills sockets.
async fn live_and_deaf(house: &House) -> (Reader, [TcpStream; 2]) {
    let mut live = Reader::connect(house, EventId::NONE).await;
    live.ready().await;
    let deaf = [
        deaf(house.addr, "/stream").await,
        deaf(house.addr, "/stream").await,
    ];
    eventually("all are there", async || house.hub.streams_open() == 3).await;
    for seq in 1..=60 {
        house.emit_as(house.store, "ORDER_CHANGED", large()).await;
        assert_eq!(live.next_but_beats().await.unwrap().id.unwrap().seq, seq);
    }
    (live, deaf)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readers_with_closed_windows_slow_nobody_while_they_are_there() {
    let house = House::open(HubConfig {
        slow_consumer: ms(60_000),
        ..quick()
    })
    .await;
    let (_live, _deaf) = live_and_deaf(&house).await;
    assert_eq!(house.hub.streams_open(), 3, "they were stuck all the time");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_with_a_closed_window_is_closed_and_only_it_notices() {
    let house = House::open(HubConfig {
        slow_consumer: ms(500),
        ..quick()
    })
    .await;
    let (mut live, mut deaf) = live_and_deaf(&house).await;
    eventually("the deaf are closed", async || {
        house.hub.streams_open() == 1
    })
    .await;
    // And their sockets with them: whoever still writes is told so.
    for socket in &mut deaf {
        let told = async {
            let mut rest = [0; 65_536];
            while socket.write_all(b"x").await.is_ok()
                && !matches!(socket.read(&mut rest).await, Ok(0) | Err(_))
            {}
        };
        tokio::time::timeout(ms(10_000), told)
            .await
            .expect("a closed socket");
    }
    let next = house.emit().await;
    assert_eq!(live.next_but_beats().await.unwrap().id, Some(next));
}

/// Trial C19: either everything, or a marker, or a clean end; never a hole.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_reader_never_sees_a_hole() {
    let house = House::open(HubConfig {
        slow_consumer: ms(20_000),
        ring: RingLimits {
            frames: 200,
            ..RingLimits::default()
        },
        ..quick()
    })
    .await;
    let stream = house
        .hub
        .subscribe(house.who(Some(EventId::NONE)))
        .await
        .unwrap();
    let mut observer = Reader::connect(&house, EventId::NONE).await;
    observer.ready().await;
    let last = house.emit_many(800).await;
    observer.seqs_upto(last.seq).await;
    let mut reader = Reader::new(stream);
    reader.ready().await;
    let mut expected = 1;
    while expected <= last.seq {
        let frame = reader.next_but_beats().await.unwrap();
        match frame.id {
            Some(id) => {
                assert_eq!(id.seq, expected);
                expected += 1;
            }
            None => {
                assert_eq!(frame.data["reason"], "LAGGED_OUT");
                // It goes on at the head: the position is what the next beat says.
                let beat = reader.find("heartbeat").await;
                let sent: EventId = beat.data["sent"].as_str().unwrap().parse().unwrap();
                expected = sent.seq + 1;
            }
        }
    }
}

/// Trial C13 (a).
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_closed_by_their_clients_are_gone_within_a_second_though_nothing_is_sent() {
    let house = House::open(HubConfig {
        heartbeat: ms(60_000),
        ..quick()
    })
    .await;
    let mut readers = Vec::new();
    for _ in 0..100 {
        let mut reader = Reader::connect(&house, EventId::NONE).await;
        reader.ready().await;
        readers.push(reader);
    }
    assert_eq!(house.hub.streams_open(), 100);
    let begun = Instant::now();
    readers.truncate(50);
    eventually("half are gone", async || house.hub.streams_open() == 50).await;
    readers.clear();
    eventually("all are gone", async || house.hub.streams_open() == 0).await;
    assert!(begun.elapsed() < ms(1_000), "{:?}", begun.elapsed());
}

/// Trial C14, scaled: half of the streams go before their first byte.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn opening_and_dropping_leaves_nothing_behind() {
    let house = House::open(HubConfig {
        ring_idle: ms(0),
        ..quick()
    })
    .await;
    for n in 0..1_000 {
        let stream = house
            .hub
            .subscribe(house.who(Some(EventId::NONE)))
            .await
            .unwrap();
        if n % 2 == 0 {
            Reader::new(stream).ready().await;
        }
    }
    for _ in 0..100 {
        let mut socket = TcpStream::connect(house.addr).await.unwrap();
        let request = b"GET /stream HTTP/1.1\r\nhost: x\r\n\r\n";
        socket.write_all(request).await.unwrap();
    }
    eventually("no stream is open", async || house.hub.streams_open() == 0).await;
    eventually("no store is followed", async || {
        house.hub.stores_followed() == 0
    })
    .await;
    let mut next = Reader::connect(&house, EventId::NONE).await;
    next.ready().await;
}

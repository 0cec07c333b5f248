//! SIGTERM while streams are open and a command is under way.

use std::time::{Duration, Instant};

use domain::stream::{EventId, Scope};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::hub::reading::Reader;
use crate::screens::{Staff, entities};
use crate::support::{Engine, Place, Process};

/// Reads the answer on a socket to its end.
async fn answer(socket: &mut TcpStream) -> String {
    let mut text = Vec::new();
    let read = socket.read_to_end(&mut text);
    let read = tokio::time::timeout(Duration::from_secs(10), read).await;
    read.expect("an answer").unwrap();
    String::from_utf8(text).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_sigterm_a_command_under_way_is_done_and_new_streams_are_refused() {
    let place = Place::on(Engine::Sqlite).await;
    let process = {
        let place = place.clone();
        tokio::task::spawn_blocking(move || Process::serve(&place))
    };
    let process = process.await.unwrap();
    let addr = process.addr;
    let owner = Staff::login(addr, "owner", "1000").await;
    let item = owner.plain_item().await;

    let ticket = async || {
        let ticket = owner.ticket().await.unwrap().json();
        ticket["ticket"].as_str().unwrap().to_owned()
    };
    let mut streams = Vec::new();
    for _ in 0..3 {
        let ticket = ticket().await;
        let stream = owner.subscribe(&ticket, "screen", EventId::NONE);
        let mut stream = Reader::answer(stream.await.unwrap());
        stream.ready().await;
        streams.push(stream);
    }
    // A command that the server has begun to read.
    let body = json!({
        "channel": "counter",
        "lines": [{ "menuId": item, "quantity": 1 }],
        "note": "under way",
    });
    let body = body.to_string();
    let mut command = TcpStream::connect(addr).await.unwrap();
    let head = format!(
        "POST /api/pos/{}/hall/orders HTTP/1.1\r\nhost: {addr}\r\ncookie: {}\r\n\
         idempotency-key: under-way\r\ncontent-type: application/json\r\n\
         content-length: {}\r\nexpect: 100-continue\r\n\r\n",
        owner.store,
        owner.cookie(),
        body.len(),
    );
    command.write_all(head.as_bytes()).await.unwrap();
    let mut goes_on = [0; 25];
    command.read_exact(&mut goes_on).await.unwrap();
    assert_eq!(&goes_on, b"HTTP/1.1 100 Continue\r\n\r\n");
    // And a stream that is asked for, but for the last line.
    let path = Staff::stream_path(&ticket().await, "late", EventId::NONE);
    let mut late = TcpStream::connect(addr).await.unwrap();
    let head = format!(
        "GET /api/pos/{}{path} HTTP/1.1\r\nhost: {addr}\r\nconnection: close\r\n",
        owner.store
    );
    late.write_all(head.as_bytes()).await.unwrap();

    let begun = Instant::now();
    let leaving = tokio::task::spawn_blocking(move || process.terminate());
    for stream in &mut streams {
        assert!(stream.find("drain").await.data["reconnectInMs"].is_i64());
        assert!(stream.next().await.is_none(), "the stream ends");
    }
    late.write_all(b"\r\n").await.unwrap();
    let refused = answer(&mut late).await;
    assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
    command.write_all(body.as_bytes()).await.unwrap();
    let done = answer(&mut command).await;
    assert!(done.starts_with("HTTP/1.1 201"), "{done}");

    let (status, _) = leaving.await.unwrap();
    assert_eq!(status.code(), Some(0));
    assert!(begun.elapsed() < Duration::from_secs(5));

    let process = {
        let place = place.clone();
        tokio::task::spawn_blocking(move || Process::serve(&place))
    };
    let process = process.await.unwrap();
    let owner = owner.through(process.addr);
    let orders = entities(&owner.get(Scope::HallOrders.path()).await.unwrap()).orders;
    let kept: Vec<&str> = orders.iter().map(|order| order.note.as_str()).collect();
    assert_eq!(kept, ["under way"]);
}

//! A screen against a server of a few lines that sends what a test tells it to.

use std::sync::{Arc, Mutex};

use domain::stream::Epoch;
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use super::*;

const HEAD: &str = "00000007:4";

/// What each opening of a stream sends; after the last one streams stay open.
type Streams = Arc<Mutex<Vec<Stream>>>;

#[derive(Clone, Default)]
struct Stream {
    frames: String,
    then_cut: bool,
}

/// The cursor each stream was asked to go on from.
type Asked = Arc<Mutex<Vec<String>>>;

fn table(version: u64) -> Value {
    json!({"id": Uuid::from_u128(1), "version": version, "zoneId": Uuid::nil(), "name": "1",
        "seats": 4, "sort": 0, "code": "a", "state": "free"})
}

fn event(seq: u64) -> String {
    let id = EventId::new(Epoch(7), seq);
    let data = json!({"type": "TABLE_CHANGED", "eventId": id, "outboxId": Uuid::nil(),
        "storeId": Uuid::nil(), "at": wall().0, "payload": table(seq)});
    format!("id: {id}\nevent: TABLE_CHANGED\ndata: {data}\n\n")
}

fn ready(resumed: bool) -> String {
    let data = json!({"connectionId": "c", "head": HEAD, "heartbeatMs": 60_000,
        "serverTime": wall(), "resumed": resumed, "build": "b"});
    format!("retry: 3600000\n\nevent: ready\ndata: {data}\n\n")
}

/// The answer to a request, its watermark with it.
fn answer(target: &str) -> (Value, &'static str) {
    let path = target.split('?').next().unwrap_or_default();
    match path.rsplit('/').next().unwrap_or_default() {
        "me" => (json!({"storeId": Uuid::nil()}), HEAD),
        "ticket" => (json!({"ticket": "t"}), HEAD),
        "tables" if target.contains("ids=") => (json!({"tables": [table(9)]}), "00000007:9"),
        "tables" => (json!({"tables": [table(4)]}), HEAD),
        "changes" => (
            json!({"changedOrderIds": [], "changedTableIds": [Uuid::from_u128(1)],
                "changedMenuIds": [], "changedStockIds": [], "changedCallRequestIds": [],
                "currentWatermark": "00000007:9", "requiresReload": false}),
            HEAD,
        ),
        _ => (json!({}), HEAD),
    }
}

async fn serve(socket: TcpStream, streams: Streams, asked: Asked) -> std::io::Result<()> {
    let mut socket = BufReader::new(socket);
    let mut first = String::new();
    socket.read_line(&mut first).await?;
    let mut length = 0;
    let mut line = String::new();
    while socket.read_line(&mut line).await? > 2 {
        if let Some(text) = line.to_lowercase().strip_prefix("content-length:") {
            length = text.trim().parse().unwrap();
        }
        line.clear();
    }
    socket.read_exact(&mut vec![0; length]).await?;
    let target = first.split(' ').nth(1).unwrap_or_default();
    let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n";
    let Some((_, query)) = target.split_once("/subscribe?") else {
        let (body, mark) = answer(target);
        let head = format!("{head}x-pos-stream-watermark: {mark}\r\n\r\n{body}");
        return socket.write_all(head.as_bytes()).await;
    };
    let cursor = query
        .split('&')
        .find_map(|pair| pair.strip_prefix("lastEventId="));
    asked
        .lock()
        .unwrap()
        .push(cursor.unwrap().replace("%3A", ":"));
    let stream = streams.lock().unwrap().pop().unwrap_or_default();
    let head = format!(
        "{head}Content-Type: text/event-stream\r\n\r\n{}",
        stream.frames
    );
    socket.write_all(head.as_bytes()).await?;
    if !stream.then_cut {
        std::future::pending::<()>().await;
    }
    Ok(())
}

/// A screen of the tables that is sent these streams, one after the other.
async fn screen(mut streams: Vec<Stream>) -> (Screen, Asked) {
    streams.reverse();
    let (streams, asked) = (Streams::new(Mutex::new(streams)), Asked::default());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let told = Arc::clone(&asked);
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            tokio::spawn(serve(socket, Arc::clone(&streams), Arc::clone(&told)));
        }
    });
    let api = Api::login(&url, "store", "owner", "1000").await.unwrap();
    (Screen::start(api, &[Scope::Tables], None), asked)
}

async fn at(screen: &Screen, seq: u64) -> View {
    let there = EventId::new(Epoch(7), seq);
    let reached = screen.reaches(Duration::from_secs(20), |at| at.cursor == there);
    assert!(reached.await, "the screen never reached {there}");
    screen.look().await.unwrap()
}

fn stream(events: &[u64], then_cut: bool) -> Stream {
    let frames = ready(false) + &events.iter().copied().map(event).collect::<String>();
    Stream { frames, then_cut }
}

fn version(view: &View) -> u64 {
    view.store.tables().next().unwrap().version
}

#[tokio::test]
async fn every_event_arrives_once_and_is_measured() {
    let (screen, _) = screen(vec![stream(&[5, 6, 7], false)]).await;
    let view = at(&screen, 7).await;
    assert_eq!(version(&view), 7);
    assert_eq!((view.density.received, view.latency.len()), (3, 3));
    assert_eq!((view.density.repeated, view.density.skipped), (0, 0));
    assert_eq!((view.counters.holes, view.applied_twice), (0, 0));
}

#[tokio::test]
async fn an_event_sent_twice_is_counted_and_has_one_effect() {
    let (screen, _) = screen(vec![stream(&[5, 6, 6, 7], false)]).await;
    let view = at(&screen, 7).await;
    assert_eq!((view.density.repeated, view.applied_twice), (1, 0));
    assert_eq!(view.counters.applied, 3);
}

#[tokio::test]
async fn a_hole_is_counted_and_filled_from_the_changes() {
    let (screen, _) = screen(vec![stream(&[5, 7], false)]).await;
    let view = at(&screen, 9).await;
    assert_eq!(version(&view), 9);
    assert_eq!(view.density.skipped, 1);
    assert!(view.counters.partial_reloads > 0);
}

#[tokio::test]
async fn after_a_cut_it_goes_on_from_the_last_event_it_applied() {
    let second = Stream {
        frames: ready(true) + &event(6),
        then_cut: false,
    };
    let (screen, asked) = screen(vec![stream(&[5], true), second]).await;
    let view = at(&screen, 6).await;
    assert_eq!((view.density.received, view.density.skipped), (2, 0));
    assert_eq!(*asked.lock().unwrap(), ["0:0", "00000007:5"]);
}

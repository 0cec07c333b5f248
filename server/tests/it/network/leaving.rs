//! SIGTERM while streams are open and a command is under way.

use std::time::{Duration, Instant};

use domain::stream::{EventId, Scope};
use rstest::rstest;
use serde_json::json;
use server::store::stream::stream_lock;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::hub::reading::Reader;
use crate::screens::{Staff, entities, eventually};
use crate::support::Engine::{self, Postgres, Sqlite};
use crate::support::{Place, Process};

/// Reads the answer on a socket to its end.
async fn answer(socket: &mut TcpStream) -> String {
    let mut text = Vec::new();
    let read = socket.read_to_end(&mut text);
    let read = tokio::time::timeout(Duration::from_secs(10), read).await;
    read.expect("an answer").unwrap();
    String::from_utf8(text).unwrap()
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_sigterm_a_command_under_way_is_done_and_new_streams_are_refused(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let place = Place::on(engine).await;
    let process = Process::serve(&place).await;
    assert_eq!(process.client().get("/readyz").await.status, 200);
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
    // And whoever asks whether it is ready.
    let mut balancer = TcpStream::connect(addr).await.unwrap();
    let head = format!("GET /readyz HTTP/1.1\r\nhost: {addr}\r\nconnection: close\r\n");
    balancer.write_all(head.as_bytes()).await.unwrap();

    let begun = Instant::now();
    let leaving = tokio::task::spawn_blocking(move || process.terminate());
    for stream in &mut streams {
        assert!(stream.find("drain").await.data["reconnectInMs"].is_i64());
        assert!(stream.next().await.is_none(), "the stream ends");
    }
    late.write_all(b"\r\n").await.unwrap();
    let refused = answer(&mut late).await;
    assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
    balancer.write_all(b"\r\n").await.unwrap();
    let told = answer(&mut balancer).await;
    assert!(told.starts_with("HTTP/1.1 503"), "{told}");
    assert!(told.contains(r#""draining":true"#), "{told}");
    command.write_all(body.as_bytes()).await.unwrap();
    let done = answer(&mut command).await;
    assert!(done.starts_with("HTTP/1.1 201"), "{done}");

    let (status, _) = leaving.await.unwrap();
    assert_eq!(status.code(), Some(0));
    assert!(begun.elapsed() < Duration::from_secs(5));

    let process = Process::serve(&place).await;
    let owner = owner.through(process.addr);
    let orders = entities(&owner.get(Scope::HallOrders.path()).await.unwrap()).orders;
    let kept: Vec<&str> = orders.iter().map(|order| order.note.as_str()).collect();
    assert_eq!(kept, ["under way"]);
}

/// A command waits for its store's turn, which somebody else has; then comes SIGTERM. What became
/// of the command, and of the process.
async fn told_to_leave_while_waiting(engine: Engine, turn_comes: bool) {
    let place = Place::on(engine).await;
    let process = Process::serve(&place).await;
    let owner = Staff::login(process.addr, "owner", "1000").await;
    let item = owner.plain_item().await;
    let body = json!({
        "channel": "counter",
        "lines": [{ "menuId": item, "quantity": 1 }],
        "note": "waited",
    });
    let db = place.open().await;
    let mut turn = db.write().await.unwrap();
    stream_lock(&mut turn, owner.store).await.unwrap();
    let command = {
        let (owner, body) = (owner.clone(), body.clone());
        tokio::spawn(async move { owner.post("/hall/orders", "waits", &body).await })
    };
    if engine == Postgres {
        eventually("it waits", async || waiting(&db).await == 1).await;
    } else {
        // A file does not tell who waits for it.
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    let leaving = tokio::task::spawn_blocking(move || process.terminate());
    if turn_comes {
        tokio::time::sleep(Duration::from_millis(500)).await;
        drop(turn);
        assert_eq!(command.await.unwrap().unwrap().status, 201);
        let (status, after) = leaving.await.unwrap();
        assert_eq!(status.code(), Some(0));
        assert!(after < Duration::from_secs(5), "{after:?}");
    } else {
        let (status, after) = leaving.await.unwrap();
        assert_eq!(status.code(), Some(0));
        assert!(after < Duration::from_secs(5), "{after:?}");
        drop(turn);
        // It was not carried out, or answered as if it was.
        let answered = command.await.unwrap().is_ok_and(|reply| reply.status < 300);
        assert!(!answered);
    }
    // With its key it is carried out once, whenever.
    let process = Process::serve(&place).await;
    let owner = owner.through(process.addr);
    let again = owner.post("/hall/orders", "waits", &body).await.unwrap();
    assert_eq!(again.status, 201, "{again:?}");
    let orders = entities(&owner.get(Scope::HallOrders.path()).await.unwrap()).orders;
    assert_eq!(orders.len(), 1);
}

/// Sessions of this database that wait for a lock.
async fn waiting(db: &server::db::Db) -> i64 {
    let sql = "select count(*) from pg_stat_activity \
        where datname = current_database() and wait_event_type = 'Lock'";
    let mut tx = db.read().await.unwrap();
    let row = tx.fetch_optional::<(i64,)>(sql, []).await.unwrap();
    row.unwrap().0
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_sigterm_a_command_that_waits_for_its_turn_is_done_when_that_comes(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    told_to_leave_while_waiting(engine, true).await;
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_that_never_comes_keeps_no_process_and_the_command_can_be_repeated(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    told_to_leave_while_waiting(engine, false).await;
}

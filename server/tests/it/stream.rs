//! The stream as clients open it: tickets, limits, compression, timeouts, the way out.

use rstest::rstest;
use std::time::Duration;

use domain::id::OutboxId;
use domain::stream::EventId;
use domain::time::Time;
use reqwest::Method;
use serde_json::{Value, json};
use server::clock::Clock;
use server::config::Config;
use server::http::App;
use server::store::outbox::{OutboxRow, outbox_insert};
use server::store::stream::stream_take;
use tokio::time::Instant;
use uuid::Uuid;

use crate::hub::reading::{Reader, deaf};
use crate::support::Engine::{self, Postgres, Sqlite};
use crate::support::{Client, Server, add_restaurant};

/// Somebody of a store, who opens streams.
struct Screen {
    client: Client,
    base: String,
}

impl Screen {
    async fn of(server: &Server, staff: &str) -> Self {
        Self::at(server, "one", staff).await
    }

    async fn at(server: &Server, store: &str, staff: &str) -> Self {
        let client = server.login_at(store, staff).await;
        let me = client.get("/api/auth/me").await.json();
        let store = me["storeId"].as_str().unwrap();
        Self {
            client,
            base: format!("/api/pos/{store}/notifications"),
        }
    }

    async fn ticket(&self) -> String {
        let answer = self.client.get(&format!("{}/ticket", self.base)).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(answer.json()["expiresInMs"], 30_000);
        answer.json()["ticket"].as_str().unwrap().to_owned()
    }

    fn path(&self, ticket: &str, rest: &str) -> String {
        format!("{}/subscribe?ticket={ticket}{rest}", self.base)
    }

    async fn answer(&self, rest: &str) -> reqwest::Response {
        let path = self.path(&self.ticket().await, rest);
        self.client
            .request(Method::GET, &path)
            .send()
            .await
            .unwrap()
    }

    /// A stream, after its `ready`.
    async fn stream(&self, rest: &str) -> Reader {
        let answer = self.answer(rest).await;
        assert_eq!(answer.status(), 200);
        let mut reader = Reader::answer(answer);
        reader.ready().await;
        reader
    }
}

/// Commits an event as a command does.
async fn emit(app: &App, screen: &Screen) -> EventId {
    let store = screen.base.split('/').nth(3).unwrap().parse().unwrap();
    let mut tx = app.db.write().await.unwrap();
    let id = stream_take(&mut tx, store, 1).await.unwrap();
    let row = OutboxRow {
        store_id: store,
        seq: id.seq,
        outbox_id: OutboxId(Uuid::now_v7()),
        kind: "ORDER_CHANGED".into(),
        payload: json!({ "id": Uuid::now_v7(), "note": "x".repeat(200) }).to_string(),
        created_at: app.clock.now(),
        published_at: Some(app.clock.now()),
        dead: false,
    };
    outbox_insert(&mut tx, &[row]).await.unwrap();
    tx.commit().await.unwrap();
    app.relay.committed(store);
    id
}

fn quick(config: &mut Config) {
    config.heartbeat_ms = 100;
}

#[tokio::test]
async fn a_ticket_opens_a_stream_that_begins_at_once_and_follows_the_store() {
    let server = Server::start().await;
    let screen = Screen::of(&server, "kitchen").await;
    let answer = screen.answer("&connectionId=pass").await;
    assert_eq!(answer.status(), 200);
    let header = |name: &str| answer.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "text/event-stream");
    assert_eq!(header("cache-control"), "no-cache, no-transform");
    assert_eq!(header("x-accel-buffering"), "no");
    let mut reader = Reader::answer(answer);
    let ready = reader.ready().await;
    assert!(reader.first_bytes.starts_with(b"retry: 3600000\n"));
    assert_eq!(ready.data["connectionId"], "pass");
    assert_eq!(ready.data["resumed"], false);
    assert!(ready.data["build"].is_string());
    let first = emit(&server.app, &screen).await;
    assert_eq!(reader.next_but_beats().await.unwrap().id, Some(first));

    emit(&server.app, &screen).await;
    let mut resumed = screen.stream(&format!("&lastEventId={first}")).await;
    assert_eq!(resumed.seqs_upto(2).await, [2]);
}

#[tokio::test]
async fn a_blank_connection_id_is_made_and_a_long_one_cut() {
    let server = Server::start().await;
    let screen = Screen::of(&server, "hall").await;
    for (given, length) in [("", 36), ("%20", 36), (&*"a".repeat(300), 128)] {
        let answer = screen.answer(&format!("&connectionId={given}")).await;
        let ready = Reader::answer(answer).ready().await;
        assert_eq!(ready.data["connectionId"].as_str().unwrap().len(), length);
    }
}

#[rstest]
#[tokio::test]
async fn a_ticket_that_is_missing_used_foreign_or_expired_is_invalid(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let clock = Clock::manual(Time(1_800_000_000_000));
    let server = Server::on(engine, quick, clock.clone()).await;
    add_restaurant(&server.app, "two").await;
    let screen = Screen::of(&server, "hall").await;
    let other = Screen::of(&server, "counter").await;
    let elsewhere = Screen::at(&server, "two", "hall").await;
    let nobody = server.client();
    let invalid = async |client: &Client, path: &str| {
        let answer = client.get(path).await;
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (401, "INVALID_TICKET"),
            "{path}"
        );
    };
    invalid(&screen.client, &format!("{}/subscribe", screen.base)).await;
    invalid(&screen.client, &screen.path("", "")).await;
    invalid(&nobody, &screen.path(&"0".repeat(32), "")).await;

    let used = screen.ticket().await;
    let stream = nobody
        .request(Method::GET, &screen.path(&used, ""))
        .send()
        .await
        .unwrap();
    assert_eq!(stream.status(), 200, "a ticket is enough");
    invalid(&screen.client, &screen.path(&used, "")).await;

    let foreign = screen.ticket().await;
    invalid(&other.client, &screen.path(&foreign, "")).await;
    let of_one = screen.ticket().await;
    invalid(&elsewhere.client, &elsewhere.path(&of_one, "")).await;
    invalid(&nobody, &elsewhere.path(&screen.ticket().await, "")).await;

    let expired = screen.ticket().await;
    clock.advance(30_000);
    invalid(&screen.client, &screen.path(&expired, "")).await;
    let answer = nobody.get(&format!("{}/ticket", screen.base)).await;
    assert_eq!((answer.status, answer.code().as_str()), (401, "SIGNED_OUT"));
}

async fn third_is_refused(change: fn(&mut Config)) {
    let server = Server::with(change, Clock::system()).await;
    let screen = Screen::of(&server, "hall").await;
    let first = screen.answer("").await;
    let second = screen.answer("").await;
    assert_eq!(
        (first.status(), second.status()),
        (reqwest::StatusCode::OK, reqwest::StatusCode::OK)
    );
    let path = screen.path(&screen.ticket().await, "");
    let refused = screen.client.get(&path).await;
    assert_eq!(
        (refused.status, refused.code().as_str()),
        (429, "TOO_MANY_STREAMS")
    );
    assert_eq!(refused.header("retry-after"), "1");
}

#[tokio::test]
async fn each_limit_on_streams_refuses_with_too_many_streams() {
    third_is_refused(|config| config.max_streams = 2).await;
    third_is_refused(|config| config.max_streams_per_store = 2).await;
    third_is_refused(|config| config.max_streams_per_session = 2).await;
    // Two at once, and the next one half a second later.
    third_is_refused(|config| config.new_streams_per_second = 2).await;
}

/// Trial C16.
#[tokio::test]
async fn a_stream_is_never_compressed_and_each_event_arrives_by_itself() {
    let server = Server::start().await;
    let screen = Screen::of(&server, "kitchen").await;
    let path = screen.path(&screen.ticket().await, "");
    let request = screen.client.request(Method::GET, &path);
    let answer = request
        .header("accept-encoding", "gzip, br")
        .send()
        .await
        .unwrap();
    assert!(!answer.headers().contains_key("content-encoding"));
    let mut reader = Reader::answer(answer);
    reader.ready().await;
    for _ in 0..5 {
        let begun = Instant::now();
        let id = emit(&server.app, &screen).await;
        assert_eq!(reader.next_but_beats().await.unwrap().id, Some(id));
        assert!(begun.elapsed() < Duration::from_secs(1));
    }
}

/// Trial C22, server side of the stream.
#[tokio::test]
async fn an_idle_stream_outlives_the_request_timeout_and_still_hears() {
    let change = |config: &mut Config| {
        config.request_timeout_ms = 2_000;
        config.heartbeat_ms = 600;
    };
    let server = Server::with(change, Clock::system()).await;
    let screen = Screen::of(&server, "kitchen").await;
    let mut reader = screen.stream("").await;
    for _ in 0..4 {
        reader.find("heartbeat").await;
    }
    let id = emit(&server.app, &screen).await;
    assert_eq!(reader.next_but_beats().await.unwrap().id, Some(id));
}

#[tokio::test]
async fn signing_out_ends_the_streams_of_that_session_within_a_beat() {
    let server = Server::with(quick, Clock::system()).await;
    let leaving = Screen::of(&server, "hall").await;
    let staying = Screen::of(&server, "hall").await;
    let mut ended = leaving.stream("").await;
    let mut open = staying.stream("").await;
    ended.find("heartbeat").await;
    leaving.client.post("/api/auth/logout", json!({})).await;
    ended.ends_within_a_beat().await;
    open.find("heartbeat").await;
}

#[rstest]
#[tokio::test]
async fn an_acknowledgement_shows_in_the_heartbeats_of_the_store(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let server = Server::on(engine, quick, Clock::system()).await;
    let kitchen = Screen::of(&server, "kitchen").await;
    let hall = Screen::of(&server, "hall").await;
    let _kitchen = kitchen.stream("&connectionId=pass&screen=kitchen:").await;
    let mut reader = hall.stream("&screen=hall").await;
    let applied = emit(&server.app, &hall).await;
    let ack = async |body: Value| {
        let path = format!("{}/ack", kitchen.base);
        kitchen
            .client
            .send(kitchen.client.request(Method::POST, &path).json(&body))
            .await
    };
    let done = ack(json!({ "connectionId": "pass", "applied": applied })).await;
    assert_eq!(done.status, 204, "{}", done.text);
    let expected = json!([{ "connectionId": "pass", "stationId": null, "applied": applied }]);
    while reader.find("heartbeat").await.data["kitchen"] != expected {}

    let unknown = ack(json!({ "connectionId": "pass", "applied": applied, "x": 1 })).await;
    assert_eq!(unknown.code(), "UNKNOWN_FIELD");
    let broken = ack(json!({ "connectionId": "pass", "applied": "7" })).await;
    assert_eq!((broken.status, broken.code().as_str()), (422, "VALIDATION"));
}

#[tokio::test]
async fn changes_are_answered_from_the_cursor_with_a_limit_between_one_and_a_thousand() {
    let server = Server::start().await;
    let screen = Screen::of(&server, "counter").await;
    let first = emit(&server.app, &screen).await;
    for _ in 0..3 {
        emit(&server.app, &screen).await;
    }
    let changes = async |query: &str| {
        let answer = screen
            .client
            .get(&format!("{}/changes{query}", screen.base))
            .await;
        assert_eq!(answer.header("cache-control"), "no-store");
        answer.json()
    };
    let named = changes(&format!("?since={first}")).await;
    assert_eq!(named["changedOrderIds"].as_array().unwrap().len(), 3);
    assert_eq!(named["currentWatermark"], first.at(4).to_string());
    assert_eq!(changes("").await["reason"], "NO_CURSOR");
    assert_eq!(changes("?since=nonsense").await["reason"], "NO_CURSOR");
    assert_eq!(
        changes(&format!("?since={first}&limit=2")).await["reason"],
        "TOO_MANY_EVENTS"
    );
    assert_eq!(
        changes(&format!("?since={first}&limit=-5")).await["reason"],
        "TOO_MANY_EVENTS"
    );
    assert_eq!(
        changes(&format!("?since={first}&limit=999999")).await["requiresReload"],
        false
    );
    let odd = screen
        .client
        .get(&format!("{}/changes?limit=many", screen.base))
        .await;
    assert_eq!((odd.status, odd.code().as_str()), (422, "VALIDATION"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_leaves_sends_its_streams_home_and_is_gone_within_five_seconds() {
    let server = Server::with(quick, Clock::system()).await;
    let screen = Screen::of(&server, "kitchen").await;
    let mut readers = Vec::new();
    for _ in 0..5 {
        readers.push(screen.stream("").await);
    }
    let stuck = screen.path(&screen.ticket().await, "");
    let _stuck = deaf(server.addr, &stuck).await;
    for _ in 0..50 {
        emit(&server.app, &screen).await;
    }
    let hub = server.app.hub.clone();
    let begun = Instant::now();
    server.stop().await.unwrap();
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(hub.streams_open(), 0);
    for reader in &mut readers {
        assert!(reader.find("drain").await.data["reconnectInMs"].is_i64());
        assert!(reader.next().await.is_none());
    }
}

#[tokio::test]
async fn while_the_server_leaves_new_streams_are_refused_as_unavailable() {
    let server = Server::start().await;
    let screen = Screen::of(&server, "kitchen").await;
    let path = screen.path(&screen.ticket().await, "");
    server.app.hub.drain().await;
    let refused = screen.client.get(&path).await;
    assert_eq!(
        (refused.status, refused.code().as_str()),
        (503, "UNAVAILABLE")
    );
}

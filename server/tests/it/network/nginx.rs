//! nginx in front, told nothing of streams: it buffers and compresses as it does by itself
//! (trial C16, and the half of C13 that a proxy could hide).

use std::io::Read as _;
use std::net::SocketAddr;
use std::time::Duration;

use flate2::read::GzDecoder;
use reqwest::{Method, Response};
use serde_json::{Value, json};
use server::clock::Clock;
use tokio::time::{Instant, timeout};

use crate::commands::{House, NOON, RICE};
use crate::hub::reading::Reader;
use crate::screens::eventually;
use crate::support::{Answer, Client, Nginx, Server};

/// What a browser asks for.
const COMPRESSED: (&str, &str) = ("accept-encoding", "gzip, deflate, br");

/// By itself nginx speaks HTTP/1.0 to a server, buffers, and compresses pages only; here it is to
/// compress JSON too, which the server is not asked for.
fn by_itself(server: SocketAddr, more: &str) -> String {
    format!(
        "events {{}}\nhttp {{\n gzip on; gzip_types application/json;\n server {{\n listen 80;\n \
         location / {{ proxy_pass http://{server}; proxy_set_header Accept-Encoding \"\"; {more} }}\n \
         }}\n}}\n"
    )
}

/// The demo without a heartbeat that could push anything on, and somebody signed in through nginx.
struct Behind {
    house: House,
    nginx: Nginx,
    client: Client,
}

impl Behind {
    async fn nginx(more: &str) -> Self {
        let clock = Clock::manual(NOON);
        let server = Server::with(
            |config| {
                config.demo = true;
                config.heartbeat_ms = 60_000;
            },
            clock.clone(),
        );
        let house = House::of(server.await, clock).await;
        let nginx = Nginx::start(&by_itself(house.server.addr, more)).await;
        let client = Client::new(nginx.addr);
        assert_eq!(client.try_login("demo", "owner", "1000").await.status, 200);
        Self {
            house,
            nginx,
            client,
        }
    }

    async fn subscribe(&self) -> Response {
        let below = format!("{}/notifications", self.house.path);
        let ticket = self.client.get(&format!("{below}/ticket")).await.json();
        let ticket = ticket["ticket"].as_str().unwrap();
        let path = format!("{below}/subscribe?ticket={ticket}&connectionId=behind");
        let request = self.client.request(Method::GET, &path);
        let request = request.header(COMPRESSED.0, COMPRESSED.1);
        request.send().await.unwrap()
    }

    async fn post(&self, path: &str, key: &str, body: Value) -> Answer {
        let path = format!("{}{path}", self.house.path);
        self.client.post_keyed(&path, key, body).await
    }

    fn streams(&self) -> usize {
        self.house.server.app.hub.streams_open()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_bytes_and_each_event_pass_at_once_and_are_not_compressed() {
    let behind = Behind::nginx("").await;
    let asked = Instant::now();
    let answer = behind.subscribe().await;
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-type"], "text/event-stream");
    assert!(answer.headers().get("content-encoding").is_none());
    let mut reader = Reader::answer(answer);
    reader.ready().await;
    assert!(asked.elapsed() < Duration::from_secs(1));
    let item = behind.house.item(RICE).await["id"].clone();
    for n in 0..5 {
        let body = json!({ "channel": "takeout", "lines": [{ "menuId": item, "quantity": 1 }] });
        let done = behind.post("/hall/orders", &n.to_string(), body).await;
        assert_eq!(done.status, 201, "{}", done.text);
        let committed = Instant::now();
        let event = reader.next_but_beats().await.unwrap();
        assert_eq!(event.id.unwrap().seq, crate::commands::seq(&done));
        assert!(committed.elapsed() < Duration::from_secs(1));
    }
}

/// The proof that the header is what does it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_nginx_that_is_not_asked_to_let_streams_pass_holds_them_back() {
    let behind = Behind::nginx("proxy_ignore_headers X-Accel-Buffering;").await;
    let held = async { Reader::answer(behind.subscribe().await).ready().await };
    let held = timeout(Duration::from_millis(700), held).await;
    assert!(held.is_err(), "{held:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_rest_is_compressed_and_a_commands_answer_is_whole() {
    let behind = Behind::nginx("").await;
    let path = format!("{}/menu", behind.house.path);
    let plain = behind.house.get("/menu").await;
    let request = behind.client.request(Method::GET, &path);
    let request = request.header(COMPRESSED.0, COMPRESSED.1);
    let answer = request.send().await.unwrap();
    assert_eq!(answer.headers()["content-encoding"], "gzip");
    assert!(answer.headers().contains_key("x-pos-stream-watermark"));
    let bytes = answer.bytes().await.unwrap();
    assert!(bytes.len() * 2 < plain.text.len());
    let mut text = String::new();
    GzDecoder::new(&*bytes).read_to_string(&mut text).unwrap();
    assert_eq!(text, plain.text);

    let item = behind.house.item(RICE).await["id"].clone();
    let line = json!({ "menuId": item, "quantity": 1, "note": "밥\n많이 🍚".repeat(8) });
    let body = json!({ "channel": "takeout", "lines": vec![line; 60] });
    let done = behind.post("/hall/orders", "large", body.clone()).await;
    assert_eq!(done.status, 201, "{}", done.text);
    let lines = done.json()["orders"][0]["lines"].clone();
    assert_eq!(lines.as_array().unwrap().len(), 60);
    let again = behind.post("/hall/orders", "large", body).await;
    assert_eq!((again.status, &again.text), (201, &done.text));
    let refused = behind
        .post("/hall/orders", "none", json!({ "lines": [] }))
        .await;
    assert!((400..500).contains(&refused.status));
    assert!(!refused.code().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_leaves_is_noticed_through_nginx_though_nothing_is_sent() {
    let behind = Behind::nginx("").await;
    let mut readers = Vec::new();
    for _ in 0..10 {
        let mut reader = Reader::answer(behind.subscribe().await);
        reader.ready().await;
        readers.push(reader);
    }
    assert_eq!(behind.streams(), 10);
    readers.truncate(4);
    eventually("six are gone", async || behind.streams() == 4).await;
    drop(readers);
    eventually("all are gone", async || behind.streams() == 0).await;
    // And the other way: a server that goes away ends the stream at the client.
    let mut reader = Reader::answer(behind.subscribe().await);
    reader.ready().await;
    behind.house.server.stop().await.unwrap();
    assert_eq!(reader.find("drain").await.id, None);
    assert!(reader.next().await.is_none());
    drop(behind.nginx);
}

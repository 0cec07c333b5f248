//! The whole server on the log that can fail, asked over HTTP: no request waits for Redis.

use std::net::SocketAddr;
use std::time::Duration;

use clap::Parser as _;
use reqwest::Method;
use serde_json::{Value, json};
use server::clock::Clock;
use server::config::{Cli, Command, Config};
use server::http::App;
use server::hub::Hub;
use server::log::Log;
use server::relay::Relay;
use server::service::Services;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::hub::house::{eventually, quick};
use crate::hub::reading::Reader;
use crate::support::{Client, Redis};

/// The demo restaurant. Its settings say SQLite, since a file is there at once; its log is Redis.
struct House {
    redis: Redis,
    owner: Client,
    path: String,
    anyone: Client,
    shutdown: CancellationToken,
    _folder: TempDir,
}

impl House {
    async fn open() -> Self {
        let redis = Redis::start().await;
        let folder = tempfile::tempdir().unwrap();
        let app = on_redis(
            server::open(config(&folder), Clock::system())
                .await
                .unwrap(),
            &redis,
        );
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let addr: SocketAddr = listener.local_addr().unwrap();
        let shutdown = CancellationToken::new();
        tokio::spawn(server::serve(app, listener, shutdown.clone()));
        let owner = Client::new(addr);
        let me = owner.try_login("demo", "owner", "1000").await.json();
        Self {
            redis,
            owner,
            path: format!("/api/pos/{}", me["storeId"].as_str().unwrap()),
            anyone: Client::new(addr),
            shutdown,
            _folder: folder,
        }
    }

    async fn stream(&self) -> Reader {
        let mut reader = self.stream_after("0:0").await;
        reader.ready().await;
        reader
    }

    /// A stream for a client that has seen everything up to `cursor`.
    async fn stream_after(&self, cursor: &str) -> Reader {
        let below = format!("{}/notifications", self.path);
        let ticket = self.owner.get(&format!("{below}/ticket")).await.json();
        let ticket = ticket["ticket"].as_str().unwrap();
        let path = format!("{below}/subscribe?ticket={ticket}&lastEventId={cursor}");
        let answer = self.owner.request(Method::GET, &path).send().await.unwrap();
        Reader::answer(answer)
    }

    /// Places an order and says how long the answer took.
    async fn order(&self) -> Duration {
        let menu = self.owner.get(&format!("{}/menu", self.path)).await.json();
        let items = menu["items"].as_array().unwrap();
        let rice = items.iter().find(|item| item["code"] == "117").unwrap();
        let body = json!({
            "channel": "counter",
            "lines": [{ "menuId": rice["id"], "quantity": 1 }],
        });
        let begun = Instant::now();
        let path = format!("{}/hall/orders", self.path);
        let answer = self.owner.post(&path, body).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        begun.elapsed()
    }

    async fn readiness(&self) -> (u16, Value) {
        let answer = self.anyone.get("/readyz").await;
        (answer.status, answer.json()["log"].clone())
    }
}

/// The same restaurant with another log under it.
fn on_redis(mut app: App, redis: &Redis) -> App {
    let log = Log::redis(redis.config()).unwrap();
    let (db, clock) = (app.db.clone(), app.clock.clone());
    let hub = Hub::new(quick(), db.clone(), clock.clone(), log.clone());
    let relay = Relay::new(db.clone(), clock.clone(), log.clone(), hub.clone());
    app.services = Services::new(db, clock, relay.clone(), app.tasks.clone(), &log).unwrap();
    app.relay = relay;
    app.hub = hub;
    app
}

fn config(folder: &TempDir) -> Config {
    let database = format!("sqlite:{}", folder.path().join("house.db").display());
    let arguments = ["jumun", "serve", "--demo", "--database-url", &database];
    match Cli::parse_from(arguments).command {
        Command::Serve(config) => Config {
            site_dir: folder.path().join("site"),
            metrics_listen: None,
            ..config
        },
        other => panic!("not serve: {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_redis_does_not_answer_commands_streams_and_beats_go_on() {
    let house = House::open().await;
    let mut stream = house.stream().await;
    eventually("all is well", async || {
        house.readiness().await == (200, json!(true))
    })
    .await;
    house.order().await;
    stream.find("HALL_PAYMENT").await;

    house.redis.freeze();
    for _ in 0..3 {
        let took = house.order().await;
        assert!(took < Duration::from_secs(1), "{took:?}");
        stream.find("HALL_PAYMENT").await;
    }
    let mut last = Instant::now();
    for _ in 0..20 {
        stream.find("heartbeat").await;
        let gap = last.elapsed();
        assert!(gap < Duration::from_secs(1), "{gap:?} between two beats");
        last = Instant::now();
    }
    // A warning, and ready all the same.
    eventually("the log is a warning", async || {
        house.readiness().await == (200, json!(false))
    })
    .await;

    house.redis.thaw();
    eventually("all is well", async || {
        house.readiness().await == (200, json!(true))
    })
    .await;
    house.order().await;
    stream.find("HALL_PAYMENT").await;
    house.shutdown.cancel();
}

/// Trial C38, asked as a screen asks: a baseline, then the stream from its watermark.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_an_empty_redis_a_screen_loads_once_and_has_the_first_order() {
    let house = House::open().await;
    let streams = redis::cmd("KEYS").arg("pos:*:*").clone();
    assert!(house.redis.ask::<Vec<String>>(&streams).await.is_empty());
    let path = format!("{}/kitchen/orders", house.path);
    let baseline = house.owner.get(&path).await;
    assert_eq!(baseline.status, 200, "{}", baseline.text);
    let watermark = baseline.header("x-pos-stream-watermark");
    let mut stream = house.stream_after(watermark).await;
    let ready = stream.ready().await;
    assert_eq!(
        (&ready.data["resumed"], &ready.data["head"]),
        (&json!(true), &json!(watermark))
    );
    // Longer than a read waits.
    for _ in 0..12 {
        assert_eq!(stream.next().await.unwrap().event, "heartbeat");
    }
    house.order().await;
    assert_eq!(stream.next_soon().await.unwrap().event, "HALL_PAYMENT");
    house.shutdown.cancel();
}

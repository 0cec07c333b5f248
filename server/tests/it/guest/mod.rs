//! Phones at tables, over a real server and real streams.

mod access;
mod calls;
mod join;
mod keys;
mod orders;
mod origin;
mod parties;
mod stream;

use std::net::SocketAddr;
use std::time::Duration;

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use server::clock::Clock;
use uuid::Uuid;

use crate::commands::{House, NOON, RICE};
use crate::hub::reading::{Frame, Reader};
use crate::support::{Answer, Client, Engine, Server};

/// A phone that has scanned a table's code.
#[derive(Clone)]
pub struct Phone {
    pub client: Client,
    pub token: String,
    pub party: String,
}

/// Scans a table's code.
pub async fn join(client: &Client, code: &str) -> Answer {
    let request = client.request(Method::POST, &format!("/api/guest/{code}/join"));
    client.send(request.json(&json!({}))).await
}

impl Phone {
    /// A phone at a table of the demo: `a1`, `b2`.
    pub async fn at(house: &House, table: &str) -> Self {
        let client = house.server.client();
        let joined = join(&client, &format!("demo-{table}")).await;
        assert_eq!(joined.status, 200, "{}", joined.text);
        let joined = joined.json();
        Self {
            client,
            token: joined["token"].as_str().unwrap().to_owned(),
            party: joined["partyId"].as_str().unwrap().to_owned(),
        }
    }

    /// The same phone at another address of the house.
    pub fn through(&self, addr: SocketAddr) -> Self {
        Self {
            client: Client::new(addr),
            ..self.clone()
        }
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, &format!("/api/guest{path}"));
        request.bearer_auth(&self.token)
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.client.send(self.request(Method::GET, path)).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.post_keyed(path, &Uuid::now_v7().to_string(), body)
            .await
    }

    pub async fn post_keyed(&self, path: &str, key: &str, body: Value) -> Answer {
        let request = self.request(Method::POST, path);
        let request = request.header("idempotency-key", key).json(&body);
        self.client.send(request).await
    }

    /// The page as it is now.
    pub async fn page(&self) -> Value {
        let answer = self.get("").await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()
    }

    /// The ids of the orders on the page.
    pub async fn sees(&self) -> Vec<String> {
        let page = self.page().await;
        let orders = page["orders"].as_array().unwrap();
        orders.iter().map(|order| text(&order["id"])).collect()
    }

    /// An order of this many portions of rice, which must be taken; the guest's view of it.
    pub async fn orders(&self, house: &House, portions: u32) -> Value {
        let answer = self.post("/orders", rice(house, portions).await).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        answer.json()["orders"][0].clone()
    }

    pub async fn ticket(&self) -> String {
        let answer = self.get("/ticket").await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        assert_eq!(answer.json()["expiresInMs"], 30_000);
        text(&answer.json()["ticket"])
    }

    pub async fn events(&self, ticket: &str) -> reqwest::Response {
        let path = format!("/api/guest/events?ticket={ticket}");
        let request = self.client.request(Method::GET, &path);
        request.send().await.unwrap()
    }

    /// A stream, after its `ready`.
    pub async fn stream(&self) -> Reader {
        let answer = self.events(&self.ticket().await).await;
        assert_eq!(answer.status(), 200);
        let mut reader = Reader::answer(answer);
        reader.ready().await;
        reader
    }
}

/// The body of an order of rice.
pub async fn rice(house: &House, portions: u32) -> Value {
    let item = house.item(RICE).await["id"].clone();
    json!({ "lines": [{ "menuId": item, "quantity": portions }] })
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// The demo, whose clock stands, with quick heartbeats.
pub async fn open() -> House {
    open_on(Engine::Sqlite).await
}

pub async fn open_on(engine: Engine) -> House {
    let clock = Clock::manual(NOON);
    let change = |config: &mut server::config::Config| {
        config.demo = true;
        config.heartbeat_ms = 100;
    };
    House::of(Server::on(engine, change, clock.clone()).await, clock).await
}

/// What a stream owes comes within this; its heartbeats alone are no answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// The frame of this name, whatever comes before it.
pub async fn find(reader: &mut Reader, event: &str) -> Frame {
    let found = tokio::time::timeout(PATIENCE, reader.find(event)).await;
    found.unwrap_or_else(|_| panic!("no {event}"))
}

/// The next frame of an entity or a marker.
pub async fn next(reader: &mut Reader) -> Frame {
    let frame = tokio::time::timeout(PATIENCE, reader.next_but_beats()).await;
    let frame = frame.expect("more than heartbeats").expect("a frame");
    assert_eq!(frame.id, None, "frames of guests have no id");
    frame
}

/// Everything up to the frame about this order, and that frame's payload.
pub async fn until_order(reader: &mut Reader, id: &Value, version: u64) -> (Vec<Frame>, Value) {
    let mut before = Vec::new();
    loop {
        let frame = next(reader).await;
        let payload = &frame.data["payload"];
        if payload["id"] == *id && payload["version"] == version {
            let payload = payload.clone();
            return (before, payload);
        }
        before.push(frame);
    }
}

/// Clears the table for whom everything is paid.
pub async fn clear(house: &House, table: &str) {
    let path = format!("/tables/{}/clear", house.table_id(table).await);
    house.done(&path, json!({})).await;
}

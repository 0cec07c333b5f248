//! Somebody signed in, as far as HTTP can tell. Every request has a connection of its own, so
//! that what lies between sees each of them come and go.

use std::net::SocketAddr;
use std::time::Duration;

use domain::id::StoreId;
use domain::snapshot::{Entities, WATERMARK_HEADER};
use domain::stream::{EventId, Scope};
use reqwest::header::COOKIE;
use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};
use uuid::Uuid;

/// A request that is not answered within this is lost.
const ANSWER_WITHIN: Duration = Duration::from_secs(20);

#[derive(Clone)]
pub struct Staff {
    http: reqwest::Client,
    base: String,
    cookie: String,
    pub store: StoreId,
}

/// An answer, read to its end.
#[derive(Clone, Debug)]
pub struct Reply {
    pub status: u16,
    pub watermark: Option<EventId>,
    pub text: String,
}

impl Reply {
    async fn of(response: Response) -> reqwest::Result<Self> {
        let watermark = response.headers().get(WATERMARK_HEADER);
        let watermark = watermark.and_then(|value| value.to_str().ok()?.parse().ok());
        Ok(Self {
            status: response.status().as_u16(),
            watermark,
            text: response.text().await?,
        })
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    /// What it holds, when it is an answer that decides entities.
    pub fn decided(&self) -> Option<(EventId, Entities)> {
        let entities = serde_json::from_str(&self.text).ok()?;
        Some((self.watermark?, entities))
    }

    /// The id of the one order it holds.
    pub fn order(&self) -> Uuid {
        entities(self).orders[0].id.0
    }
}

/// What an answer holds.
pub fn entities(reply: &Reply) -> Entities {
    serde_json::from_str(&reply.text).unwrap_or_else(|e| panic!("{e}: {reply:?}"))
}

impl Staff {
    pub async fn login(addr: SocketAddr, login: &str, pin: &str) -> Self {
        let http = reqwest::Client::builder()
            .no_proxy()
            .pool_max_idle_per_host(0)
            .build()
            .unwrap();
        let base = format!("http://{addr}");
        let body = json!({ "storeCode": "demo", "staff": login, "pin": pin });
        let request = http.post(format!("{base}/api/auth/login")).json(&body);
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), 200);
        let cookie = answer.headers()["set-cookie"].to_str().unwrap();
        let cookie = cookie.split(';').next().unwrap().to_owned();
        let me = http.get(format!("{base}/api/auth/me"));
        let me = me.header(COOKIE, &cookie).send().await.unwrap();
        let me: Value = me.json().await.unwrap();
        let store = me["storeId"].as_str().unwrap().parse().unwrap();
        Self {
            http,
            base,
            cookie,
            store,
        }
    }

    /// The same session at another address.
    pub fn through(&self, addr: SocketAddr) -> Self {
        Self {
            base: format!("http://{addr}"),
            ..self.clone()
        }
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}/api/pos/{}{path}", self.base, self.store);
        self.http.request(method, url).header(COOKIE, &self.cookie)
    }

    /// `Cookie: …`, for requests that a test writes itself.
    pub fn cookie(&self) -> &str {
        &self.cookie
    }

    pub async fn get(&self, path: &str) -> reqwest::Result<Reply> {
        let request = self.request(Method::GET, path).timeout(ANSWER_WITHIN);
        Reply::of(request.send().await?).await
    }

    pub async fn post(&self, path: &str, key: &str, body: &Value) -> reqwest::Result<Reply> {
        let request = self.request(Method::POST, path).timeout(ANSWER_WITHIN);
        let request = request.header("idempotency-key", key).json(body);
        Reply::of(request.send().await?).await
    }

    /// A command with a key of its own, which is carried out.
    pub async fn does(&self, path: &str, body: Value) -> Reply {
        let key = Uuid::now_v7().to_string();
        let reply = self.post(path, &key, &body).await.unwrap();
        assert!(reply.status < 300, "{path}: {reply:?}");
        reply
    }

    /// Places an order at the counter and confirms it; its id.
    pub async fn orders(&self, item: Uuid, note: &str) -> Uuid {
        let body = json!({
            "channel": "counter",
            "lines": [{ "menuId": item, "quantity": 1 }],
            "note": note,
        });
        let order = self.does("/hall/orders", body).await.order();
        let confirm = format!("/hall/orders/{order}/confirm");
        self.does(&confirm, json!({ "tender": "cash" })).await;
        order
    }

    /// An item that needs no choice.
    pub async fn plain_item(&self) -> Uuid {
        let menu = entities(&self.get(Scope::Menu.path()).await.unwrap());
        let plain = menu.items.iter().find(|item| item.option_groups.is_empty());
        plain.unwrap().id.0
    }

    pub async fn ticket(&self) -> reqwest::Result<Reply> {
        self.get("/notifications/ticket").await
    }

    pub async fn subscribe(
        &self,
        ticket: &str,
        connection: &str,
        cursor: EventId,
    ) -> reqwest::Result<Response> {
        let path = Self::stream_path(ticket, connection, cursor);
        self.request(Method::GET, &path).send().await
    }

    pub fn stream_path(ticket: &str, connection: &str, cursor: EventId) -> String {
        format!(
            "/notifications/subscribe?ticket={ticket}&connectionId={connection}\
             &lastEventId={cursor}&screen=kitchen"
        )
    }

    pub async fn ack(&self, connection: &str, applied: EventId) -> reqwest::Result<Response> {
        let body = json!({ "connectionId": connection, "applied": applied });
        let request = self.request(Method::POST, "/notifications/ack");
        request.timeout(ANSWER_WITHIN).json(&body).send().await
    }
}

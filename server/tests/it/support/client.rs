//! A browser, as far as HTTP can tell: it keeps cookies and makes keys.

use std::net::SocketAddr;

use reqwest::header::HeaderMap;
use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};
use uuid::Uuid;

#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    base: String,
}

/// An answer, read to its end.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
}

impl Answer {
    pub async fn of(response: Response) -> Self {
        Self {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            text: response.text().await.unwrap(),
        }
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|e| panic!("{e}: {}", self.text))
    }

    /// The code of a problem.
    pub fn code(&self) -> String {
        let media = &self.headers["content-type"];
        assert_eq!(media, "application/problem+json", "{}", self.text);
        self.json()["code"].as_str().unwrap().to_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().unwrap())
    }
}

impl Client {
    pub fn new(addr: SocketAddr) -> Self {
        Self {
            http: reqwest::Client::builder()
                .cookie_store(true)
                .build()
                .unwrap(),
            base: format!("http://{addr}"),
        }
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.base))
    }

    pub async fn send(&self, request: RequestBuilder) -> Answer {
        Answer::of(request.send().await.unwrap()).await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path)).await
    }

    /// A command with a key of its own.
    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.post_keyed(path, &Uuid::now_v7().to_string(), body)
            .await
    }

    pub async fn post_keyed(&self, path: &str, key: &str, body: Value) -> Answer {
        let request = self.request(Method::POST, path);
        self.send(request.header("idempotency-key", key).json(&body))
            .await
    }

    pub async fn try_login(&self, store: &str, staff: &str, pin: &str) -> Answer {
        let body = json!({ "storeCode": store, "staff": staff, "pin": pin });
        let request = self.request(Method::POST, "/api/auth/login");
        self.send(request.json(&body)).await
    }
}

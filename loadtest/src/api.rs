//! The public HTTP API as one member of staff uses it.
//!
//! A command is sent again, with the same key, until the server has answered it: an answer lost
//! on the way is asked for again, not done again.

use std::time::Duration;

use domain::id::StoreId;
use domain::snapshot::Entities;
use domain::stream::EventId;
use reqwest::header::{ACCEPT, COOKIE, SET_COOKIE};
use reqwest::{Method, Response, StatusCode, Url};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::answer::{check, read_json, read_marked};
use crate::patience::Patience;

/// An answer must come within this.
const ANSWER_WITHIN: Duration = Duration::from_secs(15);
/// Why the server did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// The address is not one.
    #[error("`{0}` is not an address such as http://127.0.0.1:3000")]
    Address(String),
    /// The server cannot be reached, or the connection broke.
    #[error("{path}: no answer")]
    Unreachable {
        /// What was asked.
        path: String,
        /// Why.
        source: reqwest::Error,
    },
    /// It said no.
    #[error("{path}: {status} {code}: {detail}")]
    Refused {
        /// What was asked.
        path: String,
        /// As answered.
        status: StatusCode,
        /// Of the problem document; empty when it has none.
        code: String,
        /// Of the problem document, or the answer's text.
        detail: String,
    },
    /// It answered something else than the contract says.
    #[error("{path}: {reason}")]
    Malformed {
        /// What was asked.
        path: String,
        /// What is wrong.
        reason: String,
    },
}

impl ApiError {
    /// The status of a refusal.
    #[must_use]
    pub fn status(&self) -> Option<StatusCode> {
        match self {
            Self::Refused { status, .. } => Some(*status),
            Self::Address(_) | Self::Unreachable { .. } | Self::Malformed { .. } => None,
        }
    }

    /// Whether the same request may be answered otherwise a moment later.
    #[must_use]
    pub fn passes(&self) -> bool {
        match self {
            Self::Unreachable { .. } => true,
            Self::Refused { status, .. } => {
                let passing = [
                    StatusCode::SERVICE_UNAVAILABLE,
                    StatusCode::TOO_MANY_REQUESTS,
                ];
                passing.contains(status)
            }
            Self::Address(_) | Self::Malformed { .. } => false,
        }
    }
}

/// Who signed in.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Me {
    store_id: StoreId,
}

#[derive(Deserialize)]
struct Ticket {
    ticket: String,
}

/// A session at a store.
#[derive(Clone, Debug)]
pub struct Api {
    http: reqwest::Client,
    base: Url,
    cookie: String,
    /// `Authorization`, for a phone.
    bearer: Option<String>,
    store: StoreId,
}

impl Api {
    /// Signs in at the store of code `store`.
    ///
    /// # Errors
    /// The server cannot be reached or refuses the PIN.
    pub async fn login(url: &str, store: &str, staff: &str, pin: &str) -> Result<Self, ApiError> {
        let base = Url::parse(url).map_err(|_| ApiError::Address(url.to_owned()))?;
        let unreachable = |path: &str| {
            let path = path.to_owned();
            move |source| ApiError::Unreachable { path, source }
        };
        let http = reqwest::Client::builder()
            .no_proxy()
            .connect_timeout(ANSWER_WITHIN)
            .build()
            .map_err(unreachable("/"))?;
        let mut api = Self {
            http,
            base,
            cookie: String::new(),
            bearer: None,
            store: StoreId(Uuid::nil()),
        };
        let body = json!({"storeCode": store, "staff": staff, "pin": pin});
        let answer = api
            .send(Method::POST, "/api/auth/login", None, Some(&body))
            .await?;
        let pairs = answer.headers().get_all(SET_COOKIE).iter();
        let pairs = pairs.filter_map(|cookie| cookie.to_str().ok()?.split(';').next());
        api.cookie = pairs.collect::<Vec<_>>().join("; ");
        let me: Me = read_json(
            "/api/auth/me",
            api.send(Method::GET, "/api/auth/me", None, None).await?,
        )
        .await?;
        api.store = me.store_id;
        Ok(api)
    }

    /// The same server, as nobody.
    #[must_use]
    pub(crate) fn without_session(&self) -> Self {
        Self {
            cookie: String::new(),
            ..self.clone()
        }
    }

    /// The same server, as the phone with this token.
    #[must_use]
    pub(crate) fn with_token(&self, token: &str) -> Self {
        Self {
            bearer: Some(token.to_owned()),
            ..self.clone()
        }
    }

    /// Opens what is at `path`, bytes without an end.
    pub(crate) async fn stream(&self, path: &str) -> Result<Response, ApiError> {
        let plain = path.split('?').next().unwrap_or(path).to_owned();
        let url = self.base.join(path);
        let url = url.map_err(|_| ApiError::Address(plain.clone()))?;
        let request = self.http.get(url).header(ACCEPT, "text/event-stream");
        check(plain, request.send().await).await
    }

    fn pos(&self, path: &str) -> String {
        format!("/api/pos/{}{path}", self.store)
    }

    /// One request to `path` with its query; an error status is an error.
    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        key: Option<&str>,
        body: Option<&Value>,
    ) -> Result<Response, ApiError> {
        let plain = path.split('?').next().unwrap_or(path).to_owned();
        let url = self
            .base
            .join(path)
            .map_err(|_| ApiError::Address(plain.clone()))?;
        let mut request = self
            .http
            .request(method, url)
            .header(ACCEPT, "application/json")
            .timeout(ANSWER_WITHIN);
        if !self.cookie.is_empty() {
            request = request.header(COOKIE, &self.cookie);
        }
        if let Some(token) = &self.bearer {
            request = request.bearer_auth(token);
        }
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        check(plain, request.send().await).await
    }

    /// A command of the store with a key of its own: what it changed, and as of when.
    ///
    /// # Errors
    /// The server refuses it, or cannot be reached for a minute.
    pub async fn command(&self, path: &str, body: &Value) -> Result<(EventId, Entities), ApiError> {
        let path = self.pos(path);
        let key = Uuid::new_v4().to_string();
        let mut patience = Patience::new();
        loop {
            let answer = self.send(Method::POST, &path, Some(&key), Some(body));
            let result = match answer.await {
                Ok(answer) => read_marked(&path, answer).await,
                Err(error) => Err(error),
            };
            match result {
                Err(error) if patience.again(&error).await => {}
                result => return result,
            }
        }
    }

    /// A command of the store, sent once.
    ///
    /// # Errors
    /// The server refuses it, or cannot be reached: then it may be done all the same, and the same
    /// key asks for its answer.
    pub async fn command_once<T: DeserializeOwned>(
        &self,
        path: &str,
        key: &str,
        body: &Value,
    ) -> Result<T, ApiError> {
        let path = self.pos(path);
        let answer = self.send(Method::POST, &path, Some(key), Some(body));
        read_json(&path, answer.await?).await
    }

    /// A snapshot, asked for again until it comes.
    ///
    /// # Errors
    /// As [`Api::command`].
    pub async fn snapshot<T: DeserializeOwned>(
        &self,
        path: &str,
    ) -> Result<(EventId, T), ApiError> {
        let mut patience = Patience::new();
        loop {
            match self.snapshot_once(path).await {
                Err(error) if patience.again(&error).await => {}
                result => return result,
            }
        }
    }

    /// A snapshot, asked for once; `path` may have a query.
    ///
    /// # Errors
    /// The server refuses it or cannot be reached.
    pub async fn snapshot_once<T: DeserializeOwned>(
        &self,
        path: &str,
    ) -> Result<(EventId, T), ApiError> {
        let path = self.pos(path);
        let answer = self.send(Method::GET, &path, None, None).await?;
        read_marked(&path, answer).await
    }

    /// What changed since `since`.
    ///
    /// # Errors
    /// The server refuses it or cannot be reached.
    pub async fn changes(&self, since: EventId) -> Result<domain::snapshot::Changes, ApiError> {
        let path = self.pos(&format!("/notifications/changes?since={since}&limit=500"));
        let answer = self.send(Method::GET, &path, None, None).await?;
        read_json(&path, answer).await
    }

    /// A stream ticket.
    ///
    /// # Errors
    /// The server refuses it or cannot be reached.
    pub async fn ticket(&self) -> Result<String, ApiError> {
        let path = self.pos("/notifications/ticket");
        let answer = self.send(Method::GET, &path, None, None).await?;
        let ticket: Ticket = read_json(&path, answer).await?;
        Ok(ticket.ticket)
    }

    /// Opens a stream: bytes without an end.
    ///
    /// # Errors
    /// The server refuses it or cannot be reached.
    pub async fn subscribe(
        &self,
        ticket: &str,
        connection_id: &str,
        last_event_id: EventId,
        screen: Option<&str>,
    ) -> Result<Response, ApiError> {
        let path = self.pos("/notifications/subscribe");
        let mut url = self
            .base
            .join(&path)
            .map_err(|_| ApiError::Address(path.clone()))?;
        url.query_pairs_mut()
            .append_pair("ticket", ticket)
            .append_pair("connectionId", connection_id)
            .append_pair("lastEventId", &last_event_id.to_string())
            .extend_pairs(screen.map(|screen| ("screen", screen)));
        let request = self
            .http
            .get(url)
            .header(ACCEPT, "text/event-stream")
            .header(COOKIE, &self.cookie);
        check(path, request.send().await).await
    }

    /// Tells what a screen has applied.
    ///
    /// # Errors
    /// The server refuses it or cannot be reached.
    pub async fn ack(&self, connection_id: &str, applied: EventId) -> Result<(), ApiError> {
        let path = self.pos("/notifications/ack");
        let body = json!({"connectionId": connection_id, "applied": applied});
        self.send(Method::POST, &path, None, Some(&body)).await?;
        Ok(())
    }
}

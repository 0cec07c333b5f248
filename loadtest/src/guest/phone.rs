//! The public HTTP API as a phone at a table uses it.

use domain::call::CallReason;
use domain::guest::{GuestCall, GuestJoined, GuestOrder, GuestPage};
use domain::stream::EventId;
use reqwest::{Method, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::answer::{read_json, read_marked};
use crate::api::{Api, ApiError};
use crate::patience::Patience;

/// What a command answers.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Answer {
    orders: Vec<GuestOrder>,
    calls: Vec<GuestCall>,
}

#[derive(Deserialize)]
struct Ticket {
    ticket: String,
}

/// A phone of a party.
#[derive(Clone, Debug)]
pub struct Phone {
    api: Api,
    token: String,
}

impl Phone {
    /// Scans the code of a table.
    ///
    /// # Errors
    /// The server refuses it, or cannot be reached for a minute.
    pub async fn join(api: &Api, code: &str) -> Result<Self, ApiError> {
        let api = api.without_session();
        let path = format!("/api/guest/{code}/join");
        let mut patience = Patience::new();
        loop {
            match api.send(Method::POST, &path, None, Some(&json!({}))).await {
                Err(error) if patience.again(&error).await => {}
                Err(error) => return Err(error),
                Ok(answer) => {
                    let joined: GuestJoined = read_json(&path, answer).await?;
                    let token = joined.token;
                    return Ok(Self { api, token });
                }
            }
        }
    }

    async fn ask<T: DeserializeOwned>(&self, path: &str) -> Result<T, ApiError> {
        let api = self.api.with_token(&self.token);
        read_json(path, api.send(Method::GET, path, None, None).await?).await
    }

    /// A command with a key of its own, sent again with it until it is answered.
    async fn command(&self, path: &str, body: &Value) -> Result<Answer, ApiError> {
        let api = self.api.with_token(&self.token);
        let key = Uuid::new_v4().to_string();
        let mut patience = Patience::new();
        loop {
            let result = match api.send(Method::POST, path, Some(&key), Some(body)).await {
                Ok(answer) => read_marked(path, answer).await,
                Err(error) => Err(error),
            };
            match result {
                Err(error) if patience.again(&error).await => {}
                result => return result.map(|(_, answer)| answer),
            }
        }
    }

    /// The page, asked for until it comes.
    ///
    /// # Errors
    /// The server refuses it, or cannot be reached for a minute.
    pub async fn page(&self) -> Result<(EventId, GuestPage), ApiError> {
        let mut patience = Patience::new();
        loop {
            match self.page_once().await {
                Err(error) if patience.again(&error).await => {}
                result => return result,
            }
        }
    }

    /// The page, asked for once.
    ///
    /// # Errors
    /// The server refuses it or cannot be reached.
    pub async fn page_once(&self) -> Result<(EventId, GuestPage), ApiError> {
        let (api, path) = (self.api.with_token(&self.token), "/api/guest");
        read_marked(path, api.send(Method::GET, path, None, None).await?).await
    }

    /// Orders.
    ///
    /// # Errors
    /// As [`Phone::page`].
    pub async fn order(&self, body: &Value) -> Result<Vec<GuestOrder>, ApiError> {
        let answer = self.command("/api/guest/orders", body).await?;
        Ok(answer.orders)
    }

    /// Calls.
    ///
    /// # Errors
    /// As [`Phone::page`].
    pub async fn call(&self, reason: CallReason) -> Result<Vec<GuestCall>, ApiError> {
        let body = json!({"reason": reason});
        Ok(self.command("/api/guest/calls", &body).await?.calls)
    }

    /// Opens the stream.
    ///
    /// # Errors
    /// The server refuses it or cannot be reached.
    pub async fn events(&self) -> Result<Response, ApiError> {
        let ticket: Ticket = self.ask("/api/guest/ticket").await?;
        let path = format!("/api/guest/events?ticket={}", ticket.ticket);
        self.api.stream(&path).await
    }
}

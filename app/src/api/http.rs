//! One request: JSON in, JSON out, never longer than its timeout.

use domain::settings::STORE_NAME_HEADER;
use domain::snapshot::WATERMARK_HEADER;
use domain::stream::EventId;
use leptos::prelude::window;
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, Headers, RequestInit, Response};

use super::{Problem, json};

/// No answer for so long, in milliseconds, counts as none.
const TIMEOUT_MS: u32 = 10_000;

/// What a request does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Commands.
    Post,
    /// Changes.
    Patch,
}

/// The server's answer, whatever its status.
#[derive(Clone, Debug)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// As of which event, where the endpoint says so.
    pub watermark: Option<EventId>,
    /// The store's name, where the endpoint tells it; percent-encoded JSON.
    pub store_name: Option<String>,
    /// Seconds to wait, of a 429.
    pub retry_after: Option<u32>,
    /// The body's text.
    pub body: String,
}

impl Answer {
    /// Whether the server did as asked.
    #[must_use]
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The body as a `T`.
    ///
    /// # Errors
    /// The refusal, or [`Problem::UNREADABLE`] when the body is something else.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        if !self.is_success() {
            return Err(Problem::of(self));
        }
        self.json().ok_or_else(Problem::unreadable)
    }

    /// The body as a `T`, whatever the status.
    #[must_use]
    pub fn json<T: DeserializeOwned>(&self) -> Option<T> {
        json::read(&self.body)
    }
}

/// Sends one request. `key` makes a command safe to repeat; a screen makes one per press.
///
/// # Errors
/// `None` came back: no connection, or no answer in time.
pub async fn request(
    method: Method,
    path: &str,
    body: Option<String>,
    key: Option<&str>,
) -> Result<Answer, Problem> {
    let key = key.map(|key| ("idempotency-key", key));
    request_with(method, path, body, key.as_slice()).await
}

/// Sends one request with these headers.
///
/// # Errors
/// As [`request`].
pub async fn request_with(
    method: Method,
    path: &str,
    body: Option<String>,
    extra: &[(&str, &str)],
) -> Result<Answer, Problem> {
    send(method, path, body, extra)
        .await
        .map_err(|_| Problem::unreachable())
}

async fn send(
    method: Method,
    path: &str,
    body: Option<String>,
    extra: &[(&str, &str)],
) -> Result<Answer, JsValue> {
    let init = RequestInit::new();
    init.set_method(match method {
        Method::Get => "GET",
        Method::Post => "POST",
        Method::Patch => "PATCH",
    });
    let headers = Headers::new()?;
    if let Some(body) = body {
        headers.set("content-type", "application/json")?;
        init.set_body(&JsValue::from_str(&body));
    }
    for (name, value) in extra {
        headers.set(name, value)?;
    }
    init.set_headers_headers(&headers);
    init.set_signal(Some(&AbortSignal::timeout_with_u32(TIMEOUT_MS)));
    let answer = JsFuture::from(window().fetch_with_str_and_init(path, &init)).await?;
    read(answer.dyn_into()?).await
}

async fn read(response: Response) -> Result<Answer, JsValue> {
    let headers = response.headers();
    let header = |name: &str| headers.get(name).ok().flatten();
    let watermark = header(WATERMARK_HEADER).and_then(|text| text.parse().ok());
    let store_name = header(STORE_NAME_HEADER);
    let retry_after = header("retry-after").and_then(|text| text.parse().ok());
    let body = JsFuture::from(response.text()?)
        .await?
        .as_string()
        .unwrap_or_default();
    Ok(Answer {
        status: response.status(),
        watermark,
        store_name,
        retry_after,
        body,
    })
}

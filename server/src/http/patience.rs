//! How long a request may take. A stream is never under it.

use std::time::Duration;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::error::{Code, Problem};
use crate::config::Config;

pub(super) fn of(config: &Config) -> Duration {
    Duration::from_millis(config.request_timeout_ms)
}

/// Answers 503 when there is no answer in time. A command goes on to its end all the same:
/// it runs in a task of its own.
pub(super) async fn at_most(patience: Duration, request: Request, next: Next) -> Response {
    let answer = tokio::time::timeout(patience, next.run(request)).await;
    answer.unwrap_or_else(|_| {
        let detail = "It took too long; ask again with the same Idempotency-Key.";
        Problem::new(Code::Unavailable, detail).into_response()
    })
}

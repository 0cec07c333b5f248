//! What is noticed about every request: an id, a span, metrics. A query string is never
//! among it, since streams show their tickets there.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;
use http::{HeaderName, HeaderValue};
use metrics::{counter, histogram};
use tracing::Instrument as _;
use uuid::Uuid;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Watches a request from its head to the head of its answer.
pub(super) async fn watch(request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = Uuid::now_v7();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or("none", MatchedPath::as_str).to_owned();
    let span = tracing::info_span!("request", %id, %method, path = request.uri().path());
    let mut response = next.run(request).instrument(span.clone()).await;
    let status = response.status().as_u16();
    let _entered = span.enter();
    tracing::debug!(status, ms = started.elapsed().as_millis(), "answered");
    let labels = [
        ("method", method.to_string()),
        ("route", route),
        ("status", status.to_string()),
    ];
    counter!("http_requests_total", &labels).increment(1);
    histogram!("http_request_seconds", &labels[..2]).record(started.elapsed());
    if let Ok(value) = HeaderValue::from_str(&id.to_string()) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}

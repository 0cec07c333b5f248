//! Headers of every answer: what a browser may do with it.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::{
    CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use http::{HeaderName, HeaderValue};

use super::App;

const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");
const CROSS_ORIGIN_OPENER: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const CROSS_ORIGIN_RESOURCE: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// What no answer goes without.
const ALWAYS: [(HeaderName, &str); 6] = [
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "same-origin"),
    (X_FRAME_OPTIONS, "DENY"),
    (CROSS_ORIGIN_OPENER, "same-origin"),
    (CROSS_ORIGIN_RESOURCE, "same-origin"),
    (
        PERMISSIONS_POLICY,
        "camera=(), microphone=(), geolocation=(), payment=(), usb=(), autoplay=(self)",
    ),
];

/// What is no page may load nothing.
const NO_PAGE: &str = "default-src 'none'; frame-ancestors 'none'";

/// The policy of a page whose own script carries `nonce`.
pub(super) fn page_policy(nonce: &str) -> Option<HeaderValue> {
    // `wasm-unsafe-eval` compiles WebAssembly and no JavaScript.
    let policy = format!(
        "default-src 'self'; script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'; \
         style-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
         form-action 'self'; frame-ancestors 'none'"
    );
    HeaderValue::from_str(&policy).ok()
}

/// Adds them.
pub(super) async fn secure(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
        .entry(CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static(NO_PAGE));
    if app.config.https {
        let year = HeaderValue::from_static("max-age=31536000");
        headers.insert(STRICT_TRANSPORT_SECURITY, year);
    }
    response
}

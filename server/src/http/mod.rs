//! HTTP: a handler extracts, calls one service method, answers.
//!
//! Nothing here decides anything about a restaurant, and no answer shows internals.

pub mod error;
pub mod extract;
pub mod session;
pub mod table;

mod app;
mod auth;
mod command;
mod guest;
mod headers;
mod health;
mod notifications;
mod origin;
mod pages;
mod patience;
mod refusal;
mod reservations;
mod site;
mod snapshot;
mod stock;
mod watch;

use std::any::Any;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, Predicate as _, SizeAbove};
use tower_http::csrf::{CsrfLayer, ProtectionError};

pub use app::App;
use error::{Code, Problem};
pub use guest::GuestLimits;
pub use site::Site;

/// Answers below this many bytes are not worth compressing.
const COMPRESSED_FROM: u64 = 1_024;

/// Every route, and what is true for all of them.
pub fn router(app: &App) -> Router {
    layered(app, table::rows())
}

/// The same with rows of a test's own beside the table's.
#[doc(hidden)]
pub fn layered(app: &App, rows: Vec<table::Row>) -> Router {
    // Streams are never compressed (`DefaultPredicate`): a compressor holds bytes back.
    let compression = CompressionLayer::new()
        .quality(CompressionLevel::Fastest)
        .compress_when(DefaultPredicate::new().and(SizeAbove::new(COMPRESSED_FROM)));
    table::router(app, rows)
        .merge(pages::router())
        .route("/pkg/{*file}", get(site::hashed))
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .fallback(pages::nothing)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(CsrfLayer::new().with_rejection_response(cross_site))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(compression)
        .layer(from_fn_with_state(app.clone(), headers::secure))
        .layer(from_fn(watch::watch))
        .with_state(app.clone())
}

async fn method_not_allowed() -> Problem {
    Code::MethodNotAllowed.into()
}

/// A browser says the request comes from another site's page.
fn cross_site(_: ProtectionError) -> Response {
    let detail = "The request came from a page of another site.";
    Problem::new(Code::Forbidden, detail).into_response()
}

/// The panic is in the log by the panic hook; here it becomes an answer that tells nothing.
fn panicked(_: Box<dyn Any + Send>) -> Response {
    metrics::counter!("http_panics_total").increment(1);
    Problem::from(Code::Internal).into_response()
}

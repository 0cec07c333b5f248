//! Logs and metrics of the process. Neither ever carries a PIN, a ticket or a session.

mod catalogue;

use std::error::Error;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use metrics_exporter_prometheus::{BuildError, PrometheusBuilder, PrometheusHandle};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tracing_subscriber::EnvFilter;

pub use catalogue::{Kind, METERS, Meter};

/// Bounds of every histogram of seconds: from a delivery in memory to a slow disk.
const SECONDS: [f64; 14] = [
    0.000_5, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0,
];

/// An error and what caused it, on one line.
#[must_use]
pub fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

/// Without `RUST_LOG`. A start over a database that has its tables is no news.
const DEFAULT: &str = "info,sqlx::postgres::notice=warn";

/// Writes logs to stderr; `RUST_LOG` says how much, `info` when unset.
pub fn log_to_stderr() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(DEFAULT));
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    // A second call in one process leaves the first in place.
    let _ = subscriber.try_init();
}

/// The process's metrics. There is one recorder, however many servers a test starts.
///
/// # Errors
///
/// When another library has installed a recorder.
pub fn metrics() -> Result<PrometheusHandle, BuildError> {
    static HANDLE: Mutex<Option<PrometheusHandle>> = Mutex::new(None);
    // Held while it is installed: of two servers that start at once, one installs it.
    let mut known = HANDLE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(handle) = &*known {
        return Ok(handle.clone());
    }
    let handle = PrometheusBuilder::new()
        .set_buckets(&SECONDS)?
        .install_recorder()?;
    catalogue::describe();
    Ok(known.insert(handle).clone())
}

/// Folds what was recorded into the histograms, for ever: without it, samples pile up
/// while nobody asks for `/metrics`.
pub async fn upkeep(handle: PrometheusHandle) {
    let mut beat = tokio::time::interval(Duration::from_secs(5));
    loop {
        beat.tick().await;
        handle.run_upkeep();
    }
}

/// Serves `GET /metrics` on a listener of its own until `shutdown`.
///
/// # Errors
///
/// When the listener fails.
pub async fn serve_metrics(
    listener: TcpListener,
    handle: PrometheusHandle,
    shutdown: CancellationToken,
) -> std::io::Result<()> {
    let render = get(move || {
        let text = handle.render();
        async move { ([("content-type", "text/plain; version=0.0.4")], text) }
    });
    let router = Router::new().route("/metrics", render);
    axum::serve(listener, router)
        .with_graceful_shutdown(shutdown.cancelled_owned())
        .await
}

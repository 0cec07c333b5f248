//! Whether the process lives, and whether it is ready for requests.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde::Serialize;

use super::App;
use crate::db::params;

/// Whoever asks whether a node is ready does not wait for long; a database that is away is waited for
/// by commands only.
const PATIENCE: Duration = Duration::from_secs(2);

/// What a load balancer asks.
#[derive(Debug, Serialize)]
struct Ready {
    ready: bool,
    database: bool,
    relay: bool,
    /// Only a warning: without the log events come from the outbox, a little later.
    log: bool,
    draining: bool,
}

/// The process answers.
pub(super) async fn healthz() -> &'static str {
    "ok"
}

/// The process can serve: database and relay work, and it is not going away.
pub(super) async fn readyz(State(app): State<App>) -> Response {
    let database = answers(&app).await;
    let relay = app.relay.is_well();
    let draining = app.is_leaving();
    let ready = database && relay && !draining;
    let status = if ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    let body = Ready {
        ready,
        database,
        relay,
        log: app.relay.is_log_well(),
        draining,
    };
    (status, Json(body)).into_response()
}

async fn answers(app: &App) -> bool {
    let asked = async {
        let mut tx = app.db.read().await?;
        tx.fetch_optional::<(i64,)>("select cast(1 as bigint)", params![])
            .await
    };
    let answered = tokio::time::timeout(PATIENCE, asked).await;
    answered.is_ok_and(|answered| answered.is_ok())
}

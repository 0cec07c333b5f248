//! Counted stock: somebody has counted anew, or given money back for what was gone.

use axum::extract::State;
use axum::response::Response;
use domain::id::{StockId, StoreId};
use uuid::Uuid;

use super::App;
use super::command::{Nothing, give};
use super::error::Problem;
use super::extract::{Command as Request, Ids};
use super::table::{MANAGERS, Row};
use crate::service::auth::Staff;
use crate::service::command::Command;
use crate::service::stock::Adjust;

/// Every endpoint of stock, with who may use it (domain, "Endpoints and roles").
pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::post(
            "/api/pos/{storeId}/stock/{stockId}/adjust",
            MANAGERS,
            adjust,
        ),
        Row::post(
            "/api/pos/{storeId}/refunds/{refundId}/settle",
            MANAGERS,
            settle,
        ),
    ]
}

async fn adjust(
    State(app): State<App>,
    staff: Staff,
    Ids((_, stock)): Ids<(StoreId, StockId)>,
    request: Request<Adjust>,
) -> Result<Response, Problem> {
    let command = |body| Command::StockAdjust { stock, body };
    give(app, staff, request, command).await
}

async fn settle(
    State(app): State<App>,
    staff: Staff,
    Ids((_, refund)): Ids<(StoreId, Uuid)>,
    request: Request<Nothing>,
) -> Result<Response, Problem> {
    give(app, staff, request, |_| Command::RefundSettle { refund }).await
}

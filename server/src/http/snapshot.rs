//! Snapshots and reports: what a screen loads as a whole, and what nobody follows live.

use axum::Json;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use domain::stream::Scope;
use http::header::CACHE_CONTROL;
use serde::Deserialize;
use uuid::Uuid;

use super::App;
use super::command::entity_headers;
use super::error::{Code, Problem};
use super::table::{C, HCK, MANAGERS, Row};
use crate::service::auth::Staff;
use crate::service::report::Today;
use crate::service::snapshot::{MAX_IDS, Snapshot};
use crate::store::refund::RefundDue;

/// Every snapshot and report, with who may read it (domain, "Endpoints and roles").
pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::get("/api/pos/{storeId}/store", HCK, store),
        Row::get("/api/pos/{storeId}/payments", HCK, payments),
        Row::get("/api/pos/{storeId}/servings", HCK, servings),
        Row::get("/api/pos/{storeId}/calls", HCK, calls),
        Row::get("/api/pos/{storeId}/hall/orders", HCK, hall_orders),
        Row::get("/api/pos/{storeId}/kitchen/orders", HCK, kitchen_orders),
        Row::get("/api/pos/{storeId}/kitchen/recent", HCK, recent),
        Row::get("/api/pos/{storeId}/tables", HCK, tables),
        Row::get("/api/pos/{storeId}/menu", HCK, menu),
        Row::get("/api/pos/{storeId}/reports/today", C, today),
        Row::get("/api/pos/{storeId}/refunds/due", MANAGERS, refunds_due),
    ]
}

impl IntoResponse for Snapshot {
    fn into_response(self) -> Response {
        (entity_headers(self.watermark), self.body).into_response()
    }
}

#[derive(Debug, Deserialize)]
struct Chosen {
    ids: Option<String>,
}

/// `a,b`; what is no id is of nothing, and too many are refused.
fn parse_ids(text: &str) -> Result<Vec<Uuid>, Problem> {
    let ids: Result<Vec<Uuid>, _> = text
        .split(',')
        .filter(|id| !id.is_empty())
        .map(str::parse)
        .collect();
    let ids = ids.map_err(|_| {
        Problem::field(
            Code::Validation,
            "ids",
            "FORMAT",
            "`ids` is a list of ids, by commas.",
        )
    })?;
    if ids.len() > MAX_IDS {
        let message = format!("At most {MAX_IDS} ids.");
        return Err(Problem::field(
            Code::Validation,
            "ids",
            "TOO_MANY",
            &message,
        ));
    }
    Ok(ids)
}

async fn scoped(
    app: &App,
    staff: &Staff,
    scope: Scope,
    some: &Chosen,
) -> Result<Snapshot, Problem> {
    Ok(match &some.ids {
        Some(ids) => {
            app.services
                .snapshot_of(staff.store_id, scope, &parse_ids(ids)?)
                .await?
        }
        None => app.services.snapshot(staff.store_id, scope).await?,
    })
}

macro_rules! whole {
    ($($handler:ident => $scope:ident;)*) => {$(
        async fn $handler(State(app): State<App>, staff: Staff) -> Result<Snapshot, Problem> {
            Ok(app.services.snapshot(staff.store_id, Scope::$scope).await?)
        }
    )*};
}

macro_rules! by_ids {
    ($($handler:ident => $scope:ident;)*) => {$(
        async fn $handler(
            State(app): State<App>,
            staff: Staff,
            Query(some): Query<Chosen>,
        ) -> Result<Snapshot, Problem> {
            scoped(&app, &staff, Scope::$scope, &some).await
        }
    )*};
}

whole! {
    store => Store;
    payments => Payments;
    servings => Servings;
    calls => Calls;
}

by_ids! {
    hall_orders => HallOrders;
    kitchen_orders => KitchenOrders;
    tables => Tables;
    menu => Menu;
}

async fn recent(State(app): State<App>, staff: Staff) -> Result<Snapshot, Problem> {
    Ok(app.services.recent_tickets(staff.store_id).await?)
}

async fn today(State(app): State<App>, staff: Staff) -> Result<Response, Problem> {
    let today: Today = app.services.report_today(staff.store_id).await?;
    Ok(([(CACHE_CONTROL, "no-store")], Json(today)).into_response())
}

#[derive(serde::Serialize)]
struct Refunds {
    refunds: Vec<RefundDue>,
}

async fn refunds_due(State(app): State<App>, staff: Staff) -> Result<Response, Problem> {
    let refunds = app.services.refunds_due(staff.store_id).await?;
    Ok(([(CACHE_CONTROL, "no-store")], Json(Refunds { refunds })).into_response())
}

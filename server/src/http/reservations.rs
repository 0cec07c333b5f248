//! Holds on stock: of carts at terminals and phones, and for managers of the whole store.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use domain::id::{ReservationId, StoreId};
use domain::stock::{Hold, HoldStatus};
use http::Method;
use http::header::CACHE_CONTROL;
use serde::{Deserialize, Serialize};

use super::App;
use super::command::{actor, answer, carry, give};
use super::error::{Code, Problem};
use super::extract::{Command as Request, Ids, Keyless};
use super::table::{Access, HC, MANAGERS, Row};
use crate::service::auth::Staff;
use crate::service::command::{Actor, Command, Press};
use crate::service::guest::Phone;
use crate::service::stock::{Extend, Finalize, HoldBatch, How, Release};

/// Every endpoint of holds, with who may use it (domain, "Endpoints and roles").
pub(super) fn rows() -> Vec<Row> {
    const ONE: &str = "/api/pos/{storeId}/reservations/{rid}";
    const OWN: &str = "/api/guest/reservations/{rid}";
    let guest = Access::Guest;
    vec![
        Row::post("/api/pos/{storeId}/reservations/batch", HC, batch),
        Row::post(
            "/api/pos/{storeId}/reservations/{rid}/finalize",
            HC,
            finalize,
        ),
        Row::new(Method::PATCH, ONE, Access::Roles(HC), extend),
        Row::get(ONE, HC, one),
        Row::get("/api/pos/{storeId}/reservations", MANAGERS, list),
        Row::post(
            "/api/pos/{storeId}/reservations/{rid}/release",
            MANAGERS,
            release,
        ),
        Row::new(
            Method::POST,
            "/api/guest/reservations/batch",
            guest,
            guest_batch,
        ),
        Row::new(Method::GET, OWN, guest, guest_one),
        Row::new(Method::PATCH, OWN, guest, guest_extend),
        Row::new(
            Method::POST,
            "/api/guest/reservations/{rid}/release",
            guest,
            guest_release,
        ),
    ]
}

/// When a batch is held.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Mode {
    /// Before it is answered.
    #[default]
    Sync,
    /// By a worker.
    Async,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    #[serde(default)]
    mode: Mode,
}

fn parsed<T>(query: Queried<T>) -> Result<T, Problem> {
    let Query(query) = query.map_err(|_| {
        Problem::new(
            Code::Validation,
            "The query of this address is not known here.",
        )
    })?;
    Ok(query)
}

type Queried<T> = Result<Query<T>, QueryRejection>;

async fn hold(
    app: App,
    actor: Actor,
    query: Queried<Asked>,
    request: Keyless<HoldBatch>,
) -> Result<Response, Problem> {
    let asked = parsed(query)?;
    let body = request.body;
    body.check()?;
    let how = How {
        keyed: request.key.is_some(),
        later: match asked.mode {
            Mode::Sync => false,
            Mode::Async => true,
        },
    };
    let press = request.key.map(|(key, fingerprint)| Press {
        key: key.as_str().to_owned(),
        fingerprint: fingerprint.as_str().to_owned(),
    });
    answer(&app, actor, press, Command::HoldBatch { body, how }).await
}

async fn batch(
    State(app): State<App>,
    staff: Staff,
    query: Queried<Asked>,
    request: Keyless<HoldBatch>,
) -> Result<Response, Problem> {
    hold(app, actor(staff), query, request).await
}

async fn guest_batch(
    State(app): State<App>,
    phone: Phone,
    query: Queried<Asked>,
    request: Keyless<HoldBatch>,
) -> Result<Response, Problem> {
    app.guests.command(phone.party)?;
    hold(app, Actor::guest(phone), query, request).await
}

async fn finalize(
    State(app): State<App>,
    staff: Staff,
    Ids((_, rid)): Ids<(StoreId, ReservationId)>,
    request: Request<Finalize>,
) -> Result<Response, Problem> {
    let command = |body| Command::HoldFinalize { rid, body };
    give(app, staff, request, command).await
}

async fn extend(
    State(app): State<App>,
    staff: Staff,
    Ids((_, rid)): Ids<(StoreId, ReservationId)>,
    request: Request<Extend>,
) -> Result<Response, Problem> {
    give(app, staff, request, |body| Command::HoldExtend {
        rid,
        body,
    })
    .await
}

async fn release(
    State(app): State<App>,
    staff: Staff,
    Ids((_, rid)): Ids<(StoreId, ReservationId)>,
    request: Request<Release>,
) -> Result<Response, Problem> {
    give(app, staff, request, |body| Command::HoldRelease {
        rid,
        body,
    })
    .await
}

async fn guest_extend(
    State(app): State<App>,
    phone: Phone,
    Ids(rid): Ids<ReservationId>,
    request: Request<Extend>,
) -> Result<Response, Problem> {
    app.guests.command(phone.party)?;
    let command = |body| Command::HoldExtend { rid, body };
    carry(app, Actor::guest(phone), request, command).await
}

async fn guest_release(
    State(app): State<App>,
    phone: Phone,
    Ids(rid): Ids<ReservationId>,
    request: Request<Release>,
) -> Result<Response, Problem> {
    app.guests.command(phone.party)?;
    let command = |body| Command::HoldRelease { rid, body };
    carry(app, Actor::guest(phone), request, command).await
}

fn shown<T: Serialize>(body: T) -> Response {
    ([(CACHE_CONTROL, "no-store")], Json(body)).into_response()
}

async fn one(
    State(app): State<App>,
    staff: Staff,
    Ids((_, rid)): Ids<(StoreId, ReservationId)>,
) -> Result<Response, Problem> {
    Ok(shown(app.services.hold(staff.store_id, rid, None).await?))
}

async fn guest_one(
    State(app): State<App>,
    phone: Phone,
    Ids(rid): Ids<ReservationId>,
) -> Result<Response, Problem> {
    let store = phone.store;
    let own = Actor::guest(phone).owner;
    let hold = app.services.hold(store, rid, Some(&own)).await?;
    let short = hold.short.into_iter();
    let short = short.map(domain::stock::Short::for_guests).collect();
    Ok(shown(Hold { short, ..hold }))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    status: Option<HoldStatus>,
}

#[derive(Serialize)]
struct Reservations {
    reservations: Vec<Hold>,
}

async fn list(
    State(app): State<App>,
    staff: Staff,
    query: Queried<Wanted>,
) -> Result<Response, Problem> {
    let status = parsed(query)?.status.unwrap_or(HoldStatus::Held);
    let reservations = app.services.holds(staff.store_id, status).await?;
    Ok(shown(Reservations { reservations }))
}

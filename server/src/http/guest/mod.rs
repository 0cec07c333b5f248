//! What phones at tables ask for: each endpoint extracts, calls one service method, answers.

mod limits;
mod stream;

use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::response::{IntoResponse, Response};
use http::header::{AUTHORIZATION, CACHE_CONTROL};
use http::request::Parts;
use http::{HeaderMap, Method};
use serde::Deserialize;

use super::App;
use super::command::{carry, entity_headers};
use super::error::{Code, Problem};
use super::extract::{Command as Request, Ids, JsonBody};
use super::origin::Origin;
use super::table::{Access, Row};
use crate::service::command::{Actor, Ask, Command, GuestPlace};
use crate::service::guest::{GuestToken, GuestView, Phone};

pub use limits::GuestLimits;

/// Every endpoint of guests (domain, "Endpoints and roles").
pub(super) fn rows() -> Vec<Row> {
    let (get, post) = (Method::GET, Method::POST);
    let guest = Access::Guest;
    vec![
        Row::new(
            post.clone(),
            "/api/guest/{tableCode}/join",
            Access::Anyone,
            join,
        ),
        Row::new(get.clone(), "/api/guest", guest, page),
        Row::new(post.clone(), "/api/guest/orders", guest, place),
        Row::new(post, "/api/guest/calls", guest, call),
        Row::new(get.clone(), "/api/guest/ticket", guest, stream::ticket),
        // The ticket says who it is.
        Row::new(get, "/api/guest/events", Access::Anyone, stream::events).stream(),
    ]
}

/// The phone that shows this token.
///
/// # Errors
///
/// `SIGNED_OUT` without a token that somebody knows, `PARTY_CLEARED` once its party has left,
/// `TOO_MANY_ATTEMPTS` when its party asks too often.
pub(super) async fn phone(app: &App, headers: &HeaderMap) -> Result<Phone, Problem> {
    let shown = headers.get(AUTHORIZATION).and_then(|it| it.to_str().ok());
    let token = shown.and_then(|shown| shown.strip_prefix("Bearer "));
    let token = token.and_then(|token| GuestToken::parse(token.trim()));
    let phone = app
        .services
        .phone_of(&token.ok_or(Code::SignedOut)?)
        .await?;
    app.guests.request(phone.party)?;
    Ok(phone)
}

/// The guard of the route has found out which it is.
impl FromRequestParts<App> for Phone {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Problem> {
        let phone = parts.extensions.get::<Self>().cloned();
        phone.ok_or_else(|| Code::SignedOut.into())
    }
}

/// A body that says nothing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

async fn join(
    State(app): State<App>,
    Ids(code): Ids<String>,
    Origin(address): Origin,
    JsonBody(Nothing {}): JsonBody<Nothing>,
) -> Result<Response, Problem> {
    app.guests.join(&code, address)?;
    let joined = app.services.guest_join(&code).await?;
    Ok(([(CACHE_CONTROL, "no-store")], Json(joined)).into_response())
}

async fn page(State(app): State<App>, phone: Phone) -> Result<Response, Problem> {
    let GuestView { page, watermark } = app.services.guest_page(&phone).await?;
    Ok((entity_headers(watermark), Json(page)).into_response())
}

async fn place(
    State(app): State<App>,
    phone: Phone,
    request: Request<GuestPlace>,
) -> Result<Response, Problem> {
    app.guests.command(phone.party)?;
    let actor = Actor::guest(phone);
    carry(app, actor, request, |body| Command::GuestPlace { body }).await
}

async fn call(
    State(app): State<App>,
    phone: Phone,
    request: Request<Ask>,
) -> Result<Response, Problem> {
    app.guests.command(phone.party)?;
    let actor = Actor::guest(phone);
    carry(app, actor, request, |body| Command::GuestCall { body }).await
}

//! The stream of a phone, and its ticket.

use axum::body::Body;
use axum::extract::{ConnectInfo, State};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use http::Uri;
use http::header::CACHE_CONTROL;
use serde::Deserialize;

use super::super::App;
use super::super::error::{Code, Problem};
use super::super::notifications::{TicketAnswer, parsed, stream_headers};
use crate::hub::{GuestSubscription, Peer};
use crate::service::guest::Phone;

pub(super) async fn ticket(State(app): State<App>, phone: Phone) -> Result<Response, Problem> {
    let ticket = app.services.guest_ticket(&phone).await?;
    let answer = TicketAnswer::of(&ticket);
    Ok(([(CACHE_CONTROL, "no-store")], Json(answer)).into_response())
}

#[derive(Deserialize)]
struct EventsQuery {
    ticket: Option<String>,
}

pub(super) async fn events(
    State(app): State<App>,
    peer: Option<Extension<ConnectInfo<Peer>>>,
    uri: Uri,
) -> Result<Response, Problem> {
    let query: EventsQuery = parsed(&uri)?;
    if app.is_leaving() || app.hub.is_draining() {
        return Err(Code::Unavailable.into());
    }
    let shown = query.ticket.ok_or(Code::InvalidTicket)?;
    let token_hash = app.services.guest_ticket_redeem(&shown).await?;
    let phone = app.services.phone_with(&token_hash).await?;
    let who = GuestSubscription {
        store: phone.store,
        party: phone.party,
        token_hash: phone.token_hash,
        health: peer.map(|Extension(ConnectInfo(peer))| peer.health),
    };
    let stream = app.hub.subscribe_guest(who).await?;
    Ok((stream_headers(), Body::from_stream(stream)).into_response())
}

//! The stream of a store, its tickets, and what goes with it (realtime, sections 4 and 5).

use axum::body::Body;
use axum::extract::{ConnectInfo, Query, State};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use domain::id::StoreId;
use domain::stream::EventId;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, StatusCode, Uri};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use uuid::Uuid;

use super::App;
use super::error::{Code, Problem};
use super::extract::{Ids, JsonBody};
use super::session::signed_in;
use super::table::{Access, HCK, Row};
use crate::hub::{KitchenScreen, Peer, Refused, Subscription};
use crate::service::ack::acknowledge;
use crate::service::auth::Staff;
use crate::service::changes::{CHANGES_LIMIT, changes_since};
use crate::service::ticket::{TICKET_LIFE, Ticket, TicketError, ticket_issue, ticket_redeem};

/// A proxy that buffers would hold events back.
const ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// Characters of a connection's name.
const NAME: usize = 128;

pub(super) fn rows() -> Vec<Row> {
    const SUBSCRIBE: &str = "/api/pos/{storeId}/notifications/subscribe";
    vec![
        Row::get("/api/pos/{storeId}/notifications/ticket", HCK, ticket),
        // The ticket says who it is: any other answer than 401 for a bad one would be wrong.
        Row::new(http::Method::GET, SUBSCRIBE, Access::Anyone, subscribe).stream(),
        Row::get("/api/pos/{storeId}/notifications/changes", HCK, changes),
        Row::post("/api/pos/{storeId}/notifications/ack", HCK, ack),
    ]
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TicketAnswer {
    ticket: String,
    expires_in_ms: i64,
}

impl TicketAnswer {
    pub(super) fn of(ticket: &Ticket) -> Self {
        Self {
            ticket: ticket.reveal().to_owned(),
            expires_in_ms: TICKET_LIFE,
        }
    }
}

/// The headers of every stream.
pub(super) fn stream_headers() -> [(HeaderName, &'static str); 3] {
    [
        (CONTENT_TYPE, "text/event-stream"),
        (CACHE_CONTROL, "no-cache, no-transform"),
        (ACCEL_BUFFERING, "no"),
    ]
}

async fn ticket(State(app): State<App>, staff: Staff) -> Result<Response, Problem> {
    let (db, clock) = (app.db.clone(), app.clock.clone());
    let issued =
        app.carry_out(
            async move { ticket_issue(&db, &clock, staff.store_id, staff.session_id).await },
        );
    let answer = TicketAnswer::of(&issued.await?);
    Ok(([(CACHE_CONTROL, "no-store")], Json(answer)).into_response())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SubscribeQuery {
    ticket: Option<String>,
    connection_id: Option<String>,
    last_event_id: Option<String>,
    screen: Option<String>,
}

async fn subscribe(
    State(app): State<App>,
    Ids(store): Ids<StoreId>,
    peer: Option<Extension<ConnectInfo<Peer>>>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Problem> {
    let query: SubscribeQuery = parsed(&uri)?;
    if app.is_leaving() || app.hub.is_draining() {
        return Err(Code::Unavailable.into());
    }
    let own = match signed_in(&app, &headers).await {
        Ok(staff) => Some(staff.session_id),
        Err(problem) if problem.code() == Code::SignedOut => None,
        Err(problem) => return Err(problem),
    };
    let shown = query.ticket.ok_or(Code::InvalidTicket)?;
    let (db, clock) = (app.db.clone(), app.clock.clone());
    let redeemed =
        app.carry_out(async move { ticket_redeem(&db, &clock, store, &shown, own).await });
    let who = Subscription {
        store,
        session: redeemed.await?,
        connection_id: connection_name(query.connection_id.as_deref()),
        cursor: cursor(query.last_event_id.as_deref()),
        kitchen: query.screen.as_deref().and_then(kitchen),
        health: peer.map(|Extension(ConnectInfo(peer))| peer.health),
    };
    let stream = app.hub.subscribe(who).await?;
    Ok((stream_headers(), Body::from_stream(stream)).into_response())
}

#[derive(Deserialize)]
struct ChangesQuery {
    since: Option<String>,
    limit: Option<i64>,
}

async fn changes(State(app): State<App>, staff: Staff, uri: Uri) -> Result<Response, Problem> {
    let query: ChangesQuery = parsed(&uri)?;
    let since = query.since.and_then(|since| since.parse().ok());
    let limit = query.limit.unwrap_or(CHANGES_LIMIT.into()).clamp(1, 1_000);
    let limit = u32::try_from(limit).unwrap_or(CHANGES_LIMIT);
    let changes = changes_since(&app.db, staff.store_id, since, limit).await?;
    let changes = changes.ok_or(Code::NotFound)?;
    Ok(([(CACHE_CONTROL, "no-store")], Json(changes)).into_response())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Ack {
    connection_id: String,
    applied: EventId,
}

async fn ack(
    State(app): State<App>,
    staff: Staff,
    JsonBody(ack): JsonBody<Ack>,
) -> Result<StatusCode, Problem> {
    let (db, clock) = (app.db.clone(), app.clock.clone());
    let name = cut(&ack.connection_id);
    let noted =
        app.carry_out(
            async move { acknowledge(&db, &clock, staff.store_id, &name, ack.applied).await },
        );
    noted.await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) fn parsed<T: DeserializeOwned>(uri: &Uri) -> Result<T, Problem> {
    let query = Query::<T>::try_from_uri(uri);
    let Query(query) = query
        .map_err(|_| Problem::new(Code::Validation, "The query of the address cannot be read."))?;
    Ok(query)
}

/// `screen=kitchen:{stationId}`, or `kitchen` for every station. Other screens report
/// nothing.
fn kitchen(screen: &str) -> Option<KitchenScreen> {
    let station = match screen.strip_prefix("kitchen")? {
        "" | ":" | ":all" => None,
        station => Some(station.strip_prefix(':')?.parse().ok()?),
    };
    Some(KitchenScreen { station })
}

/// A missing cursor has seen nothing; one that is no event id is `None`.
fn cursor(text: Option<&str>) -> Option<EventId> {
    match text {
        None | Some("") => Some(EventId::NONE),
        Some(text) => text.parse().ok(),
    }
}

/// The bridge's name for itself, made when it has none.
fn connection_name(given: Option<&str>) -> String {
    let name = cut(given.unwrap_or_default());
    if name.is_empty() {
        Uuid::now_v7().to_string()
    } else {
        name
    }
}

fn cut(name: &str) -> String {
    let printable = name.trim().chars().filter(|char| !char.is_control());
    printable.take(NAME).collect()
}

impl From<TicketError> for Problem {
    fn from(error: TicketError) -> Self {
        match error {
            TicketError::Invalid => Code::InvalidTicket.into(),
            TicketError::Db(error) => error.into(),
        }
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Draining => Code::Unavailable.into(),
            Refused::TooMany(limit) => {
                let detail = format!("The limit on streams per {} is reached.", limit.name());
                Self::new(Code::TooManyStreams, detail).retry_after(Duration::from_secs(1))
            }
            Refused::History(error) => {
                let cause: &dyn std::error::Error = &error;
                tracing::warn!(error = cause, "no stream");
                Code::Unavailable.into()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_kitchen_screens_report_and_they_name_their_station_or_none() {
        let station = Uuid::from_u128(7);
        let of = |screen: &str| kitchen(screen).map(|kitchen| kitchen.station.map(|id| id.0));
        assert_eq!(of(&format!("kitchen:{station}")), Some(Some(station)));
        assert_eq!(of("kitchen"), Some(None));
        assert_eq!(of("kitchen:all"), Some(None));
        assert_eq!(of("kitchen:grill"), None);
        assert_eq!(of("kitchenette"), None);
        assert_eq!(of("hall"), None);
    }

    #[test]
    fn a_connection_always_has_a_name_of_128_characters_at_most() {
        assert_eq!(connection_name(Some(" pass\n1 ")), "pass1");
        assert_eq!(
            connection_name(Some(&"가".repeat(200))).chars().count(),
            128
        );
        assert_ne!(connection_name(Some("  ")), connection_name(None));
    }

    #[test]
    fn a_missing_cursor_has_seen_nothing_and_a_broken_one_is_told_apart() {
        assert_eq!(cursor(None), Some(EventId::NONE));
        assert_eq!(cursor(Some("0:0")), Some(EventId::NONE));
        assert_eq!(cursor(Some("9f3a61c2:7")).map(|id| id.seq), Some(7));
        assert_eq!(cursor(Some("7")), None);
    }
}

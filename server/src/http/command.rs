//! Commands of staff: each endpoint extracts, calls the one service method, answers.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::id::{CallId, LineId, MenuId, OrderId, StoreId, TableId};
use domain::snapshot::WATERMARK_HEADER;
use domain::stream::EventId;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderName, StatusCode};
use serde::Deserialize;

use super::App;
use super::error::{Code, Problem};
use super::extract::{Command as Request, Ids};
use super::table::{HC, HK, K, Row};
use crate::service::auth::Staff;
use crate::service::command::{
    Actor, AddLines, Advance, CallStep, Command, Confirm, Covers, Done, JoinTables, MoveLines,
    MoveTo, Note, Outcome, PlaceOrder, Press, Priority, Reject, SoldOut, SomeLines, TableStep,
    TheseLines, VoidLine, Who,
};
use crate::service::refusal::{Refusal, ServiceError};

/// Every command of staff, with who may give it (domain, "Endpoints and roles").
pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::post("/api/pos/{storeId}/hall/orders", HC, place_order),
        Row::post(
            "/api/pos/{storeId}/hall/orders/{orderId}/lines",
            HC,
            add_lines,
        ),
        Row::post(
            "/api/pos/{storeId}/hall/orders/{orderId}/confirm",
            HC,
            confirm,
        ),
        Row::post(
            "/api/pos/{storeId}/hall/orders/{orderId}/reject",
            HC,
            reject,
        ),
        Row::post(
            "/api/pos/{storeId}/hall/orders/{orderId}/note",
            HC,
            set_note,
        ),
        Row::post(
            "/api/pos/{storeId}/hall/orders/{orderId}/lines/{lineId}/note",
            HC,
            set_line_note,
        ),
        Row::post(
            "/api/pos/{storeId}/hall/orders/{orderId}/lines/{lineId}/void",
            HC,
            void,
        ),
        Row::post(
            "/api/pos/{storeId}/hall/orders/{orderId}/move-lines",
            HC,
            move_lines,
        ),
        Row::post(
            "/api/pos/{storeId}/kitchen/orders/{orderId}/advance",
            K,
            advance,
        ),
        Row::post(
            "/api/pos/{storeId}/kitchen/orders/{orderId}/recall",
            super::table::HCK,
            recall,
        ),
        Row::post(
            "/api/pos/{storeId}/kitchen/orders/{orderId}/priority",
            HK,
            set_priority,
        ),
        Row::post(
            "/api/pos/{storeId}/kitchen/orders/{orderId}/voids/ack",
            HK,
            acknowledge_voids,
        ),
        Row::post("/api/pos/{storeId}/servings/{orderId}/serve", HC, serve),
        Row::post("/api/pos/{storeId}/calls/{callId}/accept", HC, accept_call),
        Row::post("/api/pos/{storeId}/calls/{callId}/done", HC, finish_call),
        Row::post("/api/pos/{storeId}/tables/{tableId}/seat", HC, seat),
        Row::post("/api/pos/{storeId}/tables/{tableId}/covers", HC, set_covers),
        Row::post("/api/pos/{storeId}/tables/{tableId}/clear", HC, clear),
        Row::post("/api/pos/{storeId}/tables/{tableId}/cleaned", HC, cleaned),
        Row::post("/api/pos/{storeId}/tables/{tableId}/bill", HC, bill),
        Row::post("/api/pos/{storeId}/tables/{tableId}/transfer", HC, transfer),
        Row::post("/api/pos/{storeId}/tables/{tableId}/join", HC, join),
        Row::post("/api/pos/{storeId}/tables/{tableId}/unjoin", HC, unjoin),
        Row::post(
            "/api/pos/{storeId}/menu/{menuId}/sold-out",
            super::table::HCK,
            set_sold_out,
        ),
    ]
}

/// A command without a body, or with `{}`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

pub(super) async fn give<T>(
    app: App,
    staff: Staff,
    request: Request<T>,
    command: impl FnOnce(T) -> Command,
) -> Result<Response, Problem> {
    carry(app, actor(staff), request, command).await
}

/// Somebody of the staff, at the terminal of this session.
pub(super) fn actor(staff: Staff) -> Actor {
    Actor {
        store: staff.store_id,
        keys: staff.id.0,
        owner: format!("session/{}", staff.session_id),
        name: staff.name,
        who: Who::Staff(staff.role),
    }
}

/// The one way from a request to the service.
pub(super) async fn carry<T>(
    app: App,
    actor: Actor,
    request: Request<T>,
    command: impl FnOnce(T) -> Command,
) -> Result<Response, Problem> {
    let press = Press {
        key: request.key.as_str().to_owned(),
        fingerprint: request.fingerprint.as_str().to_owned(),
    };
    answer(&app, actor, Some(press), command(request.body)).await
}

/// Gives a command to the service, with the key of its press or without.
pub(super) async fn answer(
    app: &App,
    actor: Actor,
    press: Option<Press>,
    command: Command,
) -> Result<Response, Problem> {
    match app.services.command(actor, press, command).await? {
        Ok(done) => Ok(done.into_response()),
        Err((refusal, watermark)) => Ok(refused(refusal, watermark)),
    }
}

impl IntoResponse for Done {
    fn into_response(self) -> Response {
        let status = match self.outcome {
            Outcome::Ok => StatusCode::OK,
            Outcome::Created => StatusCode::CREATED,
            Outcome::Accepted => StatusCode::ACCEPTED,
        };
        (status, entity_headers(self.watermark), self.body).into_response()
    }
}

/// The headers of every answer that carries entities.
pub(super) fn entity_headers(watermark: EventId) -> [(HeaderName, String); 3] {
    [
        (CONTENT_TYPE, "application/json".to_owned()),
        (CACHE_CONTROL, "no-store".to_owned()),
        (
            HeaderName::from_static(WATERMARK_HEADER),
            watermark.to_string(),
        ),
    ]
}

fn refused(refusal: Refusal, watermark: Option<EventId>) -> Response {
    let response = Problem::from(refusal).into_response();
    match watermark {
        Some(watermark) => {
            let header = (
                HeaderName::from_static(WATERMARK_HEADER),
                watermark.to_string(),
            );
            ([header], response).into_response()
        }
        None => response,
    }
}

impl From<ServiceError> for Problem {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::Refused(refusal) => refusal.into(),
            ServiceError::Db(error) => error.into(),
            ServiceError::Interrupted => Code::Unavailable.into(),
        }
    }
}

async fn place_order(
    State(app): State<App>,
    staff: Staff,
    request: Request<PlaceOrder>,
) -> Result<Response, Problem> {
    give(app, staff, request, |body| Command::PlaceOrder { body }).await
}

macro_rules! order_commands {
    ($($(#[$doc:meta])* $handler:ident: $body:ty => $variant:ident;)*) => {$(
        async fn $handler(
            State(app): State<App>,
            staff: Staff,
            Ids((_, order)): Ids<(StoreId, OrderId)>,
            request: Request<$body>,
        ) -> Result<Response, Problem> {
            give(app, staff, request, |body| Command::$variant { order, body }).await
        }
    )*};
}

order_commands! {
    add_lines: AddLines => AddLines;
    confirm: Confirm => Confirm;
    reject: Reject => Reject;
    set_note: Note => SetNote;
    move_lines: MoveLines => MoveLines;
    advance: Advance => Advance;
    recall: SomeLines => Recall;
    set_priority: Priority => SetPriority;
    acknowledge_voids: TheseLines => AcknowledgeVoids;
    serve: SomeLines => Serve;
}

async fn set_line_note(
    State(app): State<App>,
    staff: Staff,
    Ids((_, order, line)): Ids<(StoreId, OrderId, LineId)>,
    request: Request<Note>,
) -> Result<Response, Problem> {
    give(app, staff, request, |body| Command::SetLineNote {
        order,
        line,
        body,
    })
    .await
}

async fn void(
    State(app): State<App>,
    staff: Staff,
    Ids((_, order, line)): Ids<(StoreId, OrderId, LineId)>,
    request: Request<VoidLine>,
) -> Result<Response, Problem> {
    give(app, staff, request, |body| Command::Void {
        order,
        line,
        body,
    })
    .await
}

macro_rules! table_commands {
    ($($handler:ident: $body:ty => |$given:ident, $table:ident| $command:expr;)*) => {$(
        async fn $handler(
            State(app): State<App>,
            staff: Staff,
            Ids((_, $table)): Ids<(StoreId, TableId)>,
            request: Request<$body>,
        ) -> Result<Response, Problem> {
            give(app, staff, request, |$given| $command).await
        }
    )*};
}

table_commands! {
    seat: Covers => |body, table| Command::Seat { table, body };
    set_covers: Covers => |body, table| Command::SetCovers { table, body };
    transfer: MoveTo => |body, table| Command::Transfer { table, body };
    join: JoinTables => |body, table| Command::Join { table, body };
    clear: Nothing => |_nothing, table| Command::Table { table, step: TableStep::Clear };
    cleaned: Nothing => |_nothing, table| Command::Table { table, step: TableStep::Cleaned };
    bill: Nothing => |_nothing, table| Command::Table { table, step: TableStep::Bill };
    unjoin: Nothing => |_nothing, table| Command::Table { table, step: TableStep::Unjoin };
}

async fn accept_call(
    State(app): State<App>,
    staff: Staff,
    Ids((_, call)): Ids<(StoreId, CallId)>,
    request: Request<Nothing>,
) -> Result<Response, Problem> {
    give(app, staff, request, |_| Command::Call {
        call,
        step: CallStep::Accept,
    })
    .await
}

async fn finish_call(
    State(app): State<App>,
    staff: Staff,
    Ids((_, call)): Ids<(StoreId, CallId)>,
    request: Request<Nothing>,
) -> Result<Response, Problem> {
    give(app, staff, request, |_| Command::Call {
        call,
        step: CallStep::Done,
    })
    .await
}

async fn set_sold_out(
    State(app): State<App>,
    staff: Staff,
    Ids((_, item)): Ids<(StoreId, MenuId)>,
    request: Request<SoldOut>,
) -> Result<Response, Problem> {
    give(app, staff, request, |body| Command::SetSoldOut {
        item,
        body,
    })
    .await
}

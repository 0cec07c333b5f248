//! Signing in and out.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::id::StoreId;
use domain::settings::STORE_NAME_HEADER;
use domain::staff::Role;
use domain::text::Language;
use http::header::{CACHE_CONTROL, SET_COOKIE};
use http::{HeaderMap, HeaderName, Method, StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::App;
use super::error::{Code, Problem};
use super::extract::{Ids, JsonBody};
use super::session::{cookie, emptied, token};
use super::table::{Access, Row};
use crate::service::auth::{LoginError, PinError, Staff};

pub(super) fn rows() -> Vec<Row> {
    let (get, post) = (Method::GET, Method::POST);
    vec![
        Row::new(
            get.clone(),
            "/api/auth/stores/{code}/staff",
            Access::Anyone,
            tiles,
        ),
        Row::new(post.clone(), "/api/auth/login", Access::Anyone, login),
        Row::new(post, "/api/auth/logout", Access::Anyone, logout),
        Row::new(get, "/api/auth/me", Access::SignedIn, me),
    ]
}

/// A tile of the login page.
#[derive(Debug, Serialize)]
struct Tile {
    staff: String,
    name: String,
    role: Role,
}

async fn tiles(State(app): State<App>, Ids(code): Ids<String>) -> Result<Response, Problem> {
    let store = app.auth.store_of(&code).await?.ok_or(Code::NotFound)?;
    let tiles = app.auth.tiles(&code).await?.ok_or(Code::NotFound)?;
    let tiles = tiles.into_iter().map(|tile| Tile {
        staff: tile.login,
        name: tile.name,
        role: tile.role.0,
    });
    let name = HeaderName::from_static(STORE_NAME_HEADER);
    let name = [(name, encoded(&json!(store.name).to_string()))];
    Ok((name, Json(tiles.collect::<Vec<_>>())).into_response())
}

/// Percent-encoded, as a header's value has to be that is not ASCII.
fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Login {
    store_code: String,
    staff: String,
    pin: String,
}

async fn login(
    State(app): State<App>,
    headers: HeaderMap,
    JsonBody(login): JsonBody<Login>,
) -> Result<Response, Problem> {
    let signed_in = app.auth.clone();
    // Carried out to its end: a client that leaves does not undo a counted attempt.
    let signed_in = app
        .carry_out(async move {
            signed_in
                .login(&login.store_code, &login.staff, &login.pin)
                .await
        })
        .await;
    let (new, staff) = signed_in?;
    if let Some(old) = token(&headers) {
        app.auth.logout(&old).await?;
    }
    let cookie = [(SET_COOKIE, cookie(&new, &app.config))];
    Ok((cookie, Me::from(staff)).into_response())
}

async fn logout(State(app): State<App>, headers: HeaderMap) -> Result<Response, Problem> {
    if let Some(token) = token(&headers) {
        app.auth.logout(&token).await?;
    }
    let cookie = [(SET_COOKIE, emptied(&app.config))];
    Ok((StatusCode::NO_CONTENT, cookie).into_response())
}

/// Who is signed in, and where.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Me {
    store_id: StoreId,
    store_code: String,
    name: String,
    role: Role,
    language: Language,
}

impl From<Staff> for Me {
    fn from(staff: Staff) -> Self {
        Self {
            store_id: staff.store_id,
            store_code: staff.store_code,
            name: staff.name,
            role: staff.role,
            language: staff.language,
        }
    }
}

impl IntoResponse for Me {
    fn into_response(self) -> Response {
        ([(CACHE_CONTROL, "no-store")], Json(self)).into_response()
    }
}

async fn me(staff: Staff) -> Me {
    staff.into()
}

impl From<LoginError> for Problem {
    fn from(error: LoginError) -> Self {
        match error {
            LoginError::WrongPin { retry_after } => {
                Self::from(Code::WrongPin).retry_after(retry_after)
            }
            LoginError::TooManyAttempts { retry_after } => {
                Self::from(Code::TooManyAttempts).retry_after(retry_after)
            }
            LoginError::Pin(PinError::Busy) => Self::from(Code::Unavailable),
            LoginError::Pin(error @ (PinError::Damaged | PinError::Hashing)) => {
                tracing::error!(%error, "sign-in failed");
                Self::from(Code::Internal)
            }
            LoginError::Db(error) => error.into(),
        }
    }
}

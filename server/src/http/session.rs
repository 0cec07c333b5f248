//! The session's cookie, and who may use a route.

use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{FromRequestParts, RawPathParams, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use axum_extra::extract::CookieJar;
use domain::id::StoreId;
use http::HeaderMap;
use http::request::Parts;

use super::error::{Code, Problem};
use super::table::Access;
use super::{App, guest};
use crate::config::Config;
use crate::service::auth::{SessionToken, Staff};

/// The cookie's name.
const COOKIE: &str = "jumun_session";
/// The browser keeps the cookie for 30 days; the server decides how long it is good for.
const KEPT_SECONDS: u32 = 30 * 24 * 60 * 60;

/// The token that the request shows, if it shows one.
#[must_use]
pub fn token(headers: &HeaderMap) -> Option<SessionToken> {
    let jar = CookieJar::from_headers(headers);
    SessionToken::parse(jar.get(COOKIE)?.value())
}

/// `Set-Cookie` of a new session.
#[must_use]
pub fn cookie(token: &SessionToken, config: &Config) -> String {
    set_cookie(token.reveal(), KEPT_SECONDS, config)
}

/// `Set-Cookie` that ends a session.
#[must_use]
pub fn emptied(config: &Config) -> String {
    set_cookie("", 0, config)
}

fn set_cookie(value: &str, max_age: u32, config: &Config) -> String {
    let secure = if config.https { "; Secure" } else { "" };
    format!("{COOKIE}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={max_age}{secure}")
}

/// Who is signed in.
///
/// # Errors
///
/// `SIGNED_OUT` without a session that lives.
pub async fn signed_in(app: &App, headers: &HeaderMap) -> Result<Staff, Problem> {
    let token = token(headers).ok_or(Code::SignedOut)?;
    let staff = app.auth.staff_of(&token).await?;
    staff.ok_or_else(|| Code::SignedOut.into())
}

/// Lets through whom the row of the route lets through: 401 without a session, then 404 for
/// another store, then 403 for another role.
pub(super) async fn guard(
    State((app, access)): State<(App, Access)>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    mut request: Request,
    next: Next,
) -> Result<Response, Problem> {
    match access {
        Access::Anyone => {}
        Access::Guest => {
            let phone = guest::phone(&app, request.headers()).await?;
            request.extensions_mut().insert(phone);
        }
        Access::SignedIn | Access::Roles(_) => {
            let staff = signed_in(&app, request.headers()).await?;
            if path.is_ok_and(|path| is_foreign(&path, staff.store_id)) {
                return Err(Code::NotFound.into());
            }
            if !access.allows(staff.role) {
                return Err(Code::Forbidden.into());
            }
            request.extensions_mut().insert(staff);
        }
    }
    Ok(next.run(request).await)
}

/// Whether the path names a store that is not this one, or none at all.
fn is_foreign(path: &RawPathParams, store: StoreId) -> bool {
    let named = path.iter().find(|(name, _)| *name == "storeId");
    named.is_some_and(|(_, id)| id.parse() != Ok(store))
}

/// The guard of the route has found out who it is.
impl FromRequestParts<App> for Staff {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Problem> {
        let staff = parts.extensions.get::<Self>().cloned();
        staff.ok_or_else(|| Code::SignedOut.into())
    }
}

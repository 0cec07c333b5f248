//! Who is signed in.

use domain::id::StoreId;
use domain::staff::Role;
use domain::text::LocalText;
use serde::{Deserialize, Serialize};

use super::{Method, Problem, json, request};

/// A tile of the login page.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct StaffTile {
    /// Signs in as.
    pub staff: String,
    /// Shown.
    pub name: String,
    /// Shown under it.
    pub role: Role,
}

/// The session of this browser.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// The store it belongs to.
    pub store_id: StoreId,
    /// Its code, for addresses.
    pub store_code: String,
    /// Who it is.
    pub name: String,
    /// What they may do.
    pub role: Role,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Login<'a> {
    store_code: &'a str,
    staff: &'a str,
    pin: &'a str,
}

/// The staff of the store with that code, for the tiles, and the store's name.
///
/// # Errors
/// No such store (404), or no answer.
pub async fn staff(store_code: &str) -> Result<(Vec<StaffTile>, LocalText), Problem> {
    let code = String::from(js_sys::encode_uri_component(store_code));
    let path = ["/api/auth/stores/", &code, "/staff"].concat();
    let answer = request(Method::Get, &path, None, None).await?;
    let name = answer.store_name.as_deref().and_then(store_name);
    Ok((answer.read()?, name.unwrap_or_default()))
}

fn store_name(encoded: &str) -> Option<LocalText> {
    let json = String::from(js_sys::decode_uri_component(encoded).ok()?);
    json::read(&json)
}

/// Signs in; the server sets the session's cookie.
///
/// # Errors
/// `WRONG_PIN` (401), `TOO_MANY_ATTEMPTS` (429), or no answer.
pub async fn login(store_code: &str, staff: &str, pin: &str) -> Result<(), Problem> {
    let body = serde_json::to_string(&Login {
        store_code,
        staff,
        pin,
    });
    let body = body.map_err(|_| Problem::unreadable())?;
    let answer = request(Method::Post, "/api/auth/login", Some(body), None).await?;
    if answer.is_success() {
        Ok(())
    } else {
        Err(Problem::of(&answer))
    }
}

/// Ends the session.
///
/// # Errors
/// No answer.
pub async fn logout() -> Result<(), Problem> {
    request(Method::Post, "/api/auth/logout", None, None)
        .await
        .map(|_| ())
}

/// Whose session this browser has.
///
/// # Errors
/// `SIGNED_OUT` (401), or no answer.
pub async fn me() -> Result<Me, Problem> {
    request(Method::Get, "/api/auth/me", None, None)
        .await?
        .read()
}

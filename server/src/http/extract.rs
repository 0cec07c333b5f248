//! What a request holds, parsed at the edge: bodies, ids of paths, idempotency keys.

mod body;
mod fingerprint;
mod ids;
mod key;

pub use body::{BODY_LIMIT, JsonBody};
pub use fingerprint::Fingerprint;
pub use ids::Ids;
pub use key::IdempotencyKey;

use axum::extract::{FromRequest, FromRequestParts, OptionalFromRequestParts, Request};
use serde::de::DeserializeOwned;

use super::error::Problem;

/// A command: a body that is `{}` when it is left out, its key, and what makes it the same
/// command again.
#[derive(Debug)]
pub struct Command<T> {
    /// What is asked for.
    pub body: T,
    /// The key of this press.
    pub key: IdempotencyKey,
    /// Equal for equal method, path and meaning of the body.
    pub fingerprint: Fingerprint,
}

/// A command whose key may be left out.
#[derive(Debug)]
pub struct Keyless<T> {
    /// What is asked for.
    pub body: T,
    /// The key of this press, if it has one, and what makes it the same command again.
    pub key: Option<(IdempotencyKey, Fingerprint)>,
}

/// Body and fingerprint: `{}` when the body is left out. The query is part of what is asked for.
async fn read<T: DeserializeOwned>(
    parts: &http::request::Parts,
    body: axum::body::Body,
) -> Result<(T, Fingerprint), Problem> {
    let bytes = body::read(&parts.headers, body).await?;
    let text: &[u8] = if bytes.is_empty() { b"{}" } else { &bytes };
    let path = parts.uri.path_and_query();
    let path = path.map_or(parts.uri.path(), |path| path.as_str());
    let fingerprint = Fingerprint::of(&parts.method, path, text);
    Ok((body::parse(text)?, fingerprint))
}

impl<S, T> FromRequest<S> for Command<T>
where
    S: Send + Sync,
    T: DeserializeOwned,
{
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let (mut parts, body) = request.into_parts();
        let key = <IdempotencyKey as FromRequestParts<S>>::from_request_parts(&mut parts, state);
        let key = key.await?;
        let (body, fingerprint) = read(&parts, body).await?;
        Ok(Self {
            body,
            key,
            fingerprint,
        })
    }
}

impl<S, T> FromRequest<S> for Keyless<T>
where
    S: Send + Sync,
    T: DeserializeOwned,
{
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let (mut parts, body) = request.into_parts();
        let key =
            <IdempotencyKey as OptionalFromRequestParts<S>>::from_request_parts(&mut parts, state);
        let key = key.await?;
        let (body, fingerprint) = read(&parts, body).await?;
        Ok(Self {
            body,
            key: key.map(|key| (key, fingerprint)),
        })
    }
}

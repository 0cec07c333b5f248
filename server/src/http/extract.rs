//! What a request holds, parsed at the edge: bodies, ids of paths, idempotency keys.

mod body;
mod fingerprint;
mod ids;
mod key;

pub use body::{BODY_LIMIT, JsonBody};
pub use fingerprint::Fingerprint;
pub use ids::Ids;
pub use key::IdempotencyKey;

use axum::extract::{FromRequest, FromRequestParts, Request};
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

impl<S, T> FromRequest<S> for Command<T>
where
    S: Send + Sync,
    T: DeserializeOwned,
{
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let (mut parts, body) = request.into_parts();
        let key = IdempotencyKey::from_request_parts(&mut parts, state).await?;
        let bytes = body::read(&parts.headers, body).await?;
        let text: &[u8] = if bytes.is_empty() { b"{}" } else { &bytes };
        Ok(Self {
            fingerprint: Fingerprint::of(&parts.method, parts.uri.path(), text),
            body: body::parse(text)?,
            key,
        })
    }
}

//! Ids in paths. One that cannot be an id is of nothing: 404.

use axum::extract::{FromRequestParts, Path};
use http::request::Parts;
use serde::de::DeserializeOwned;

use crate::http::error::{Code, Problem};

/// The path's parameters in their order: `Ids<(StoreId, OrderId)>`.
#[derive(Clone, Copy, Debug)]
pub struct Ids<T>(pub T);

impl<S, T> FromRequestParts<S> for Ids<T>
where
    S: Send + Sync,
    T: DeserializeOwned + Send,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match Path::<T>::from_request_parts(parts, state).await {
            Ok(Path(ids)) => Ok(Self(ids)),
            Err(_) => Err(Code::NotFound.into()),
        }
    }
}

//! Entities as JSON documents: read and written in one place.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::db::DbError;

/// A row that holds one document.
#[derive(Debug, sqlx::FromRow)]
pub struct Doc {
    /// The entity's JSON.
    pub doc: String,
}

impl Doc {
    /// The entity.
    ///
    /// # Errors
    /// [`DbError::Decode`] when it is not what this build writes.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, DbError> {
        serde_json::from_str(&self.doc).map_err(|error| decode(error.into()))
    }
}

/// The entity's JSON.
///
/// # Errors
/// [`DbError::Decode`]; no entity of the domain is known to cause it.
pub fn write<T: Serialize>(entity: &T) -> Result<String, DbError> {
    serde_json::to_string(entity).map_err(|error| decode(error.into()))
}

/// The documents, unread.
pub(super) fn unread(rows: Vec<Doc>) -> Vec<String> {
    rows.into_iter().map(|row| row.doc).collect()
}

/// Every entity.
pub(super) fn read_all<T: DeserializeOwned>(rows: &[Doc]) -> Result<Vec<T>, DbError> {
    rows.iter().map(Doc::read).collect()
}

fn decode(source: Box<dyn std::error::Error + Send + Sync>) -> DbError {
    DbError::Decode(sqlx::Error::Decode(source))
}

//! The database: one SQL text, two engines.
//!
//! A [`Tx`] is the only way to run a statement, so that nothing is ever read or written
//! outside a transaction. This build holds the SQLite arm; another engine is one more arm
//! of each `match` and nothing else. No statement lives here: they stand in `store`.

mod error;
mod sqlite;
mod tx;
mod value;

pub use error::DbError;
pub use tx::{Row, Tx};
pub use value::Value;

pub(crate) use value::params;

/// The open database; a cheap clone of its connection pools.
#[derive(Clone, Debug)]
pub enum Db {
    /// A file beside the process.
    Sqlite(sqlite::SqliteDb),
}

impl Db {
    /// Opens `sqlite:path`, creating the file when it is absent.
    ///
    /// # Errors
    ///
    /// [`DbError::Url`] for another scheme or a malformed path, [`DbError::Unavailable`] when
    /// the file cannot be opened.
    pub async fn open(url: &str) -> Result<Self, DbError> {
        if !url.starts_with("sqlite:") {
            return Err(DbError::Url {
                reason: "this build opens `sqlite:` databases only".to_owned(),
            });
        }
        sqlite::SqliteDb::open(url).await.map(Self::Sqlite)
    }

    /// Brings the schema to the version this build was compiled with.
    ///
    /// # Errors
    ///
    /// [`DbError::Migration`] when a step fails or the schema is newer than this build.
    pub async fn migrate(&self) -> Result<(), DbError> {
        match self {
            Self::Sqlite(db) => db.migrate().await,
        }
    }

    /// Begins a read: everything it sees is of one moment, whatever commits meanwhile.
    ///
    /// # Errors
    ///
    /// [`DbError::Unavailable`] when no connection is to be had in time.
    pub async fn read(&self) -> Result<Tx, DbError> {
        match self {
            Self::Sqlite(db) => db.read().await.map(Tx::Sqlite),
        }
    }

    /// Begins a write, waiting for its turn: SQLite has one writer at a time.
    ///
    /// # Errors
    ///
    /// [`DbError::Unavailable`] when its turn does not come in time.
    pub async fn write(&self) -> Result<Tx, DbError> {
        match self {
            Self::Sqlite(db) => db.write().await.map(Tx::Sqlite),
        }
    }

    /// Closes every connection after the statements under way.
    pub async fn close(&self) {
        match self {
            Self::Sqlite(db) => db.close().await,
        }
    }
}

#[cfg(test)]
mod tests;

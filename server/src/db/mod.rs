//! The database: one SQL text, two engines.
//!
//! A [`Tx`] is the only way to run a statement, so that nothing is ever read or written
//! outside a transaction. An engine is one arm of each `match` and nothing else. No statement
//! lives here: they stand in `store`.
//!
//! A write that reads first has to be right beside others, which only SQLite's one writer makes
//! wait: it takes its store's turn (`store::stream::stream_lock`), or its statement says what it
//! expects to find, or a constraint refuses the second.

mod error;
mod postgres;
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
    /// A server that several nodes share.
    Postgres(postgres::PostgresDb),
}

impl Db {
    /// Opens `sqlite:path`, creating the file when it is absent, or `postgres://…`, connecting
    /// when first asked.
    ///
    /// # Errors
    ///
    /// [`DbError::Url`] for another scheme or a malformed address, [`DbError::Unavailable`] when
    /// the file cannot be opened.
    pub async fn open(url: &str) -> Result<Self, DbError> {
        let scheme = url.split(':').next().unwrap_or_default();
        match scheme {
            "sqlite" => sqlite::SqliteDb::open(url).await.map(Self::Sqlite),
            "postgres" | "postgresql" => postgres::PostgresDb::open(url).map(Self::Postgres),
            _ => Err(DbError::Url {
                reason: "use sqlite:FILE or postgres://…".to_owned(),
            }),
        }
    }

    /// Brings the schema to the version this build was compiled with.
    ///
    /// # Errors
    ///
    /// [`DbError::Migration`] when a step fails or the schema is newer than this build.
    pub async fn migrate(&self) -> Result<(), DbError> {
        match self {
            Self::Sqlite(db) => db.migrate().await,
            Self::Postgres(db) => db.migrate().await,
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
            Self::Postgres(db) => db.read().await.map(Tx::Postgres),
        }
    }

    /// Begins a write. SQLite has one writer at a time; PostgreSQL has many, each statement of
    /// which sees what was committed before it.
    ///
    /// # Errors
    ///
    /// [`DbError::Unavailable`] when its turn does not come in time.
    pub async fn write(&self) -> Result<Tx, DbError> {
        match self {
            Self::Sqlite(db) => db.write().await.map(Tx::Sqlite),
            Self::Postgres(db) => db.write().await.map(Tx::Postgres),
        }
    }

    /// The same, a write of which begins as a reader on SQLite; for a negative control alone.
    pub(crate) fn deferred(self) -> Self {
        match self {
            Self::Sqlite(db) => Self::Sqlite(db.deferred()),
            Self::Postgres(db) => Self::Postgres(db),
        }
    }

    /// Closes every connection after the statements under way.
    pub async fn close(&self) {
        match self {
            Self::Sqlite(db) => db.close().await,
            Self::Postgres(db) => db.close().await,
        }
    }
}

//! The SQLite engine: a write-ahead log, full syncs, one writer, a few readers.

use std::str::FromStr;
use std::time::Duration;

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{Sqlite, Transaction};

use super::DbError;

/// Snapshots are short; more readers than this wait for each other in the page cache.
const READERS: u32 = 4;
/// How long a statement waits for a lock that another process holds.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a request waits for a connection before it is told 503.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(8);

/// Two pools on one file.
#[derive(Clone, Debug)]
pub struct SqliteDb {
    writer: SqlitePool,
    readers: SqlitePool,
    /// How a write begins.
    begin: &'static str,
}

impl SqliteDb {
    pub(super) async fn open(url: &str) -> Result<Self, DbError> {
        let options = SqliteConnectOptions::from_str(url)
            .map_err(|cause| DbError::Url {
                reason: cause.to_string(),
            })?
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(BUSY_TIMEOUT);
        let writer = pool(1).connect_with(options.clone()).await?;
        let readers = pool(READERS)
            .connect_with(options.pragma("query_only", "on"))
            .await?;
        // `immediate`: a transaction that began as a reader cannot always become a writer.
        let begin = "begin immediate";
        Ok(Self {
            writer,
            readers,
            begin,
        })
    }

    pub(super) async fn migrate(&self) -> Result<(), DbError> {
        sqlx::migrate!("migrations/sqlite")
            .run(&self.writer)
            .await
            .map_err(DbError::Migration)
    }

    pub(super) async fn read(&self) -> Result<Transaction<'static, Sqlite>, DbError> {
        Ok(self.readers.begin().await?)
    }

    pub(super) async fn write(&self) -> Result<Transaction<'static, Sqlite>, DbError> {
        Ok(self.writer.begin_with(self.begin).await?)
    }

    /// For a negative control: a write begins as a reader.
    pub(super) fn deferred(self) -> Self {
        let begin = "begin deferred";
        Self { begin, ..self }
    }

    pub(super) async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}

fn pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        // A ping before each use answers nothing for a file.
        .test_before_acquire(false)
        .idle_timeout(None)
        .max_lifetime(None)
}

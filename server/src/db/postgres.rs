//! The PostgreSQL engine: one pool, read committed for commands, one moment for reads.

use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{Postgres, Transaction};

use super::DbError;

/// Connections of one node. A command holds one for a few milliseconds.
const CONNECTIONS: u32 = 16;
/// How long a request waits for a connection before it is told 503.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(8);

/// One pool on one server.
#[derive(Clone, Debug)]
pub struct PostgresDb {
    pool: PgPool,
}

impl PostgresDb {
    /// Connects when first asked: a node may start before its database.
    pub(super) fn open(url: &str) -> Result<Self, DbError> {
        let options = PgConnectOptions::from_str(url)
            .map_err(|cause| DbError::Url {
                reason: cause.to_string(),
            })?
            .application_name("jumun")
            .options([
                ("statement_timeout", "8s"),
                ("lock_timeout", "8s"),
                ("idle_in_transaction_session_timeout", "30s"),
            ]);
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .connect_lazy_with(options);
        Ok(Self { pool })
    }

    pub(super) async fn migrate(&self) -> Result<(), DbError> {
        sqlx::migrate!("migrations/postgres")
            .run(&self.pool)
            .await
            .map_err(DbError::Migration)
    }

    pub(super) async fn read(&self) -> Result<Transaction<'static, Postgres>, DbError> {
        self.begin("begin isolation level repeatable read read only")
            .await
    }

    pub(super) async fn write(&self) -> Result<Transaction<'static, Postgres>, DbError> {
        self.begin("begin").await
    }

    /// In a task of its own: a `begin` whose caller goes away half-way would leave its connection
    /// in the pool with a transaction that nobody ends (sqlx 0.9).
    async fn begin(&self, how: &'static str) -> Result<Transaction<'static, Postgres>, DbError> {
        let pool = self.pool.clone();
        let begun = tokio::spawn(async move { pool.begin_with(how).await }).await;
        // The task is never aborted; one that panicked has no transaction.
        Ok(begun.unwrap_or(Err(sqlx::Error::WorkerCrashed))?)
    }

    pub(super) async fn close(&self) {
        self.pool.close().await;
    }
}

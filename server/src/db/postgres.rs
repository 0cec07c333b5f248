//! The PostgreSQL engine: one pool, read committed for commands, one moment for reads.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{Postgres, Transaction};

use super::DbError;

/// Connections of one node. A command holds one for a few milliseconds.
const CONNECTIONS: u32 = 16;
/// Prepared statements that a connection keeps: more than there are in `store`.
const STATEMENTS: usize = 256;
/// How long a request waits for a connection before it is told 503.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(8);

/// What the server does about us. A lock is waited for as long as on SQLite; a node that lost its
/// power in the middle of a command does not keep its store's turn.
const SESSION: [(&str, &str); 3] = [
    ("lock_timeout", "5s"),
    ("statement_timeout", "8s"),
    ("idle_in_transaction_session_timeout", "10s"),
];

/// One pool on one server.
#[derive(Clone, Debug)]
pub struct PostgresDb {
    pool: PgPool,
    /// Without the limits on time: a step of the schema may take long on a large table.
    unhurried: Arc<PgConnectOptions>,
}

impl PostgresDb {
    /// Connects when first asked.
    pub(super) fn open(url: &str) -> Result<Self, DbError> {
        let unhurried = PgConnectOptions::from_str(url)
            .map_err(|cause| DbError::Url {
                reason: cause.to_string(),
            })?
            .application_name("jumun")
            .statement_cache_capacity(STATEMENTS);
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .connect_lazy_with(unhurried.clone().options(SESSION));
        let unhurried = Arc::new(unhurried);
        Ok(Self { pool, unhurried })
    }

    /// Nodes that start together take turns, and one that starts before its server waits a little.
    pub(super) async fn migrate(&self) -> Result<(), DbError> {
        let pool = PgPoolOptions::new()
            .max_connections(1)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .connect_with(PgConnectOptions::clone(&self.unhurried))
            .await?;
        let migrated = sqlx::migrate!("migrations/postgres").run(&pool).await;
        pool.close().await;
        migrated.map_err(DbError::Migration)
    }

    pub(super) async fn read(&self) -> Result<Transaction<'static, Postgres>, DbError> {
        self.begin("begin isolation level repeatable read read only")
            .await
    }

    pub(super) async fn write(&self) -> Result<Transaction<'static, Postgres>, DbError> {
        self.begin("begin isolation level read committed read write")
            .await
    }

    /// In a task of its own, which nobody aborts: a `begin` that is dropped half-way would leave
    /// its connection in the pool with a transaction that nobody ends (sqlx 0.9). The caller may
    /// go; then the task drops what it began, which ends it.
    async fn begin(&self, how: &'static str) -> Result<Transaction<'static, Postgres>, DbError> {
        let pool = self.pool.clone();
        let begun = tokio::spawn(async move { pool.begin_with(how).await }).await;
        // A task that panicked, or whose runtime has ended, has no transaction.
        Ok(begun.unwrap_or(Err(sqlx::Error::WorkerCrashed))?)
    }

    pub(super) async fn close(&self) {
        self.pool.close().await;
    }
}

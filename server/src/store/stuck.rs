//! What an operator has to look at: stores whose events are unpublished or dead.

use domain::id::StoreId;
use domain::time::Time;
use serde::Serialize;
use uuid::Uuid;

use super::relay::relay_now;
use crate::db::{DbError, Tx, params};

/// Dead events named of each store; all are counted.
const NAMED: u32 = 20;

/// A store whose events are not all on their way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Stuck {
    /// The store's code.
    pub store: String,
    /// Events that the log does not have.
    pub unpublished: i64,
    /// For how long the first of them has waited, in ms.
    pub oldest_age_ms: Option<i64>,
    /// Attempts that failed since the last one that did not.
    pub attempts: i64,
    /// When the next one may begin, epoch ms; 0 for at once.
    pub next_attempt_at: i64,
    /// What the last one failed of.
    pub last_error: Option<String>,
    /// Events that could never be published, and read as a marker everywhere.
    pub dead: i64,
    /// The newest of them.
    pub dead_events: Vec<DeadEvent>,
}

/// An event that could never be published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct DeadEvent {
    /// Its number.
    pub seq: i64,
    /// Its type.
    #[sqlx(rename = "type")]
    #[serde(rename = "type")]
    pub kind: String,
    /// When its command committed, epoch ms.
    pub created_at: i64,
}

/// Stores with unpublished or dead events, by code. `process` is this process's time.
///
/// # Errors
/// When the database cannot be reached or holds what cannot be read.
pub async fn outbox_stuck(tx: &mut Tx, process: Time) -> Result<Vec<Stuck>, DbError> {
    #[derive(sqlx::FromRow)]
    struct Counted {
        #[sqlx(try_from = "Uuid")]
        id: StoreId,
        code: String,
        unpublished: i64,
        oldest: Option<i64>,
        dead: i64,
        attempts: i64,
        next_attempt_at: i64,
        last_error: Option<String>,
    }
    let sql = "select store.id, store.code, waiting.unpublished, waiting.oldest, waiting.dead, \
            coalesce(relay_state.attempts, 0) as attempts, \
            coalesce(relay_state.next_attempt_at, 0) as next_attempt_at, relay_state.last_error \
        from (select store_id, \
                sum(case when published_at is null then 1 else 0 end) as unpublished, \
                min(case when published_at is null then created_at end) as oldest, \
                sum(case when dead then 1 else 0 end) as dead \
            from outbox where published_at is null or dead group by store_id) as waiting \
        join store on store.id = waiting.store_id \
        left join relay_state on relay_state.store_id = store.id \
        order by store.code";
    let now = relay_now(tx, process).await?;
    let mut stuck = Vec::new();
    for row in tx.fetch_all::<Counted>(sql, params![]).await? {
        stuck.push(Stuck {
            store: row.code,
            unpublished: row.unpublished,
            oldest_age_ms: row.oldest.map(|since| now.0.saturating_sub(since).max(0)),
            attempts: row.attempts,
            next_attempt_at: row.next_attempt_at,
            last_error: row.last_error,
            dead: row.dead,
            dead_events: dead_events(tx, row.id).await?,
        });
    }
    Ok(stuck)
}

async fn dead_events(tx: &mut Tx, store: StoreId) -> Result<Vec<DeadEvent>, DbError> {
    let sql = "select seq, type, created_at from outbox \
        where store_id = $1 and dead order by seq desc limit $2";
    tx.fetch_all::<DeadEvent>(sql, params![store, NAMED]).await
}

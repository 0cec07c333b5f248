//! Which relay publishes a store's events, and when it may try again.
//!
//! A lease is held for the time of one attempt. Whoever lost it may still have put events in
//! the log, which takes each of them once; it may not say so here.

use domain::id::StoreId;
use domain::time::Time;
use uuid::Uuid;

use super::clock::clock_read;
use crate::db::{DbError, Tx, params};

/// Characters kept of what went wrong.
const LAST_ERROR: usize = 1_000;
/// Seconds between two attempts at most.
const LONGEST_PAUSE: i64 = 60;

/// A store whose events this relay publishes until the lease ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The store.
    pub store: StoreId,
    /// Names this attempt among all relays.
    pub lease: Uuid,
    /// Attempts that failed since the last one that did not.
    pub attempts: u32,
}

impl Claim {
    /// How long after a failure the store waits, in ms: 1, 2, 4 … 32 s, then a minute.
    #[must_use]
    pub fn pause_after_failure(&self) -> i64 {
        (1_i64 << self.attempts.min(6)).min(LONGEST_PAUSE) * 1_000
    }
}

/// The one clock of all due times of publishing, which is the database's where several
/// processes share it; `process` is this process's.
///
/// # Errors
/// When the database cannot be reached.
pub async fn relay_now(tx: &mut Tx, process: Time) -> Result<Time, DbError> {
    Ok(clock_read(tx).await?.unwrap_or(process))
}

/// A lost lease or mark only means that an event is offered to the log again: this transaction
/// need not wait for the disk.
async fn relaxed(tx: &mut Tx) -> Result<(), DbError> {
    match tx {
        Tx::Sqlite(_) => Ok(()),
        Tx::Postgres(_) => {
            let sql = "set local synchronous_commit to off";
            tx.execute(sql, params![]).await.map(drop)
        }
    }
}

/// Leases stores that have unpublished events, are due, and that nobody has, at most `limit`,
/// the longest due first.
///
/// # Errors
/// When the database cannot be reached or holds what cannot be read.
pub async fn relay_claim(
    tx: &mut Tx,
    now: Time,
    until: Time,
    limit: u32,
) -> Result<Vec<Claim>, DbError> {
    #[derive(sqlx::FromRow)]
    struct Due {
        #[sqlx(try_from = "Uuid")]
        store_id: StoreId,
        #[sqlx(try_from = "i64")]
        attempts: u32,
    }
    relaxed(tx).await?;
    let sql = "insert into relay_state (store_id) \
        select store_id from store_stream where exists (select 1 from outbox \
            where outbox.store_id = store_stream.store_id and published_at is null) \
        on conflict (store_id) do nothing";
    tx.execute(sql, params![]).await?;
    let sql = match tx {
        Tx::Sqlite(_) => {
            "select store_id, attempts from relay_state \
            where lease_until <= $1 and next_attempt_at <= $1 and exists (select 1 from outbox \
                where outbox.store_id = relay_state.store_id and published_at is null) \
            order by next_attempt_at, store_id limit $2"
        }
        Tx::Postgres(_) => {
            "select store_id, attempts from relay_state \
            where lease_until <= $1 and next_attempt_at <= $1 and exists (select 1 from outbox \
                where outbox.store_id = relay_state.store_id and published_at is null) \
            order by next_attempt_at, store_id limit $2 for update skip locked"
        }
    };
    let due = tx.fetch_all::<Due>(sql, params![now, limit]).await?;
    let lease = Uuid::now_v7();
    let mut claims = Vec::with_capacity(due.len());
    for Due { store_id, attempts } in due {
        let sql = "update relay_state set lease = $2, lease_until = $3 \
            where store_id = $1 and lease_until <= $4";
        let taken = tx
            .execute(sql, params![store_id, lease, until, now])
            .await?;
        if taken == 1 {
            claims.push(Claim {
                store: store_id,
                lease,
                attempts,
            });
        }
    }
    Ok(claims)
}

/// Ends an attempt that went through; `false` when the lease is another relay's, and then
/// nothing may be said about the events.
///
/// # Errors
/// As [`relay_claim`].
pub async fn relay_done(tx: &mut Tx, claim: &Claim) -> Result<bool, DbError> {
    relaxed(tx).await?;
    let sql = "update relay_state set lease = null, lease_until = 0, attempts = 0, \
        next_attempt_at = 0, last_error = null where store_id = $1 and lease = $2";
    Ok(tx.execute(sql, params![claim.store, claim.lease]).await? == 1)
}

/// Ends an attempt that failed: the store waits until `next`. `false` as [`relay_done`].
///
/// # Errors
/// As [`relay_claim`].
pub async fn relay_failed(
    tx: &mut Tx,
    claim: &Claim,
    next: Time,
    error: &str,
) -> Result<bool, DbError> {
    relaxed(tx).await?;
    let sql = "update relay_state set lease = null, lease_until = 0, attempts = attempts + 1, \
        next_attempt_at = $3, last_error = $4 where store_id = $1 and lease = $2";
    let error: String = error.chars().take(LAST_ERROR).collect();
    let values = params![claim.store, claim.lease, next, error];
    Ok(tx.execute(sql, values).await? == 1)
}

/// Ends an attempt that nobody waited for: another relay may go on at once.
///
/// # Errors
/// As [`relay_claim`].
pub async fn relay_release(tx: &mut Tx, claim: &Claim) -> Result<(), DbError> {
    relaxed(tx).await?;
    let sql = "update relay_state set lease = null, lease_until = 0 \
        where store_id = $1 and lease = $2";
    tx.execute(sql, params![claim.store, claim.lease])
        .await
        .map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_waits_longer_after_each_failure_up_to_a_minute() {
        let pause = |attempts| {
            let claim = Claim {
                store: StoreId(Uuid::nil()),
                lease: Uuid::nil(),
                attempts,
            };
            claim.pause_after_failure() / 1_000
        };
        let pauses: Vec<i64> = (0..=7).map(pause).collect();
        assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 60, 60]);
        assert_eq!(pause(u32::MAX), 60);
    }
}

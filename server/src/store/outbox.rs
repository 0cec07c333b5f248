//! The outbox: the history of record. A row inserted here, in the command's own
//! transaction, is the only way to emit an event (realtime, section 3).

use std::borrow::Cow;

use domain::event::{MAX_PAYLOAD_BYTES, Thin};
use domain::id::{OutboxId, StoreId};
use domain::time::Time;
use serde::Deserialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::db::{DbError, Tx, params};

/// One event as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboxRow {
    /// The store the event happened in.
    pub store_id: StoreId,
    /// Its number, dense within the store's epoch.
    pub seq: u64,
    /// Its identity wherever it travels.
    pub outbox_id: OutboxId,
    /// Its type, `KITCHEN_COOK`.
    pub kind: Cow<'static, str>,
    /// The JSON of its payload.
    pub payload: String,
    /// When its command happened.
    pub created_at: Time,
    /// When the log had it; rows of the in-process log are born published.
    pub published_at: Option<Time>,
    /// It could never be published and reads as `RELOAD_REQUIRED` everywhere.
    pub dead: bool,
}

/// The type that an event which could never be published reads as.
pub const MARKER: &str = "RELOAD_REQUIRED";
/// The payload of such an event.
pub const UNPUBLISHABLE: &str = r#"{"reason":"UNPUBLISHABLE"}"#;

impl OutboxRow {
    /// Type and payload as everybody reads them: a dead event is the marker.
    #[must_use]
    pub fn told(&self) -> (&str, &str) {
        if self.dead {
            (MARKER, UNPUBLISHABLE)
        } else {
            (&self.kind, &self.payload)
        }
    }

    /// Whether it can be delivered as itself: its type stands on one line, its payload is JSON
    /// of at most [`MAX_PAYLOAD_BYTES`].
    #[must_use]
    pub fn is_deliverable(&self) -> bool {
        !self.kind.contains(['\0', '\r', '\n'])
            && self.payload.len() <= MAX_PAYLOAD_BYTES
            && serde_json::from_str::<&RawValue>(&self.payload).is_ok()
    }
}

#[derive(sqlx::FromRow)]
struct Stored {
    #[sqlx(try_from = "Uuid")]
    store_id: StoreId,
    #[sqlx(try_from = "i64")]
    seq: u64,
    #[sqlx(try_from = "Uuid")]
    outbox_id: OutboxId,
    r#type: String,
    payload: String,
    created_at: i64,
    published_at: Option<i64>,
    dead: bool,
}

impl From<Stored> for OutboxRow {
    fn from(row: Stored) -> Self {
        Self {
            store_id: row.store_id,
            seq: row.seq,
            outbox_id: row.outbox_id,
            kind: Cow::Owned(row.r#type),
            payload: row.payload,
            created_at: Time(row.created_at),
            published_at: row.published_at.map(Time),
            dead: row.dead,
        }
    }
}

/// Inserts the events of one command, whose numbers were just taken from the store's row.
///
/// # Errors
/// When the database cannot be reached, or has these numbers already.
pub async fn outbox_insert(tx: &mut Tx, rows: &[OutboxRow]) -> Result<(), DbError> {
    let into = "insert into outbox \
        (store_id, seq, outbox_id, type, payload, created_at, published_at, dead)";
    let values = |row: &OutboxRow| {
        params![
            row.store_id,
            row.seq,
            row.outbox_id,
            row.kind.as_ref(),
            row.payload.as_str(),
            row.created_at,
            row.published_at,
            row.dead,
        ]
    };
    let rows: Vec<_> = rows.iter().map(values).collect();
    tx.insert(into, &rows).await
}

/// The payload itself or, when its JSON is over [`MAX_PAYLOAD_BYTES`], what names the entity
/// so that the screen fetches it.
///
/// A payload without an id, a marker's, is never that large and stays as it is.
#[must_use]
pub fn payload_bounded(payload: String) -> String {
    #[derive(Deserialize)]
    struct Named {
        id: Uuid,
        #[serde(default)]
        version: u64,
    }
    if payload.len() <= MAX_PAYLOAD_BYTES {
        return payload;
    }
    let thin = serde_json::from_str::<Named>(&payload).and_then(|Named { id, version }| {
        serde_json::to_string(&Thin {
            id,
            version,
            fetch: true,
        })
    });
    thin.unwrap_or(payload)
}

/// The events with `after < seq <= upto`, in order, at most `limit` of them.
///
/// # Errors
/// When the database cannot be reached or holds what cannot be read.
pub async fn outbox_between(
    tx: &mut Tx,
    store: StoreId,
    after: u64,
    upto: u64,
    limit: u32,
) -> Result<Vec<OutboxRow>, DbError> {
    let sql = "select store_id, seq, outbox_id, type, payload, created_at, published_at, dead \
        from outbox where store_id = $1 and seq > $2 and seq <= $3 order by seq limit $4";
    let values = params![store, after, upto, limit];
    let rows = tx.fetch_all::<Stored>(sql, values).await?;
    Ok(rows.into_iter().map(OutboxRow::from).collect())
}

/// The number of the oldest event that is kept; `None` when none is.
///
/// # Errors
/// As [`outbox_between`].
pub async fn outbox_first_seq(tx: &mut Tx, store: StoreId) -> Result<Option<u64>, DbError> {
    #[derive(sqlx::FromRow)]
    struct First {
        #[sqlx(try_from = "i64")]
        seq: u64,
    }
    let sql = "select seq from outbox where store_id = $1 order by seq limit 1";
    let row = tx.fetch_optional::<First>(sql, params![store]).await?;
    Ok(row.map(|row| row.seq))
}

/// A store with events that the log does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The store.
    pub store: StoreId,
    /// When the first of them happened.
    pub since: Time,
}

/// The stores that have events which the log does not have. It looks at one row of each,
/// however many wait.
///
/// # Errors
/// As [`outbox_between`].
pub async fn outbox_waiting(tx: &mut Tx) -> Result<Vec<Waiting>, DbError> {
    #[derive(sqlx::FromRow)]
    struct First {
        #[sqlx(try_from = "Uuid")]
        store_id: StoreId,
        since: i64,
    }
    let sql = "select store_id, since from ( \
        select store_id, (select created_at from outbox \
            where outbox.store_id = store_stream.store_id and published_at is null \
            order by seq limit 1) as since \
        from store_stream) as waiting where since is not null";
    let rows = tx.fetch_all::<First>(sql, params![]).await?;
    let waiting = |row: First| Waiting {
        store: row.store_id,
        since: Time(row.since),
    };
    Ok(rows.into_iter().map(waiting).collect())
}

/// The unpublished events of one store, lowest number first, at most `limit`.
///
/// # Errors
/// As [`outbox_between`].
pub async fn outbox_unpublished(
    tx: &mut Tx,
    store: StoreId,
    limit: u32,
) -> Result<Vec<OutboxRow>, DbError> {
    let sql = "select store_id, seq, outbox_id, type, payload, created_at, published_at, dead \
        from outbox where store_id = $1 and published_at is null order by seq limit $2";
    let rows = tx.fetch_all::<Stored>(sql, params![store, limit]).await?;
    Ok(rows.into_iter().map(OutboxRow::from).collect())
}

/// Marks the unpublished events up to `upto` as being in the log.
///
/// # Errors
/// As [`outbox_between`].
pub async fn outbox_published(
    tx: &mut Tx,
    store: StoreId,
    upto: u64,
    at: Time,
) -> Result<u64, DbError> {
    let sql = "update outbox set published_at = $3 \
        where store_id = $1 and seq <= $2 and published_at is null";
    tx.execute(sql, params![store, upto, at]).await
}

/// Marks an event that could never be published: it reads as the marker from here on.
///
/// # Errors
/// As [`outbox_between`].
pub async fn outbox_bury(tx: &mut Tx, store: StoreId, seq: u64) -> Result<(), DbError> {
    let sql = "update outbox set dead = true where store_id = $1 and seq = $2";
    tx.execute(sql, params![store, seq]).await.map(drop)
}

/// Forgets the oldest events of a store that were published before `before`, at most
/// `limit`. It stops at the first event that has to stay, so that history never has a hole.
///
/// # Errors
/// As [`outbox_between`].
pub async fn outbox_expire(
    tx: &mut Tx,
    store: StoreId,
    before: Time,
    limit: u32,
) -> Result<u64, DbError> {
    #[derive(sqlx::FromRow)]
    struct Age {
        seq: i64,
        published_at: Option<i64>,
    }
    let sql = "select seq, published_at from outbox where store_id = $1 order by seq limit $2";
    let oldest = tx.fetch_all::<Age>(sql, params![store, limit]).await?;
    let expired = |row: &&Age| row.published_at.is_some_and(|at| at < before.0);
    let Some(last) = oldest.iter().take_while(expired).last() else {
        return Ok(0);
    };
    let sql = "delete from outbox where store_id = $1 and seq <= $2";
    tx.execute(sql, params![store, last.seq]).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payload_over_the_limit_only_names_its_entity() {
        let id = Uuid::from_u128(7);
        let large = format!(
            r#"{{"id":"{id}","version":3,"note":"{}"}}"#,
            "가".repeat(30_000)
        );
        let thin: serde_json::Value = serde_json::from_str(&payload_bounded(large)).unwrap();
        assert_eq!(
            thin,
            serde_json::json!({ "id": id, "version": 3, "fetch": true })
        );
    }

    #[test]
    fn an_event_is_deliverable_when_it_is_json_on_named_lines_and_not_too_large() {
        let row = |kind: &'static str, payload: &str| OutboxRow {
            store_id: StoreId(Uuid::nil()),
            seq: 1,
            outbox_id: OutboxId(Uuid::nil()),
            kind: Cow::Borrowed(kind),
            payload: payload.to_owned(),
            created_at: Time(0),
            published_at: None,
            dead: false,
        };
        assert!(row("ORDER_CHANGED", r#"{"note":"a\nb"}"#).is_deliverable());
        assert!(!row("ORDER\nCHANGED", "{}").is_deliverable());
        assert!(!row("ORDER_CHANGED", "{").is_deliverable());
        let large = format!("\"{}\"", "a".repeat(MAX_PAYLOAD_BYTES));
        assert!(!row("ORDER_CHANGED", &large).is_deliverable());
        let dead = OutboxRow {
            dead: true,
            ..row("ORDER_CHANGED", "{")
        };
        assert_eq!(dead.told(), (MARKER, UNPUBLISHABLE));
    }

    #[test]
    fn a_payload_within_the_limit_is_untouched() {
        let small = format!(
            r#"{{"id":"{}","note":"{}"}}"#,
            Uuid::nil(),
            "a".repeat(60_000)
        );
        assert_eq!(payload_bounded(small.clone()), small);
    }
}

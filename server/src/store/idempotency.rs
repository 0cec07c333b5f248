//! What a command answered, by actor and key, for 24 h.

use domain::stream::EventId;
use domain::time::Time;
use uuid::Uuid;

use crate::db::{DbError, Tx, params};

/// How long an answer is remembered, in ms.
pub const MEMORY: i64 = 24 * 60 * 60 * 1_000;

/// An answer as it was given first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// Of the command's meaning.
    pub fingerprint: String,
    /// 200, 201, 409 or 422.
    pub status: u16,
    /// The answer's JSON.
    pub body: String,
    /// Its watermark.
    pub watermark: Option<EventId>,
}

#[derive(sqlx::FromRow)]
struct Stored {
    fingerprint: String,
    #[sqlx(try_from = "i64")]
    status: u16,
    body: String,
    watermark: Option<String>,
}

/// The answer this actor got for this key, since `now` − 24 h.
///
/// # Errors
/// When the database cannot be reached.
pub async fn answer_find(
    tx: &mut Tx,
    actor: Uuid,
    key: &str,
    now: Time,
) -> Result<Option<Remembered>, DbError> {
    let sql = "select fingerprint, status, body, watermark from idempotency \
        where actor = $1 and key = $2 and created_at > $3";
    let row = tx
        .fetch_optional::<Stored>(sql, params![actor, key, now.plus(-MEMORY)])
        .await?;
    Ok(row.map(|row| Remembered {
        fingerprint: row.fingerprint,
        status: row.status,
        body: row.body,
        watermark: row.watermark.and_then(|text| text.parse().ok()),
    }))
}

/// Remembers an answer. One that was remembered within 24 h stays.
///
/// # Errors
/// When the database cannot be reached.
pub async fn answer_save(
    tx: &mut Tx,
    actor: Uuid,
    key: &str,
    answer: &Remembered,
    now: Time,
) -> Result<(), DbError> {
    let sql = "insert into idempotency \
        (actor, key, fingerprint, status, body, watermark, created_at) \
        values ($1, $2, $3, $4, $5, $6, $7) on conflict (actor, key) do update set \
        fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body, \
        watermark = excluded.watermark, created_at = excluded.created_at \
        where idempotency.created_at <= $8";
    let values = params![
        actor,
        key,
        answer.fingerprint.as_str(),
        u32::from(answer.status),
        answer.body.as_str(),
        answer.watermark.map(|id| id.to_string()),
        now,
        now.plus(-MEMORY),
    ];
    tx.execute(sql, values).await?;
    Ok(())
}

/// What `from` was answered, `to` is answered too: guests keep their keys when their parties
/// are joined or part.
///
/// # Errors
/// When the database cannot be reached.
pub async fn answers_copy(tx: &mut Tx, from: Uuid, to: Uuid) -> Result<(), DbError> {
    let sql = "insert into idempotency \
        (actor, key, fingerprint, status, body, watermark, created_at) \
        select $2, key, fingerprint, status, body, watermark, created_at from idempotency \
        where actor = $1 on conflict (actor, key) do nothing";
    tx.execute(sql, params![from, to]).await?;
    Ok(())
}

/// Forgets answers older than 24 h, at most `limit`.
///
/// # Errors
/// When the database cannot be reached.
pub async fn answer_expire(tx: &mut Tx, now: Time, limit: u32) -> Result<u64, DbError> {
    // Asked again of each row: its key may have been used anew since it was chosen.
    let sql = "delete from idempotency where created_at <= $1 and (actor, key) in \
        (select actor, key from idempotency where created_at <= $1 limit $2)";
    tx.execute(sql, params![now.plus(-MEMORY), limit]).await
}

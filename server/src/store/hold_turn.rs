//! The transitions of holds: each is one guarded update whose row count decides who made it.

use domain::id::{OrderId, ReservationId};
use domain::time::Time;

use crate::db::{DbError, Tx, params};

/// Takes an overdue hold for sweeping; `false`: somebody else has it, or it is not overdue.
///
/// # Errors
/// When the database cannot be reached.
pub async fn hold_claim(tx: &mut Tx, rid: ReservationId, now: Time) -> Result<bool, DbError> {
    // With several sweepers the row is locked, and one that another has is skipped.
    let sql = match tx {
        Tx::Sqlite(_) => {
            "select id from hold where id = $1 and status in ('pending', 'held') \
             and expires_at <= $2"
        }
        Tx::Postgres(_) => {
            "select id from hold where id = $1 and status in ('pending', 'held') \
             and expires_at <= $2 for update skip locked"
        }
    };
    let row = tx.fetch_optional::<()>(sql, params![rid, now]).await?;
    Ok(row.is_some())
}

/// In time: its units are sold.
///
/// # Errors
/// When the database cannot be reached.
pub async fn hold_confirm(
    tx: &mut Tx,
    rid: ReservationId,
    order: Option<OrderId>,
    now: Time,
) -> Result<bool, DbError> {
    let sql = "update hold set status = 'confirmed', closed_at = $3, \
        order_id = coalesce($2, order_id) \
        where id = $1 and status = 'held' and expires_at > $3";
    Ok(tx.execute(sql, params![rid, order, now]).await? == 1)
}

/// Past its time, its units taken afresh. One that waited for a worker until then never had any.
///
/// # Errors
/// When the database cannot be reached.
pub async fn hold_confirm_late(
    tx: &mut Tx,
    rid: ReservationId,
    order: Option<OrderId>,
    now: Time,
) -> Result<bool, DbError> {
    let sql = "update hold set status = 'confirmed', reason = 'late', closed_at = $3, \
        order_id = coalesce($2, order_id) where id = $1 and status = 'expired' \
        and (reason is null or reason <> 'pending')";
    Ok(tx.execute(sql, params![rid, order, now]).await? == 1)
}

/// Its time is over. `pending` is the reason of one that no worker has been at.
///
/// # Errors
/// When the database cannot be reached.
pub async fn hold_expire(tx: &mut Tx, rid: ReservationId, now: Time) -> Result<bool, DbError> {
    let sql = "update hold set status = 'expired', closed_at = $2, \
        reason = case status when 'pending' then 'pending' else reason end \
        where id = $1 and status in ('pending', 'held') and expires_at <= $2";
    Ok(tx.execute(sql, params![rid, now]).await? == 1)
}

/// It is given back.
///
/// # Errors
/// When the database cannot be reached.
pub async fn hold_release(
    tx: &mut Tx,
    rid: ReservationId,
    reason: &str,
    now: Time,
) -> Result<bool, DbError> {
    let sql = "update hold set status = 'released', reason = $2, closed_at = $3 \
        where id = $1 and status in ('pending', 'held')";
    Ok(tx.execute(sql, params![rid, reason, now]).await? == 1)
}

/// Its one extension; the new end.
///
/// # Errors
/// When the database cannot be reached.
pub async fn hold_extend(
    tx: &mut Tx,
    rid: ReservationId,
    now: Time,
) -> Result<Option<Time>, DbError> {
    let sql = "update hold set expires_at = max_until where id = $1 and status = 'held' \
        and expires_at > $2 and expires_at < max_until returning expires_at";
    let row = tx.fetch_optional::<(i64,)>(sql, params![rid, now]).await?;
    Ok(row.map(|(expires_at,)| Time(expires_at)))
}

/// It becomes an order's, which no cart finds again.
///
/// # Errors
/// When the database cannot be reached.
pub async fn hold_adopt(
    tx: &mut Tx,
    rid: ReservationId,
    order: OrderId,
    now: Time,
) -> Result<bool, DbError> {
    let sql = "update hold set order_id = $2, signature = null where id = $1 \
        and status = 'held' and expires_at > $3 and order_id is null";
    Ok(tx.execute(sql, params![rid, order, now]).await? == 1)
}

/// Its lines are about to change, in time.
///
/// # Errors
/// When the database cannot be reached.
pub async fn hold_grow(tx: &mut Tx, rid: ReservationId, now: Time) -> Result<bool, DbError> {
    let sql = "update hold set signature = null where id = $1 and status = 'held' \
        and expires_at > $2";
    Ok(tx.execute(sql, params![rid, now]).await? == 1)
}

/// Some of its lines are about to leave it.
///
/// # Errors
/// When the database cannot be reached.
pub async fn hold_shrink(tx: &mut Tx, rid: ReservationId) -> Result<bool, DbError> {
    let sql = "update hold set signature = null where id = $1 and status = 'held'";
    Ok(tx.execute(sql, params![rid]).await? == 1)
}

/// A worker has found room for it, in time.
///
/// # Errors
/// When the database cannot be reached.
pub async fn hold_start(tx: &mut Tx, rid: ReservationId, now: Time) -> Result<bool, DbError> {
    let sql = "update hold set status = 'held' where id = $1 and status = 'pending' \
        and expires_at > $2";
    Ok(tx.execute(sql, params![rid, now]).await? == 1)
}

/// A worker has found it short.
///
/// # Errors
/// When the database cannot be reached.
pub async fn hold_reject(
    tx: &mut Tx,
    rid: ReservationId,
    reason: &str,
    shorts: &str,
    now: Time,
) -> Result<bool, DbError> {
    let sql = "update hold set status = 'rejected', reason = $2, shorts = $3, closed_at = $4 \
        where id = $1 and status = 'pending' and expires_at > $4";
    Ok(tx.execute(sql, params![rid, reason, shorts, now]).await? == 1)
}

/// Forgets holds that ended before `before`, at most `limit`.
///
/// # Errors
/// When the database cannot be reached.
pub async fn holds_forget(tx: &mut Tx, before: Time, limit: u32) -> Result<u64, DbError> {
    let sql = "delete from hold where id in \
        (select id from hold where closed_at < $1 order by closed_at limit $2)";
    tx.execute(sql, params![before, limit]).await
}

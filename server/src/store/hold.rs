//! Holds as they are kept.

use domain::id::{OrderId, PartyId, ReservationId, StockId, StoreId};
use domain::stock::{HoldStatus, Life};
use domain::time::Time;
use uuid::Uuid;

use crate::db::{DbError, Tx, Value, params};

/// A hold as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Its id.
    pub rid: ReservationId,
    /// Whose it is.
    pub owner: String,
    /// The cart it was made for.
    pub actor: String,
    /// Shown to managers.
    pub holder: String,
    /// What it holds, to be adopted by.
    pub content: String,
    /// The same while its cart may find it again by it.
    pub signature: Option<String>,
    /// Where it stands.
    pub status: HoldStatus,
    /// Why it ended.
    pub reason: Option<String>,
    /// The order it is for.
    pub order_id: Option<OrderId>,
    /// Since when.
    pub created_at: Time,
    /// Until when.
    pub life: Life,
    /// Why a worker rejected it, as JSON.
    pub shorts: Option<String>,
}

#[derive(sqlx::FromRow)]
struct Stored {
    id: Uuid,
    owner: String,
    actor: String,
    holder: String,
    content: String,
    signature: Option<String>,
    status: String,
    reason: Option<String>,
    order_id: Option<Uuid>,
    created_at: i64,
    started_at: i64,
    expires_at: i64,
    max_until: i64,
    shorts: Option<String>,
}

impl TryFrom<Stored> for Held {
    type Error = DbError;

    fn try_from(row: Stored) -> Result<Self, DbError> {
        let status = HoldStatus::parse(&row.status);
        let unknown = || DbError::Decode(sqlx::Error::Decode("no such status of a hold".into()));
        Ok(Self {
            rid: ReservationId(row.id),
            owner: row.owner,
            actor: row.actor,
            holder: row.holder,
            content: row.content,
            signature: row.signature,
            status: status.ok_or_else(unknown)?,
            reason: row.reason,
            order_id: row.order_id.map(OrderId),
            created_at: Time(row.created_at),
            life: Life {
                started_at: Time(row.started_at),
                expires_at: Time(row.expires_at),
                max_until: Time(row.max_until),
            },
            shorts: row.shorts,
        })
    }
}

async fn held_one(
    tx: &mut Tx,
    sql: &'static str,
    values: &[Value],
) -> Result<Option<Held>, DbError> {
    let row = tx.fetch_optional::<Stored>(sql, values).await?;
    row.map(Held::try_from).transpose()
}

async fn held_all(tx: &mut Tx, sql: &'static str, values: &[Value]) -> Result<Vec<Held>, DbError> {
    let rows = tx.fetch_all::<Stored>(sql, values).await?;
    rows.into_iter().map(Held::try_from).collect()
}

/// Writes a new hold.
///
/// # Errors
/// When the database cannot be reached; another open one of the same cart and content is the
/// constraint `hold_store_id_actor_signature_key`.
pub async fn hold_insert(tx: &mut Tx, store: StoreId, hold: &Held) -> Result<(), DbError> {
    let sql = "insert into hold (id, store_id, owner, actor, holder, content, signature, status, \
        reason, order_id, created_at, started_at, expires_at, max_until, closed_at) \
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)";
    let closed = match hold.status {
        HoldStatus::Pending | HoldStatus::Held => None,
        HoldStatus::Confirmed
        | HoldStatus::Released
        | HoldStatus::Expired
        | HoldStatus::Rejected => Some(hold.created_at),
    };
    let values = params![
        hold.rid,
        store,
        hold.owner.as_str(),
        hold.actor.as_str(),
        hold.holder.as_str(),
        hold.content.as_str(),
        hold.signature.clone(),
        hold.status.name(),
        hold.reason.clone(),
        hold.order_id,
        hold.created_at,
        hold.life.started_at,
        hold.life.expires_at,
        hold.life.max_until,
        closed,
    ];
    tx.execute(sql, values).await?;
    Ok(())
}

/// The hold, if this store has it.
///
/// # Errors
/// When the database cannot be reached.
pub async fn hold_find(
    tx: &mut Tx,
    store: StoreId,
    rid: ReservationId,
) -> Result<Option<Held>, DbError> {
    let sql = "select id, owner, actor, holder, content, signature, status, reason, order_id, \
        created_at, started_at, expires_at, max_until, shorts from hold \
        where store_id = $1 and id = $2";
    held_one(tx, sql, &params![store, rid]).await
}

/// The open hold of a cart with this content signature.
///
/// # Errors
/// When the database cannot be reached.
pub async fn hold_by_signature(
    tx: &mut Tx,
    store: StoreId,
    actor: &str,
    signature: &str,
) -> Result<Option<Held>, DbError> {
    let sql = "select id, owner, actor, holder, content, signature, status, reason, order_id, \
        created_at, started_at, expires_at, max_until, shorts from hold \
        where store_id = $1 and actor = $2 and signature = $3 and status in ('pending', 'held')";
    held_one(tx, sql, &params![store, actor, signature]).await
}

/// The holds of that status, the latest first.
///
/// # Errors
/// When the database cannot be reached.
pub async fn holds_of_status(
    tx: &mut Tx,
    store: StoreId,
    status: HoldStatus,
    limit: u32,
) -> Result<Vec<Held>, DbError> {
    let sql = "select id, owner, actor, holder, content, signature, status, reason, order_id, \
        created_at, started_at, expires_at, max_until, shorts from hold \
        where store_id = $1 and status = $2 order by created_at desc, id limit $3";
    held_all(tx, sql, &params![store, status.name(), limit]).await
}

/// The open holds that have units of this row, the first to end first.
///
/// # Errors
/// When the database cannot be reached.
pub async fn holds_of_stock(
    tx: &mut Tx,
    store: StoreId,
    stock: StockId,
    limit: u32,
) -> Result<Vec<Held>, DbError> {
    let sql = "select id, owner, actor, holder, content, signature, status, reason, order_id, \
        created_at, started_at, expires_at, max_until, shorts from hold \
        where store_id = $1 and status = 'held' and id in \
        (select rid from hold_line where stock_id = $2 and status = 'held') \
        order by expires_at, id limit $3";
    held_all(tx, sql, &params![store, stock, limit]).await
}

/// The open holds of the carts of a party's phones.
///
/// # Errors
/// When the database cannot be reached.
pub async fn holds_of_party(
    tx: &mut Tx,
    store: StoreId,
    party: PartyId,
) -> Result<Vec<Held>, DbError> {
    let sql = "select id, owner, actor, holder, content, signature, status, reason, order_id, \
        created_at, started_at, expires_at, max_until, shorts from hold \
        where store_id = $1 and status in ('pending', 'held') and order_id is null \
        and owner in (select 'phone/' || token_hash from guest_token where party_id = $2) \
        order by id";
    held_all(tx, sql, &params![store, party]).await
}

/// Open holds that are past their time, with their stores, the longest overdue first.
///
/// # Errors
/// When the database cannot be reached.
pub async fn holds_due(
    tx: &mut Tx,
    now: Time,
    limit: u32,
) -> Result<Vec<(StoreId, ReservationId)>, DbError> {
    #[derive(sqlx::FromRow)]
    struct Due {
        store_id: Uuid,
        id: Uuid,
    }
    let sql = "select store_id, id from hold where status in ('pending', 'held') \
        and expires_at <= $1 order by expires_at, id limit $2";
    let rows = tx.fetch_all::<Due>(sql, params![now, limit]).await?;
    let pair = |row: Due| (StoreId(row.store_id), ReservationId(row.id));
    Ok(rows.into_iter().map(pair).collect())
}

/// Whether the store has open holds that are past their time.
///
/// # Errors
/// When the database cannot be reached.
pub async fn holds_overdue(tx: &mut Tx, store: StoreId, now: Time) -> Result<bool, DbError> {
    let sql = "select id from hold where store_id = $1 and status in ('pending', 'held') \
        and expires_at <= $2 limit 1";
    let row = tx.fetch_optional::<()>(sql, params![store, now]).await?;
    Ok(row.is_some())
}

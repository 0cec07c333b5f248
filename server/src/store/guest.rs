//! Guests: the tokens of phones at tables, their stream tickets, and when they last called.

use domain::floor::Table;
use domain::id::{PartyId, StoreId, TableId};
use domain::time::Time;
use uuid::Uuid;

use super::doc::Doc;
use crate::db::{DbError, Tx, params};

/// Phones of a party that are remembered; one more, and the oldest has to scan again.
const PHONES: u32 = 100;
/// A party's last call is remembered for this long, in ms: longer than any cooldown.
const PRESSES: i64 = 60 * 60 * 1_000;

/// A token's place in the house.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct TokenRow {
    /// The store it is good for.
    #[sqlx(try_from = "Uuid")]
    pub store_id: StoreId,
    /// The party it belongs to.
    #[sqlx(try_from = "Uuid")]
    pub party_id: PartyId,
    /// Whose code was scanned, or where the party has moved to since.
    #[sqlx(try_from = "Uuid")]
    pub table_id: TableId,
    /// When the party left.
    pub closed_at: Option<i64>,
}

/// The table of that code, of whichever store.
///
/// # Errors
/// When the database cannot be reached.
pub async fn table_by_code(tx: &mut Tx, code: &str) -> Result<Option<(StoreId, Table)>, DbError> {
    #[derive(sqlx::FromRow)]
    struct Found {
        #[sqlx(try_from = "Uuid")]
        store_id: StoreId,
        doc: String,
    }
    let sql = "select store_id, doc from dining_table where code = $1";
    let Some(found) = tx.fetch_optional::<Found>(sql, params![code]).await? else {
        return Ok(None);
    };
    let table = Doc { doc: found.doc }.read()?;
    Ok(Some((found.store_id, table)))
}

/// Keeps the hash of a new token; of too many phones of one party the oldest goes.
///
/// # Errors
/// When the database cannot be reached.
pub async fn token_insert(
    tx: &mut Tx,
    hash: &str,
    store: StoreId,
    (party, table): (PartyId, TableId),
    now: Time,
) -> Result<(), DbError> {
    let sql = "insert into guest_token (token_hash, store_id, party_id, table_id, created_at) \
        values ($1, $2, $3, $4, $5)";
    tx.execute(sql, params![hash, store, party, table, now])
        .await?;
    let sql = "delete from guest_token where party_id = $1 and token_hash not in \
        (select token_hash from guest_token where party_id = $1 \
        order by created_at desc, token_hash limit $2)";
    tx.execute(sql, params![party, PHONES]).await?;
    Ok(())
}

/// Where the token belongs; `None` for one that never was, or is forgotten.
///
/// # Errors
/// When the database cannot be reached.
pub async fn token_find(tx: &mut Tx, hash: &str) -> Result<Option<TokenRow>, DbError> {
    let sql = "select guest_token.store_id, guest_token.party_id, guest_token.table_id, \
        party.closed_at from guest_token join party on party.id = guest_token.party_id \
        where token_hash = $1";
    tx.fetch_optional(sql, params![hash]).await
}

/// The phones of `from` go with `to`: only those that scanned `table`, if one is named.
///
/// # Errors
/// When the database cannot be reached.
pub async fn token_follow(
    tx: &mut Tx,
    from: PartyId,
    to: PartyId,
    table: Option<TableId>,
) -> Result<(), DbError> {
    let sql = "update guest_token set party_id = $2 \
        where party_id = $1 and table_id = coalesce($3, table_id)";
    tx.execute(sql, params![from, to, table]).await?;
    Ok(())
}

/// The phones of the party count as having scanned `table`.
///
/// # Errors
/// When the database cannot be reached.
pub async fn token_move(tx: &mut Tx, party: PartyId, table: TableId) -> Result<(), DbError> {
    let sql = "update guest_token set table_id = $2 where party_id = $1";
    tx.execute(sql, params![party, table]).await?;
    Ok(())
}

/// The ids of the party's orders, and of its calls that are not done.
///
/// # Errors
/// When the database cannot be reached.
pub async fn party_entities(tx: &mut Tx, party: PartyId) -> Result<Vec<Uuid>, DbError> {
    #[derive(sqlx::FromRow)]
    struct Entity {
        id: Uuid,
    }
    let sql = "select id from orders where party_id = $1 union all \
        select id from guest_call where party_id = $1 and state <> 'done'";
    let rows = tx.fetch_all::<Entity>(sql, params![party]).await?;
    Ok(rows.into_iter().map(|row| row.id).collect())
}

/// Forgets tokens of parties that left before `before`, and calls of long ago; at most `limit`
/// of each.
///
/// # Errors
/// When the database cannot be reached.
pub async fn guest_expire(
    tx: &mut Tx,
    before: Time,
    now: Time,
    limit: u32,
) -> Result<u64, DbError> {
    let sql = "delete from guest_token where token_hash in \
        (select token_hash from guest_token join party on party.id = guest_token.party_id \
        where party.closed_at <= $1 limit $2)";
    let tokens = tx.execute(sql, params![before, limit]).await?;
    // Asked again of each row: they may have called again since it was chosen.
    let sql = "delete from guest_press where pressed_at <= $1 and (party_id, reason) in \
        (select party_id, reason from guest_press where pressed_at <= $1 limit $2)";
    let presses = tx.execute(sql, params![now.plus(-PRESSES), limit]).await?;
    let sql = "delete from guest_ticket where ticket_hash in \
        (select ticket_hash from guest_ticket where expires_at <= $1 limit $2)";
    let tickets = tx.execute(sql, params![now, limit]).await?;
    Ok(tokens.max(presses).max(tickets))
}

/// Keeps the hash of a new stream ticket until `expires_at`.
///
/// # Errors
/// When the database cannot be reached; a token that is gone is the constraint `foreign_key`.
pub async fn guest_ticket_insert(
    tx: &mut Tx,
    hash: &str,
    token_hash: &str,
    expires_at: Time,
) -> Result<(), DbError> {
    let sql = "insert into guest_ticket (ticket_hash, token_hash, expires_at) values ($1, $2, $3)";
    tx.execute(sql, params![hash, token_hash, expires_at])
        .await?;
    Ok(())
}

/// Whether there is such a ticket: only then is it worth a write to take it.
///
/// # Errors
/// When the database cannot be reached.
pub async fn guest_ticket_exists(tx: &mut Tx, hash: &str) -> Result<bool, DbError> {
    let sql = "select ticket_hash from guest_ticket where ticket_hash = $1";
    let found = tx.fetch_optional::<()>(sql, params![hash]).await?;
    Ok(found.is_some())
}

/// Takes a ticket for good and answers the hash of its token; `None` when there is no such
/// ticket, or it has expired.
///
/// # Errors
/// When the database cannot be reached.
pub async fn guest_ticket_take(
    tx: &mut Tx,
    hash: &str,
    now: Time,
) -> Result<Option<String>, DbError> {
    #[derive(sqlx::FromRow)]
    struct Taken {
        token_hash: String,
    }
    let sql = "delete from guest_ticket where ticket_hash = $1 and expires_at > $2 \
        returning token_hash";
    let taken = tx.fetch_optional::<Taken>(sql, params![hash, now]).await?;
    Ok(taken.map(|row| row.token_hash))
}

/// When the party last called for this.
///
/// # Errors
/// When the database cannot be reached.
pub async fn press_find(
    tx: &mut Tx,
    party: PartyId,
    reason: &'static str,
) -> Result<Option<Time>, DbError> {
    #[derive(sqlx::FromRow)]
    struct Pressed {
        pressed_at: i64,
    }
    let sql = "select pressed_at from guest_press where party_id = $1 and reason = $2";
    let row = tx
        .fetch_optional::<Pressed>(sql, params![party, reason])
        .await?;
    Ok(row.map(|row| Time(row.pressed_at)))
}

/// The party calls for this.
///
/// # Errors
/// When the database cannot be reached.
pub async fn press_save(
    tx: &mut Tx,
    party: PartyId,
    reason: &'static str,
    now: Time,
) -> Result<(), DbError> {
    let sql = "insert into guest_press (party_id, reason, pressed_at) values ($1, $2, $3) \
        on conflict (party_id, reason) do update set pressed_at = excluded.pressed_at";
    tx.execute(sql, params![party, reason, now]).await?;
    Ok(())
}

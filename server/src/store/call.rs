//! Guests' calls.

use domain::call::Call;
use domain::id::{CallId, PartyId, StoreId};

use super::doc::{Doc, read_all, unread, write};
use crate::db::{DbError, Tx, params};

/// Writes a call, and answers its document.
///
/// # Errors
/// When the database cannot be reached.
pub async fn call_save(tx: &mut Tx, store: StoreId, call: &Call) -> Result<String, DbError> {
    let sql = "insert into guest_call \
        (id, store_id, table_id, party_id, state, requested_at, version, doc) \
        values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (id) do update set \
        table_id = excluded.table_id, party_id = excluded.party_id, state = excluded.state, \
        version = excluded.version, doc = excluded.doc";
    let doc = write(call)?;
    let values = params![
        call.id,
        store,
        call.table_id,
        call.party_id,
        call.state.name(),
        call.requested_at,
        call.version,
        doc.as_str(),
    ];
    tx.execute(sql, values).await?;
    Ok(doc)
}

/// A call, if this store has it.
///
/// # Errors
/// When the database cannot be reached.
pub async fn call_find(tx: &mut Tx, store: StoreId, id: CallId) -> Result<Option<Call>, DbError> {
    let sql = "select doc from guest_call where store_id = $1 and id = $2";
    let row = tx.fetch_optional::<Doc>(sql, params![store, id]).await?;
    row.map(|row| row.read()).transpose()
}

/// The open calls of a party, oldest first.
///
/// # Errors
/// When the database cannot be reached.
pub async fn calls_open_of_party(
    tx: &mut Tx,
    store: StoreId,
    party: PartyId,
) -> Result<Vec<Call>, DbError> {
    let sql = "select doc from guest_call where store_id = $1 and party_id = $2 \
        and state <> 'done' order by requested_at, id";
    read_all(&tx.fetch_all::<Doc>(sql, params![store, party]).await?)
}

/// The documents of the open calls, unread, oldest first.
///
/// # Errors
/// When the database cannot be reached.
pub async fn call_docs(tx: &mut Tx, store: StoreId) -> Result<Vec<String>, DbError> {
    let sql = "select doc from guest_call where store_id = $1 and state <> 'done' \
        order by requested_at, id";
    Ok(unread(tx.fetch_all::<Doc>(sql, params![store]).await?))
}

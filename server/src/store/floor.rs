//! Zones, tables and parties.

use std::collections::BTreeMap;

use domain::floor::{Table, Zone};
use domain::id::{PartyId, StoreId, TableId, ZoneId};
use domain::text::LocalText;
use domain::time::Time;

use super::doc::{Doc, read_all, unread, write};
use crate::db::{DbError, Tx, params};

/// Writes a zone.
///
/// # Errors
/// When the database cannot be reached.
pub async fn zone_save(tx: &mut Tx, store: StoreId, zone: &Zone) -> Result<(), DbError> {
    let sql = "insert into zone (id, store_id, sort, doc) values ($1, $2, $3, $4) \
        on conflict (id) do update set sort = excluded.sort, doc = excluded.doc";
    tx.execute(sql, params![zone.id, store, zone.sort, write(zone)?])
        .await?;
    Ok(())
}

/// The documents of the zones, unread, in their place.
///
/// # Errors
/// When the database cannot be reached.
pub async fn zone_docs(tx: &mut Tx, store: StoreId) -> Result<Vec<String>, DbError> {
    let sql = "select doc from zone where store_id = $1 order by sort, id";
    Ok(unread(tx.fetch_all::<Doc>(sql, params![store]).await?))
}

/// The names of the zones.
///
/// # Errors
/// When the database cannot be reached.
pub async fn zone_names(
    tx: &mut Tx,
    store: StoreId,
) -> Result<BTreeMap<ZoneId, LocalText>, DbError> {
    let sql = "select doc from zone where store_id = $1";
    let zones: Vec<Zone> = read_all(&tx.fetch_all::<Doc>(sql, params![store]).await?)?;
    Ok(zones.into_iter().map(|zone| (zone.id, zone.name)).collect())
}

/// Writes a table, and answers its document.
///
/// # Errors
/// When the database cannot be reached; a code that another table has is the constraint
/// `dining_table_code_key`.
pub async fn table_save(tx: &mut Tx, store: StoreId, table: &Table) -> Result<String, DbError> {
    let sql = "insert into dining_table (id, store_id, code, sort, party_id, version, doc) \
        values ($1, $2, $3, $4, $5, $6, $7) on conflict (id) do update set \
        code = excluded.code, sort = excluded.sort, party_id = excluded.party_id, \
        version = excluded.version, doc = excluded.doc";
    let doc = write(table)?;
    let party = table.party.as_ref().map(|party| party.id);
    let (code, sort, version) = (table.code.as_str(), table.sort, table.version);
    tx.execute(
        sql,
        params![table.id, store, code, sort, party, version, doc.as_str()],
    )
    .await?;
    Ok(doc)
}

/// Every table of the store, in its place on the floor.
///
/// # Errors
/// When the database cannot be reached.
pub async fn tables(tx: &mut Tx, store: StoreId) -> Result<Vec<Table>, DbError> {
    let sql = "select doc from dining_table where store_id = $1 order by sort, id";
    read_all(&tx.fetch_all::<Doc>(sql, params![store]).await?)
}

/// The documents of the tables, unread, in their place.
///
/// # Errors
/// When the database cannot be reached.
pub async fn table_docs(tx: &mut Tx, store: StoreId) -> Result<Vec<String>, DbError> {
    let sql = "select doc from dining_table where store_id = $1 order by sort, id";
    Ok(unread(tx.fetch_all::<Doc>(sql, params![store]).await?))
}

/// The document of one table.
///
/// # Errors
/// When the database cannot be reached.
pub async fn table_doc(
    tx: &mut Tx,
    store: StoreId,
    id: TableId,
) -> Result<Option<String>, DbError> {
    let sql = "select doc from dining_table where store_id = $1 and id = $2";
    let row = tx.fetch_optional::<Doc>(sql, params![store, id]).await?;
    Ok(row.map(|row| row.doc))
}

/// A party sits down.
///
/// # Errors
/// When the database cannot be reached.
pub async fn party_insert(tx: &mut Tx, store: StoreId, id: PartyId) -> Result<(), DbError> {
    let sql = "insert into party (id, store_id) values ($1, $2)";
    tx.execute(sql, params![id, store]).await?;
    Ok(())
}

/// A party has left.
///
/// # Errors
/// When the database cannot be reached.
pub async fn party_close(
    tx: &mut Tx,
    store: StoreId,
    id: PartyId,
    now: Time,
) -> Result<(), DbError> {
    let sql = "update party set closed_at = $3 \
        where store_id = $1 and id = $2 and closed_at is null";
    tx.execute(sql, params![store, id, now]).await?;
    Ok(())
}

/// Whether the party still sits there; `None` for one the store never had.
///
/// # Errors
/// When the database cannot be reached.
pub async fn party_open(tx: &mut Tx, store: StoreId, id: PartyId) -> Result<Option<bool>, DbError> {
    #[derive(sqlx::FromRow)]
    struct Closed {
        closed_at: Option<i64>,
    }
    let sql = "select closed_at from party where store_id = $1 and id = $2";
    let row = tx.fetch_optional::<Closed>(sql, params![store, id]).await?;
    Ok(row.map(|row| row.closed_at.is_none()))
}

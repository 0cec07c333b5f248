//! Categories, menu items, stock rows.

use std::collections::{BTreeMap, BTreeSet};

use domain::id::{MenuId, StockId, StoreId};
use domain::menu::{Category, MenuItem};
use domain::stock::Stock;

use super::doc::{Doc, read_all, unread, write};
use crate::db::{DbError, Tx, Value, params};

/// Items asked for with one statement.
const TOGETHER: usize = 8;

/// Writes a category.
///
/// # Errors
/// When the database cannot be reached.
pub async fn category_save(
    tx: &mut Tx,
    store: StoreId,
    category: &Category,
) -> Result<(), DbError> {
    let sql = "insert into category (id, store_id, sort, doc) values ($1, $2, $3, $4) \
        on conflict (id) do update set sort = excluded.sort, doc = excluded.doc";
    tx.execute(
        sql,
        params![category.id, store, category.sort, write(category)?],
    )
    .await?;
    Ok(())
}

/// The categories, in their place.
///
/// # Errors
/// When the database cannot be reached.
pub async fn categories(tx: &mut Tx, store: StoreId) -> Result<Vec<Category>, DbError> {
    let sql = "select doc from category where store_id = $1 order by sort, id";
    read_all(&tx.fetch_all::<Doc>(sql, params![store]).await?)
}

/// The documents of the categories, unread.
///
/// # Errors
/// When the database cannot be reached.
pub async fn category_docs(tx: &mut Tx, store: StoreId) -> Result<Vec<String>, DbError> {
    let sql = "select doc from category where store_id = $1 order by sort, id";
    Ok(unread(tx.fetch_all::<Doc>(sql, params![store]).await?))
}

/// Writes an item, and answers its document.
///
/// # Errors
/// When the database cannot be reached; a code that another item has is the constraint
/// `menu_item_store_id_code_key`.
pub async fn item_save(tx: &mut Tx, store: StoreId, item: &MenuItem) -> Result<String, DbError> {
    let sql = "insert into menu_item (id, store_id, code, sort, version, doc) \
        values ($1, $2, $3, $4, $5, $6) on conflict (id) do update set \
        code = excluded.code, sort = excluded.sort, version = excluded.version, \
        doc = excluded.doc";
    let doc = write(item)?;
    let (code, sort, version) = (item.code.as_str(), item.sort, item.version);
    tx.execute(
        sql,
        params![item.id, store, code, sort, version, doc.as_str()],
    )
    .await?;
    Ok(doc)
}

/// An item, if this store has it.
///
/// # Errors
/// When the database cannot be reached.
pub async fn item_find(
    tx: &mut Tx,
    store: StoreId,
    id: MenuId,
) -> Result<Option<MenuItem>, DbError> {
    let sql = "select doc from menu_item where store_id = $1 and id = $2";
    let row = tx.fetch_optional::<Doc>(sql, params![store, id]).await?;
    row.map(|row| row.read()).transpose()
}

/// Those of `ids` that this store has.
///
/// # Errors
/// When the database cannot be reached.
pub async fn items_find(
    tx: &mut Tx,
    store: StoreId,
    ids: impl IntoIterator<Item = MenuId> + Send,
) -> Result<BTreeMap<MenuId, MenuItem>, DbError> {
    let sql = "select doc from menu_item \
        where store_id = $1 and id in ($2, $3, $4, $5, $6, $7, $8, $9)";
    let ids: BTreeSet<MenuId> = ids.into_iter().collect();
    let ids: Vec<MenuId> = ids.into_iter().collect();
    let mut found = BTreeMap::new();
    for ids in ids.chunks(TOGETHER) {
        // One statement for any number: fewer are asked for again.
        let places = ids.iter().cycle().take(TOGETHER);
        let mut values = vec![Value::from(store)];
        values.extend(places.map(|id| Value::from(*id)));
        for doc in tx.fetch_all::<Doc>(sql, values).await? {
            let item: MenuItem = doc.read()?;
            found.insert(item.id, item);
        }
    }
    Ok(found)
}

/// Every item of the store.
///
/// # Errors
/// When the database cannot be reached.
pub async fn items(tx: &mut Tx, store: StoreId) -> Result<Vec<MenuItem>, DbError> {
    let sql = "select doc from menu_item where store_id = $1 order by sort, id";
    read_all(&tx.fetch_all::<Doc>(sql, params![store]).await?)
}

/// The documents of the items, unread.
///
/// # Errors
/// When the database cannot be reached.
pub async fn item_docs(tx: &mut Tx, store: StoreId) -> Result<Vec<String>, DbError> {
    let sql = "select doc from menu_item where store_id = $1 order by sort, id";
    Ok(unread(tx.fetch_all::<Doc>(sql, params![store]).await?))
}

/// The document of one item.
///
/// # Errors
/// When the database cannot be reached.
pub async fn item_doc(tx: &mut Tx, store: StoreId, id: MenuId) -> Result<Option<String>, DbError> {
    let sql = "select doc from menu_item where store_id = $1 and id = $2";
    Ok(tx
        .fetch_optional::<Doc>(sql, params![store, id])
        .await?
        .map(|row| row.doc))
}

/// Every stock row of the store that is on the books.
///
/// # Errors
/// When the database cannot be reached.
pub async fn stock(tx: &mut Tx, store: StoreId) -> Result<Vec<Stock>, DbError> {
    let sql = "select doc from stock where store_id = $1 and deleted_at is null order by id";
    read_all(&tx.fetch_all::<Doc>(sql, params![store]).await?)
}

/// The documents of the stock rows, unread.
///
/// # Errors
/// When the database cannot be reached.
pub async fn stock_docs(tx: &mut Tx, store: StoreId) -> Result<Vec<String>, DbError> {
    let sql = "select doc from stock where store_id = $1 and deleted_at is null order by id";
    Ok(unread(tx.fetch_all::<Doc>(sql, params![store]).await?))
}

/// The document of one stock row.
///
/// # Errors
/// When the database cannot be reached.
pub async fn stock_doc(
    tx: &mut Tx,
    store: StoreId,
    id: StockId,
) -> Result<Option<String>, DbError> {
    let sql = "select doc from stock where store_id = $1 and id = $2 and deleted_at is null";
    Ok(tx
        .fetch_optional::<Doc>(sql, params![store, id])
        .await?
        .map(|row| row.doc))
}

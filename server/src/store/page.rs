//! What a page must know before anybody is signed in.

use crate::db::{DbError, Tx, params};

/// The settings of the store of that code, JSON; `None` without such a store.
///
/// # Errors
///
/// When the database cannot be reached.
pub async fn page_store(tx: &mut Tx, store_code: &str) -> Result<Option<String>, DbError> {
    let sql = "select doc from store where code = $1";
    let row = tx
        .fetch_optional::<(String,)>(sql, params![store_code])
        .await?;
    Ok(row.map(|(doc,)| doc))
}

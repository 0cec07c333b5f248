//! The commands beside `serve`: each opens the database, calls one service, prints, ends.

use std::path::PathBuf;

use domain::money::{Currency, NotACurrency};
use domain::text::Language;
use serde::Serialize;

use crate::clock::Clock;
use crate::config::{ConfigError, Database, Engine, Import, StoreAdd};
use crate::db::{Db, DbError};
use crate::service::demo;
use crate::service::import::{ImportError, import_menu};
use crate::service::opening::{NewMember, OpeningError, PlainStore, open_store};
use crate::service::stock;
use crate::store::stuck::outbox_stuck;

/// Why a command did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The settings do not fit.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The currency is none.
    #[error(transparent)]
    Currency(#[from] NotACurrency),
    /// The language is none of the screens'.
    #[error("`{0}` is not a language of the screens: ko or en")]
    Language(String),
    /// The file cannot be read.
    #[error("cannot read {}", .path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        cause: std::io::Error,
    },
    /// The store was not opened.
    #[error("no store was added")]
    Opening(#[from] OpeningError),
    /// The menu was not imported.
    #[error("nothing was imported")]
    Import(#[from] ImportError),
    /// The database failed.
    #[error("the database cannot be used")]
    Db(#[from] DbError),
    /// Counters are not what they should be.
    #[error("{rows} stock rows have drifted:\n{told}")]
    Drift {
        /// How many.
        rows: usize,
        /// One JSON a line.
        told: String,
    },
    /// The answer could not be written as JSON.
    #[error("the answer cannot be printed")]
    Print(#[from] serde_json::Error),
}

/// Where to look, for whoever started the server: each screen that exists, and the demo's PINs.
#[must_use]
pub fn welcome(addr: std::net::SocketAddr, demo: bool) -> String {
    let mut text = format!("Jumun is at http://{addr}/\n");
    if demo {
        let code = demo::CODE;
        text.push_str(&format!("  login    http://{addr}/login?store={code}\n"));
        for screen in ["hall", "counter", "kitchen", "menu"] {
            text.push_str(&format!("  {screen:<8} http://{addr}/{code}/{screen}\n"));
        }
        text.push_str(&format!("  a guest  http://{addr}/t/{code}-a1\n"));
        text.push_str("  PINs of the demo restaurant, for trying out only:");
        for (login, _, _, pin) in demo::STAFF {
            text.push_str(&format!(" {login} {pin}"));
        }
        text.push('\n');
    } else {
        text.push_str(&format!("  login    http://{addr}/login\n"));
    }
    text
}

async fn opened(database: &Database) -> Result<Db, DbError> {
    let db = Db::open(&database.database_url).await?;
    db.migrate().await?;
    Ok(db)
}

fn language(name: &str) -> Result<Language, CliError> {
    match name {
        "ko" => Ok(Language::Ko),
        "en" => Ok(Language::En),
        other => Err(CliError::Language(other.to_owned())),
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Added {
    store_id: domain::id::StoreId,
    store_code: String,
    staff: Vec<NewMember>,
}

/// `jumun store add`: answers with names, roles and PINs as JSON, the only time they are told.
///
/// # Errors
/// [`CliError`]; then nothing was written.
pub async fn store_add(add: StoreAdd) -> Result<String, CliError> {
    let plain = PlainStore {
        code: add.code,
        name: add.name,
        currency: Currency::try_from(add.currency)?,
        time_zone: add.time_zone,
        language: language(&add.language)?,
        tables: add.tables,
    };
    let new = plain.plan()?;
    let staff = new.staff.clone();
    let db = opened(&add.database).await?;
    let store = open_store(&db, &Clock::system(), new).await?;
    db.close().await;
    Ok(serde_json::to_string(&Added {
        store_id: store.id,
        store_code: store.code,
        staff,
    })?)
}

/// `jumun import`: answers with what was added and updated, as JSON.
///
/// # Errors
/// [`CliError::Import`] names every bad row; then nothing was written.
pub async fn import(import: Import) -> Result<String, CliError> {
    let read = std::fs::read(&import.file);
    let bytes = read.map_err(|cause| CliError::File {
        path: import.file,
        cause,
    })?;
    let db = opened(&import.database).await?;
    // Of several nodes, the relay puts it in the log that they share.
    let born_published = import.database.engine()? == Engine::Sqlite;
    let clock = Clock::system();
    let imported = import_menu(&db, &clock, &import.store, &bytes, born_published).await?;
    db.close().await;
    Ok(serde_json::to_string(&imported)?)
}

/// `jumun outbox`: answers with each store whose events are unpublished or dead, one JSON a line.
///
/// # Errors
/// [`CliError::Db`]
pub async fn outbox(database: Database) -> Result<String, CliError> {
    let db = opened(&database).await?;
    let stuck = outbox_stuck(&mut db.read().await?, Clock::system().now()).await?;
    db.close().await;
    if stuck.is_empty() {
        return Ok("every event is published".to_owned());
    }
    let lines: Result<Vec<String>, _> = stuck.iter().map(serde_json::to_string).collect();
    Ok(lines?.join("\n"))
}

/// `jumun stock verify`: recomputes every counter from the ledger and the open holds.
///
/// # Errors
/// [`CliError::Drift`] names every row whose counters differ, one JSON a line.
pub async fn stock_verify(database: Database) -> Result<String, CliError> {
    let db = opened(&database).await?;
    let drift = stock::stock_verify(&db).await?;
    db.close().await;
    if drift.is_empty() {
        return Ok("every counter is what its ledger and its holds say".to_owned());
    }
    let lines: Result<Vec<String>, _> = drift.iter().map(serde_json::to_string).collect();
    Err(CliError::Drift {
        rows: drift.len(),
        told: lines?.join("\n"),
    })
}

//! A menu from a spreadsheet: every bad row is named with its line, and nothing is half done.

use std::collections::BTreeMap;
use std::fmt;

use domain::event::EventType;
use domain::id::{CategoryId, MenuId};
use domain::menu::{Category, MenuItem};
use domain::money::{Amount, Currency};
use domain::settings::Store;
use domain::text::{Language, LocalText, NAME_GRAPHEMES, fits};
use serde::Serialize;
use uuid::Uuid;

use super::emit::{SETTINGS, emit};
use crate::clock::Clock;
use crate::db::{Db, DbError, Tx};
use crate::store::menu::{categories, category_save, item_save, items};
use crate::store::restaurant::store_by_code;
use crate::store::stream::stream_lock;

/// The columns, in this order.
pub const COLUMNS: [&str; 4] = ["menu_item_id", "item_name", "category", "price"];

/// A row that cannot be imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRow {
    /// Its line in the file; the header is line 1.
    pub line: u64,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for BadRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

/// Why nothing was imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// There is no such store.
    #[error("there is no store `{0}`")]
    NoStore(String),
    /// The file has no rows.
    #[error("the file has no rows")]
    Empty,
    /// Every row that is wrong.
    #[error("{}{} bad row(s)", listed(.0), .0.len())]
    Rows(Vec<BadRow>),
    /// The database failed.
    #[error("the menu could not be written")]
    Db(#[from] DbError),
}

/// Every bad row on a line of its own.
fn listed(rows: &[BadRow]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

/// A row that can be imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoodRow {
    code: String,
    name: String,
    category: String,
    price: Amount,
}

/// What an import did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Imported {
    /// Items that were new.
    pub added: u64,
    /// Items that were there and have the file's name, category and price now.
    pub updated: u64,
    /// Categories that were new.
    pub categories: u64,
}

/// Reads a spreadsheet.
///
/// # Errors
/// [`ImportError::Rows`] names every bad row, [`ImportError::Empty`] an empty file.
pub fn read_menu(bytes: &[u8], currency: Currency) -> Result<Vec<GoodRow>, ImportError> {
    // Spreadsheet programs mark UTF-8 with a byte order mark.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(bytes);
    let mut bad = Vec::new();
    match reader.headers() {
        Ok(header) if header.iter().eq(COLUMNS) => {}
        Ok(_) | Err(_) => {
            let reason = format!("the columns are {}", COLUMNS.join(","));
            return Err(ImportError::Rows(vec![BadRow { line: 1, reason }]));
        }
    }
    let mut rows = Vec::new();
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    for record in reader.records() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                let line = error.position().map_or(0, |at| line_of(bytes, at));
                bad.push(BadRow {
                    line,
                    reason: "the row is not readable UTF-8 text".to_owned(),
                });
                continue;
            }
        };
        let line = record.position().map_or(0, |at| line_of(bytes, at));
        match read_row(&record, currency) {
            Ok(row) => match seen.insert(row.code.clone(), line) {
                None => rows.push(row),
                Some(first) => {
                    let reason = format!("the code `{}` is on line {first} already", row.code);
                    bad.push(BadRow { line, reason });
                }
            },
            Err(reason) => bad.push(BadRow { line, reason }),
        }
    }
    if !bad.is_empty() {
        return Err(ImportError::Rows(bad));
    }
    if rows.is_empty() {
        Err(ImportError::Empty)
    } else {
        Ok(rows)
    }
}

/// The line a record begins on. The reader's own count is where it began to look: before line
/// ends of two characters and blank lines, which it skips.
fn line_of(bytes: &[u8], at: &csv::Position) -> u64 {
    let looked = usize::try_from(at.byte())
        .unwrap_or(usize::MAX)
        .min(bytes.len());
    let skipped = bytes[looked..]
        .iter()
        .take_while(|byte| matches!(byte, b'\r' | b'\n'))
        .count();
    let before = &bytes[..looked + skipped];
    1 + before
        .iter()
        .map(|byte| u64::from(*byte == b'\n'))
        .sum::<u64>()
}

fn read_row(record: &csv::StringRecord, currency: Currency) -> Result<GoodRow, String> {
    let [Some(code), Some(name), Some(category), Some(price), None] =
        std::array::from_fn(|index| record.get(index))
    else {
        return Err(format!(
            "the row has {} columns, not {}",
            record.len(),
            COLUMNS.len()
        ));
    };
    for (what, text) in [("code", code), ("name", name), ("category", category)] {
        if text.is_empty() {
            return Err(format!("the {what} is empty"));
        }
        if !fits(text, NAME_GRAPHEMES) {
            return Err(format!(
                "the {what} has more than {NAME_GRAPHEMES} characters"
            ));
        }
    }
    let price = currency
        .parse(price)
        .map_err(|error| format!("the price: {error}"))?;
    Ok(GoodRow {
        code: code.to_owned(),
        name: name.to_owned(),
        category: category.to_owned(),
        price,
    })
}

/// Imports a spreadsheet into the store of that code, in one transaction.
///
/// # Errors
/// [`ImportError`]; then nothing was written.
pub async fn import_menu(
    db: &Db,
    clock: &Clock,
    store_code: &str,
    bytes: &[u8],
    born_published: bool,
) -> Result<Imported, ImportError> {
    let mut tx = db.write().await?;
    let store = store_by_code(&mut tx, store_code).await?;
    let store = store.ok_or_else(|| ImportError::NoStore(store_code.to_owned()))?;
    stream_lock(&mut tx, store.id).await?;
    let rows = read_menu(bytes, store.currency)?;
    let imported = write_rows(&mut tx, &store, rows).await?;
    let marker = vec![(EventType::ReloadRequired, SETTINGS.to_owned())];
    emit(&mut tx, store.id, marker, clock.now(), born_published).await?;
    tx.commit().await?;
    Ok(imported)
}

fn named(known: &LocalText, language: Language, name: &str) -> LocalText {
    let mut text = known.clone();
    match language {
        Language::Ko => text.ko = Some(name.to_owned()),
        Language::En => text.en = Some(name.to_owned()),
    }
    text
}

async fn write_rows(tx: &mut Tx, store: &Store, rows: Vec<GoodRow>) -> Result<Imported, DbError> {
    let mut imported = Imported::default();
    let language = store.language;
    let mut known: BTreeMap<String, CategoryId> = BTreeMap::new();
    let mut sort = 0;
    for category in categories(tx, store.id).await? {
        sort = sort.max(category.sort);
        known.insert(category.name.get(language).to_owned(), category.id);
    }
    let mut old: BTreeMap<String, MenuItem> = items(tx, store.id)
        .await?
        .into_iter()
        .map(|item| (item.code.clone(), item))
        .collect();
    let mut place = old.values().map(|item| item.sort).max().unwrap_or(0);
    for row in rows {
        let category_id = match known.get(&row.category) {
            Some(id) => *id,
            None => {
                sort += 1;
                let name = LocalText::one(language, &row.category);
                let id = CategoryId(Uuid::now_v7());
                category_save(
                    tx,
                    store.id,
                    &Category {
                        id,
                        version: 1,
                        name,
                        sort,
                    },
                )
                .await?;
                imported.categories += 1;
                known.insert(row.category.clone(), id);
                id
            }
        };
        let item = match old.remove(&row.code) {
            Some(item) => {
                imported.updated += 1;
                let name = named(&item.name, language, &row.name);
                let version = item.version + 1;
                MenuItem {
                    version,
                    category_id,
                    name,
                    price: row.price,
                    ..item
                }
            }
            None => {
                imported.added += 1;
                place += 1;
                MenuItem {
                    id: MenuId(Uuid::now_v7()),
                    version: 1,
                    code: row.code,
                    category_id,
                    name: LocalText::one(language, &row.name),
                    description: LocalText::default(),
                    price: row.price,
                    station_id: None,
                    sold_out: false,
                    sort: place,
                    option_groups: Vec::new(),
                    stock_id: None,
                    image_url: None,
                }
            }
        };
        item_save(tx, store.id, &item).await?;
    }
    Ok(imported)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bad(text: &str) -> Vec<String> {
        match read_menu(text.as_bytes(), Currency::USD) {
            Err(ImportError::Rows(rows)) => rows.iter().map(ToString::to_string).collect(),
            other => panic!("{other:?}"),
        }
    }

    const HEADER: &str = "menu_item_id,item_name,category,price\n";

    #[test]
    fn every_bad_row_is_named_with_its_line() {
        let text = format!(
            "{HEADER}101,Hamburger,American,12.95\n102,,American,1.00\n103,Hot Dog,American,free\n\
             101,Again,American,2.00\n104,\"Two\nlines\",American,1.005\n105,Short\n"
        );
        assert_eq!(
            bad(&text),
            [
                "line 3: the name is empty",
                "line 4: the price: `free` is not a number",
                "line 5: the code `101` is on line 2 already",
                "line 6: the price: USD has 2 decimals, `1.005` has more",
                "line 8: the row has 2 columns, not 4",
            ]
        );
    }

    #[test]
    fn lines_are_counted_as_an_editor_counts_them() {
        let text = "101,Hamburger,American,12.95\n\n102,Taco,Mexican,free\n103,,American,1\n";
        let wrong = [
            "line 4: the price: `free` is not a number",
            "line 5: the name is empty",
        ];
        assert_eq!(bad(&format!("{HEADER}{text}")), wrong);
        assert_eq!(bad(&format!("{HEADER}{text}").replace('\n', "\r\n")), wrong);
    }

    #[test]
    fn other_columns_are_refused_with_the_right_ones() {
        assert_eq!(
            bad("id,name\n1,x\n"),
            ["line 1: the columns are menu_item_id,item_name,category,price"]
        );
    }

    #[test]
    fn a_good_file_is_read_whole() {
        let text = format!("\u{feff}{HEADER}101, Hamburger ,American,12.95\n");
        let rows = read_menu(text.as_bytes(), Currency::USD).unwrap();
        assert_eq!(
            (rows[0].name.as_str(), rows[0].price),
            ("Hamburger", Amount(1_295))
        );
        let nothing = read_menu(HEADER.as_bytes(), Currency::USD);
        assert!(matches!(nothing, Err(ImportError::Empty)));
    }
}

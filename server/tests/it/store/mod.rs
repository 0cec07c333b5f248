//! Every statement of the server, told as days of one restaurant, on both engines.

mod answers;
mod clock;
mod events;
mod floor;
mod guests;
mod holds;
mod house;
mod menu;
mod orders;
mod people;
mod screens;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rstest::rstest;
use server::store::restaurant::{
    number_take, store_by_code, store_cut, store_doc, store_exists, store_find, store_insert,
    stores_to_cut,
};
use uuid::Uuid;

use crate::support::Engine::{self, Postgres, Sqlite};
use crate::support::settings;
use house::{EPOCH, House, NOW};

#[rstest]
#[tokio::test]
async fn a_store_opens_counts_its_orders_and_begins_a_new_day(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::empty(engine).await;
    let store = settings(house.store, "one", NOW.0);
    let mut tx = house.write().await;
    assert!(!store_exists(&mut tx).await.unwrap());
    assert_eq!(store_find(&mut tx, store.id).await.unwrap(), None);
    store_insert(&mut tx, &store, EPOCH).await.unwrap();
    assert!(store_exists(&mut tx).await.unwrap());
    assert_eq!(
        store_find(&mut tx, store.id).await.unwrap(),
        Some(store.clone())
    );
    assert_eq!(
        store_by_code(&mut tx, "one").await.unwrap(),
        Some(store.clone())
    );
    assert_eq!(store_by_code(&mut tx, "o_e").await.unwrap(), None);
    let doc = store_doc(&mut tx, store.id).await.unwrap().unwrap();
    assert_eq!(doc, serde_json::to_string(&store).unwrap());
    for number in [1, 2, 3] {
        assert_eq!(number_take(&mut tx, store.id).await.unwrap(), number);
    }
    tx.commit().await.unwrap();

    let mut tx = house.write().await;
    let other = settings(domain::id::StoreId(Uuid::now_v7()), "one", NOW.0);
    let taken = store_insert(&mut tx, &other, EPOCH).await.unwrap_err();
    assert!(taken.is_constraint("store_code_key"), "{taken:?}");
    drop(tx);

    let mut tx = house.write().await;
    let ends = store.next_cut_at;
    assert_eq!(stores_to_cut(&mut tx, ends.plus(-1)).await.unwrap(), []);
    assert_eq!(stores_to_cut(&mut tx, ends).await.unwrap(), [store.id]);
    let mut next = store.clone();
    next.business_day = store.business_day.tomorrow();
    next.next_cut_at = ends.plus(86_400_000);
    next.version += 1;
    let old = store.business_day;
    assert!(store_cut(&mut tx, &next, old).await.unwrap());
    assert!(!store_cut(&mut tx, &next, old).await.unwrap(), "once");
    assert_eq!(stores_to_cut(&mut tx, ends).await.unwrap(), []);
    assert_eq!(number_take(&mut tx, store.id).await.unwrap(), 1);
    assert_eq!(store_find(&mut tx, store.id).await.unwrap(), Some(next));
    tx.commit().await.unwrap();
}

/// The text of every Rust file below.
fn sources(folder: &Path, files: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            files.push((path, text));
        }
    }
}

#[test]
fn every_function_with_a_statement_has_its_part_in_these_stories() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut told, mut stories) = (Vec::new(), Vec::new());
    sources(&root.join("src/store"), &mut told);
    sources(&root.join("tests/it/store"), &mut stories);
    let name = |rest: &str| -> String {
        let part = rest.chars();
        part.take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect()
    };
    let functions: BTreeSet<String> = told
        .iter()
        .flat_map(|(_, text)| text.split("pub async fn ").skip(1).map(name))
        .collect();
    assert!(functions.len() > 80, "{functions:?}");
    let called = |function: &String| {
        let call = format!("{function}(");
        stories.iter().any(|(_, text)| text.contains(&call))
    };
    let untold: Vec<&String> = functions.iter().filter(|name| !called(name)).collect();
    assert!(untold.is_empty(), "no story calls {untold:?}");
}

//! Categories, items, stock rows.

use domain::id::{CategoryId, MenuId, StockId, StoreId};
use domain::menu::{Category, MenuItem};
use domain::stock::Stock;
use domain::text::LocalText;
use rstest::rstest;
use server::db::Value;
use server::store::menu::{
    categories, category_docs, category_save, item_doc, item_docs, item_find, item_save, items,
    items_find, stock, stock_doc, stock_docs,
};
use uuid::Uuid;

use super::house::{House, item};
use crate::support::Engine::{self, Postgres, Sqlite};

#[rstest]
#[tokio::test]
async fn the_menu_stands_in_its_order_and_each_code_once_in_a_store(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::open(engine).await;
    let (store, other) = (house.store, StoreId(Uuid::now_v7()));
    house.another(other, "two").await;
    let category = |name: &str, sort| Category {
        id: CategoryId(Uuid::now_v7()),
        version: 1,
        name: LocalText::both(name, name),
        sort,
    };
    let (mut drinks, sides) = (category("drinks", 1), category("sides", 2));
    let mut tx = house.write().await;
    for one in [&drinks, &sides] {
        category_save(&mut tx, store, one).await.unwrap();
    }
    drinks.sort = 3;
    category_save(&mut tx, store, &drinks).await.unwrap();
    let ordered = [sides.clone(), drinks.clone()];
    assert_eq!(categories(&mut tx, store).await.unwrap(), ordered);
    let json = |one: &Category| serde_json::to_string(one).unwrap();
    assert_eq!(
        category_docs(&mut tx, store).await.unwrap(),
        ordered.each_ref().map(json)
    );

    let (late, mut early) = (item(sides.id, "118", 2), item(sides.id, "117", 3));
    let json = |one: &MenuItem| serde_json::to_string(one).unwrap();
    for one in [&late, &early] {
        assert_eq!(item_save(&mut tx, store, one).await.unwrap(), json(one));
    }
    early.sort = 1;
    early.version = 2;
    early.set_sold_out(None, true).unwrap();
    item_save(&mut tx, store, &early).await.unwrap();
    let ordered = [early.clone(), late.clone()];
    assert_eq!(items(&mut tx, store).await.unwrap(), ordered);
    assert_eq!(
        item_docs(&mut tx, store).await.unwrap(),
        ordered.each_ref().map(json)
    );
    let nothing = MenuId(Uuid::now_v7());
    let found = item_find(&mut tx, store, early.id).await.unwrap();
    assert_eq!(found, Some(early.clone()));
    assert_eq!(item_find(&mut tx, other, early.id).await.unwrap(), None);
    let asked = [late.id, nothing, late.id];
    let found = items_find(&mut tx, store, asked).await.unwrap();
    assert_eq!(found.values().collect::<Vec<_>>(), [&late]);
    let doc = item_doc(&mut tx, store, late.id).await.unwrap();
    assert_eq!(doc, Some(json(&late)));
    assert_eq!(item_doc(&mut tx, store, nothing).await.unwrap(), None);

    // Another store has codes of its own.
    let theirs = item(sides.id, "117", 1);
    item_save(&mut tx, other, &theirs).await.unwrap();
    let copy = item(sides.id, "117", 9);
    let taken = item_save(&mut tx, store, &copy).await.unwrap_err();
    assert!(
        taken.is_constraint("menu_item_store_id_code_key"),
        "{taken:?}"
    );
}

#[rstest]
#[tokio::test]
async fn stock_is_read_as_it_stands_and_never_negative(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::open(engine).await;
    let store = house.store;
    let (first, second) = (StockId(Uuid::now_v7()), StockId(Uuid::now_v7()));
    let put = "insert into stock (id, store_id, version, on_hand, held, doc) \
        values ($1, $2, 1, $3, $4, $5)";
    let values = |id: StockId, on_hand: i64, held: i64, doc: &str| {
        [
            Value::from(id),
            Value::from(store),
            Value::from(on_hand),
            Value::from(held),
            Value::from(doc),
        ]
    };
    let mut tx = house.write().await;
    for (id, doc) in [(second, "second"), (first, "first")] {
        tx.execute(put, values(id, 3, 1, doc)).await.unwrap();
    }
    assert_eq!(
        stock_docs(&mut tx, store).await.unwrap(),
        ["first", "second"]
    );
    let doc = stock_doc(&mut tx, store, second).await.unwrap();
    assert_eq!(doc.as_deref(), Some("second"));
    let nowhere = StoreId(Uuid::now_v7());
    assert_eq!(stock_doc(&mut tx, nowhere, second).await.unwrap(), None);
    tx.commit().await.unwrap();
    let row = Stock {
        id: first,
        version: 1,
        name: LocalText::both("갈비탕", "Galbitang"),
        available: 2,
        on_hand: 3,
        held: 1,
        menu_ids: Vec::new(),
    };
    let mut tx = house.write().await;
    tx.execute("delete from stock where id = $1", [second.into()])
        .await
        .unwrap();
    let doc = serde_json::to_string(&row).unwrap();
    let change = "update stock set doc = $1 where id = $2";
    tx.execute(change, [doc.as_str().into(), first.into()])
        .await
        .unwrap();
    assert_eq!(stock(&mut tx, store).await.unwrap(), [row]);
    assert_eq!(stock(&mut tx, nowhere).await.unwrap(), []);
    tx.commit().await.unwrap();
    for (on_hand, held) in [(1, 2), (0, -1)] {
        let mut tx = house.write().await;
        let id = StockId(Uuid::now_v7());
        let refused = tx.execute(put, values(id, on_hand, held, "")).await;
        let refused = refused.unwrap_err();
        assert!(refused.is_constraint("stock_never_negative"), "{refused:?}");
    }
}

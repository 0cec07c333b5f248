//! A small restaurant with one member of staff of each role.

use domain::id::{StaffId, StationId, StoreId};
use domain::settings::Store;
use domain::staff::Role;
use domain::stream::Epoch;
use serde_json::json;
use server::db::{Db, Value};
use server::http::App;
use server::service::auth::hash_pin;
use server::store::restaurant::{store_find, store_insert};
use server::store::staff::{NewStaff, staff_insert};
use tokio::sync::OnceCell;
use uuid::Uuid;

/// Of everybody here.
pub const PIN: &str = "1234";

/// Adds a store of this code; its staff is named as their roles.
pub async fn add_restaurant(app: &App, code: &str) -> StoreId {
    static HASH: OnceCell<String> = OnceCell::const_new();
    let pin_hash = HASH
        .get_or_init(async || hash_pin(PIN).await.unwrap())
        .await;
    let store = StoreId(Uuid::now_v7());
    let mut tx = app.db.write().await.unwrap();
    let settings = settings(store, code, app.clock.now().0);
    store_insert(&mut tx, &settings, Epoch(0x9f3a_61c2))
        .await
        .unwrap();
    for role in Role::ALL {
        let staff = NewStaff {
            id: StaffId(Uuid::now_v7()),
            store,
            login: role.name().to_owned(),
            name: role.name().to_uppercase(),
            role,
            pin_hash: pin_hash.clone(),
        };
        staff_insert(&mut tx, &staff).await.unwrap();
    }
    tx.commit().await.unwrap();
    store
}

/// Changes the settings of a store behind its server's back.
pub async fn change_store(db: &Db, id: StoreId, change: impl FnOnce(&mut Store)) {
    let mut tx = db.write().await.unwrap();
    let mut store = store_find(&mut tx, id).await.unwrap().unwrap();
    change(&mut store);
    let doc = serde_json::to_string(&store).unwrap();
    let sql = "update store set doc = $2 where id = $1";
    let values = [Value::from(id), Value::from(doc)];
    assert_eq!(tx.execute(sql, values).await.unwrap(), 1);
    tx.commit().await.unwrap();
}

/// A store of this code, whose business day ends in half a day.
pub fn settings(id: StoreId, code: &str, now: i64) -> Store {
    let minutes = json!({ "waiting": [3, 6], "cooking": [8, 12], "cooked": [2, 4] });
    serde_json::from_value(json!({
        "id": id,
        "version": 1,
        "code": code,
        "name": { "ko": "하나", "en": "One" },
        "guestSeating": true,
        "holdTtlMs": 300_000,
        "currency": "KRW",
        "timeZone": "Asia/Seoul",
        "dayCut": "05:00",
        "language": "ko",
        "paymentTiming": "prepaid",
        "taxRatePermille": 100,
        "stations": [{
            "id": StationId(Uuid::now_v7()),
            "name": { "ko": "주방" },
            "isDefault": true,
            "thresholds": minutes,
        }],
        "businessDay": "2026-03-01",
        "nextCutAt": now + 12 * 3_600_000,
    }))
    .unwrap()
}

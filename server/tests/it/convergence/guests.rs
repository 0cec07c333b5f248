//! Guests who call without end: the call and its event are written as a command writes them, so
//! that no cooldown keeps the storm waiting.

use domain::call::{Call, CallReason};
use domain::floor::Table;
use domain::id::{CallId, OutboxId};
use server::store::call::call_save;
use server::store::outbox::{OutboxRow, outbox_insert};
use server::store::stream::stream_take;
use uuid::Uuid;

use crate::screens::{Dice, House};

/// A guest of some table calls, or calls again; `false` when nobody sits.
pub async fn call(house: &House, dice: &mut Dice, tables: &[Table], calls: &[Call]) -> bool {
    let seated: Vec<&Table> = tables.iter().filter(|t| t.party.is_some()).collect();
    let Some(table) = dice.pick(&seated) else {
        return false;
    };
    let party = table.party.as_ref().unwrap().id;
    let (app, store) = (&house.app, house.owner.store);
    let now = app.clock.now();
    let known = calls.iter().find(|call| call.party_id == party);
    let call = match known {
        Some(known) => {
            let mut again = known.clone();
            again.ask_again().unwrap();
            again
        }
        None => {
            let id = CallId(Uuid::now_v7());
            Call::request(id, table.id, party, CallReason::Water, now)
        }
    };
    let mut tx = app.db.write().await.unwrap();
    let payload = call_save(&mut tx, store, &call).await.unwrap();
    let id = stream_take(&mut tx, store, 1).await.unwrap();
    let row = OutboxRow {
        store_id: store,
        seq: id.seq,
        outbox_id: OutboxId(Uuid::now_v7()),
        kind: "CUSTOMER_CALL".into(),
        payload,
        created_at: now,
        published_at: Some(now),
        dead: false,
    };
    outbox_insert(&mut tx, &[row]).await.unwrap();
    tx.commit().await.unwrap();
    app.relay.committed(store);
    true
}

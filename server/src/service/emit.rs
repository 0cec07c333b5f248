//! The only way a service emits events: numbers taken last, rows in the command's transaction.

use domain::event::EventType;
use domain::id::{OutboxId, StoreId};
use domain::stream::EventId;
use domain::time::Time;
use uuid::Uuid;

use crate::db::{DbError, Tx};
use crate::store::outbox::{OutboxRow, outbox_insert, payload_bounded};
use crate::store::stream::{stream_head, stream_take};

/// Everything is to be loaded again, because the business day was cut.
pub(super) const BUSINESS_DAY: &str = r#"{"reason":"BUSINESS_DAY"}"#;
/// Everything is to be loaded again, because settings or the menu were replaced.
pub(super) const SETTINGS: &str = r#"{"reason":"SETTINGS"}"#;

/// Writes the events, types with the JSON of their payloads, and answers the id of the last; for
/// none the store's position. Call it last: the row of numbers stays locked until commit.
pub(super) async fn emit(
    tx: &mut Tx,
    store: StoreId,
    events: Vec<(EventType, String)>,
    now: Time,
    born_published: bool,
) -> Result<EventId, DbError> {
    let count = match u64::try_from(events.len()) {
        Ok(count) if count > 0 => count,
        Ok(_) | Err(_) => return Ok(stream_head(tx, store).await?.unwrap_or_default()),
    };
    let first = stream_take(tx, store, count).await?;
    let row = |(seq, (event_type, payload)): (u64, (EventType, String))| OutboxRow {
        store_id: store,
        seq,
        outbox_id: OutboxId(Uuid::now_v7()),
        kind: event_type.name().into(),
        payload: payload_bounded(payload),
        created_at: now,
        published_at: born_published.then_some(now),
        dead: false,
    };
    let rows: Vec<OutboxRow> = (first.seq..).zip(events).map(row).collect();
    outbox_insert(tx, &rows).await?;
    Ok(first.at(first.seq + count - 1))
}

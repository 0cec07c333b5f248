//! What changed since a cursor (realtime, section 4).

use std::collections::{BTreeMap, BTreeSet};

use domain::event::{EventType, Kind};
use domain::id::StoreId;
use domain::snapshot::{Changes, ChangesReason, MAX_CHANGED};
use domain::stream::EventId;
use serde::Deserialize;
use uuid::Uuid;

use crate::db::{Db, DbError};
use crate::store::outbox::{OutboxRow, outbox_between, outbox_first_seq};
use crate::store::stream::stream_head;

/// Rows looked at unless the client says otherwise.
pub const CHANGES_LIMIT: u32 = 500;

/// What changed after `since`, unless more than `limit` events happened (1..=1000; what is
/// outside is taken as the nearest). `since` is `None` for what is no event id. `None` when
/// there is no such store.
///
/// # Errors
/// When the database cannot be reached.
pub async fn changes_since(
    db: &Db,
    store: StoreId,
    since: Option<EventId>,
    limit: u32,
) -> Result<Option<Changes>, DbError> {
    let limit = limit.clamp(1, 1_000);
    let mut tx = db.read().await?;
    let Some(head) = stream_head(&mut tx, store).await? else {
        return Ok(None);
    };
    let since = match continues(since, head) {
        Ok(since) => since,
        Err(cause) => return Ok(Some(Changes::reload(head, cause))),
    };
    let first_kept = outbox_first_seq(&mut tx, store)
        .await?
        .unwrap_or(head.seq + 1);
    if since.seq + 1 < first_kept {
        return Ok(Some(Changes::reload(head, ChangesReason::HistoryExpired)));
    }
    if head.seq - since.seq > u64::from(limit) {
        return Ok(Some(Changes::reload(head, ChangesReason::TooManyEvents)));
    }
    let rows = outbox_between(&mut tx, store, since.seq, head.seq, limit).await?;
    Ok(Some(
        collect(since, head, &rows).unwrap_or_else(|cause| Changes::reload(head, cause)),
    ))
}

fn continues(since: Option<EventId>, head: EventId) -> Result<EventId, ChangesReason> {
    let since = since
        .filter(|since| *since != EventId::NONE)
        .ok_or(ChangesReason::NoCursor)?;
    if since.epoch != head.epoch {
        return Err(ChangesReason::EpochChanged);
    }
    if since.seq > head.seq {
        return Err(ChangesReason::CursorAhead);
    }
    Ok(since)
}

fn collect(since: EventId, head: EventId, rows: &[OutboxRow]) -> Result<Changes, ChangesReason> {
    if rows.len() as u64 != head.seq - since.seq {
        return Err(ChangesReason::HistoryExpired);
    }
    let mut changed: BTreeMap<Kind, BTreeSet<Uuid>> = BTreeMap::new();
    for row in rows {
        let (kind, id) = entity(row)?;
        changed.entry(kind).or_default().insert(id);
    }
    let mut changes = Changes::none(head);
    for (kind, ids) in changed {
        if ids.len() > MAX_CHANGED {
            return Err(ChangesReason::TooManyChangedEntities);
        }
        changes.ids_mut(kind).extend(ids);
    }
    Ok(changes)
}

/// The entity that a row is about.
fn entity(row: &OutboxRow) -> Result<(Kind, Uuid), ChangesReason> {
    #[derive(Deserialize)]
    struct Named {
        id: Uuid,
    }
    if row.dead {
        return Err(ChangesReason::ReloadMarker);
    }
    let kind = EventType::named(&row.kind).ok_or(ChangesReason::UnknownEventType)?;
    let kind = kind.kind().ok_or(ChangesReason::ReloadMarker)?;
    let named: Result<Named, _> = serde_json::from_str(&row.payload);
    let named = named.map_err(|_| ChangesReason::InvalidEventPayload)?;
    Ok((kind, named.id))
}

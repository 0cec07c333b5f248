//! What changed since a cursor (realtime, section 4).

use std::collections::BTreeSet;

use domain::event::{EventType, Kind};
use domain::id::StoreId;
use domain::stream::EventId;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::db::{Db, DbError};
use crate::store::outbox::{OutboxRow, outbox_between, outbox_first_seq};
use crate::store::stream::stream_head;

/// Rows looked at unless the client says otherwise.
pub const CHANGES_LIMIT: u32 = 500;

/// Ids in one list; with more, loading everything is cheaper.
const ENTITIES: usize = 100;

/// Why a client has to load everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ReloadCause {
    /// It has seen nothing yet.
    NoCursor,
    /// Its cursor is of another epoch.
    EpochChanged,
    /// Its cursor is ahead of the database.
    CursorAhead,
    /// Not every event since its cursor is kept.
    HistoryExpired,
    /// More events than the limit.
    TooManyEvents,
    /// Over 100 entities of one kind changed.
    TooManyChangedEntities,
    /// A marker in the log says so.
    ReloadMarker,
    /// An event does not name its entity.
    InvalidEventPayload,
    /// An event is of a type that this build does not know.
    UnknownEventType,
}

/// The answer: ids, or the reason why there are none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Changes {
    changed_order_ids: BTreeSet<Uuid>,
    changed_table_ids: BTreeSet<Uuid>,
    changed_menu_ids: BTreeSet<Uuid>,
    changed_stock_ids: BTreeSet<Uuid>,
    changed_call_request_ids: BTreeSet<Uuid>,
    /// The store's last event when the rows were read.
    pub current_watermark: EventId,
    /// The client has to load everything.
    pub requires_reload: bool,
    /// Why.
    pub reason: Option<ReloadCause>,
}

impl Changes {
    fn none(current_watermark: EventId) -> Self {
        Self {
            changed_order_ids: BTreeSet::new(),
            changed_table_ids: BTreeSet::new(),
            changed_menu_ids: BTreeSet::new(),
            changed_stock_ids: BTreeSet::new(),
            changed_call_request_ids: BTreeSet::new(),
            current_watermark,
            requires_reload: false,
            reason: None,
        }
    }

    fn reload(current_watermark: EventId, cause: ReloadCause) -> Self {
        let none = Self::none(current_watermark);
        Self {
            requires_reload: true,
            reason: Some(cause),
            ..none
        }
    }

    fn list(&mut self, kind: Kind) -> &mut BTreeSet<Uuid> {
        match kind {
            Kind::Order => &mut self.changed_order_ids,
            Kind::Table => &mut self.changed_table_ids,
            Kind::Menu => &mut self.changed_menu_ids,
            Kind::Stock => &mut self.changed_stock_ids,
            Kind::Call => &mut self.changed_call_request_ids,
        }
    }

    fn note(&mut self, row: &OutboxRow) -> Result<(), ReloadCause> {
        #[derive(Deserialize)]
        struct Named {
            id: Uuid,
        }
        if row.dead {
            return Err(ReloadCause::ReloadMarker);
        }
        let kind = EventType::named(&row.kind).ok_or(ReloadCause::UnknownEventType)?;
        let kind = kind.kind().ok_or(ReloadCause::ReloadMarker)?;
        let named = serde_json::from_str::<Named>(&row.payload);
        let list = self.list(kind);
        list.insert(named.map_err(|_| ReloadCause::InvalidEventPayload)?.id);
        if list.len() > ENTITIES {
            return Err(ReloadCause::TooManyChangedEntities);
        }
        Ok(())
    }
}

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
        return Ok(Some(Changes::reload(head, ReloadCause::HistoryExpired)));
    }
    if head.seq - since.seq > u64::from(limit) {
        return Ok(Some(Changes::reload(head, ReloadCause::TooManyEvents)));
    }
    let rows = outbox_between(&mut tx, store, since.seq, head.seq, limit).await?;
    Ok(Some(
        collect(since, head, &rows).unwrap_or_else(|cause| Changes::reload(head, cause)),
    ))
}

fn continues(since: Option<EventId>, head: EventId) -> Result<EventId, ReloadCause> {
    let since = since
        .filter(|since| *since != EventId::NONE)
        .ok_or(ReloadCause::NoCursor)?;
    if since.epoch != head.epoch {
        return Err(ReloadCause::EpochChanged);
    }
    if since.seq > head.seq {
        return Err(ReloadCause::CursorAhead);
    }
    Ok(since)
}

fn collect(since: EventId, head: EventId, rows: &[OutboxRow]) -> Result<Changes, ReloadCause> {
    if rows.len() as u64 != head.seq - since.seq {
        return Err(ReloadCause::HistoryExpired);
    }
    let mut changes = Changes::none(head);
    for row in rows {
        changes.note(row)?;
    }
    Ok(changes)
}

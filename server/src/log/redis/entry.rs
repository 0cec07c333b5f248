//! One event as an entry of a Redis Stream, and how it is read back.
//!
//! What cannot be read is as good as absent: readers have it from the outbox.

use std::borrow::Cow;

use ::redis::{Cmd, Value, cmd};
use domain::id::StoreId;
use domain::stream::Epoch;
use domain::time::Time;

use super::line::{list, text};
use crate::store::outbox::{MARKER, OutboxRow, UNPUBLISHABLE};

/// Entries kept for each store, about.
const MAX_LEN: u32 = 10_000;

const OUTBOX_ID: &str = "outboxId";
const TYPE: &str = "type";
const AT: &str = "at";
const PAYLOAD: &str = "payload";

/// The key of a store's events.
pub(super) fn key(store: StoreId, epoch: Epoch) -> String {
    format!("pos:{store}:{:08x}", epoch.0)
}

/// Adds a row as everybody reads it.
pub(super) fn add(key: &str, row: &OutboxRow) -> Cmd {
    let (kind, payload) = row.told();
    add_as(key, row, kind, payload)
}

/// Adds the marker under the row's number.
pub(super) fn add_marker(key: &str, row: &OutboxRow) -> Cmd {
    add_as(key, row, MARKER, UNPUBLISHABLE)
}

fn add_as(key: &str, row: &OutboxRow, kind: &str, payload: &str) -> Cmd {
    let mut add = cmd("XADD");
    add.arg(key).arg("MAXLEN").arg("~").arg(MAX_LEN);
    add.arg(id(row.seq));
    add.arg(OUTBOX_ID).arg(row.outbox_id.to_string());
    add.arg(TYPE).arg(kind);
    add.arg(AT).arg(row.created_at.0);
    add.arg(PAYLOAD).arg(payload);
    add
}

/// Forgets all of a store's events.
pub(super) fn forget(key: &str) -> Cmd {
    let mut forget = cmd("DEL");
    forget.arg(key);
    forget
}

/// Asks for the entry under one number.
pub(super) fn find(key: &str, seq: u64) -> Cmd {
    let mut find = cmd("XRANGE");
    find.arg(key).arg(id(seq)).arg(id(seq));
    find
}

/// The id of an entry: the event's number, never a time of Redis' own.
pub(super) fn id(seq: u64) -> String {
    format!("{seq}-0")
}

/// An entry, as far as it is one of ours.
#[derive(Debug)]
pub(super) struct Entry {
    /// Its number; `None` for an id that nobody here has given.
    pub(super) seq: Option<u64>,
    fields: Vec<(String, String)>,
}

impl Entry {
    fn read(value: Value) -> Self {
        let mut parts = list(value).into_iter();
        let id = parts.next().and_then(text).unwrap_or_default();
        let mut fields = list(parts.next().unwrap_or_default()).into_iter();
        let mut read = Vec::new();
        while let (Some(name), Some(value)) = (fields.next(), fields.next()) {
            if let (Some(name), Some(value)) = (text(name), text(value)) {
                read.push((name, value));
            }
        }
        let seq = id.strip_suffix("-0").and_then(|seq| seq.parse().ok());
        Self { seq, fields: read }
    }

    fn field(&self, wanted: &str) -> Option<&str> {
        let found = self.fields.iter().find(|(name, _)| name == wanted);
        found.map(|(_, value)| value.as_str())
    }

    /// Whether it is this event, whatever it stands here as.
    pub(super) fn is(&self, row: &OutboxRow) -> bool {
        self.field(OUTBOX_ID).and_then(|id| id.parse().ok()) == Some(row.outbox_id)
    }

    /// Whether it stands here as the marker.
    pub(super) fn is_marker(&self) -> bool {
        self.field(TYPE) == Some(MARKER)
    }

    /// The row it was made from; a dead one comes back as the marker it was told as.
    pub(super) fn row(&self, store: StoreId) -> Option<OutboxRow> {
        Some(OutboxRow {
            store_id: store,
            seq: self.seq?,
            outbox_id: self.field(OUTBOX_ID)?.parse().ok()?,
            kind: Cow::Owned(self.field(TYPE)?.to_owned()),
            payload: self.field(PAYLOAD)?.to_owned(),
            created_at: Time(self.field(AT)?.parse().ok()?),
            published_at: None,
            dead: false,
        })
    }
}

/// The entries of an answer to XRANGE.
pub(super) fn entries(answer: Value) -> Vec<Entry> {
    list(answer).into_iter().map(Entry::read).collect()
}

/// The entries of an answer to XREAD, by key; none when the time was over.
pub(super) fn by_key(answer: Value) -> Vec<(String, Vec<Entry>)> {
    let read = |stream: Value| {
        let mut parts = list(stream).into_iter();
        let key = parts.next().and_then(text)?;
        Some((key, entries(parts.next()?)))
    };
    list(answer).into_iter().filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use domain::id::OutboxId;
    use uuid::Uuid;

    use super::*;

    fn bulk(text: &str) -> Value {
        Value::BulkString(text.as_bytes().to_vec())
    }

    fn stored(id: &str, fields: &[&str]) -> Value {
        let fields = fields.iter().map(|field| bulk(field)).collect();
        Value::Array(vec![bulk(id), Value::Array(fields)])
    }

    #[test]
    fn a_key_names_store_and_epoch_and_an_id_is_the_number() {
        let key = key(StoreId(Uuid::nil()), Epoch(0x00ab_61c2));
        assert_eq!(key, "pos:00000000-0000-0000-0000-000000000000:00ab61c2");
        assert_eq!(id(151), "151-0");
    }

    #[test]
    fn an_entry_comes_back_as_the_row_it_was_made_from() {
        let outbox = Uuid::from_u128(2).to_string();
        let fields = [
            "outboxId",
            &outbox,
            "type",
            "ORDER_CHANGED",
            "at",
            "5",
            "payload",
            r#"{"note":"김치"}"#,
        ];
        let answer = Value::Array(vec![Value::Array(vec![
            bulk("k"),
            Value::Array(vec![stored("7-0", &fields)]),
        ])]);
        let streams = by_key(answer);
        let [(key, entries)] = &streams[..] else {
            panic!("{streams:?}")
        };
        let row = entries[0].row(StoreId(Uuid::nil())).unwrap();
        assert_eq!((key.as_str(), row.seq, row.created_at), ("k", 7, Time(5)));
        assert_eq!(row.told(), ("ORDER_CHANGED", r#"{"note":"김치"}"#));
        assert_eq!(row.outbox_id, OutboxId(Uuid::from_u128(2)));
        assert!(entries[0].is(&row));
    }

    #[test]
    fn what_nobody_here_has_written_is_no_row() {
        let store = StoreId(Uuid::nil());
        for entry in [
            stored("1700000000000-3", &["x", "y"]),
            stored("8-0", &["type"]),
            Value::Nil,
            Value::Int(4),
        ] {
            assert!(Entry::read(entry).row(store).is_none());
        }
        assert!(by_key(Value::Nil).is_empty());
    }
}

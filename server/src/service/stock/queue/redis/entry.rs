//! One batch as an entry of the stream, and what is asked of the server.

use std::time::Duration;

use ::redis::{Cmd, Pipeline, Value, cmd};
use domain::id::ReservationId;

use crate::log::redis::line::{list, text};
use crate::store::work::Leased;

/// The stream of all stores: a worker is no store's.
pub(super) const KEY: &str = "pos:work";
/// The workers of all nodes.
const GROUP: &str = "workers";
/// Entries at most, about, whoever else writes here.
const MAX_LEN: u32 = 10_000;

const BATCH: &str = "batch";
const DELIVERIES: &str = "deliveries";

/// An entry that a worker got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) id: String,
    /// `None` for what nobody here has written.
    pub(super) batch: Option<Leased>,
}

impl Entry {
    fn read(value: Value) -> Option<Self> {
        let mut parts = list(value).into_iter();
        let id = parts.next().and_then(text)?;
        let fields = list(parts.next().unwrap_or_default()).into_iter();
        let batch = batch(&fields.map(text).collect::<Vec<_>>());
        Some(Self { id, batch })
    }
}

fn batch(fields: &[Option<String>]) -> Option<Leased> {
    let field = |wanted: &str| {
        let mut pairs = fields.chunks_exact(2);
        let pair = pairs.find(|pair| pair[0].as_deref() == Some(wanted))?;
        pair[1].as_deref()
    };
    Some(Leased {
        id: ReservationId(field(BATCH)?.parse().ok()?),
        deliveries: field(DELIVERIES)?.parse().ok()?,
    })
}

/// Begins the group where there is none, with everything that stands in the stream.
pub(super) fn begin() -> Cmd {
    let mut begin = cmd("XGROUP");
    begin.arg("CREATE").arg(KEY).arg(GROUP).arg("0");
    begin.arg("MKSTREAM");
    begin
}

pub(super) fn len() -> Cmd {
    let mut len = cmd("XLEN");
    len.arg(KEY);
    len
}

pub(super) fn add(batches: &[Leased]) -> Pipeline {
    let mut pipe = Pipeline::with_capacity(batches.len());
    for batch in batches {
        pipe.cmd("XADD").arg(KEY);
        pipe.arg("MAXLEN").arg("~").arg(MAX_LEN).arg("*");
        pipe.arg(BATCH).arg(batch.id.to_string());
        pipe.arg(DELIVERIES).arg(batch.deliveries).ignore();
    }
    pipe
}

/// The next entry that no worker has.
pub(super) fn read(worker: &str, block: Duration) -> Cmd {
    let mut read = cmd("XREADGROUP");
    read.arg("GROUP").arg(GROUP).arg(worker).arg("COUNT").arg(1);
    read.arg("BLOCK").arg(ms(block));
    read.arg("STREAMS").arg(KEY).arg(">");
    read
}

/// An entry whose worker is silent for so long becomes this worker's; looked for from `cursor` on.
pub(super) fn claim(worker: &str, silent: Duration, cursor: &str) -> Cmd {
    let mut claim = cmd("XAUTOCLAIM");
    claim.arg(KEY).arg(GROUP).arg(worker).arg(ms(silent));
    claim.arg(cursor).arg("COUNT").arg(1);
    claim
}

/// Forgets an entry, whoever has it.
pub(super) fn forget(id: &str) -> Pipeline {
    let mut pipe = Pipeline::new();
    pipe.atomic();
    pipe.cmd("XACK").arg(KEY).arg(GROUP).arg(id).ignore();
    pipe.cmd("XDEL").arg(KEY).arg(id).ignore();
    pipe
}

/// Forgets what was put here so long ago. Its batch, if it is still one, was put here again since.
pub(super) fn forget_before(ms: u64) -> Cmd {
    let mut trim = cmd("XTRIM");
    trim.arg(KEY).arg("MINID").arg(ms);
    trim
}

pub(super) fn workers() -> Cmd {
    let mut workers = cmd("XINFO");
    workers.arg("CONSUMERS").arg(KEY).arg(GROUP);
    workers
}

pub(super) fn remove(worker: &str) -> Cmd {
    let mut remove = cmd("XGROUP");
    remove.arg("DELCONSUMER").arg(KEY).arg(GROUP).arg(worker);
    remove
}

/// Zero would be for ever.
fn ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1)
}

/// What XREADGROUP brought; nothing when the time was over.
pub(super) fn read_answer(answer: Value) -> Option<Entry> {
    let stream = list(answer).into_iter().next()?;
    let entries = list(stream).into_iter().nth(1)?;
    list(entries).into_iter().next().and_then(Entry::read)
}

/// Where XAUTOCLAIM goes on, and what it brought.
pub(super) fn claim_answer(answer: Value) -> (String, Option<Entry>) {
    let mut parts = list(answer).into_iter();
    let cursor = parts.next().and_then(text);
    let entries = list(parts.next().unwrap_or_default());
    let entry = entries.into_iter().find_map(Entry::read);
    (cursor.unwrap_or_else(|| "0-0".to_owned()), entry)
}

/// The names of workers that have nothing, and have not asked for so long.
pub(super) fn gone(answer: Value, silent: Duration) -> Vec<String> {
    let name = |worker: Value| {
        let mut fields = list(worker).into_iter();
        let (mut name, mut pending, mut idle) = (None, None, None);
        while let (Some(field), Some(value)) = (fields.next(), fields.next()) {
            match text(field).as_deref() {
                Some("name") => name = text(value),
                Some("pending") => pending = number(&value),
                Some("idle") => idle = number(&value),
                Some(_) | None => {}
            }
        }
        name.filter(|_| pending == Some(0) && idle >= Some(ms(silent)))
    };
    list(answer).into_iter().filter_map(name).collect()
}

fn number(value: &Value) -> Option<u64> {
    match value {
        Value::Int(number) => u64::try_from(*number).ok(),
        // Redis' own list of shapes is open.
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn bulk(text: &str) -> Value {
        Value::BulkString(text.as_bytes().to_vec())
    }

    fn row(parts: &[&str]) -> Value {
        Value::Array(parts.iter().map(|part| bulk(part)).collect())
    }

    fn entry(id: &str, fields: &[&str]) -> Value {
        Value::Array(vec![bulk(id), row(fields)])
    }

    #[test]
    fn an_entry_names_its_batch_and_which_delivery_it_is_for() {
        let id = ReservationId(Uuid::from_u128(7));
        let fields = ["deliveries", "2", "batch", &id.to_string()];
        let entries = Value::Array(vec![entry("5-0", &fields)]);
        let answer = Value::Array(vec![Value::Array(vec![bulk(KEY), entries])]);
        let batch = Some(Leased { id, deliveries: 2 });
        let id = "5-0".to_owned();
        assert_eq!(read_answer(answer), Some(Entry { id, batch }));
        assert_eq!(read_answer(Value::Nil), None);
    }

    #[test]
    fn what_nobody_here_has_written_is_an_entry_without_a_batch() {
        let binary = Value::Array(vec![
            bulk("1-1"),
            Value::Array(vec![Value::BulkString(vec![0xff, 0xfe]), bulk("x")]),
        ]);
        for garbage in [
            entry("1-1", &["x", "y"]),
            entry("1-1", &["batch", "none", "deliveries", "0"]),
            entry("1-1", &["batch", "00000000-0000-0000-0000-000000000007"]),
            Value::Array(vec![bulk("1-1"), Value::Nil]),
            binary,
        ] {
            let found = Entry::read(garbage).unwrap();
            assert_eq!((found.id.as_str(), found.batch), ("1-1", None));
        }
    }

    #[test]
    fn a_claim_goes_on_where_it_was_and_passes_what_is_not_there_any_more() {
        let entries = Value::Array(vec![Value::Nil, entry("9-0", &["x", "y"])]);
        let answer = Value::Array(vec![bulk("9-1"), entries]);
        let (cursor, entry) = claim_answer(answer);
        assert_eq!(
            (cursor.as_str(), entry.unwrap().id.as_str()),
            ("9-1", "9-0")
        );
        assert_eq!(claim_answer(Value::Nil), ("0-0".to_owned(), None));
    }

    #[test]
    fn a_worker_is_gone_that_has_nothing_and_has_not_asked_for_long() {
        let worker = |name: &str, pending, idle| {
            let pending = [bulk("pending"), Value::Int(pending)];
            let idle = [bulk("idle"), Value::Int(idle)];
            let name = [bulk("name"), bulk(name)];
            Value::Array([name, pending, idle].concat())
        };
        let answer = Value::Array(vec![
            worker("gone", 0, 60_000),
            worker("has one", 1, 60_000),
            worker("asks", 0, 59_999),
            Value::Nil,
        ]);
        assert_eq!(gone(answer, Duration::from_secs(60)), ["gone"]);
    }
}

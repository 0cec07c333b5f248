//! Somebody who reads a stream from its beginning and knows what must be on it.

use domain::stream::EventId;
use serde_json::Value;
use server::store::outbox::{OutboxRow, outbox_between};
use server::store::stream::stream_head;
use uuid::Uuid;

use crate::hub::house::{House, eventually};
use crate::hub::reading::Reader;

/// A stream that was opened before anything happened.
pub struct Witness {
    house: House,
    pub reader: Reader,
    seen: u64,
}

impl Witness {
    pub async fn of(house: &House) -> Self {
        let mut reader = Reader::connect(house, EventId::NONE).await;
        let head: EventId = text(&reader.ready().await.data["head"]).parse().unwrap();
        Self {
            house: house.clone(),
            reader,
            seen: head.seq,
        }
    }

    /// The next event, which is the next number and the event that the database has there.
    pub async fn next(&mut self) -> OutboxRow {
        let frame = self.reader.next_soon().await.expect("an open stream");
        let id = frame.id.unwrap_or_else(|| panic!("{frame:?}"));
        assert_eq!(id.seq, self.seen + 1, "{frame:?}");
        let row = rows(&self.house, self.seen, 1).await.remove(0);
        assert_eq!(text(&frame.data["outboxId"]), row.outbox_id.to_string());
        let (kind, payload) = row.told();
        assert_eq!(frame.event, kind);
        assert_eq!(
            frame.data["payload"],
            serde_json::from_str::<Value>(payload).unwrap()
        );
        self.seen = id.seq;
        row
    }

    /// It sees every event that was committed, each once, in order, and no more; and the outbox
    /// has them all.
    pub async fn has_all(&mut self) {
        let head = head(&self.house).await;
        while self.seen < head.seq {
            self.next().await;
        }
        // Two beats later nothing has come twice.
        for _ in 0..2 {
            let frame = self.reader.next().await.unwrap();
            assert_eq!(frame.event, "heartbeat", "{frame:?}");
            assert_eq!(text(&frame.data["sent"]), head.to_string());
        }
        let kept = rows(&self.house, 0, u32::MAX).await;
        let kept: Vec<u64> = kept.iter().map(|row| row.seq).collect();
        assert_eq!(kept, (1..=head.seq).collect::<Vec<_>>());
    }

    /// And the relay has put all of it in the log.
    pub async fn all_is_published(&self) {
        eventually("all is published", async || {
            let rows = rows(&self.house, 0, u32::MAX).await;
            rows.iter().all(|row| row.published_at.is_some())
        })
        .await;
    }
}

pub async fn head(house: &House) -> EventId {
    let mut tx = house.db.read().await.unwrap();
    stream_head(&mut tx, house.store).await.unwrap().unwrap()
}

pub async fn rows(house: &House, after: u64, limit: u32) -> Vec<OutboxRow> {
    let mut tx = house.db.read().await.unwrap();
    let rows = outbox_between(&mut tx, house.store, after, u64::MAX >> 1, limit);
    rows.await.unwrap()
}

/// The key of the house's events.
pub fn key(house: &House) -> String {
    format!("pos:{}:9f3a61c2", house.store)
}

/// The log's own numbers and outbox ids, in order.
pub async fn entries(redis: &crate::support::Redis, key: &str) -> Vec<(u64, Uuid)> {
    type Stored = Vec<(String, Vec<String>)>;
    let mut range = redis::cmd("XRANGE");
    range.arg(key).arg("-").arg("+");
    let stored: Stored = redis.ask(&range).await;
    let entry = |(id, fields): (String, Vec<String>)| {
        let seq = id.strip_suffix("-0").unwrap().parse().unwrap();
        assert_eq!(fields[0], "outboxId");
        (seq, fields[1].parse().unwrap())
    };
    stored.into_iter().map(entry).collect()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

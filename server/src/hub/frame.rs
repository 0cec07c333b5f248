//! Server-sent event frames.
//!
//! A frame is encoded once and shared by every connection. Only events of the log have an
//! `id:` line; control frames never do, since it would move the browser's cursor
//! (realtime, section 5).

use bytes::Bytes;
use domain::stream::{Epoch, EventId};
use serde::Serialize;
use serde_json::value::RawValue;

use super::face::LazyFace;
use crate::store::outbox::{MARKER, OutboxRow, UNPUBLISHABLE};

/// The first bytes of every stream: the bridge reconnects, not the browser.
pub const RETRY: &str = "retry: 3600000\n\n";

/// What cannot be put in a frame.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// A NUL would make the browser drop the id, a line break would end the field.
    #[error("{field} has a NUL, CR or LF")]
    Unprintable {
        /// `id` or `event`.
        field: &'static str,
    },
    /// The stored payload is not JSON.
    #[error("the payload of an event is not JSON")]
    Payload,
}

/// One event as it stands in the ring.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Its id: the frame's `id:` and the `eventId` of its data.
    pub id: EventId,
    /// When its command happened, epoch milliseconds.
    pub at: i64,
    /// What is written to each connection of staff.
    pub bytes: Bytes,
    /// What guests may see of it, made when the first of them asks.
    pub face: LazyFace,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Envelope<'a> {
    r#type: &'a str,
    event_id: &'a str,
    outbox_id: uuid::Uuid,
    store_id: uuid::Uuid,
    at: i64,
    payload: &'a RawValue,
}

/// The frame of a stored event. A dead one reads as the marker `RELOAD_REQUIRED`, and so
/// does one whose payload is not JSON: it can never be delivered as itself.
///
/// # Errors
/// When the row's type has a line break.
pub fn event(row: &OutboxRow, epoch: Epoch) -> Result<Frame, FrameError> {
    let (kind, payload) = row.told();
    match envelope(row, epoch, kind, payload) {
        Err(FrameError::Payload | FrameError::Unprintable { .. }) => {
            envelope(row, epoch, MARKER, UNPUBLISHABLE)
        }
        Ok(frame) => Ok(frame),
    }
}

fn envelope(row: &OutboxRow, epoch: Epoch, kind: &str, payload: &str) -> Result<Frame, FrameError> {
    let id = EventId::new(epoch, row.seq);
    let text = id.to_string();
    let envelope = Envelope {
        r#type: kind,
        event_id: &text,
        outbox_id: row.outbox_id.0,
        store_id: row.store_id.0,
        at: row.created_at.0,
        payload: serde_json::from_str(payload).map_err(|_| FrameError::Payload)?,
    };
    let data = serde_json::to_string(&envelope).map_err(|_| FrameError::Payload)?;
    Ok(Frame {
        id,
        at: row.created_at.0,
        bytes: encode(Some(&text), kind, &data)?,
        face: LazyFace::default(),
    })
}

/// A frame without an id.
///
/// # Errors
/// When the data has no JSON form or the name a line break.
pub fn control(name: &'static str, data: &impl Serialize) -> Result<Bytes, FrameError> {
    let data = serde_json::to_string(data).map_err(|_| FrameError::Payload)?;
    encode(None, name, &data)
}

/// The bytes of one frame. Data may have line breaks of any kind: each of its lines
/// becomes a `data:` line, which the browser joins with LF.
///
/// # Errors
/// [`FrameError::Unprintable`] when the id or the event's name cannot stand on one line.
pub fn encode(id: Option<&str>, event: &str, data: &str) -> Result<Bytes, FrameError> {
    let mut out = String::with_capacity(data.len() + event.len() + 64);
    if let Some(id) = id {
        field(&mut out, "id", id)?;
    }
    field(&mut out, "event", event)?;
    for line in lines(data) {
        out.push_str("data: ");
        out.push_str(line);
        out.push('\n');
    }
    out.push('\n');
    Ok(Bytes::from(out))
}

fn field(out: &mut String, name: &'static str, value: &str) -> Result<(), FrameError> {
    if value.contains(['\0', '\r', '\n']) {
        return Err(FrameError::Unprintable { field: name });
    }
    out.push_str(name);
    out.push_str(": ");
    out.push_str(value);
    out.push('\n');
    Ok(())
}

/// Lines as a reader of the stream sees them: CR LF, CR and LF each end one.
fn lines(data: &str) -> impl Iterator<Item = &str> {
    data.split('\n')
        .flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use domain::id::{OutboxId, StoreId};
    use domain::time::Time;
    use uuid::Uuid;

    use super::*;

    fn row(payload: &str) -> OutboxRow {
        OutboxRow {
            store_id: StoreId(Uuid::from_u128(1)),
            seq: 151,
            outbox_id: OutboxId(Uuid::from_u128(2)),
            kind: Cow::Borrowed("KITCHEN_COOK"),
            payload: payload.to_owned(),
            created_at: Time(5),
            published_at: None,
            dead: false,
        }
    }

    const EPOCH: Epoch = Epoch(0x9f3a_61c2);

    fn text(row: &OutboxRow) -> String {
        String::from_utf8(event(row, EPOCH).unwrap().bytes.to_vec()).unwrap()
    }

    #[test]
    fn an_event_carries_its_id_its_type_and_the_whole_envelope() {
        assert_eq!(
            text(&row(r#"{"id":"a"}"#)),
            "id: 9f3a61c2:151\nevent: KITCHEN_COOK\ndata: {\"type\":\"KITCHEN_COOK\",\
             \"eventId\":\"9f3a61c2:151\",\"outboxId\":\"00000000-0000-0000-0000-000000000002\",\
             \"storeId\":\"00000000-0000-0000-0000-000000000001\",\"at\":5,\
             \"payload\":{\"id\":\"a\"}}\n\n"
        );
    }

    // Trial C08, server side.
    #[test]
    fn an_id_with_nul_or_a_line_break_is_an_error_value() {
        for bad in ["bad\0id", "bad\rid", "bad\nid", "\r\n"] {
            let error = FrameError::Unprintable { field: "id" };
            assert_eq!(encode(Some(bad), "x", "{}"), Err(error), "{bad:?}");
            let error = FrameError::Unprintable { field: "event" };
            assert_eq!(encode(None, bad, "{}"), Err(error), "{bad:?}");
        }
    }

    // Trial C10, the raw two-line frame.
    #[test]
    fn every_line_of_the_data_gets_a_field_of_its_own() {
        let frame = encode(None, "x", "{\"memo\":\n\"x\"}").unwrap();
        assert_eq!(frame, "event: x\ndata: {\"memo\":\ndata: \"x\"}\n\n");
        let frame = encode(None, "x", "a\r\nb\rc\n").unwrap();
        assert_eq!(frame, "event: x\ndata: a\ndata: b\ndata: c\ndata: \n\n");
    }

    // Trial C10: line breaks of a note are escapes in JSON and stay so.
    #[test]
    fn a_note_with_line_breaks_stays_on_one_data_line() {
        let note = "땅콩 빼고\r\n포장 따로\n🍲 두 개";
        let frame = text(&row(&serde_json::json!({ "note": note }).to_string()));
        let data: Vec<&str> = frame
            .lines()
            .filter_map(|l| l.strip_prefix("data: "))
            .collect();
        let [data] = data[..] else { panic!("{frame}") };
        let data: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_eq!(data["payload"]["note"], note);
    }

    #[test]
    fn a_dead_event_reads_as_a_marker_under_its_own_number() {
        let dead = OutboxRow {
            dead: true,
            ..row("{}")
        };
        let frame = text(&dead);
        assert!(
            frame.starts_with("id: 9f3a61c2:151\nevent: RELOAD_REQUIRED\n"),
            "{frame}"
        );
    }

    #[test]
    fn an_event_that_cannot_be_delivered_as_itself_reads_as_a_marker() {
        assert!(text(&row("not json")).contains("event: RELOAD_REQUIRED\n"));
        let broken = OutboxRow {
            kind: Cow::Borrowed("A\nB"),
            ..row("{}")
        };
        assert!(text(&broken).contains("event: RELOAD_REQUIRED\n"));
    }

    // Trial C07, server side.
    #[test]
    fn a_control_frame_has_no_id() {
        let frame = control("heartbeat", &serde_json::json!({ "sent": "0:0" })).unwrap();
        assert_eq!(frame, "event: heartbeat\ndata: {\"sent\":\"0:0\"}\n\n");
    }
}

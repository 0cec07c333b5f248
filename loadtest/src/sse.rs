//! Server-sent events from bytes, as the HTML standard reads them (section 9.2.6).
//!
//! Bytes may be cut anywhere: inside a character, between CR and LF, in the middle of a field.

/// A dispatched event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The `event:` field; empty is `message`.
    pub event: String,
    /// The `data:` fields, joined by line feeds.
    pub data: String,
    /// The last `id:` so far; it repeats on events without one.
    pub last_event_id: String,
}

/// Reads a stream from its beginning.
#[derive(Debug, Default)]
pub struct Parser {
    /// The line under way.
    line: Vec<u8>,
    /// The line before ended with CR: a LF belongs to it.
    after_cr: bool,
    /// A byte order mark is skipped before the first line alone.
    past_first_line: bool,
    event: String,
    data: String,
    last_event_id: String,
}

impl Parser {
    /// A parser at the beginning of a stream.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next bytes and answers with the events they complete. An event that the stream
    /// never completes is not one.
    pub fn take(&mut self, bytes: &[u8]) -> Vec<Message> {
        let mut messages = Vec::new();
        for byte in bytes {
            let after_cr = std::mem::replace(&mut self.after_cr, *byte == b'\r');
            match byte {
                b'\n' if after_cr => {}
                b'\n' | b'\r' => messages.extend(self.end_line()),
                other => self.line.push(*other),
            }
        }
        messages
    }

    fn end_line(&mut self) -> Option<Message> {
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line);
        let mut text = text.as_ref();
        if !std::mem::replace(&mut self.past_first_line, true) {
            text = text.strip_prefix('\u{feff}').unwrap_or(text);
        }
        if text.is_empty() {
            return self.dispatch();
        }
        let (name, value) = text.split_once(':').unwrap_or((text, ""));
        self.field(name, value.strip_prefix(' ').unwrap_or(value));
        None
    }

    /// A comment is a field without a name; unknown fields and `retry` mean nothing here: the
    /// bridge reconnects.
    fn field(&mut self, name: &str, value: &str) {
        match name {
            "event" => value.clone_into(&mut self.event),
            "data" => {
                self.data.push_str(value);
                self.data.push('\n');
            }
            "id" if !value.contains('\0') => value.clone_into(&mut self.last_event_id),
            _ => {}
        }
    }

    fn dispatch(&mut self) -> Option<Message> {
        let event = std::mem::take(&mut self.event);
        let mut data = std::mem::take(&mut self.data);
        // `data` ends with a line feed exactly when there was a `data:` field.
        data.pop()?;
        Some(Message {
            event,
            data,
            last_event_id: self.last_event_id.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(event: &str, data: &str, id: &str) -> Message {
        Message {
            event: event.to_owned(),
            data: data.to_owned(),
            last_event_id: id.to_owned(),
        }
    }

    /// Reads `bytes` whole, cut in two at every byte, and byte by byte: always the same.
    fn read(bytes: &[u8]) -> Vec<Message> {
        let whole = Parser::new().take(bytes);
        for cut in 0..=bytes.len() {
            let mut parser = Parser::new();
            let mut messages = parser.take(&bytes[..cut]);
            messages.extend(parser.take(&bytes[cut..]));
            assert_eq!(messages, whole, "cut at {cut}");
        }
        let mut parser = Parser::new();
        let single: Vec<Message> = bytes.chunks(1).flat_map(|byte| parser.take(byte)).collect();
        assert_eq!(single, whole);
        whole
    }

    // Trial C08.
    #[test]
    fn an_id_with_nul_is_ignored_and_the_cursor_stays() {
        let bytes = b"id: 1700-0\ndata: a\n\nid: bad\0id\ndata: b\n\n";
        assert_eq!(
            read(bytes),
            [message("", "a", "1700-0"), message("", "b", "1700-0")]
        );
    }

    // Trial C10.
    #[test]
    fn a_payload_of_several_lines_is_one_event() {
        let bytes = b"data: {\"memo\":\ndata: \"x\"}\n\n";
        assert_eq!(read(bytes), [message("", "{\"memo\":\n\"x\"}", "")]);
    }

    // Trial C10.
    #[test]
    fn an_escaped_note_arrives_character_for_character() {
        let note = "땅콩 빼고\r\n포장 따로\n🍲 두 개";
        let json = serde_json::to_string(note).unwrap();
        let messages = read(format!("event: ORDER_CHANGED\ndata: {json}\n\n").as_bytes());
        let back: String = serde_json::from_str(&messages[0].data).unwrap();
        assert_eq!(back, note);
    }

    #[test]
    fn all_three_line_ends_are_line_ends() {
        let expected = [message("ready", "1\n2", "9:1")];
        assert_eq!(read(b"id:9:1\nevent:ready\ndata:1\ndata:2\n\n"), expected);
        assert_eq!(
            read(b"id:9:1\r\nevent:ready\r\ndata:1\r\ndata:2\r\n\r\n"),
            expected
        );
        assert_eq!(read(b"id:9:1\revent:ready\rdata:1\rdata:2\r\r"), expected);
    }

    #[test]
    fn comments_retry_and_unknown_fields_make_no_event() {
        let bytes = b"retry: 3600000\n\n: beat\n\nwhat: 1\nevent: heartbeat\n\ndata: a\n\n";
        assert_eq!(read(bytes), [message("", "a", "")]);
    }

    #[test]
    fn only_one_space_after_the_colon_is_dropped() {
        assert_eq!(
            read(b"data:  a\n\ndata\n\n"),
            [message("", " a", ""), message("", "", "")]
        );
    }

    #[test]
    fn an_event_does_not_hand_its_name_to_the_next() {
        let bytes = b"event: a\ndata: 1\n\ndata: 2\n\n";
        assert_eq!(read(bytes), [message("a", "1", ""), message("", "2", "")]);
    }

    #[test]
    fn an_unfinished_event_and_a_byte_order_mark_are_dropped() {
        let bytes = "\u{feff}data: a\n\ndata: b\n";
        assert_eq!(read(bytes.as_bytes()), [message("", "a", "")]);
    }

    #[test]
    fn an_empty_id_clears_the_last_one() {
        assert_eq!(
            read(b"id: 1\ndata: a\n\nid\ndata: b\n\n"),
            [message("", "a", "1"), message("", "b", "")]
        );
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_make_it_panic_or_depend_on_how_they_are_cut(bytes: Vec<u8>) {
            read(&bytes);
        }
    }
}

//! Reads frames of a stream, as a browser would take them apart.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use domain::stream::EventId;
use futures_util::{Stream, StreamExt as _};
use serde_json::Value;
use server::hub::EventStream;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::house::House;

/// One frame.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    pub id: Option<EventId>,
    pub event: String,
    pub data: Value,
}

impl Frame {
    fn parse(text: &str, ids_only: bool) -> Option<Self> {
        let mut frame = Self::default();
        let mut data = Vec::new();
        for line in text.lines() {
            let (field, value) = line.split_once(": ").unwrap_or((line, ""));
            match field {
                "id" => frame.id = Some(value.parse().unwrap()),
                "event" => frame.event = value.to_owned(),
                "data" => data.push(value),
                "retry" | "" => {}
                other => panic!("unknown field {other:?}"),
            }
        }
        if data.is_empty() {
            return None;
        }
        if frame.id.is_none() || !ids_only {
            frame.data = serde_json::from_str(&data.join("\n")).unwrap();
        }
        Some(frame)
    }
}

/// Whoever reads a stream.
pub struct Reader {
    chunks: Box<dyn Stream<Item = Bytes> + Send + Unpin>,
    text: Vec<u8>,
    frames: VecDeque<Frame>,
    pub first_bytes: Vec<u8>,
    /// Leaves the data of events unread.
    pub ids_only: bool,
}

impl Reader {
    pub fn new(stream: EventStream) -> Self {
        Self::of(stream.map(|chunk| chunk.unwrap()))
    }

    fn of(chunks: impl Stream<Item = Bytes> + Send + Unpin + 'static) -> Self {
        let (text, first_bytes) = (Vec::new(), Vec::new());
        Self {
            chunks: Box::new(chunks),
            text,
            frames: VecDeque::new(),
            first_bytes,
            ids_only: false,
        }
    }

    /// Reads an answer that is a stream.
    pub fn answer(answer: reqwest::Response) -> Self {
        let chunks = answer.bytes_stream();
        Self::of(Box::pin(chunks.map(|chunk| chunk.unwrap_or_default())))
    }

    /// Opens a stream over a socket.
    pub async fn connect(house: &House, cursor: EventId) -> Self {
        let url = format!("http://{}/stream?cursor={cursor}", house.addr);
        let answer = house.http.get(url).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        Self::answer(answer)
    }

    /// The next frame; `None` at the end of the stream.
    pub async fn next(&mut self) -> Option<Frame> {
        loop {
            if let Some(frame) = self.frames.pop_front() {
                return Some(frame);
            }
            let wait = tokio::time::timeout(Duration::from_secs(10), self.chunks.next());
            let chunk = wait.await.expect("a frame within ten seconds")?;
            if self.first_bytes.is_empty() {
                self.first_bytes = chunk.to_vec();
            }
            self.text.extend_from_slice(&chunk);
            while let Some(end) = self.text.windows(2).position(|two| two == b"\n\n") {
                let frame: Vec<u8> = self.text.drain(..end + 2).collect();
                self.frames.extend(Frame::parse(
                    std::str::from_utf8(&frame).unwrap(),
                    self.ids_only,
                ));
            }
        }
    }

    /// The next frame but heartbeats, within ten seconds.
    pub async fn next_soon(&mut self) -> Option<Frame> {
        let wait = tokio::time::timeout(Duration::from_secs(10), self.next_but_beats());
        wait.await
            .expect("a frame but heartbeats within ten seconds")
    }

    /// The next frame but heartbeats.
    pub async fn next_but_beats(&mut self) -> Option<Frame> {
        loop {
            let frame = self.next().await?;
            if frame.event != "heartbeat" {
                return Some(frame);
            }
        }
    }

    /// The next frame of that name; whatever comes before is passed over.
    pub async fn find(&mut self, event: &str) -> Frame {
        loop {
            let frame = self
                .next()
                .await
                .unwrap_or_else(|| panic!("no {event} before the end"));
            if frame.event == event {
                return frame;
            }
        }
    }

    /// `ready`, the first frame.
    pub async fn ready(&mut self) -> Frame {
        let ready = self.next().await.expect("a first frame");
        assert_eq!(ready.event, "ready");
        assert_eq!(ready.id, None);
        ready
    }

    /// Reads to the end of the stream, which comes within a beat: the one under way, and one
    /// that was on its way already.
    pub async fn ends_within_a_beat(&mut self) {
        let mut beats = 0;
        while let Some(frame) = self.next().await {
            beats += i32::from(frame.event == "heartbeat");
        }
        assert!(beats <= 2, "{beats} beats");
    }

    /// The numbers of the events up to and with `last`. Any other frame but heartbeats ends
    /// them.
    pub async fn seqs_upto(&mut self, last: u64) -> Vec<u64> {
        let mut seqs = Vec::new();
        while seqs.last() != Some(&last) {
            match self.next_but_beats().await {
                Some(Frame { id: Some(id), .. }) => seqs.push(id.seq),
                Some(_) | None => break,
            }
        }
        seqs
    }
}

/// A client that asks for the stream at `path` and then reads nothing: its window closes.
pub async fn deaf(addr: SocketAddr, path: &str) -> TcpStream {
    let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
    socket.set_recv_buffer_size(1024).unwrap();
    socket.connect(&addr.into()).unwrap();
    socket.set_nonblocking(true).unwrap();
    let mut stream = TcpStream::from_std(socket.into()).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut start = [0; 12];
    stream.read_exact(&mut start).await.unwrap();
    assert_eq!(&start, b"HTTP/1.1 200");
    stream
}

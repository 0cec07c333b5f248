//! What is on its way from a stream to its socket.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use domain::time::Time;
use metrics::Histogram;
use tokio::sync::mpsc;

use crate::clock::Clock;

/// Bytes for the HTTP layer.
#[derive(Debug)]
pub(super) struct Outgoing {
    pub(super) bytes: Bytes,
    /// When the event happened, for one that is not repeated.
    pub(super) happened: Option<Time>,
}

impl From<Bytes> for Outgoing {
    fn from(bytes: Bytes) -> Self {
        Self {
            bytes,
            happened: None,
        }
    }
}

/// The frames of one stream, as a response's body takes them. Dropping it ends the stream.
#[derive(Debug)]
pub struct EventStream {
    pub(super) frames: mpsc::Receiver<Outgoing>,
    pub(super) clock: Clock,
    pub(super) delivery: Histogram,
}

impl EventStream {
    /// The HTTP layer takes a frame when it can write it to the socket: here the event arrives.
    fn measured(&self, out: Outgoing) -> Bytes {
        if let Some(happened) = out.happened {
            let late = self.clock.now().0.saturating_sub(happened.0).max(0);
            self.delivery.record(late as f64 / 1000.0);
        }
        out.bytes
    }
}

impl futures_util::Stream for EventStream {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let frame = self.frames.poll_recv(cx);
        frame.map(|frame| frame.map(|out| Ok(self.measured(out))))
    }
}

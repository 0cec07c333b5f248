//! One store of this process: its ring, and who is at it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::id::StoreId;
use domain::stream::EventId;
use metrics::{counter, gauge};
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::beat::Beat;
use super::frame::Frame;
use super::history::Page;
use super::position::{Verdict, judge};
use super::ring::{Generation, Pull, Ring, RingLimits};

/// Rows read from the outbox at once.
pub(super) const PAGE: u32 = 500;

/// The ring of a store and the signals of its connections.
#[derive(Debug)]
pub(super) struct Feed {
    pub(super) store: StoreId,
    ring: Mutex<Ring>,
    /// Sent after each change of the ring.
    pub(super) news: watch::Sender<()>,
    /// The newest beat.
    pub(super) beat: watch::Sender<Option<Arc<Beat>>>,
    presence: Mutex<Presence>,
    /// The feed has left the hub; its tasks end.
    pub(super) retired: CancellationToken,
}

#[derive(Debug)]
struct Presence {
    streams: usize,
    empty_since: Instant,
    next: u64,
    /// The kitchen screens at this feed, by the number of their seat.
    kitchens: HashMap<u64, String>,
}

impl Feed {
    /// A feed at the store's head, its ring holding the newest events: after a restart
    /// every screen comes back at once, a little behind.
    pub(super) fn new(store: StoreId, newest: Page, limits: RingLimits) -> Self {
        let ring = Ring::filled(newest.head, newest.frames, limits);
        gauge!("rt_feeds").increment(1.0);
        meter((0, 0), ring.size());
        Self {
            store,
            ring: Mutex::new(ring),
            news: watch::channel(()).0,
            beat: watch::channel(None).0,
            presence: Mutex::new(Presence {
                streams: 0,
                empty_since: Instant::now(),
                next: 0,
                kitchens: HashMap::new(),
            }),
            retired: CancellationToken::new(),
        }
    }

    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn presence(&self) -> MutexGuard<'_, Presence> {
        self.presence.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The newest event of the ring, and the history it belongs to.
    pub(super) fn position(&self) -> (EventId, Generation) {
        let ring = self.ring();
        (ring.head(), ring.generation())
    }

    pub(super) fn pull(&self, generation: Generation, last: EventId, max: usize) -> Pull {
        self.ring().pull(generation, last, max)
    }

    /// Puts what follows the ring's head in the ring: the same invariant as for a
    /// connection. What history lacks is passed over, and its readers fall out.
    pub(super) fn take(&self, page: Page) {
        let mut ring = self.ring();
        let before = ring.size();
        let full = page.frames.len() >= PAGE as usize;
        let last = ring.head();
        if page.head.epoch != last.epoch || page.head.seq < last.seq {
            tracing::warn!(store = %self.store, from = %last, to = %page.head, "history replaced");
            counter!("rt_history_replaced_total").increment(1);
            ring.replace(page.head);
        } else {
            let hole = page
                .frames
                .into_iter()
                .any(|frame| !follow(&mut ring, frame));
            if hole || (!full && ring.head().seq < page.head.seq) {
                tracing::error!(store = %self.store, from = %ring.head(), to = %page.head,
                    "committed events are missing in the outbox");
                counter!("rt_history_lost_total").increment(1);
                ring.skip_to(page.head);
            }
        }
        self.settle(ring, before, last);
    }

    /// Puts frames of the log in the ring. `false` when frames before one of them are missing,
    /// or it is of another history: then the outbox has to be read.
    pub(super) fn append(&self, frames: Vec<Frame>) -> bool {
        let mut ring = self.ring();
        let (before, last) = (ring.size(), ring.head());
        let dense = frames.into_iter().all(|frame| follow(&mut ring, frame));
        self.settle(ring, before, last);
        dense
    }

    /// Tells the connections when the ring moved.
    fn settle(&self, ring: MutexGuard<'_, Ring>, before: (usize, usize), last: EventId) {
        let (after, moved) = (ring.size(), ring.head() != last);
        drop(ring);
        meter(before, after);
        if moved {
            self.news.send_replace(());
        }
    }

    /// Takes a place at the feed until the answer is dropped.
    pub(super) fn seat(self: &Arc<Self>, kitchen: Option<String>) -> Seat {
        let mut presence = self.presence();
        presence.streams += 1;
        presence.next += 1;
        let number = presence.next;
        if let Some(connection_id) = kitchen {
            presence.kitchens.insert(number, connection_id);
        }
        drop(presence);
        Seat {
            feed: Arc::clone(self),
            number,
        }
    }

    /// Streams at this feed.
    pub(super) fn streams(&self) -> usize {
        self.presence().streams
    }

    /// The kitchen screens at this feed, by connection id.
    pub(super) fn kitchens(&self) -> Vec<String> {
        self.presence().kitchens.values().cloned().collect()
    }

    /// Whether nobody has been here for `idle`.
    pub(super) fn is_idle(&self, idle: Duration) -> bool {
        let presence = self.presence();
        presence.streams == 0 && presence.empty_since.elapsed() >= idle
    }
}

/// Puts a frame in the ring unless it is there; `false` when frames before it are missing.
fn follow(ring: &mut Ring, frame: Frame) -> bool {
    match judge(ring.head(), frame.id) {
        Verdict::Next => ring.push(frame),
        Verdict::Seen => true,
        Verdict::Hole | Verdict::OtherEpoch => false,
    }
}

fn meter(before: (usize, usize), after: (usize, usize)) {
    gauge!("rt_ring_frames").increment(after.0 as f64 - before.0 as f64);
    gauge!("rt_ring_bytes").increment(after.1 as f64 - before.1 as f64);
}

impl Drop for Feed {
    fn drop(&mut self) {
        meter(self.ring().size(), (0, 0));
        gauge!("rt_feeds").decrement(1.0);
    }
}

/// One stream's place at a feed.
#[derive(Debug)]
pub(super) struct Seat {
    feed: Arc<Feed>,
    number: u64,
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut presence = self.feed.presence();
        presence.streams -= 1;
        presence.kitchens.remove(&self.number);
        presence.empty_since = Instant::now();
    }
}

//! A guest's page without a picture: after `ready` it loads, then it follows its stream.

use std::collections::BTreeSet;
use std::time::Duration;

use domain::call::CallState;
use domain::event::{EventType, Kind, Reload};
use domain::guest::{
    GuestCall, GuestFrame, GuestHeartbeat, GuestOrder, GuestPage, GuestReady, GuestTable,
};
use domain::id::OrderId;
use domain::menu::MenuItem;
use domain::stream::EventId;
use hdrhistogram::Histogram;
use reqwest::StatusCode;
use serde::de::DeserializeOwned;
use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::Phone;
use crate::sse::{Message, Parser};
use crate::tally::{latency, wall_micros};

/// Between two attempts to open a stream.
const PAUSE: Duration = Duration::from_millis(200);

/// What a page shows, and what it has counted.
#[derive(Clone, Debug)]
pub struct GuestSeen {
    /// `None` before it has loaded.
    pub page: Option<GuestPage>,
    /// Every order that was ever shown or heard of.
    pub orders_seen: BTreeSet<OrderId>,
    /// The party was cleared.
    pub cleared: bool,
    /// Streams opened.
    pub streams: u64,
    /// Entities received.
    pub events: u64,
    /// Times the page was told to load again.
    pub reloads: u64,
    /// Heartbeats that named another last frame than the page had.
    pub holes: u64,
    /// Frames that had been received before, or could not be read.
    pub bad: u64,
    /// From commit to phone, in µs.
    pub latency: Histogram<u64>,
}

impl GuestSeen {
    fn new() -> Self {
        Self {
            page: None,
            orders_seen: BTreeSet::new(),
            cleared: false,
            streams: 0,
            events: 0,
            reloads: 0,
            holes: 0,
            bad: 0,
            latency: latency(),
        }
    }

    /// What the page has otherwise than `truth`; a word each.
    #[must_use]
    pub fn differences(&self, truth: &GuestPage) -> Vec<String> {
        let Some(page) = &self.page else {
            return vec!["nothing is loaded".to_owned()];
        };
        let parts = [
            ("orders", page.orders == truth.orders),
            ("calls", page.calls == truth.calls),
            ("table", page.table == truth.table),
            ("items", page.items == truth.items),
            ("store", page.store == truth.store),
        ];
        let wrong = parts.into_iter().filter(|(_, same)| !same);
        wrong.map(|(part, _)| part.to_owned()).collect()
    }
}

/// A running page; it stops when this is dropped.
#[derive(Debug)]
pub struct GuestScreen {
    seen: watch::Receiver<GuestSeen>,
    driver: AbortHandle,
}

impl Drop for GuestScreen {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

impl GuestScreen {
    /// Opens the page of this phone.
    #[must_use]
    pub fn start(phone: Phone) -> Self {
        let (tell, seen) = watch::channel(GuestSeen::new());
        let driver = Driver {
            phone,
            seen: tell,
            as_of: EventId::NONE,
            last: EventId::NONE,
        };
        let driver = tokio::spawn(driver.run()).abort_handle();
        Self { seen, driver }
    }

    /// What it shows and has counted.
    #[must_use]
    pub fn seen(&self) -> GuestSeen {
        self.seen.borrow().clone()
    }

    /// Waits until what it has seen is so; `false`: not within `patience`.
    pub async fn reaches(&self, patience: Duration, so: impl Fn(&GuestSeen) -> bool) -> bool {
        let mut seen = self.seen.clone();
        let reached = tokio::time::timeout(patience, seen.wait_for(|seen| so(seen))).await;
        matches!(reached, Ok(Ok(_)))
    }
}

struct Driver {
    phone: Phone,
    seen: watch::Sender<GuestSeen>,
    /// The page is as of this.
    as_of: EventId,
    /// The last entity of this connection.
    last: EventId,
}

impl Driver {
    async fn run(mut self) {
        while !self.seen.borrow().cleared {
            match self.phone.events().await {
                Ok(stream) => self.follow(stream).await,
                Err(error) if error.status() == Some(StatusCode::CONFLICT) => {
                    self.seen.send_modify(|seen| seen.cleared = true);
                }
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        }
    }

    async fn follow(&mut self, mut stream: reqwest::Response) {
        self.last = EventId::NONE;
        self.seen.send_modify(|seen| seen.streams += 1);
        let mut parser = Parser::new();
        while let Ok(Some(bytes)) = stream.chunk().await {
            for message in parser.take(&bytes) {
                self.message(&message).await;
            }
        }
    }

    async fn message(&mut self, message: &Message) {
        match message.event.as_str() {
            "ready" => match read::<GuestReady>(message) {
                Some(_) => self.load().await,
                None => self.bad(),
            },
            "heartbeat" => match read::<GuestHeartbeat>(message) {
                Some(beat) if beat.sent == self.last => {}
                Some(_) => {
                    self.seen.send_modify(|seen| seen.holes += 1);
                    self.load().await;
                }
                None => self.bad(),
            },
            "RELOAD_REQUIRED" => match read::<Reload>(message) {
                Some(reload) => {
                    self.seen.send_modify(|seen| seen.reloads += 1);
                    let wait = reload.not_before_ms.max(0).unsigned_abs();
                    tokio::time::sleep(Duration::from_millis(wait)).await;
                    self.load().await;
                }
                None => self.bad(),
            },
            "partyCleared" => self.seen.send_modify(|seen| seen.cleared = true),
            "drain" => {}
            name => self.entity(name, message),
        }
    }

    fn bad(&self) {
        self.seen.send_modify(|seen| seen.bad += 1);
    }

    async fn load(&mut self) {
        let Ok((watermark, page)) = self.phone.page().await else {
            return;
        };
        self.as_of = watermark;
        self.seen.send_modify(|seen| {
            let ids = page.orders.iter().map(|order| order.id);
            seen.orders_seen.extend(ids);
            seen.page = Some(page);
        });
    }

    fn entity(&mut self, name: &str, message: &Message) {
        let kind = EventType::named(name).and_then(EventType::kind);
        let taken = match kind {
            Some(Kind::Order) => self.take(message, |seen, order: GuestOrder| {
                seen.orders_seen.insert(order.id);
                seen.page
                    .as_mut()
                    .map(|page| put(&mut page.orders, order, |it| it.id))
            }),
            Some(Kind::Call) => self.take(message, |seen, call: GuestCall| {
                let page = seen.page.as_mut()?;
                let (id, done) = (call.id, call.state == CallState::Done);
                put(&mut page.calls, call, |it| it.id);
                page.calls.retain(|it| it.id != id || !done);
                Some(())
            }),
            Some(Kind::Table) => self.take(message, |seen, table: GuestTable| {
                seen.page.as_mut().map(|page| page.table = table)
            }),
            Some(Kind::Menu) => self.take(message, |seen, item: MenuItem| {
                seen.page
                    .as_mut()
                    .map(|page| put(&mut page.items, item, |it| it.id))
            }),
            Some(Kind::Stock) | None => None,
        };
        if taken.is_none() {
            self.bad();
        }
    }

    /// Counts a frame and applies it, unless the page is newer.
    fn take<T: DeserializeOwned>(
        &mut self,
        message: &Message,
        apply: impl FnOnce(&mut GuestSeen, T) -> Option<()>,
    ) -> Option<()> {
        let frame: GuestFrame<T> = read(message)?;
        let fresh = self.last == EventId::NONE || frame.event_id > self.last;
        self.last = frame.event_id;
        let newer = frame.event_id > self.as_of;
        let took = wall_micros() - frame.at.0 * 1_000;
        self.seen.send_modify(|seen| {
            seen.events += 1;
            seen.bad += u64::from(!fresh);
            seen.latency.saturating_record(took.max(1).unsigned_abs());
            if newer {
                // Before the page has loaded there is nothing to apply it to.
                let _ = apply(seen, frame.payload);
            }
        });
        Some(())
    }
}

fn read<T: DeserializeOwned>(message: &Message) -> Option<T> {
    serde_json::from_str(&message.data).ok()
}

/// In the place of the one with its id, or last.
fn put<T, I: PartialEq>(list: &mut Vec<T>, new: T, id: impl Fn(&T) -> I) {
    match list.iter_mut().find(|old| id(old) == id(&new)) {
        Some(old) => *old = new,
        None => list.push(new),
    }
}

//! One stream: from its first frame to its end.
//!
//! It pulls from the ring at its own pace and is the only one that writes to its client,
//! in [`Connection::event`], under the invariant of [`super::position`].

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use domain::event::{Drain, Heartbeat, Ready, Reload, ReloadReason};
use domain::stream::EventId;
use domain::time::Time;
use metrics::{counter, histogram};
use serde::Serialize;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use super::beat::Beat;
use super::close::CloseReason;
use super::feed::{Feed, Seat};
use super::frame::{self, Frame};
use super::guest::Audience;
use super::limits::Admitted;
use super::outgoing::Outgoing;
use super::position::{Opening, Verdict, judge};
use super::ring::{Generation, Pull};
use super::{Health, Inner};

/// Frames taken from the ring at once: what one connection holds at most beside its queue.
const BATCH: usize = 32;

/// A stream that is open.
pub(super) struct Connection {
    pub(super) hub: Arc<Inner>,
    pub(super) feed: Arc<Feed>,
    /// The client's name for itself.
    pub(super) connection_id: String,
    /// What the client has; `None` for what is no event id.
    pub(super) cursor: Option<EventId>,
    pub(super) health: Option<Arc<Health>>,
    /// Whom it serves: what may be written to it.
    pub(super) audience: Audience,
    /// Frames on their way to the HTTP layer; it takes them when the client does.
    pub(super) out: mpsc::Sender<Outgoing>,
    pub(super) news: watch::Receiver<()>,
    pub(super) beat: watch::Receiver<Option<Arc<Beat>>>,
    pub(super) generation: Generation,
    /// The ring's position when the stream subscribed.
    pub(super) position: EventId,
    /// The last event written.
    pub(super) last: EventId,
    pub(super) opened: Instant,
    pub(super) written: u64,
    /// Counted among the limits, and present at the feed, as long as the connection lives.
    pub(super) _held: (Admitted, Seat),
}

/// What a connection woke up for.
enum Wake {
    Gone,
    Drain,
    Lifetime,
    Beat,
    News,
}

impl Connection {
    /// Serves the stream to its end.
    pub(super) async fn run(mut self) {
        let reason = match self.serve().await {
            Ok(never) => match never {},
            Err(reason) => reason,
        };
        counter!("rt_streams_closed_total", "reason" => reason.name()).increment(1);
        if reason == CloseReason::SlowConsumer {
            counter!("rt_slow_consumers_total").increment(1);
        }
        histogram!("rt_stream_seconds").record(self.opened.elapsed().as_secs_f64());
        tracing::info!(
            store = %self.feed.store,
            connection_id = self.connection_id,
            cursor = %self.last,
            events = self.written,
            reason = reason.name(),
            "stream closed"
        );
    }

    async fn serve(&mut self) -> Result<Infallible, CloseReason> {
        let opening = self.open().await?;
        self.begin(opening).await?;
        while self.last.seq < self.position.seq && self.pull().await? {}
        if let Some(hook) = &self.hub.config.guards.after_replay {
            hook().await;
        }
        if !self.hub.config.guards.ring_before_replay {
            self.trust_the_ring();
        }
        self.live().await
    }

    /// `ready`, and the marker when events cannot continue from the cursor.
    async fn begin(&mut self, opening: Opening) -> Result<(), CloseReason> {
        let resumed = opening == Opening::Resumed;
        counter!("rt_replays_total", "kind" => opening.name()).increment(1);
        self.last = match self.cursor {
            Some(cursor) if resumed => cursor,
            Some(_) | None => self.position,
        };
        if let Audience::Guest(_) = self.audience {
            return self.guest_begin().await;
        }
        let ready = Ready {
            connection_id: self.connection_id.clone(),
            head: self.position.at(self.position.seq.max(self.last.seq)),
            heartbeat_ms: ms(self.hub.config.heartbeat),
            server_time: self.hub.clock.now(),
            resumed,
            build: self.hub.config.build.clone(),
        };
        self.control("ready", &ready).await?;
        match opening {
            Opening::Reload(reason) => self.marker(reason).await,
            Opening::Resumed | Opening::Fresh => Ok(()),
        }
    }

    async fn live(&mut self) -> Result<Infallible, CloseReason> {
        let lifetime = jittered(self.hub.config.lifetime);
        let end = self.opened + lifetime;
        loop {
            self.news.borrow_and_update();
            let more = self.pull().await?;
            match self.wait(end, more).await {
                Wake::Gone => return Err(self.gone()),
                Wake::Drain => {
                    self.leave().await?;
                    return Err(CloseReason::Drain);
                }
                Wake::Lifetime => {
                    self.leave().await?;
                    return Err(CloseReason::Lifetime);
                }
                Wake::Beat => self.heartbeat().await?,
                Wake::News => {}
            }
        }
    }

    /// The most urgent of what there is to do; with `more` in the ring it does not wait.
    async fn wait(&mut self, end: Instant, more: bool) -> Wake {
        tokio::select! {
            biased;
            () = self.out.closed() => Wake::Gone,
            () = self.hub.draining.cancelled() => Wake::Drain,
            () = tokio::time::sleep_until(end) => Wake::Lifetime,
            Ok(()) = self.beat.changed() => Wake::Beat,
            () = std::future::ready(()), if more => Wake::News,
            Ok(()) = self.news.changed() => Wake::News,
        }
    }

    /// Writes what follows the position; `false` when nothing does.
    async fn pull(&mut self) -> Result<bool, CloseReason> {
        match self.feed.pull(self.generation, self.last, BATCH) {
            Pull::Frames(frames) => {
                for frame in frames {
                    self.event(frame).await?;
                }
                Ok(true)
            }
            Pull::Nothing => Ok(false),
            Pull::Behind { head } => {
                self.catch_up(head, ReloadReason::LaggedOut).await?;
                Ok(true)
            }
            Pull::Replaced => {
                self.marker(ReloadReason::EpochChanged).await?;
                self.leave().await?;
                Err(CloseReason::LaggedOut)
            }
        }
    }

    /// The one place that writes events: after `last` comes `last + 1`.
    async fn event(&mut self, frame: Frame) -> Result<(), CloseReason> {
        match self.hub.config.guards.judge(self.last, frame.id) {
            Verdict::Next => self.write(frame).await,
            Verdict::Seen => Ok(()),
            Verdict::Hole => self.catch_up(frame.id, ReloadReason::LaggedOut).await,
            Verdict::OtherEpoch => Err(CloseReason::LaggedOut),
        }
    }

    async fn write(&mut self, frame: Frame) -> Result<(), CloseReason> {
        let written = match self.audience {
            Audience::Staff { .. } => {
                let bytes = frame.bytes.clone();
                self.send_event(bytes, &frame).await?;
                true
            }
            Audience::Guest(_) => self.guest_write(&frame).await?,
        };
        self.last = frame.id;
        if !written {
            return Ok(());
        }
        self.written += 1;
        self.hub.meters.frames.increment(1);
        Ok(())
    }

    /// Reads `(last, head]` from history, or gives up with a marker and goes on at the head.
    async fn catch_up(&mut self, head: EventId, too_far: ReloadReason) -> Result<(), CloseReason> {
        let missing = head.seq.saturating_sub(self.last.seq);
        let Some(limit) = u32::try_from(missing)
            .ok()
            .filter(|_| missing <= self.hub.config.replay)
        else {
            return self.reload(too_far).await;
        };
        let page = self
            .hub
            .history
            .after(self.feed.store, self.last, limit)
            .await;
        let page = page.map_err(|error| self.failed(&error))?;
        for frame in page.frames {
            if judge(self.last, frame.id) != Verdict::Next {
                break;
            }
            counter!("rt_events_from_history_total").increment(1);
            self.write(frame).await?;
        }
        if self.last.seq < head.seq {
            return self.reload(ReloadReason::HistoryExpired).await;
        }
        counter!("rt_holes_repaired_total").increment(1);
        Ok(())
    }

    /// Events cannot continue this connection: the marker, then live from the ring's head.
    async fn reload(&mut self, reason: ReloadReason) -> Result<(), CloseReason> {
        let (head, generation) = self.feed.position();
        if generation == self.generation {
            self.last = head;
        }
        self.marker(reason).await
    }

    async fn marker(&mut self, reason: ReloadReason) -> Result<(), CloseReason> {
        if let Audience::Guest(_) = self.audience {
            return self.guest_reload(reason).await;
        }
        counter!("rt_reloads_total", "reason" => format!("{reason:?}")).increment(1);
        let not_before_ms = ms(spread(self.hub.config.spread));
        self.control(
            "RELOAD_REQUIRED",
            &Reload {
                reason,
                not_before_ms,
            },
        )
        .await
    }

    async fn heartbeat(&mut self) -> Result<(), CloseReason> {
        let Some(beat) = self.beat.borrow_and_update().clone() else {
            return Ok(());
        };
        let Audience::Staff { session, .. } = self.audience else {
            return self.guest_heartbeat().await;
        };
        let sessions = beat.sessions.as_ref().filter(|_| beat.begun >= self.opened);
        if sessions.is_some_and(|sessions| !sessions.contains(&session)) {
            return Err(CloseReason::Revoked);
        }
        let ahead = self.last > beat.head;
        let heartbeat = Heartbeat {
            sent: self.last,
            head: if ahead { self.last } else { beat.head },
            server_time: self.hub.clock.now(),
            kitchen: Some(beat.kitchen.clone()),
        };
        self.hub.meters.heartbeats.increment(1);
        self.control("heartbeat", &heartbeat).await
    }

    /// Asks the client to come back, not all of them at once.
    async fn leave(&mut self) -> Result<(), CloseReason> {
        let reconnect_in_ms = ms(spread(self.hub.config.spread));
        self.control("drain", &Drain { reconnect_in_ms }).await
    }

    pub(super) async fn control(
        &mut self,
        name: &'static str,
        data: &impl Serialize,
    ) -> Result<(), CloseReason> {
        let bytes = frame::control(name, data).map_err(|error| self.failed(&error))?;
        self.send(bytes.into()).await
    }

    /// The bytes that tell this client of the event.
    pub(super) async fn send_event(
        &mut self,
        bytes: Bytes,
        frame: &Frame,
    ) -> Result<(), CloseReason> {
        let is_news = frame.id.seq > self.position.seq;
        let happened = is_news.then_some(Time(frame.at));
        self.send(Outgoing { bytes, happened }).await
    }

    /// Hands it to the HTTP layer, which takes it as the client does.
    async fn send(&mut self, out: Outgoing) -> Result<(), CloseReason> {
        let out = match self.out.try_send(out) {
            Ok(()) => return Ok(()),
            Err(mpsc::error::TrySendError::Closed(_)) => return Err(self.gone()),
            Err(mpsc::error::TrySendError::Full(out)) => out,
        };
        tokio::select! {
            sent = self.out.send(out) => sent.map_err(|_| self.gone()),
            () = self.hub.draining.cancelled() => Err(CloseReason::Drain),
            () = tokio::time::sleep(self.hub.config.slow_consumer) => Err(CloseReason::SlowConsumer),
        }
    }

    fn gone(&self) -> CloseReason {
        self.health
            .as_ref()
            .map_or(CloseReason::Completed, |health| health.end().into())
    }

    pub(super) fn failed(&self, error: &(dyn std::error::Error + 'static)) -> CloseReason {
        tracing::error!(store = %self.feed.store, connection_id = self.connection_id,
            error, "stream failed");
        CloseReason::Error
    }
}

pub(super) fn ms(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// Anything up to `most`.
pub(super) fn spread(most: Duration) -> Duration {
    most.mul_f64(rand::random_range(0.0..=1.0))
}

/// A tenth more or less, so that what opened together does not end together.
fn jittered(lifetime: Duration) -> Duration {
    lifetime.mul_f64(rand::random_range(0.9..=1.1))
}

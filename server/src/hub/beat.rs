//! The beat of a store: what all its heartbeats say, read once for all its streams.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use domain::event::Acknowledged;
use domain::id::SessionId;
use domain::stream::EventId;
use tokio::time::{Instant, MissedTickBehavior};

use super::Inner;
use super::feed::Feed;
use crate::db::DbError;
use crate::store::ack::{ack_list, ack_touch};
use crate::store::stream::stream_head;
use crate::store::ticket::ticket_sessions;

/// A kitchen screen that was not there for this long is not reported, in ms.
const SCREEN_GONE: i64 = 150_000;

/// How often it is noted which kitchen screens are there.
const TOUCH: Duration = Duration::from_secs(30);

/// One beat.
#[derive(Debug)]
pub(super) struct Beat {
    /// When it was begun: it knows nothing of sessions made later.
    pub(super) begun: Instant,
    /// The store's last committed event.
    pub(super) head: EventId,
    /// What each kitchen screen has applied.
    pub(super) kitchen: Vec<Acknowledged>,
    /// The sessions that may have streams; `None` when they could not be read.
    pub(super) sessions: Option<HashSet<SessionId>>,
}

/// Beats for the feed until it retires or the process ends.
pub(super) async fn beat(hub: Arc<Inner>, feed: Arc<Feed>) {
    let mut ticks = tokio::time::interval(hub.config.heartbeat);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut touched = Instant::now();
    loop {
        tokio::select! {
            () = hub.stop.cancelled() => return,
            () = feed.retired.cancelled() => return,
            _ = ticks.tick() => {}
        }
        if feed.streams() == 0 {
            continue;
        }
        let beat = next(&hub, &feed).await;
        feed.beat.send_replace(Some(Arc::new(beat)));
        if touched.elapsed() >= TOUCH {
            touched = Instant::now();
            touch(&hub, &feed).await;
        }
    }
}

/// The next beat. It comes in time whatever the database does, saying what was known.
async fn next(hub: &Inner, feed: &Feed) -> Beat {
    let begun = Instant::now();
    let patience = hub.config.heartbeat.min(Duration::from_secs(1));
    match tokio::time::timeout(patience, read(hub, feed, begun)).await {
        Ok(Ok(beat)) => beat,
        Ok(Err(_)) | Err(_) => {
            metrics::counter!("rt_beat_failures_total").increment(1);
            let kitchen = feed.beat.borrow().as_ref().map(|last| last.kitchen.clone());
            let (head, _) = feed.position();
            Beat {
                begun,
                head,
                kitchen: kitchen.unwrap_or_default(),
                sessions: None,
            }
        }
    }
}

async fn read(hub: &Inner, feed: &Feed, begun: Instant) -> Result<Beat, DbError> {
    let now = hub.clock.now();
    let mut tx = hub.db.read().await?;
    let head = stream_head(&mut tx, feed.store)
        .await?
        .unwrap_or(feed.position().0);
    let kitchen = ack_list(&mut tx, feed.store, now.plus(-SCREEN_GONE)).await?;
    let sessions = ticket_sessions(&mut tx, feed.store, now).await?;
    Ok(Beat {
        begun,
        head,
        kitchen,
        sessions: Some(sessions.into_iter().collect()),
    })
}

async fn touch(hub: &Inner, feed: &Feed) {
    let kitchens = feed.kitchens();
    if kitchens.is_empty() {
        return;
    }
    let noted = async {
        let mut tx = hub.db.write().await?;
        ack_touch(&mut tx, feed.store, &kitchens, hub.clock.now()).await?;
        tx.commit().await
    };
    if let Err(error) = noted.await {
        let cause: &dyn std::error::Error = &error;
        tracing::warn!(store = %feed.store, error = cause, "kitchen screens not noted");
    }
}

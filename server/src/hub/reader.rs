//! The reader of a store: the only one that fills its ring.
//!
//! It always reads from the ring's own head, never from the log's end, so that nothing
//! between two reads is ever skipped. What the log lacks it reads from the outbox.

use std::sync::Arc;
use std::time::Duration;

use domain::stream::Epoch;
use metrics::counter;

use super::Inner;
use super::feed::{Feed, PAGE};
use super::frame::{self, Frame, FrameError};
use super::history::HistoryError;
use crate::log::{Arrival, Follower};
use crate::store::outbox::OutboxRow;

/// When nothing came for this long, the reader compares with the database.
const TAIL_CHECK: Duration = Duration::from_secs(1);
/// As long as the log does not work, the reader compares this often.
const WITHOUT_LOG: Duration = Duration::from_millis(500);

/// Fills the feed's ring until the feed retires or the process ends.
pub(super) async fn follow(hub: Arc<Inner>, feed: Arc<Feed>) {
    let mut follower = hub.log.follow(feed.store, feed.position().0);
    let mut failing = false;
    let mut due = true;
    loop {
        if due {
            let looked = look(&hub, &feed).await;
            report(&feed, &looked, &mut failing);
            follower.stand_at(feed.position().0);
        }
        if hub.retire(&feed) {
            return;
        }
        let pause = pause(&follower);
        due = tokio::select! {
            () = hub.stop.cancelled() => return,
            arrival = follower.next() => match arrival {
                Arrival::Look => true,
                Arrival::Rows(epoch, rows) => !append(&feed, epoch, &rows),
                Arrival::Doubt => hub.config.guards.tail_check,
            },
            () = tokio::time::sleep(pause) => hub.config.guards.tail_check,
        };
    }
}

fn pause(follower: &Follower) -> Duration {
    if follower.is_well() {
        TAIL_CHECK
    } else {
        WITHOUT_LOG
    }
}

/// Puts what the log has in the ring; `false` when something is missing before or in it.
fn append(feed: &Feed, epoch: Epoch, rows: &[OutboxRow]) -> bool {
    let frames: Result<Vec<Frame>, FrameError> =
        rows.iter().map(|row| frame::event(row, epoch)).collect();
    let whole = frames.is_ok_and(|frames| !frames.is_empty() && feed.append(frames));
    if !whole {
        counter!("rt_log_holes_total").increment(1);
    }
    whole
}

/// Reads what was committed after the ring's head.
async fn look(hub: &Inner, feed: &Feed) -> Result<(), HistoryError> {
    loop {
        let (last, _) = feed.position();
        let page = hub.history.after(feed.store, last, PAGE).await?;
        let full = page.frames.len() >= PAGE as usize;
        if !hub.log.is_born_published() {
            counter!("rt_log_repaired_total").increment(page.frames.len() as u64);
        }
        feed.take(page);
        if !full {
            return Ok(());
        }
    }
}

/// One line when reading begins to fail and one when it works again.
fn report(feed: &Feed, looked: &Result<(), HistoryError>, failing: &mut bool) {
    match looked {
        Ok(()) if *failing => tracing::info!(store = %feed.store, "reading events again"),
        Err(error) if !*failing => {
            let cause: &dyn std::error::Error = error;
            tracing::error!(store = %feed.store, error = cause, "events cannot be read");
        }
        Ok(()) | Err(_) => {}
    }
    *failing = looked.is_err();
    if *failing {
        counter!("rt_reader_failures_total").increment(1);
    }
}

//! The reader of a store: the only one that fills its ring.
//!
//! It always reads from the ring's own head, never from the log's end, so that nothing
//! between two reads is ever skipped.

use std::sync::Arc;
use std::time::Duration;

use super::Inner;
use super::feed::{Feed, PAGE};
use super::history::{History, HistoryError};
use crate::log::Arrival;

/// When nothing came for this long, the reader compares with the database.
const TAIL_CHECK: Duration = Duration::from_secs(1);

/// Fills the feed's ring until the feed retires or the process ends.
pub(super) async fn follow(hub: Arc<Inner>, feed: Arc<Feed>) {
    let mut follower = hub.log.follow(feed.store);
    let mut failing = false;
    loop {
        let looked = look(&hub.history, &feed).await;
        report(&feed, &looked, &mut failing);
        if hub.retire(&feed) {
            return;
        }
        tokio::select! {
            () = hub.stop.cancelled() => return,
            arrival = follower.next() => match arrival {
                Arrival::Look => {}
            },
            () = tokio::time::sleep(TAIL_CHECK) => {}
        }
    }
}

/// Reads what was committed after the ring's head.
async fn look(history: &History, feed: &Feed) -> Result<(), HistoryError> {
    loop {
        let (last, _) = feed.position();
        let page = history.after(feed.store, last, PAGE).await?;
        let full = page.frames.len() >= PAGE as usize;
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
        metrics::counter!("rt_reader_failures_total").increment(1);
    }
}

//! The log of a single process: the outbox is the log, and a commit wakes its readers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use domain::id::StoreId;
use tokio::sync::watch;

/// Wakes the reader of a store after each commit. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct LocalLog {
    commits: Arc<Mutex<HashMap<StoreId, watch::Sender<()>>>>,
}

impl LocalLog {
    pub(super) fn committed(&self, store: StoreId) {
        let commits = self.commits.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(readers) = commits.get(&store) {
            readers.send_replace(());
        }
    }

    pub(super) fn follow(&self, store: StoreId) -> watch::Receiver<()> {
        let mut commits = self.commits.lock().unwrap_or_else(PoisonError::into_inner);
        commits.retain(|_, readers| readers.receiver_count() > 0);
        commits
            .entry(store)
            .or_insert_with(|| watch::channel(()).0)
            .subscribe()
    }
}

//! What handlers share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio_util::task::TaskTracker;

use super::{GuestLimits, Site};
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::hub::Hub;
use crate::relay::Relay;
use crate::service::Services;
use crate::service::auth::Auth;

/// The state of the router. Cheap to clone.
#[derive(Clone, Debug)]
pub struct App {
    /// Settings.
    pub config: Arc<Config>,
    /// The database.
    pub db: Db,
    /// The clock.
    pub clock: Clock,
    /// Open streams.
    pub hub: Hub,
    /// Told of every commit.
    pub relay: Relay,
    /// What can be asked for.
    pub services: Services,
    /// Signing in, sessions.
    pub auth: Auth,
    /// How often guests may ask.
    pub guests: Arc<GuestLimits>,
    /// The built client.
    pub site: Arc<Site>,
    /// Commands under way, which the process waits for when it leaves.
    pub tasks: TaskTracker,
    pub(crate) leaving: Arc<AtomicBool>,
}

impl App {
    /// Runs a command to its end, even when its client leaves meanwhile: a dropped handler
    /// drops its future, and a transaction must not be dropped in the middle of a statement.
    pub async fn carry_out<T: Send + 'static>(
        &self,
        command: impl Future<Output = T> + Send + 'static,
    ) -> T {
        match self.tasks.spawn(command).await {
            Ok(answer) => answer,
            Err(failed) => match failed.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // Tracked tasks are never aborted; only the end of the runtime does that.
                Err(_) => std::future::pending().await,
            },
        }
    }

    /// Whether the process is going away.
    #[must_use]
    pub fn is_leaving(&self) -> bool {
        self.leaving.load(Ordering::Relaxed)
    }

    pub(crate) fn leave(&self) {
        self.leaving.store(true, Ordering::Relaxed);
    }
}

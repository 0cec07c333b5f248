//! How long a request is repeated that a server could not answer.

use std::time::Duration;

use tokio::time::Instant;

use crate::api::ApiError;

/// A command is repeated for this long; a server that restarts is back before.
const PATIENCE: Duration = Duration::from_secs(60);
/// The first and the longest pause between two attempts.
const PAUSE: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));

/// How often something that fails for want of a server is repeated: with growing pauses.
#[derive(Debug)]
pub struct Patience {
    until: Instant,
    pause: Duration,
}

impl Patience {
    /// Patience at its beginning.
    #[must_use]
    pub fn new() -> Self {
        Self {
            until: Instant::now() + PATIENCE,
            pause: PAUSE.0,
        }
    }

    /// Waits a little; `false`: there is no point in trying again.
    pub async fn again(&mut self, error: &ApiError) -> bool {
        if !error.passes() || Instant::now() >= self.until {
            return false;
        }
        tokio::time::sleep(self.pause).await;
        self.pause = PAUSE.1.min(self.pause * 2);
        true
    }
}

impl Default for Patience {
    fn default() -> Self {
        Self::new()
    }
}

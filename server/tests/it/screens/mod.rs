//! Screens without a picture: a bridge of the domain over tickets, streams and snapshots of a
//! real server, through whatever lies between.

mod cancelled;
mod driver;
mod house;
mod screen;
mod seen;
mod staff;
mod storm;
mod truth;
mod two_waiters;
mod wire;

use std::time::Duration;

use tokio::time::Instant;

pub use house::House;
pub use screen::{Screen, Setup};
pub use seen::Seen;
pub use staff::{Reply, Staff, entities};
pub use storm::{Dice, Storm};
pub use truth::{differences, settled, truth};

/// Nothing that a test waits for takes longer, even on a machine that is busy with other things.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until the condition holds.
pub async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds().await {
        assert!(Instant::now() < deadline, "{what} never happened");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

//! One store's reader at its shard.

use std::sync::Arc;

use domain::id::StoreId;
use domain::stream::{Epoch, EventId};
use tokio::sync::{mpsc, watch};

use super::shard::Shard;
use crate::log::Arrival;

/// Follows one store. Dropped, the store leaves its shard.
#[derive(Debug)]
pub struct RedisFollower {
    shard: Arc<Shard>,
    number: u64,
    /// The history that the reader is in.
    epoch: Epoch,
    rows: mpsc::Receiver<Arrival>,
    doubts: watch::Receiver<()>,
}

impl RedisFollower {
    pub(super) fn join(shard: Arc<Shard>, store: StoreId, position: EventId) -> Self {
        let (number, rows, doubts) = shard.join(store, position);
        Self {
            shard,
            number,
            epoch: position.epoch,
            rows,
            doubts,
        }
    }

    pub(crate) async fn next(&mut self) -> Arrival {
        tokio::select! {
            Some(arrival) = self.rows.recv() => arrival,
            Ok(()) = self.doubts.changed() => Arrival::Doubt,
            // The shard holds both senders for as long as this follower is there.
            else => std::future::pending().await,
        }
    }

    pub(crate) fn stand_at(&mut self, position: EventId) {
        if position.epoch == self.epoch {
            self.shard.advance(self.number, position);
        } else {
            self.epoch = position.epoch;
            self.shard.begin_again(self.number, position);
        }
    }

    pub(crate) fn is_well(&self) -> bool {
        self.shard.is_well()
    }
}

impl Drop for RedisFollower {
    fn drop(&mut self) {
        self.shard.leave(self.number);
    }
}

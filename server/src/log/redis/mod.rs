//! The log that several processes share: a Redis Stream for each store and epoch.
//!
//! Publishing has one connection, reading one for each shard of the stores, since a blocked
//! read blocks its connection. Nothing here is waited for by a request.

mod entry;
mod follower;
mod health;
pub(crate) mod line;
mod publish;
mod shard;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use ::redis::Client;
use domain::id::StoreId;
use domain::stream::{Epoch, EventId};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{LogError, Published};
use crate::store::outbox::OutboxRow;
use health::{Health, Part};
use publish::Publisher;
use shard::Shard;

pub use follower::RedisFollower;

/// Readers of one process: a store belongs to one of them.
const SHARDS: usize = 16;

/// Where the log is, and how long it is waited for.
#[derive(Clone, Debug)]
pub struct RedisConfig {
    /// `redis://…`, or `redis+unix://…` for a socket of this machine.
    pub url: String,
    /// The server waits this long for events before it answers a reader with none.
    pub block: Duration,
    /// Beyond that, or for any other answer, it is waited for this long.
    pub patience: Duration,
    /// Readers try again after this long at most.
    pub retry: Duration,
}

impl RedisConfig {
    /// The times of realtime, section 5.
    #[must_use]
    pub fn at(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            block: Duration::from_secs(2),
            patience: Duration::from_secs(2),
            retry: Duration::from_secs(2),
        }
    }
}

/// The log at a Redis server. Cheap to clone; readers end with the last clone.
#[derive(Clone)]
pub struct RedisLog(Arc<Inner>);

struct Inner {
    client: Client,
    config: RedisConfig,
    publisher: Publisher,
    /// Each begins with its first store.
    shards: [OnceLock<Arc<Shard>>; SHARDS],
    health: Arc<Health>,
    stop: CancellationToken,
    _stopped_with_the_log: DropGuard,
}

impl std::fmt::Debug for RedisLog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RedisLog")
            .field("well", &self.is_well())
            .finish_non_exhaustive()
    }
}

impl RedisLog {
    pub(super) fn new(config: RedisConfig) -> Result<Self, LogError> {
        let client = Client::open(config.url.as_str()).map_err(|error| LogError::Address {
            reason: error.to_string(),
        })?;
        let health = Arc::new(Health::default());
        let stop = CancellationToken::new();
        Ok(Self(Arc::new(Inner {
            publisher: Publisher::new(client.clone(), config.patience, Arc::clone(&health))?,
            shards: [const { OnceLock::new() }; SHARDS],
            _stopped_with_the_log: stop.clone().drop_guard(),
            client,
            config,
            health,
            stop,
        })))
    }

    /// The server, for what else the nodes share there.
    pub(crate) fn server(&self) -> (Client, RedisConfig) {
        (self.0.client.clone(), self.0.config.clone())
    }

    pub(super) fn is_well(&self) -> bool {
        self.0.health.is_well()
    }

    pub(super) async fn probe(&self) {
        if !self.0.health.is_well_for(&[Part::Publishing]) {
            self.0.publisher.probe().await;
        }
    }

    pub(super) async fn publish(
        &self,
        store: StoreId,
        epoch: Epoch,
        rows: &[OutboxRow],
    ) -> Published {
        self.0.publisher.publish(store, epoch, rows).await
    }

    pub(super) fn follow(&self, store: StoreId, position: EventId) -> RedisFollower {
        let Inner {
            client,
            config,
            shards,
            health,
            stop,
            ..
        } = &*self.0;
        let number = shard_of(store);
        let shard = shards[number].get_or_init(|| {
            let (client, config) = (client.clone(), config.clone());
            let part = (Part::Reading(number), Arc::clone(health));
            Shard::begin(client, config, part, stop.clone())
        });
        RedisFollower::join(Arc::clone(shard), store, position)
    }
}

/// Ids are random in their last bits, of either version in use.
fn shard_of(store: StoreId) -> usize {
    usize::from(store.0.as_bytes()[15]) % SHARDS
}

//! Both event logs under one contract, and what a Redis that fails may not do to anybody.

mod blocked;
mod contract;
mod control;
mod emptied;
mod errors;
mod faults;
mod joining;
mod killing;
mod late;
mod outbox;
mod overtaking;
mod pairs;
mod poison;
mod relays;
mod seeded;
mod server;
mod trimmed;
mod vanishing;
mod witness;

use ::server::clock::Clock;
use ::server::hub::HubConfig;
use ::server::log::Log;
use ::server::relay::RelayConfig;
use tokio_util::sync::CancellationToken;

use crate::hub::house::{House, quick};
use crate::support::{Engine, Place, Redis};
use witness::Witness;

/// Which log.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Local,
    Redis,
}

/// A house on a log of its own, whose relay runs.
struct Shop {
    house: House,
    /// `None` on the local log.
    redis: Option<Redis>,
    stop: CancellationToken,
}

impl Shop {
    async fn open(kind: Kind) -> Self {
        Self::with(kind, quick(), RelayConfig::default()).await
    }

    async fn with(kind: Kind, hub: HubConfig, relay: RelayConfig) -> Self {
        let engine = match kind {
            Kind::Local => Engine::Sqlite,
            Kind::Redis => Engine::Postgres,
        };
        Self::on(engine, kind, hub, relay).await
    }

    async fn on(engine: Engine, kind: Kind, hub: HubConfig, relay: RelayConfig) -> Self {
        let redis = match kind {
            Kind::Local => None,
            Kind::Redis => Some(Redis::start().await),
        };
        let log = match &redis {
            None => Log::local(),
            Some(redis) => Log::redis(redis.config()).unwrap(),
        };
        let place = Place::on(engine).await;
        let house = House::at(place, hub, Clock::system(), log, relay).await;
        let stop = CancellationToken::new();
        tokio::spawn(house.relay.clone().run(stop.clone()));
        Self { house, redis, stop }
    }

    /// On Redis, with a stream that has seen some events.
    async fn followed() -> (Self, Witness) {
        let shop = Self::open(Kind::Redis).await;
        let mut witness = Witness::of(&shop.house).await;
        shop.house.emit_many(20).await;
        witness.has_all().await;
        (shop, witness)
    }

    fn redis(&mut self) -> &mut Redis {
        self.redis.as_mut().unwrap()
    }
}

impl Drop for Shop {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

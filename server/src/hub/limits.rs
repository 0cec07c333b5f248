//! How many streams there may be.

use std::collections::HashMap;
use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::id::{PartyId, SessionId, StoreId};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use metrics::{counter, gauge};

use super::config::HubConfig;

/// The limit that refused a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Streams of the process.
    Node,
    /// Streams of the store.
    Store,
    /// Streams of the session.
    Session,
    /// Streams of the party.
    Party,
    /// New streams per second.
    Rate,
}

impl Limit {
    /// As it is named in metrics and answers.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::Store => "store",
            Self::Session => "session",
            Self::Party => "party",
            Self::Rate => "rate",
        }
    }
}

/// Whose stream it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holder {
    /// Of somebody who is signed in.
    Session(SessionId),
    /// Of a phone of a party.
    Party(PartyId),
}

impl Holder {
    fn share(self, limit: usize) -> usize {
        match self {
            Self::Session(_) => limit,
            Self::Party(_) => guests_share(limit),
        }
    }
}

fn rate(per_second: usize) -> DefaultDirectRateLimiter {
    let per_second = u32::try_from(per_second).unwrap_or(u32::MAX);
    RateLimiter::direct(Quota::per_second(
        NonZeroU32::new(per_second).unwrap_or(NonZeroU32::MIN),
    ))
}

/// What guests may take of a limit they share with staff: a fifth is always left.
fn guests_share(limit: usize) -> usize {
    limit - limit / 5
}

#[derive(Debug, Default)]
struct Counts {
    node: usize,
    stores: HashMap<StoreId, usize>,
    holders: HashMap<Holder, usize>,
}

/// Counts the open streams of the process.
#[derive(Debug)]
pub struct Limits {
    counts: Mutex<Counts>,
    rate: DefaultDirectRateLimiter,
    /// What guests' streams may take of `rate`.
    guests_rate: DefaultDirectRateLimiter,
    per_node: usize,
    per_store: usize,
    per_session: usize,
    per_party: usize,
}

impl Limits {
    /// Limits as configured.
    #[must_use]
    pub fn new(config: &HubConfig) -> Self {
        gauge!("rt_streams_open").set(0.0);
        Self {
            counts: Mutex::default(),
            rate: rate(config.streams_per_second as usize),
            guests_rate: rate(guests_share(config.streams_per_second as usize)),
            per_node: config.streams_per_node,
            per_store: config.streams_per_store,
            per_session: config.streams_per_session,
            per_party: config.streams_per_party,
        }
    }

    /// Streams open now.
    #[must_use]
    pub fn open(&self) -> usize {
        self.counts().node
    }

    /// Counts one more stream until the answer is dropped.
    ///
    /// # Errors
    /// The limit that refuses it.
    pub fn admit(self: &Arc<Self>, store: StoreId, holder: Holder) -> Result<Admitted, Limit> {
        self.try_admit(store, holder).inspect_err(|limit| {
            counter!("rt_streams_refused_total", "limit" => limit.name()).increment(1)
        })
    }

    fn try_admit(self: &Arc<Self>, store: StoreId, holder: Holder) -> Result<Admitted, Limit> {
        let mut counts = self.counts();
        if counts.node >= holder.share(self.per_node) {
            return Err(Limit::Node);
        }
        let of_store = counts.stores.get(&store).copied().unwrap_or_default();
        if of_store >= holder.share(self.per_store) {
            return Err(Limit::Store);
        }
        let own = counts.holders.get(&holder).copied().unwrap_or_default();
        let (most, limit) = match holder {
            Holder::Session(_) => (self.per_session, Limit::Session),
            Holder::Party(_) => (self.per_party, Limit::Party),
        };
        if own >= most {
            return Err(limit);
        }
        if let Holder::Party(_) = holder {
            self.guests_rate.check().map_err(|_| Limit::Rate)?;
        }
        self.rate.check().map_err(|_| Limit::Rate)?;
        counts.node += 1;
        *counts.stores.entry(store).or_default() += 1;
        *counts.holders.entry(holder).or_default() += 1;
        drop(counts);
        gauge!("rt_streams_open").increment(1.0);
        counter!("rt_streams_opened_total").increment(1);
        Ok(Admitted {
            limits: Arc::clone(self),
            store,
            holder,
        })
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One stream that is counted.
#[derive(Debug)]
pub struct Admitted {
    limits: Arc<Limits>,
    store: StoreId,
    holder: Holder,
}

impl Drop for Admitted {
    fn drop(&mut self) {
        let mut counts = self.limits.counts();
        counts.node -= 1;
        less(&mut counts.stores, self.store);
        less(&mut counts.holders, self.holder);
        drop(counts);
        gauge!("rt_streams_open").decrement(1.0);
    }
}

/// One less; an entry at zero goes, so that the maps hold only what is open.
fn less<K: Hash + Eq>(counts: &mut HashMap<K, usize>, key: K) {
    if let Some(count) = counts.get_mut(&key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn limits(node: usize, store: usize, session: usize, rate: u32) -> Arc<Limits> {
        Arc::new(Limits::new(&HubConfig {
            streams_per_node: node,
            streams_per_store: store,
            streams_per_session: session,
            streams_per_second: rate,
            ..HubConfig::default()
        }))
    }

    fn store(n: u128) -> StoreId {
        StoreId(Uuid::from_u128(n))
    }

    fn session(n: u128) -> Holder {
        Holder::Session(SessionId(Uuid::from_u128(n)))
    }

    fn party(n: u128) -> Holder {
        Holder::Party(PartyId(Uuid::from_u128(n)))
    }

    #[test]
    fn guests_leave_a_fifth_of_what_they_share_to_staff() {
        let limits = Arc::new(Limits::new(&HubConfig {
            streams_per_party: 2,
            streams_per_store: 5,
            ..HubConfig::default()
        }));
        let phones = [1, 1].map(|n| limits.admit(store(1), party(n)).unwrap());
        assert_eq!(limits.admit(store(1), party(1)).unwrap_err(), Limit::Party);
        let others = [2, 2].map(|n| limits.admit(store(1), party(n)).unwrap());
        assert_eq!(limits.admit(store(1), party(3)).unwrap_err(), Limit::Store);
        let staff = limits.admit(store(1), session(1)).unwrap();
        drop((phones, others, staff));
        assert_eq!(limits.open(), 0);
    }

    #[test]
    fn guests_who_come_all_at_once_leave_a_fifth_of_the_rate_to_staff() {
        let limits = limits(99, 99, 99, 5);
        for n in 0..4 {
            drop(limits.admit(store(1), party(n)).unwrap());
        }
        assert_eq!(limits.admit(store(1), party(9)).unwrap_err(), Limit::Rate);
        drop(limits.admit(store(1), session(1)).unwrap());
    }

    #[test]
    fn each_limit_refuses_the_next_stream_and_names_itself() {
        let node = limits(1, 9, 9, 99);
        let _one = node.admit(store(1), session(1)).unwrap();
        assert_eq!(node.admit(store(2), session(2)).unwrap_err(), Limit::Node);

        let per_store = limits(9, 1, 9, 99);
        let _one = per_store.admit(store(1), session(1)).unwrap();
        assert_eq!(
            per_store.admit(store(1), session(2)).unwrap_err(),
            Limit::Store
        );
        let _other = per_store.admit(store(2), session(2)).unwrap();

        let per_session = limits(9, 9, 1, 99);
        let _one = per_session.admit(store(1), session(1)).unwrap();
        assert_eq!(
            per_session.admit(store(1), session(1)).unwrap_err(),
            Limit::Session
        );

        let rate = limits(9, 9, 9, 1);
        drop(rate.admit(store(1), session(1)).unwrap());
        assert_eq!(rate.admit(store(1), session(1)).unwrap_err(), Limit::Rate);
    }

    #[test]
    fn a_stream_that_ends_makes_room_and_leaves_nothing_behind() {
        let limits = limits(1, 1, 1, 9_999);
        for _ in 0..100 {
            drop(limits.admit(store(1), session(1)).unwrap());
        }
        assert_eq!(limits.open(), 0);
        let counts = limits.counts();
        assert!(counts.stores.is_empty() && counts.holders.is_empty());
    }
}

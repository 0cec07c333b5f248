//! How often guests may ask. Anybody can reach these routes, so one phone must not be able to
//! keep the house busy; and the phones of a whole restaurant may share one address.

use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use domain::id::PartyId;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use metrics::counter;

use crate::http::error::{Code, Problem};

/// Joins at one table from one address: a large party scans at once; then one in two seconds.
/// Who scans a code over and over keeps nobody else from it.
const TABLE: (u32, Duration) = (40, Duration::from_secs(2));
/// Joins from one address: a full house behind one router scans; then one a second, so that
/// guessing a table's code takes months.
const ADDRESS: (u32, Duration) = (120, Duration::from_secs(1));
/// Requests of one party: twenty phones that load their page again at once.
const REQUESTS: (u32, Duration) = (200, Duration::from_millis(100));
/// Orders and calls of one party.
const COMMANDS: (u32, Duration) = (60, Duration::from_secs(1));

/// Forgotten are keys that are as good as new, after so many questions.
const TIDY: u32 = 1_000;

/// So many at once, then one each so often.
fn quota((burst, every): (u32, Duration)) -> Quota {
    let burst = NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN);
    let paced = Quota::with_period(every).map(|quota| quota.allow_burst(burst));
    paced.unwrap_or(Quota::per_second(burst))
}

/// One limit, by key; it holds as many keys as were busy of late.
#[derive(Debug)]
struct Keyed<K: Hash + Eq + Clone> {
    name: &'static str,
    limiter: DefaultKeyedRateLimiter<K>,
    asked: AtomicU32,
}

impl<K: Hash + Eq + Clone> Keyed<K> {
    fn new(name: &'static str, pace: (u32, Duration)) -> Self {
        Self {
            name,
            limiter: RateLimiter::keyed(quota(pace)),
            asked: AtomicU32::new(0),
        }
    }

    fn ask(&self, key: &K) -> Result<(), Problem> {
        if self.asked.fetch_add(1, Ordering::Relaxed) % TIDY == TIDY - 1 {
            self.limiter.retain_recent();
        }
        self.limiter.check_key(key).map_err(|until| {
            counter!("guest_limited_total", "limit" => self.name).increment(1);
            let wait = until.wait_time_from(DefaultClock::default().now());
            // Told in whole seconds: never none.
            let wait = wait.max(Duration::from_millis(1));
            Problem::from(Code::TooManyAttempts).retry_after(wait)
        })
    }
}

/// The limits of guests.
#[derive(Debug)]
pub struct GuestLimits {
    tables: Keyed<(String, Option<IpAddr>)>,
    addresses: Keyed<IpAddr>,
    requests: Keyed<PartyId>,
    commands: Keyed<PartyId>,
}

impl Default for GuestLimits {
    fn default() -> Self {
        Self {
            tables: Keyed::new("table", TABLE),
            addresses: Keyed::new("address", ADDRESS),
            requests: Keyed::new("requests", REQUESTS),
            commands: Keyed::new("commands", COMMANDS),
        }
    }
}

impl GuestLimits {
    /// Somebody scans the code of a table. The address comes first: codes that are guessed are
    /// many, and not to be remembered.
    pub(super) fn join(&self, code: &str, address: Option<IpAddr>) -> Result<(), Problem> {
        let network = address.map(network);
        if let Some(network) = network {
            self.addresses.ask(&network)?;
        }
        self.tables.ask(&(code.chars().take(64).collect(), network))
    }

    /// A phone of the party asks for anything.
    pub(super) fn request(&self, party: PartyId) -> Result<(), Problem> {
        self.requests.ask(&party)
    }

    /// A phone of the party orders or calls.
    pub(in crate::http) fn command(&self, party: PartyId) -> Result<(), Problem> {
        self.commands.ask(&party)
    }
}

/// An address as far as one household or one router has it.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => IpAddr::V4(v4),
            None => IpAddr::V6((u128::from(v6) >> 64 << 64).into()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_is_scanned_too_often_refuses_alone_and_says_how_long() {
        let limits = GuestLimits::default();
        let [one, other] = [1, 2].map(|n| Some(IpAddr::from([192, 0, 2, n])));
        for _ in 0..40 {
            limits.join("demo-a1", one).unwrap();
        }
        let refused = limits.join("demo-a1", one).unwrap_err();
        assert_eq!(refused.code(), Code::TooManyAttempts);
        limits.join("demo-a2", one).unwrap();
        limits.join("demo-a1", other).unwrap();
    }

    #[test]
    fn an_address_that_guesses_codes_is_refused() {
        let limits = GuestLimits::default();
        let address = Some(IpAddr::from([192, 0, 2, 1]));
        let tried = (0..200).find(|n| limits.join(&n.to_string(), address).is_err());
        assert_eq!(tried, Some(120));
    }

    #[test]
    fn one_household_is_one_address() {
        let of = |text: &str| network(text.parse().unwrap()).to_string();
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(of("::ffff:192.0.2.1"), "192.0.2.1");
        assert_eq!(of("192.0.2.1"), "192.0.2.1");
    }
}

//! Positions in a store's stream of events (realtime, section 1).

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A line of history. It changes whenever committed commands were lost or history was
/// replaced; 0 is no history at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Epoch(pub u32);

/// The id of an event: the history it belongs to and its number there, dense from 1.
///
/// The same id is the SSE `id:`, a snapshot's watermark and a client's cursor. Ids of
/// different epochs do not compare: `None` always means "clear and reload".
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EventId {
    /// The history.
    pub epoch: Epoch,
    /// The number, 0..=i64::MAX; 0 is before the first.
    pub seq: u64,
}

impl EventId {
    /// Nothing seen yet: `0:0`.
    pub const NONE: Self = Self {
        epoch: Epoch(0),
        seq: 0,
    };

    /// The id of `seq` in `epoch`.
    #[must_use]
    pub fn new(epoch: Epoch, seq: u64) -> Self {
        Self { epoch, seq }
    }

    /// The id `seq` of the same history.
    #[must_use]
    pub fn at(self, seq: u64) -> Self {
        Self { seq, ..self }
    }
}

impl PartialOrd for EventId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (self.epoch == other.epoch).then(|| self.seq.cmp(&other.seq))
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::NONE {
            return f.write_str("0:0");
        }
        write!(f, "{:08x}:{}", self.epoch.0, self.seq)
    }
}

impl fmt::Debug for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not an event id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an event id such as 9f3a61c2:151")]
pub struct NotAnEventId(pub String);

impl FromStr for EventId {
    type Err = NotAnEventId;
    fn from_str(text: &str) -> Result<Self, NotAnEventId> {
        let parse = || {
            if text == "0:0" {
                return Some(Self::NONE);
            }
            let (epoch, seq) = text.split_once(':')?;
            let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
            let plain = seq.bytes().all(|byte| byte.is_ascii_digit());
            let padded = seq.len() > 1 && seq.starts_with('0');
            if epoch.len() != 8 || !epoch.bytes().all(hex) || !plain || padded {
                return None;
            }
            let epoch = Epoch(u32::from_str_radix(epoch, 16).ok()?);
            let seq = seq
                .parse::<u64>()
                .ok()
                .filter(|seq| i64::try_from(*seq).is_ok())?;
            Some(Self { epoch, seq })
        };
        parse().ok_or_else(|| NotAnEventId(text.to_owned()))
    }
}

impl TryFrom<String> for EventId {
    type Error = NotAnEventId;
    fn try_from(text: String) -> Result<Self, NotAnEventId> {
        text.parse()
    }
}

impl From<EventId> for String {
    fn from(id: EventId) -> Self {
        id.to_string()
    }
}

/// A part of the store's state that a screen loads as a whole (realtime, section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Orders awaiting payment.
    Payments,
    /// Orders with cooked, unserved lines.
    Servings,
    /// Open calls.
    Calls,
    /// All open orders; contains the three other order scopes.
    HallOrders,
    /// Orders with unserved fired lines or unacknowledged voids of fired lines.
    KitchenOrders,
    /// Zones, and tables with the party at each.
    Tables,
    /// Categories, items, stock.
    Menu,
    /// Settings, stations.
    Store,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Self; 8] = [
        Self::Payments,
        Self::Servings,
        Self::Calls,
        Self::HallOrders,
        Self::KitchenOrders,
        Self::Tables,
        Self::Menu,
        Self::Store,
    ];

    /// The endpoint below `/api/pos/{storeId}`.
    #[must_use]
    pub fn path(self) -> &'static str {
        match self {
            Self::Payments => "/payments",
            Self::Servings => "/servings",
            Self::Calls => "/calls",
            Self::HallOrders => "/hall/orders",
            Self::KitchenOrders => "/kitchen/orders",
            Self::Tables => "/tables",
            Self::Menu => "/menu",
            Self::Store => "/store",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_as_it_is_written() {
        let id = EventId::new(Epoch(0x9f3a_61c2), 151);
        assert_eq!(id.to_string(), "9f3a61c2:151");
        assert_eq!("9f3a61c2:151".parse(), Ok(id));
        assert_eq!("0:0".parse(), Ok(EventId::NONE));
        assert_eq!(EventId::NONE.to_string(), "0:0");
    }

    #[rstest::rstest]
    #[case("")]
    #[case("9f3a61c2")]
    #[case("9f3a61c2:")]
    #[case("9f3a61c2:-1")]
    #[case("9f3a61c2:01")]
    #[case("9F3A61C2:1")]
    #[case("9f3a61c:1")]
    #[case("9f3a61c2:9223372036854775808")]
    #[case("9f3a61c2:1\0")]
    #[case("1700-0")]
    fn anything_else_is_refused(#[case] text: &str) {
        assert!(text.parse::<EventId>().is_err());
    }

    #[test]
    fn ids_of_two_histories_do_not_compare() {
        let (a, b) = (EventId::new(Epoch(1), 5), EventId::new(Epoch(2), 9));
        assert_eq!(a.partial_cmp(&b), None);
        assert_eq!(a.partial_cmp(&a.at(6)), Some(Ordering::Less));
    }
}

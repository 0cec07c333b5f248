//! A hold as clients see it, and what ending it comes to in each of its states.

use serde::{Deserialize, Serialize};

use super::Short;
use crate::id::{OrderId, ReservationId, StockId};
use crate::text::LocalText;
use crate::time::Time;

/// Where a hold stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum HoldStatus {
    /// Waits for a worker; holds nothing yet.
    Pending,
    /// Its units are nobody else's.
    Held,
    /// Its units are sold.
    Confirmed,
    /// Given back.
    Released,
    /// Past its time.
    Expired,
    /// A worker found it short.
    Rejected,
}

impl HoldStatus {
    /// Every status.
    pub const ALL: [Self; 6] = [
        Self::Pending,
        Self::Held,
        Self::Confirmed,
        Self::Released,
        Self::Expired,
        Self::Rejected,
    ];

    /// As written in JSON and in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Held => "held",
            Self::Confirmed => "confirmed",
            Self::Released => "released",
            Self::Expired => "expired",
            Self::Rejected => "rejected",
        }
    }

    /// The status of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// What asking for an end comes to when the guarded update found no row to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It has ended so before: 200, nothing changes.
    Already,
    /// It is past its time: its units may be taken afresh, all or none.
    Late,
    /// It is sold: giving back after a sale is a refund.
    Sold,
    /// There is nothing to end so.
    Never,
}

/// What it comes to that a hold of this status is confirmed (`success`) or given back.
#[must_use]
pub fn settle(status: HoldStatus, success: bool) -> End {
    match (status, success) {
        (HoldStatus::Confirmed, true)
        | (HoldStatus::Released | HoldStatus::Expired | HoldStatus::Rejected, false) => {
            End::Already
        }
        // Held, but no longer in time.
        (HoldStatus::Held | HoldStatus::Expired, true) => End::Late,
        (HoldStatus::Confirmed, false) => End::Sold,
        (HoldStatus::Pending | HoldStatus::Released | HoldStatus::Rejected, true)
        | (HoldStatus::Pending | HoldStatus::Held, false) => End::Never,
    }
}

/// A stock row of a hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HoldRow {
    /// Which.
    pub stock_id: StockId,
    /// Its name.
    pub name: LocalText,
    /// Units.
    pub quantity: u32,
    /// The lines of the request that draw on it.
    pub from: Vec<usize>,
}

/// A hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Hold {
    /// Its id.
    pub rid: ReservationId,
    /// Where it stands.
    pub status: HoldStatus,
    /// It was so already, when something was asked of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub already: Option<HoldStatus>,
    /// Why it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The order it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order_id: Option<OrderId>,
    /// Who holds, for managers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder: Option<String>,
    /// Since when, in ms, for managers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub age_ms: Option<i64>,
    /// When it ends, by the clock that judges it.
    pub expires_at: Time,
    /// What that clock shows.
    pub server_now: Time,
    /// `expires_at − server_now`, never negative; 0 once it has ended.
    pub remaining_ms: i64,
    /// The answer is about a hold that was there before.
    pub replayed: bool,
    /// What it holds, or held.
    pub lines: Vec<HoldRow>,
    /// What was short, when it was rejected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub short: Vec<Short>,
}

//! The store: its settings and its stations.

use serde::{Deserialize, Serialize};

use crate::id::{StationId, StoreId};
use crate::money::Currency;
use crate::text::{Language, LocalText};
use crate::time::{BusinessDay, DayCut, Time};

/// The header in which the list of a store's staff carries its name: the JSON of a
/// [`LocalText`], percent-encoded.
pub const STORE_NAME_HEADER: &str = "x-pos-store-name";

/// When guests pay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PaymentTiming {
    /// 선불: confirming the payment fires the lines.
    Prepaid,
    /// 후불: lines fire when ordered; paid on leaving.
    Postpaid,
}

/// After how many milliseconds in a state a ticket warns and is late.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Threshold(pub i64, pub i64);

/// The thresholds of the three columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Thresholds {
    /// 조리 대기
    pub waiting: Threshold,
    /// 조리 중
    pub cooking: Threshold,
    /// 조리 완료
    pub cooked: Threshold,
}

impl Default for Thresholds {
    /// Minutes 3/6, 8/12, 2/4 (screens, "Kitchen display").
    fn default() -> Self {
        const MINUTE: i64 = 60_000;
        Self {
            waiting: Threshold(3 * MINUTE, 6 * MINUTE),
            cooking: Threshold(8 * MINUTE, 12 * MINUTE),
            cooked: Threshold(2 * MINUTE, 4 * MINUTE),
        }
    }
}

/// A place that cooks some items.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Station {
    /// Its id.
    pub id: StationId,
    /// Shown on its display.
    pub name: LocalText,
    /// Takes the items that name no station. One station of a store is the default.
    pub is_default: bool,
    /// When its tickets change colour.
    pub thresholds: Thresholds,
}

/// A restaurant and its settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Store {
    /// Its id.
    pub id: StoreId,
    /// +1 with every update.
    pub version: u64,
    /// In addresses: `/{code}/kitchen`.
    pub code: String,
    /// Shown to people.
    pub name: LocalText,
    /// Whether a guest at a free table opens a party by scanning.
    pub guest_seating: bool,
    /// How long a hold on stock lives, in ms: 1 to 30 minutes.
    pub hold_ttl_ms: i64,
    /// Of every price here.
    pub currency: Currency,
    /// IANA name, such as `Asia/Seoul`.
    pub time_zone: String,
    /// When the business day ends.
    pub day_cut: DayCut,
    /// Of screens, unless a device chooses another.
    pub language: Language,
    /// When guests pay.
    pub payment_timing: PaymentTiming,
    /// Tax included in prices, in thousandths: 100 is 10 %.
    pub tax_rate_permille: u32,
    /// At least one; exactly one is the default.
    pub stations: Vec<Station>,
    /// The current business day.
    pub business_day: BusinessDay,
    /// When it ends.
    pub next_cut_at: Time,
}

impl Store {
    /// The station that takes items which name none.
    #[must_use]
    pub fn default_station(&self) -> Option<StationId> {
        let by_flag = self.stations.iter().find(|station| station.is_default);
        by_flag.or(self.stations.first()).map(|station| station.id)
    }
}

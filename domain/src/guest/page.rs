//! The page of a party: everything a phone at a table shows.

use serde::{Deserialize, Serialize};

use super::{GuestCall, GuestOrder, GuestStock, GuestStore, GuestTable};
use crate::id::PartyId;
use crate::menu::{Category, MenuItem};

/// Answer to `POST /api/guest/{tableCode}/join`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GuestJoined {
    /// `Authorization: Bearer {token}` of everything else; it dies with the party.
    pub token: String,
    /// The party it belongs to: another one than before means other guests.
    pub party_id: PartyId,
}

impl std::fmt::Debug for GuestJoined {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("GuestJoined");
        shown
            .field("party_id", &self.party_id)
            .finish_non_exhaustive()
    }
}

/// Answer to `GET /api/guest`, as of its watermark header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GuestPage {
    /// The restaurant.
    pub store: GuestStore,
    /// Where this phone's party sits.
    pub table: GuestTable,
    /// By their place on the menu.
    pub categories: Vec<Category>,
    /// By their place on the menu.
    pub items: Vec<MenuItem>,
    /// What is left of what is counted.
    pub stock: Vec<GuestStock>,
    /// Every order of this party, oldest first, also rejected ones.
    pub orders: Vec<GuestOrder>,
    /// This party's calls that are not done, oldest first.
    pub calls: Vec<GuestCall>,
}

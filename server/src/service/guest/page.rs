//! The page of a party.

use domain::guest::{GuestCall, GuestOrder, GuestPage, GuestStock, GuestStore, GuestTable};
use domain::stream::EventId;

use super::super::Services;
use super::super::refusal::{Code, Refusal, ServiceError};
use super::{Phone, phone_find};
use crate::store::call::calls_open_of_party;
use crate::store::floor::tables;
use crate::store::menu::{categories, items, stock};
use crate::store::order::orders_of_party;
use crate::store::restaurant::store_find;
use crate::store::stream::stream_head;

/// A page, and as of when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuestView {
    /// What the phone shows.
    pub page: GuestPage,
    /// The store's seq, read together with it.
    pub watermark: EventId,
}

impl Services {
    /// Everything this phone's party may see, read in one transaction.
    ///
    /// # Errors
    /// The party has left meanwhile, or the database failed.
    pub async fn guest_page(&self, phone: &Phone) -> Result<GuestView, ServiceError> {
        let mut tx = self.db.read().await?;
        let phone = phone_find(&mut tx, &phone.token_hash).await??;
        let (id, party) = (phone.store, phone.party);
        let watermark = stream_head(&mut tx, id).await?;
        let store = store_find(&mut tx, id).await?;
        let store = store.ok_or_else(|| Refusal::not_found("store"))?;
        let floor = tables(&mut tx, id).await?;
        let table = GuestTable::among(&floor, party, phone.table);
        let table = table.ok_or_else(|| Refusal::new(Code::PartyCleared, "this party has left"))?;
        let orders = orders_of_party(&mut tx, id, party).await?;
        let calls = calls_open_of_party(&mut tx, id, party).await?;
        let rows = stock(&mut tx, id).await?;
        let page = GuestPage {
            store: GuestStore::of(&store),
            table: GuestTable::of(table),
            categories: categories(&mut tx, id).await?,
            items: items(&mut tx, id).await?,
            stock: rows.iter().map(GuestStock::of).collect(),
            orders: orders.iter().map(GuestOrder::of).collect(),
            calls: calls.iter().map(GuestCall::of).collect(),
        };
        Ok(GuestView {
            page,
            watermark: watermark.unwrap_or_default(),
        })
    }
}

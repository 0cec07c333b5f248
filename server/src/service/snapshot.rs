//! Snapshots: a scope with the store's seq, read in the same read transaction (realtime,
//! section 4). Documents are handed on unread.

use domain::id::{MenuId, OrderId, StockId, StoreId, TableId};
use domain::stream::{EventId, Scope};
use uuid::Uuid;

use super::Services;
use super::refusal::{Refusal, ServiceError};
use crate::db::Tx;
use crate::store::call::call_docs;
use crate::store::floor::{table_doc, table_docs, zone_docs};
use crate::store::menu::{category_docs, item_doc, item_docs, stock_doc, stock_docs};
use crate::store::order::{order_open_doc, orders_in_scope, orders_left_board};
use crate::store::restaurant::store_doc;
use crate::store::stream::stream_head;

/// The most ids of one `?ids=`.
pub const MAX_IDS: usize = 200;
/// The recall list goes back this far, in ms, and has at most this many tickets.
const RECENT: (i64, u32) = (30 * 60 * 1_000, 50);

/// Entities with the seq they are as of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// JSON.
    pub body: String,
    /// The store's seq.
    pub watermark: EventId,
}

fn list(name: &str, docs: &[String]) -> String {
    format!("\"{name}\":[{}]", docs.join(","))
}

fn object(lists: &[String]) -> String {
    format!("{{{}}}", lists.join(","))
}

impl Services {
    /// The whole of `scope`.
    ///
    /// # Errors
    /// The database failed, or there is no such store.
    pub async fn snapshot(&self, store: StoreId, scope: Scope) -> Result<Snapshot, ServiceError> {
        let mut tx = self.db.read().await?;
        if self.guards.watermark_with_data {
            let watermark = watermark(&mut tx, store).await?;
            let body = whole(&mut tx, store, scope).await?;
            return Ok(Snapshot { body, watermark });
        }
        // The negative control: the data first, the watermark of a later moment.
        let body = whole(&mut tx, store, scope).await?;
        drop(tx);
        self.guards.between().await;
        let watermark = watermark(&mut self.db.read().await?, store).await?;
        Ok(Snapshot { body, watermark })
    }

    /// Those of `ids` that `scope` holds; missing is absent.
    ///
    /// # Errors
    /// The database failed, or there is no such store.
    pub async fn snapshot_of(
        &self,
        store: StoreId,
        scope: Scope,
        ids: &[Uuid],
    ) -> Result<Snapshot, ServiceError> {
        let mut tx = self.db.read().await?;
        let watermark = watermark(&mut tx, store).await?;
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for id in ids {
            match scope {
                Scope::HallOrders | Scope::KitchenOrders => {
                    let kitchen = scope == Scope::KitchenOrders;
                    first.extend(order_open_doc(&mut tx, store, OrderId(*id), kitchen).await?);
                }
                Scope::Tables => first.extend(table_doc(&mut tx, store, TableId(*id)).await?),
                Scope::Menu => {
                    first.extend(item_doc(&mut tx, store, MenuId(*id)).await?);
                    second.extend(stock_doc(&mut tx, store, StockId(*id)).await?);
                }
                Scope::Payments | Scope::Servings | Scope::Calls | Scope::Store => {}
            }
        }
        let lists = match scope {
            Scope::Tables => vec![list("tables", &first)],
            Scope::Menu => vec![list("items", &first), list("stock", &second)],
            Scope::HallOrders
            | Scope::KitchenOrders
            | Scope::Payments
            | Scope::Servings
            | Scope::Calls
            | Scope::Store => vec![list("orders", &first)],
        };
        Ok(Snapshot {
            body: object(&lists),
            watermark,
        })
    }

    /// The tickets that left the kitchen's board: at most 50, at most 30 min ago.
    ///
    /// # Errors
    /// The database failed, or there is no such store.
    pub async fn recent_tickets(&self, store: StoreId) -> Result<Snapshot, ServiceError> {
        let mut tx = self.db.read().await?;
        let watermark = watermark(&mut tx, store).await?;
        let (back, limit) = RECENT;
        let since = self.clock.now().plus(-back);
        let orders = orders_left_board(&mut tx, store, since, limit).await?;
        Ok(Snapshot {
            body: object(&[list("orders", &orders)]),
            watermark,
        })
    }
}

async fn watermark(tx: &mut Tx, store: StoreId) -> Result<EventId, ServiceError> {
    let head = stream_head(tx, store).await?;
    Ok(head.ok_or_else(|| Refusal::not_found("store"))?)
}

async fn whole(tx: &mut Tx, store: StoreId, scope: Scope) -> Result<String, ServiceError> {
    let lists = match scope {
        Scope::Payments | Scope::Servings | Scope::HallOrders | Scope::KitchenOrders => {
            vec![list("orders", &orders_in_scope(tx, store, scope).await?)]
        }
        Scope::Calls => vec![list("calls", &call_docs(tx, store).await?)],
        Scope::Tables => vec![
            list("zones", &zone_docs(tx, store).await?),
            list("tables", &table_docs(tx, store).await?),
        ],
        Scope::Menu => vec![
            list("categories", &category_docs(tx, store).await?),
            list("items", &item_docs(tx, store).await?),
            list("stock", &stock_docs(tx, store).await?),
        ],
        Scope::Store => {
            let doc = store_doc(tx, store).await?;
            return Ok(doc.ok_or_else(|| Refusal::not_found("store"))?);
        }
    };
    Ok(object(&lists))
}

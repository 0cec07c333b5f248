//! Orders. The columns beside the document are written from the same value and decide which
//! snapshots hold it; a test holds them equal to `Scope::holds_order`.

use domain::id::{OrderId, PartyId, StoreId};
use domain::order::Order;
use domain::stream::Scope;
use domain::time::Time;

use super::doc::{Doc, read_all, unread, write};
use crate::db::{DbError, Tx, params};

fn count(lines: impl Iterator) -> i64 {
    i64::try_from(lines.count()).unwrap_or(i64::MAX)
}

/// Writes the order as it is, and answers its document.
///
/// # Errors
/// When the database cannot be reached.
pub async fn order_save(tx: &mut Tx, store: StoreId, order: &Order) -> Result<String, DbError> {
    let sql = "insert into orders (id, store_id, business_day, number, party_id, checkout_stage, \
        payment_due, placed_at, confirmed_at, closed_at, tender, total, unserved_lines, \
        cooked_lines, open_voids, left_board_at, version, doc) \
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) \
        on conflict (id) do update set party_id = excluded.party_id, \
        checkout_stage = excluded.checkout_stage, payment_due = excluded.payment_due, \
        confirmed_at = excluded.confirmed_at, closed_at = excluded.closed_at, \
        tender = excluded.tender, total = excluded.total, \
        unserved_lines = excluded.unserved_lines, cooked_lines = excluded.cooked_lines, \
        open_voids = excluded.open_voids, left_board_at = excluded.left_board_at, \
        version = excluded.version, doc = excluded.doc";
    let doc = write(order)?;
    let values = params![
        order.id,
        store,
        order.business_day,
        order.number,
        order.party_id,
        order.checkout_stage.name(),
        order.payment_due,
        order.placed_at,
        order.confirmed_at,
        order.closed_at,
        order.tender.map(domain::order::Tender::name),
        order.total.0,
        count(order.unserved_lines()),
        count(order.cooked_lines()),
        count(order.open_voids()),
        order.left_board_at(),
        order.version,
        doc.as_str(),
    ];
    tx.execute(sql, values).await?;
    Ok(doc)
}

/// The order, if this store has it.
///
/// # Errors
/// When the database cannot be reached.
pub async fn order_find(
    tx: &mut Tx,
    store: StoreId,
    id: OrderId,
) -> Result<Option<Order>, DbError> {
    let sql = "select doc from orders where store_id = $1 and id = $2";
    let row = tx.fetch_optional::<Doc>(sql, params![store, id]).await?;
    row.map(|row| row.read()).transpose()
}

/// The party's orders that are not closed, in the order they were placed.
///
/// # Errors
/// When the database cannot be reached.
pub async fn orders_open_of_party(
    tx: &mut Tx,
    store: StoreId,
    party: PartyId,
) -> Result<Vec<Order>, DbError> {
    let sql = "select doc from orders where store_id = $1 and party_id = $2 \
        and closed_at is null order by placed_at, number";
    read_all(&tx.fetch_all::<Doc>(sql, params![store, party]).await?)
}

/// Every order of the party, closed ones too, in the order they were placed.
///
/// # Errors
/// When the database cannot be reached.
pub async fn orders_of_party(
    tx: &mut Tx,
    store: StoreId,
    party: PartyId,
) -> Result<Vec<Order>, DbError> {
    let sql = "select doc from orders where store_id = $1 and party_id = $2 \
        order by placed_at, number";
    read_all(&tx.fetch_all::<Doc>(sql, params![store, party]).await?)
}

/// The documents of a scope of orders, unread; none for a scope of another kind.
///
/// # Errors
/// When the database cannot be reached.
pub async fn orders_in_scope(
    tx: &mut Tx,
    store: StoreId,
    scope: Scope,
) -> Result<Vec<String>, DbError> {
    let sql = match scope {
        Scope::HallOrders => {
            "select doc from orders where store_id = $1 and closed_at is null \
             order by placed_at, number"
        }
        Scope::Payments => {
            "select doc from orders where store_id = $1 and closed_at is null \
             and checkout_stage = 'awaitingPayment' and payment_due order by placed_at, number"
        }
        Scope::Servings => {
            "select doc from orders where store_id = $1 and closed_at is null \
             and cooked_lines > 0 order by placed_at, number"
        }
        Scope::KitchenOrders => {
            "select doc from orders where store_id = $1 and closed_at is null \
             and (unserved_lines > 0 or open_voids > 0) order by placed_at, number"
        }
        Scope::Calls | Scope::Tables | Scope::Menu | Scope::Store => return Ok(Vec::new()),
    };
    Ok(unread(tx.fetch_all::<Doc>(sql, params![store]).await?))
}

/// The document of one order if it is open; `kitchen`: only if the kitchen's scope holds it.
///
/// # Errors
/// When the database cannot be reached.
pub async fn order_open_doc(
    tx: &mut Tx,
    store: StoreId,
    id: OrderId,
    kitchen: bool,
) -> Result<Option<String>, DbError> {
    let sql = if kitchen {
        "select doc from orders where store_id = $1 and id = $2 and closed_at is null \
         and (unserved_lines > 0 or open_voids > 0)"
    } else {
        "select doc from orders where store_id = $1 and id = $2 and closed_at is null"
    };
    let row = tx.fetch_optional::<Doc>(sql, params![store, id]).await?;
    Ok(row.map(|row| row.doc))
}

/// The documents of the orders that left the kitchen's board since `since`, the latest first.
///
/// # Errors
/// When the database cannot be reached.
pub async fn orders_left_board(
    tx: &mut Tx,
    store: StoreId,
    since: Time,
    limit: u32,
) -> Result<Vec<String>, DbError> {
    let sql = "select doc from orders where store_id = $1 and left_board_at is not null \
        and left_board_at >= $2 order by left_board_at desc, number desc limit $3";
    Ok(unread(
        tx.fetch_all::<Doc>(sql, params![store, since, limit])
            .await?,
    ))
}

/// Sales of one tender.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct SalesRow {
    /// How far the payment is.
    pub checkout_stage: String,
    /// By which means, if paid.
    pub tender: Option<String>,
    /// Orders.
    pub orders: i64,
    /// Their total, in minor units.
    pub total: i64,
}

/// The orders of a business day, by stage and tender.
///
/// # Errors
/// When the database cannot be reached.
pub async fn orders_sales(
    tx: &mut Tx,
    store: StoreId,
    day: domain::time::BusinessDay,
) -> Result<Vec<SalesRow>, DbError> {
    // SUM over BIGINT is NUMERIC on PostgreSQL.
    let sql = "select checkout_stage, tender, count(*) as orders, \
        cast(coalesce(sum(total), 0) as bigint) as total from orders \
        where store_id = $1 and business_day = $2 \
        group by checkout_stage, tender order by checkout_stage, tender nulls first";
    tx.fetch_all::<SalesRow>(sql, params![store, day]).await
}

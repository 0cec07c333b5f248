//! A new row of stock, with the ledger's first entry.

use domain::id::StoreId;
use domain::stock::Stock;

use crate::db::{DbError, Tx};
use crate::store::ledger::{Cause, Move, MoveKind, moves_insert};
use crate::store::stock::{Shift, stock_give, stock_insert, stock_settle};

/// Opens a row with what `stock` says is there; its first version is 1. Nobody is told: it is for a
/// store that is only being opened.
///
/// # Errors
/// When the database cannot be reached, or has the row.
pub async fn stock_open(tx: &mut Tx, stock: &Stock, cause: Cause<'_>) -> Result<(), DbError> {
    let (store, stock_id): (StoreId, _) = (cause.store, stock.id);
    let none = Stock {
        version: 0,
        ..stock.clone()
    };
    stock_insert(tx, store, &none).await?;
    let moved = Move {
        stock_id,
        kind: MoveKind::Stocked,
        of: None,
        quantity: stock.on_hand,
    };
    let shift = Shift {
        stock_id,
        on_hand: stock.on_hand,
        held: 0,
        moves: 1,
    };
    if let Some(place) = stock_give(tx, store, &shift).await? {
        moves_insert(tx, &[(place, moved)], cause).await?;
    }
    stock_settle(tx, store, stock_id).await?;
    Ok(())
}

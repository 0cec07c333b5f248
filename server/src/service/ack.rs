//! What a kitchen screen reports to have applied.

use domain::id::StoreId;
use domain::stream::EventId;

use crate::clock::Clock;
use crate::db::{Db, DbError};
use crate::store::ack::{ack_find, ack_save};
use crate::store::stream::stream_head;

/// Notes what a screen has applied. It never goes back within an epoch, and what never
/// happened is not applied; a screen without a kitchen stream is not noted.
///
/// # Errors
/// When the database cannot be reached.
pub async fn acknowledge(
    db: &Db,
    clock: &Clock,
    store: StoreId,
    connection_id: &str,
    applied: EventId,
) -> Result<(), DbError> {
    let mut tx = db.write().await?;
    let Some(head) = stream_head(&mut tx, store).await? else {
        return Ok(());
    };
    let happened = applied <= head;
    if !happened {
        return Ok(());
    }
    while let Some(noted) = ack_find(&mut tx, store, connection_id).await? {
        if applied <= noted.applied {
            return Ok(());
        }
        let step = (noted.applied, applied);
        if ack_save(&mut tx, store, connection_id, step, clock.now()).await? {
            metrics::counter!("rt_acks_total").increment(1);
            return tx.commit().await;
        }
        // Another report of this screen came first: it may have been the later one.
    }
    Ok(())
}

//! The outbox as the hub reads it: what the ring lacks.

use std::sync::Arc;

use domain::id::StoreId;
use domain::stream::EventId;

use tokio::sync::Semaphore;

use super::frame::{self, Frame, FrameError};
use super::position::Known;
use crate::db::{Db, DbError};
use crate::store::outbox::{outbox_between, outbox_first_seq};
use crate::store::stream::stream_head;

/// History cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The database failed.
    #[error("the history of events cannot be read")]
    Db(#[from] DbError),
    /// There is no such store.
    #[error("the store is not known")]
    UnknownStore,
    /// An event has no form on the wire.
    #[error("an event of the history cannot be written")]
    Frame(#[from] FrameError),
}

/// Events after a position, and the store's last one, of one moment.
#[derive(Debug)]
pub struct Page {
    /// The store's last committed event.
    pub head: EventId,
    /// Events after the position asked for, in order; none when its epoch is another.
    pub frames: Vec<Frame>,
}

/// Reads of events at once: however many streams catch up, snapshots and beats find a
/// connection of the database.
const READS: usize = 2;

/// Reads the outbox.
#[derive(Clone, Debug)]
pub struct History {
    db: Db,
    turns: Arc<Semaphore>,
}

impl History {
    /// The history kept in this database.
    #[must_use]
    pub fn new(db: Db) -> Self {
        Self {
            db,
            turns: Arc::new(Semaphore::new(READS)),
        }
    }

    /// The newest events of the store, at most `limit`, and its last one.
    ///
    /// # Errors
    /// Any [`HistoryError`].
    pub async fn newest(&self, store: StoreId, limit: u32) -> Result<Page, HistoryError> {
        let _turn = self.turns.acquire().await;
        let mut tx = self.db.read().await?;
        let head = stream_head(&mut tx, store)
            .await?
            .ok_or(HistoryError::UnknownStore)?;
        let after = head.seq.saturating_sub(limit.into());
        let rows = outbox_between(&mut tx, store, after, head.seq, limit).await?;
        drop(tx);
        let frames = rows.iter().map(|row| frame::event(row, head.epoch));
        Ok(Page {
            head,
            frames: frames.collect::<Result<_, _>>()?,
        })
    }

    /// What is known of the store beside the ring's `position`.
    ///
    /// # Errors
    /// Any [`HistoryError`].
    pub async fn known(&self, store: StoreId, position: EventId) -> Result<Known, HistoryError> {
        let _turn = self.turns.acquire().await;
        let mut tx = self.db.read().await?;
        let database = stream_head(&mut tx, store)
            .await?
            .ok_or(HistoryError::UnknownStore)?;
        let first_kept = outbox_first_seq(&mut tx, store).await?;
        Ok(Known {
            position,
            database,
            first_kept,
        })
    }

    /// Up to `limit` events after `last`.
    ///
    /// # Errors
    /// Any [`HistoryError`].
    pub async fn after(
        &self,
        store: StoreId,
        last: EventId,
        limit: u32,
    ) -> Result<Page, HistoryError> {
        let _turn = self.turns.acquire().await;
        let mut tx = self.db.read().await?;
        let head = stream_head(&mut tx, store)
            .await?
            .ok_or(HistoryError::UnknownStore)?;
        if head.epoch != last.epoch || head.seq <= last.seq {
            return Ok(Page {
                head,
                frames: Vec::new(),
            });
        }
        let rows = outbox_between(&mut tx, store, last.seq, head.seq, limit).await?;
        drop(tx);
        let frames = rows.iter().map(|row| frame::event(row, head.epoch));
        Ok(Page {
            head,
            frames: frames.collect::<Result<_, _>>()?,
        })
    }
}

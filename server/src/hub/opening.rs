//! How a stream opens: from where it continues.

use std::time::Duration;

use domain::stream::EventId;

use super::close::CloseReason;
use super::connection::Connection;
use super::position::{self, Known, Opening};
use super::ring::Pull;
use crate::db::DbError;
use crate::store::ack::ack_open;

/// How long an opening stream waits for the reader to see a history that the database
/// shows already.
const PATIENCE: Duration = Duration::from_secs(3);

impl Connection {
    /// Notes the ring's position, then what the database has, and decides.
    pub(super) async fn open(&mut self) -> Result<Opening, CloseReason> {
        self.note_screen()
            .await
            .map_err(|error| self.failed(&error))?;
        tracing::info!(
            store = %self.feed.store,
            connection_id = self.connection_id,
            cursor = self.cursor.map(tracing::field::display),
            "stream opened"
        );
        let deadline = self.opened + PATIENCE;
        loop {
            self.news.borrow_and_update();
            (self.position, self.generation) = self.feed.position();
            let known = match self.ring_covers_cursor() {
                Some(known) => known,
                None => {
                    let known = self.hub.history.known(self.feed.store, self.position).await;
                    known.map_err(|error| self.failed(&error))?
                }
            };
            if known.database.epoch == self.position.epoch {
                return Ok(position::open(self.cursor, known, self.hub.config.replay));
            }
            let seen = tokio::time::timeout_at(deadline, self.news.changed()).await;
            if !matches!(seen, Ok(Ok(()))) {
                return Err(CloseReason::Error);
            }
        }
    }

    /// What need not be asked of the database: a cursor whose followers are in the ring, or
    /// that has seen nothing.
    fn ring_covers_cursor(&self) -> Option<Known> {
        let cursor = self.cursor?;
        let ring = self.position;
        let known = Known {
            position: ring,
            database: ring,
            first_kept: Some(cursor.seq + 1),
        };
        if cursor == EventId::NONE {
            return Some(known);
        }
        if cursor.epoch != ring.epoch || cursor.seq > ring.seq {
            return None;
        }
        match self.feed.pull(self.generation, cursor, 0) {
            Pull::Frames(_) | Pull::Nothing => Some(known),
            Pull::Behind { .. } | Pull::Replaced => None,
        }
    }

    async fn note_screen(&self) -> Result<(), DbError> {
        let Some(kitchen) = self.audience.kitchen() else {
            return Ok(());
        };
        let (store, connection_id) = (self.feed.store, &self.connection_id);
        let mut tx = self.hub.db.write().await?;
        ack_open(
            &mut tx,
            store,
            connection_id,
            kitchen.station,
            self.hub.clock.now(),
        )
        .await?;
        tx.commit().await
    }

    /// The negative control: the ring is subscribed to after the replay, and what came in
    /// between is taken to have been written.
    pub(super) fn trust_the_ring(&mut self) {
        (self.last, self.generation) = self.feed.position();
    }
}

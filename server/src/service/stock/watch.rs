//! What an operator sees: gauges once a minute, and a check of every counter on demand.

use std::time::Duration;

use metrics::gauge;

use super::super::Services;
use crate::db::{Db, DbError};
use crate::store::gauges::{Gauges, hold_gauges};
use crate::store::ledger::{Drift, stock_drift};
use crate::store::time::time_of;

/// How often.
const EVERY: Duration = Duration::from_secs(60);
/// The most rows of drift that are told.
const LISTED: u32 = 1_000;

/// Recomputes every counter from the ledger and the open holds; answers those that differ.
///
/// # Errors
/// When the database cannot be reached.
pub async fn stock_verify(db: &Db) -> Result<Vec<Drift>, DbError> {
    stock_drift(&mut db.read().await?, LISTED).await
}

impl Services {
    /// Sets the gauges, writes one log line with them and forgets what is long over, once a minute,
    /// for ever.
    pub async fn watching(self) {
        let mut beat = tokio::time::interval(EVERY);
        beat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            beat.tick().await;
            if let Err(error) = self.watch().await {
                let cause: &dyn std::error::Error = &error;
                tracing::warn!(error = cause, "holds not counted");
            }
            if let Err(error) = self.forget().await {
                let cause: &dyn std::error::Error = &error;
                tracing::warn!(error = cause, "holds of long ago not forgotten");
            }
        }
    }

    /// Counts once.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn watch(&self) -> Result<Gauges, DbError> {
        let mut tx = self.db.read().await?;
        let now = time_of(&mut tx, &self.clock).await?;
        let gauges = hold_gauges(&mut tx, now).await?;
        let Gauges {
            open,
            signatures,
            lines,
            units,
            overdue,
            oldest_overdue_ms,
            pending,
            dead,
        } = gauges;
        gauge!("stock_holds_open").set(open as f64);
        gauge!("stock_signatures_open").set(signatures as f64);
        gauge!("stock_lines_held").set(lines as f64);
        gauge!("stock_units_held").set(units as f64);
        gauge!("stock_holds_overdue").set(overdue as f64);
        gauge!("stock_oldest_overdue_seconds").set(oldest_overdue_ms as f64 / 1_000.0);
        gauge!("stock_batches_pending").set(pending as f64);
        gauge!("stock_batches_dead").set(dead as f64);
        tracing::info!(
            open,
            lines,
            units,
            signatures,
            overdue,
            oldest_overdue_ms,
            pending,
            dead,
            "holds on stock"
        );
        Ok(gauges)
    }
}

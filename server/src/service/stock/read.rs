//! Holds, to be looked at.

use domain::id::{ReservationId, StoreId};
use domain::stock::{Hold, HoldStatus};
use domain::time::Time;

use super::super::Services;
use super::super::refusal::{Refusal, ServiceError};
use super::answer::hold_shown;
use crate::db::{DbError, Tx};
use crate::store::hold::{Held, hold_find, holds_of_status};
use crate::store::time::time_of;

/// The most holds of a list.
const LISTED: u32 = 200;

/// Holds with holder and age, as managers see them.
pub(super) async fn holds_shown(
    tx: &mut Tx,
    holds: Vec<Held>,
    now: Time,
) -> Result<Vec<Hold>, DbError> {
    let mut shown = Vec::with_capacity(holds.len());
    for held in holds {
        let hold = hold_shown(tx, &held, now).await?;
        shown.push(Hold {
            age_ms: Some(now.since(held.created_at)),
            holder: Some(held.holder),
            ..hold
        });
    }
    Ok(shown)
}

impl Services {
    /// One hold; `owner` when only its own holder may see it.
    ///
    /// # Errors
    /// The database failed, or there is no such hold.
    pub async fn hold(
        &self,
        store: StoreId,
        rid: ReservationId,
        owner: Option<&str>,
    ) -> Result<Hold, ServiceError> {
        let mut tx = self.db.read().await?;
        let now = time_of(&mut tx, &self.clock).await?;
        let found = hold_find(&mut tx, store, rid).await?;
        let found = found.filter(|held| owner.is_none_or(|owner| held.owner == owner));
        let held = found.ok_or_else(|| Refusal::not_found("reservation"))?;
        Ok(hold_shown(&mut tx, &held, now).await?)
    }

    /// The store's holds of that status, the latest first, at most 200.
    ///
    /// # Errors
    /// The database failed.
    pub async fn holds(
        &self,
        store: StoreId,
        status: HoldStatus,
    ) -> Result<Vec<Hold>, ServiceError> {
        let mut tx = self.db.read().await?;
        let now = time_of(&mut tx, &self.clock).await?;
        let found = holds_of_status(&mut tx, store, status, LISTED).await?;
        Ok(holds_shown(&mut tx, found, now).await?)
    }
}

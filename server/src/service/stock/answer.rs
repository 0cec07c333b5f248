//! A hold as its holder, or a manager, is told of it.

use domain::stock::{Hold, HoldStatus};
use domain::time::Time;

use super::super::command::{Outcome, Work};
use super::super::refusal::ServiceError;
use crate::db::{DbError, Tx};
use crate::store::doc::{Doc, write};
use crate::store::hold::Held;
use crate::store::hold_line::{LineStatus, hold_rows};

/// The hold as clients see it at `now`.
pub(super) async fn hold_shown(tx: &mut Tx, held: &Held, now: Time) -> Result<Hold, DbError> {
    let open = match held.status {
        HoldStatus::Pending | HoldStatus::Held => true,
        HoldStatus::Confirmed
        | HoldStatus::Released
        | HoldStatus::Expired
        | HoldStatus::Rejected => false,
    };
    // Past its time it is expired, swept or not.
    let over = open && held.life.is_over(now);
    let status = if over {
        HoldStatus::Expired
    } else {
        held.status
    };
    let short = match &held.shorts {
        Some(doc) => Doc { doc: doc.clone() }.read()?,
        None => Vec::new(),
    };
    Ok(Hold {
        rid: held.rid,
        status,
        already: None,
        reason: held.reason.clone(),
        order_id: held.order_id,
        holder: None,
        age_ms: None,
        expires_at: held.life.expires_at,
        server_now: now,
        remaining_ms: if open {
            held.life.expires_at.since(now)
        } else {
            0
        },
        replayed: false,
        lines: hold_rows(tx, held.rid, LineStatus::of_hold(held.status)).await?,
        short,
    })
}

impl Work {
    /// Answers with the hold; `change` is what this answer says beside it.
    pub(super) async fn answer_hold(
        &mut self,
        held: &Held,
        outcome: Outcome,
        change: impl FnOnce(Hold) -> Hold,
    ) -> Result<(), ServiceError> {
        let now = self.now;
        let hold = change(hold_shown(&mut self.tx, held, now).await?);
        self.answer(outcome, write(&hold)?);
        Ok(())
    }
}

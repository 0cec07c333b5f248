//! Ends that are asked for: a payment that came through or failed, a cart given up, a hold broken.

use domain::id::{OrderId, ReservationId};
use domain::stock::{End, Hold, HoldStatus, settle};
use domain::text::{NAME_GRAPHEMES, fits};
use serde::Deserialize;

use super::super::command::{Outcome, Work};
use super::super::refusal::{Code, Refusal, ServiceError};
use super::sell::rows_of;
use crate::store::hold::{Held, hold_find};
use crate::store::hold_line::{LineStatus, portions_of_hold};

/// `POST /reservations/{rid}/finalize`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Finalize {
    /// Sold, or given back.
    pub success: bool,
    /// What it was sold for.
    pub order_id: Option<OrderId>,
    /// Why it is given back, at most 120 characters.
    pub reason: Option<String>,
}

/// `POST /reservations/{rid}/release`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Release {
    /// Why, at most 120 characters.
    pub reason: Option<String>,
}

/// At most 120 characters; none is the usual reason.
fn reason(given: Option<&String>, usual: &str) -> Result<String, Refusal> {
    let text = given.map_or("", |text| text.trim());
    if !fits(text, NAME_GRAPHEMES) {
        return Err(Refusal::field(
            "reason",
            "a reason has at most 120 characters",
        ));
    }
    let text = if text.is_empty() { usual } else { text };
    Ok(text.to_owned())
}

impl Work {
    pub(in crate::service) async fn hold_finalize(
        &mut self,
        rid: ReservationId,
        body: &Finalize,
    ) -> Result<(), ServiceError> {
        let why = reason(body.reason.as_ref(), "failed")?;
        let held = self.own_hold(rid).await?;
        if let Some(order) = body.order_id {
            if held.order_id.is_some_and(|own| own != order) {
                let refusal = Refusal::new(Code::InvalidTransition, "it is another order's hold");
                return Err(refusal.into());
            }
            self.order(order).await?;
        }
        if body.success {
            self.finalize_sold(&held, body.order_id).await
        } else {
            self.finalize_released(&held, &why).await
        }
    }

    /// Given up by its holder, or broken by a manager.
    pub(in crate::service) async fn hold_release(
        &mut self,
        rid: ReservationId,
        body: &Release,
    ) -> Result<(), ServiceError> {
        let usual = if self.actor.who.is_guest() {
            "cancelled"
        } else {
            "staff"
        };
        let why = reason(body.reason.as_ref(), usual)?;
        let held = self.own_hold(rid).await?;
        self.finalize_released(&held, &why).await
    }

    async fn finalize_sold(
        &mut self,
        held: &Held,
        order: Option<OrderId>,
    ) -> Result<(), ServiceError> {
        if held.order_id.is_some() && held.status != HoldStatus::Confirmed {
            // Sold behind its back, its lines would be sold again, or never come back.
            let detail = "an order's hold is sold by confirming the order";
            return Err(Refusal::new(Code::InvalidTransition, detail).into());
        }
        if self.end_confirmed(held, order).await? {
            return self.answer_ended(held.rid, None).await;
        }
        match settle(held.status, true) {
            End::Already => self.answer_ended(held.rid, Some(held.status)).await,
            End::Late => {
                // Swept or not, it is expired first; all of it is taken afresh, or nothing changes.
                self.end_expired(held).await?;
                let portions =
                    portions_of_hold(&mut self.tx, held.rid, LineStatus::Expired).await?;
                let Some(short) = self.end_late(held, order).await? else {
                    return Err(never(held.status).into());
                };
                if short.is_empty() {
                    return self.answer_ended(held.rid, None).await;
                }
                let shorts = self.shorts(&short, &rows_of(&portions), &[]).await?;
                Err(self.refuse_short(shorts))
            }
            End::Sold | End::Never => Err(never(held.status).into()),
        }
    }

    async fn finalize_released(&mut self, held: &Held, why: &str) -> Result<(), ServiceError> {
        // Past its time it is expired: nobody gives it back any more.
        if self.end_expired(held).await? || self.end_released(held, why).await? {
            self.mark_order(held).await?;
            return self.answer_ended(held.rid, None).await;
        }
        match settle(held.status, false) {
            End::Already => self.answer_ended(held.rid, Some(held.status)).await,
            End::Sold => {
                let detail = "it is sold: giving back is a refund, with restock";
                Err(Refusal::new(Code::AlreadyConfirmed, detail).into())
            }
            End::Late | End::Never => Err(never(held.status).into()),
        }
    }

    async fn answer_ended(
        &mut self,
        rid: ReservationId,
        already: Option<HoldStatus>,
    ) -> Result<(), ServiceError> {
        let store = self.store().id;
        let held = hold_find(&mut self.tx, store, rid).await?;
        let held = held.ok_or_else(|| Refusal::not_found("reservation"))?;
        let change = |hold| Hold { already, ..hold };
        self.answer_hold(&held, Outcome::Ok, change).await
    }
}

fn never(status: HoldStatus) -> Refusal {
    let detail = format!("the hold is {}", status.name());
    Refusal::new(Code::InvalidTransition, detail)
}

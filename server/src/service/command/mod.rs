//! Commands: one intent, one transaction, one answer, remembered under its key.
//!
//! A command runs in a task of its own, to its end, even if the client leaves.

mod actor;
mod asked;
mod call;
mod closing;
mod entry;
mod floor;
mod guest;
mod kitchen;
mod menu;
mod order;
mod work;

pub use actor::{Actor, Who};
pub use asked::Command;
pub use call::CallStep;
pub use entry::{
    AddLines, Confirm, MoveLines, Note, PlaceOrder, Reject, StaffChannel, VoidLine, WantedLine,
};
pub use floor::{Covers, JoinTables, MoveTo, TableStep};
pub use guest::{Ask, GuestPlace};
pub use kitchen::{Advance, Priority, SomeLines, TheseLines};
pub use menu::SoldOut;
pub use work::{Outcome, Work};

use domain::id::StoreId;
use domain::stream::EventId;

use super::Services;
use super::day::Cut;
use super::refusal::{Code, Refusal, ServiceError};
use crate::db::{DbError, Tx};
use crate::store::idempotency::{Remembered, answer_find};
use crate::store::stream::{stream_head, stream_lock};
use crate::store::time::time_of;

/// The key of one press, and what makes it the same command again.
#[derive(Clone, Debug)]
pub struct Press {
    /// 1..=128 printable characters; the actor's own.
    pub key: String,
    /// Equal for equal method, path and meaning of the body.
    pub fingerprint: String,
}

/// What a command answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// 200, 201 or 202; a refusal that is remembered has its own.
    pub outcome: Outcome,
    /// Every entity it changed, or the hold, as JSON.
    pub body: String,
    /// Its last event; for no change the store's seq.
    pub watermark: EventId,
}

/// A command's answer: done, or refused as of a watermark.
pub type Answered = Result<Done, (Refusal, Option<EventId>)>;

const CREATED: u16 = 201;
const ACCEPTED: u16 = 202;
const OK: u16 = 200;
/// Any refusal: the code in its body says which.
const REFUSED: u16 = 409;

impl Services {
    /// Carries out a command, once for each key of the actor; without a press, each time.
    ///
    /// # Errors
    /// The database failed; a refusal is an answer.
    pub async fn command(
        &self,
        actor: Actor,
        press: Option<Press>,
        command: Command,
    ) -> Result<Answered, ServiceError> {
        let services = self.clone();
        let name = command.name();
        let begun = std::time::Instant::now();
        let task = self
            .tasks
            .spawn(async move { services.carry_out(actor, press.as_ref(), command).await });
        let outcome = task.await.map_err(|_| ServiceError::Interrupted)?;
        let label = match &outcome {
            Ok(Ok(_)) => "done",
            Ok(Err(_)) => "refused",
            Err(_) => "failed",
        };
        metrics::histogram!("pos_command_seconds", "command" => name, "outcome" => label)
            .record(begun.elapsed());
        outcome
    }

    async fn carry_out(
        &self,
        actor: Actor,
        press: Option<&Press>,
        command: Command,
    ) -> Result<Answered, ServiceError> {
        let store = actor.store;
        let mut swept = false;
        loop {
            let mut tx = self.db.write().await?;
            stream_lock(&mut tx, store).await?;
            let now = time_of(&mut tx, &self.clock).await?;
            let actor = match actor.clone().of_this_moment(&mut tx).await? {
                Ok(actor) => actor,
                Err(refusal) => return Ok(Err((refusal, None))),
            };
            if let Some(press) = press
                && let Some(known) = answer_find(&mut tx, actor.keys, &press.key, now).await?
            {
                return remembered(known, &press.fingerprint);
            }
            let Some(work) = Work::begin(tx, actor, now).await? else {
                return Ok(Err((Refusal::not_found("store"), None)));
            };
            let Some(mut work) = self.on_its_day(work).await? else {
                continue;
            };
            work.stock.guards = self.guards.stock.clone();
            work.stock.swept = swept;
            return match command.clone().run(&mut work).await {
                Ok(()) => {
                    let queued = work.stock.queued;
                    let answered = work.finish(self.born_published, press).await?;
                    self.relay.committed(store);
                    if queued {
                        self.queue.wake();
                    }
                    Ok(answered)
                }
                Err(ServiceError::Refused(refusal))
                    if refusal.code.asks_for_stock() && work.is_overdue().await? =>
                {
                    // Units of holds that nobody has swept yet are free.
                    drop(work);
                    swept = true;
                    self.sweep_store(store).await?;
                    continue;
                }
                Err(ServiceError::Refused(refusal)) => {
                    Ok(Err(work.refused(refusal, press).await?))
                }
                Err(error) => Err(error),
            };
        }
    }

    /// Ends the business day first if it is over; `None`: the work begins again, on the next.
    pub(in crate::service) async fn on_its_day(
        &self,
        work: Work,
    ) -> Result<Option<Work>, ServiceError> {
        if work.now < work.store().next_cut_at {
            return Ok(Some(work));
        }
        let store = work.store().id;
        drop(work);
        match self.cut_day(store).await? {
            Cut::Done | Cut::NotDue => Ok(None),
            Cut::Impossible => Err(ServiceError::Interrupted),
        }
    }
}

fn remembered(known: Remembered, fingerprint: &str) -> Result<Answered, ServiceError> {
    if known.fingerprint != fingerprint {
        let detail = "this Idempotency-Key was used for another command";
        return Ok(Err((
            Refusal::new(Code::IdempotencyKeyReused, detail),
            None,
        )));
    }
    let watermark = known.watermark;
    if known.status == REFUSED {
        let refusal = crate::store::doc::Doc { doc: known.body }.read()?;
        return Ok(Err((refusal, watermark)));
    }
    let outcome = match known.status {
        CREATED => Outcome::Created,
        ACCEPTED => Outcome::Accepted,
        _ => Outcome::Ok,
    };
    Ok(Ok(Done {
        outcome,
        body: known.body,
        watermark: watermark.unwrap_or_default(),
    }))
}

impl Press {
    fn remembers(&self, done: &Done) -> Remembered {
        Remembered {
            fingerprint: self.fingerprint.clone(),
            status: match done.outcome {
                Outcome::Ok => OK,
                Outcome::Created => CREATED,
                Outcome::Accepted => ACCEPTED,
            },
            body: done.body.clone(),
            watermark: Some(done.watermark),
        }
    }

    fn remembers_refusal(
        &self,
        refusal: &Refusal,
        watermark: Option<EventId>,
    ) -> Result<Remembered, DbError> {
        Ok(Remembered {
            fingerprint: self.fingerprint.clone(),
            status: REFUSED,
            body: crate::store::doc::write(refusal)?,
            watermark,
        })
    }
}

/// The store's position as this transaction sees it.
async fn head(tx: &mut Tx, store: StoreId) -> Result<EventId, ServiceError> {
    Ok(stream_head(tx, store).await?.unwrap_or_default())
}

//! Commands: one intent, one transaction, one answer, remembered under its key.
//!
//! A command runs in a task of its own, to its end, even if the client leaves.

mod actor;
mod call;
mod entry;
mod floor;
mod guest;
mod kitchen;
mod menu;
mod order;
mod work;

pub use actor::{Actor, Who};
pub use call::CallStep;
pub use entry::{
    AddLines, Confirm, MoveLines, Note, PlaceOrder, Reject, StaffChannel, VoidLine, WantedLine,
};
pub use floor::{Covers, JoinTables, MoveTo, TableStep};
pub use guest::{Ask, GuestPlace};
pub use kitchen::{Advance, Priority, SomeLines, TheseLines};
pub use menu::SoldOut;
pub use work::Work;

use domain::id::{CallId, LineId, MenuId, OrderId, StoreId, TableId};
use domain::stream::EventId;

use super::Services;
use super::day::Cut;
use super::refusal::{Code, Refusal, ServiceError};
use crate::db::{DbError, Tx};
use crate::store::idempotency::{Remembered, answer_find};
use crate::store::stream::{stream_head, stream_lock};

/// The key of one press, and what makes it the same command again.
#[derive(Clone, Debug)]
pub struct Press {
    /// 1..=128 printable characters; the actor's own.
    pub key: String,
    /// Equal for equal method, path and meaning of the body.
    pub fingerprint: String,
}

/// Everything staff and guests can ask for.
#[derive(Clone, Debug)]
#[expect(
    missing_docs,
    reason = "each is named as its endpoint in the domain's list"
)]
pub enum Command {
    PlaceOrder {
        body: PlaceOrder,
    },
    AddLines {
        order: OrderId,
        body: AddLines,
    },
    Confirm {
        order: OrderId,
        body: Confirm,
    },
    Reject {
        order: OrderId,
        body: Reject,
    },
    SetNote {
        order: OrderId,
        body: Note,
    },
    SetLineNote {
        order: OrderId,
        line: LineId,
        body: Note,
    },
    Void {
        order: OrderId,
        line: LineId,
        body: VoidLine,
    },
    MoveLines {
        order: OrderId,
        body: MoveLines,
    },
    Advance {
        order: OrderId,
        body: Advance,
    },
    Recall {
        order: OrderId,
        body: SomeLines,
    },
    SetPriority {
        order: OrderId,
        body: Priority,
    },
    AcknowledgeVoids {
        order: OrderId,
        body: TheseLines,
    },
    Serve {
        order: OrderId,
        body: SomeLines,
    },
    Call {
        call: CallId,
        step: CallStep,
    },
    Seat {
        table: TableId,
        body: Covers,
    },
    SetCovers {
        table: TableId,
        body: Covers,
    },
    Table {
        table: TableId,
        step: TableStep,
    },
    Transfer {
        table: TableId,
        body: MoveTo,
    },
    Join {
        table: TableId,
        body: JoinTables,
    },
    SetSoldOut {
        item: MenuId,
        body: SoldOut,
    },
    GuestPlace {
        body: GuestPlace,
    },
    GuestCall {
        body: Ask,
    },
}

impl Command {
    fn name(&self) -> &'static str {
        match self {
            Self::PlaceOrder { .. } => "place-order",
            Self::AddLines { .. } => "add-lines",
            Self::Confirm { .. } => "confirm",
            Self::Reject { .. } => "reject",
            Self::SetNote { .. } | Self::SetLineNote { .. } => "note",
            Self::Void { .. } => "void",
            Self::MoveLines { .. } => "move-lines",
            Self::Advance { .. } => "advance",
            Self::Recall { .. } => "recall",
            Self::SetPriority { .. } => "priority",
            Self::AcknowledgeVoids { .. } => "acknowledge-voids",
            Self::Serve { .. } => "serve",
            Self::Call { .. } => "call",
            Self::Seat { .. } => "seat",
            Self::SetCovers { .. } => "covers",
            Self::Table { .. } => "table",
            Self::Transfer { .. } => "transfer",
            Self::Join { .. } => "join",
            Self::SetSoldOut { .. } => "sold-out",
            Self::GuestPlace { .. } => "guest-order",
            Self::GuestCall { .. } => "guest-call",
        }
    }

    async fn run(self, work: &mut Work) -> Result<(), ServiceError> {
        match self {
            Self::PlaceOrder { body } => work.place_order(body).await,
            Self::AddLines { order, body } => work.add_lines(order, body).await,
            Self::Confirm { order, body } => work.confirm(order, body).await,
            Self::Reject { order, body } => work.reject(order, &body).await,
            Self::SetNote { order, body } => work.set_note(order, &body).await,
            Self::SetLineNote { order, line, body } => work.set_line_note(order, line, &body).await,
            Self::Void { order, line, body } => work.void(order, line, &body).await,
            Self::MoveLines { order, body } => work.move_lines(order, &body).await,
            Self::Advance { order, body } => work.advance(order, &body).await,
            Self::Recall { order, body } => work.recall(order, &body).await,
            Self::SetPriority { order, body } => work.set_priority(order, &body).await,
            Self::AcknowledgeVoids { order, body } => work.acknowledge_voids(order, &body).await,
            Self::Serve { order, body } => work.serve(order, &body).await,
            Self::Call { call, step } => work.call_step(call, step).await,
            Self::Seat { table, body } => work.seat(table, &body).await,
            Self::SetCovers { table, body } => work.set_covers(table, &body).await,
            Self::Table { table, step } => work.table_step(table, step).await,
            Self::Transfer { table, body } => work.transfer(table, &body).await,
            Self::Join { table, body } => work.join(table, &body).await,
            Self::SetSoldOut { item, body } => work.set_sold_out(item, &body).await,
            Self::GuestPlace { body } => work.guest_place(body).await,
            Self::GuestCall { body } => work.guest_call(&body).await,
        }
    }
}

/// What a command answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// 200 or 201; a refusal that is remembered has its own.
    pub created: bool,
    /// Every entity it changed, as JSON.
    pub body: String,
    /// Its last event; for no change the store's seq.
    pub watermark: EventId,
}

/// A command's answer: done, or refused as of a watermark.
pub type Answered = Result<Done, (Refusal, Option<EventId>)>;

const CREATED: u16 = 201;
const OK: u16 = 200;
/// Any refusal: the code in its body says which.
const REFUSED: u16 = 409;

impl Services {
    /// Carries out a command, once for each key of the actor.
    ///
    /// # Errors
    /// The database failed; a refusal is an answer.
    pub async fn command(
        &self,
        actor: Actor,
        press: Press,
        command: Command,
    ) -> Result<Answered, ServiceError> {
        let services = self.clone();
        let name = command.name();
        let begun = std::time::Instant::now();
        let task = self
            .tasks
            .spawn(async move { services.carry_out(actor, &press, command).await });
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
        press: &Press,
        command: Command,
    ) -> Result<Answered, ServiceError> {
        let store = actor.store;
        loop {
            let mut tx = self.db.write().await?;
            stream_lock(&mut tx, store).await?;
            let now = self.clock.now();
            let actor = match actor.clone().of_this_moment(&mut tx).await? {
                Ok(actor) => actor,
                Err(refusal) => return Ok(Err((refusal, None))),
            };
            if let Some(known) = answer_find(&mut tx, actor.keys, &press.key, now).await? {
                return remembered(known, &press.fingerprint);
            }
            let Some(work) = Work::begin(tx, actor, now).await? else {
                return Ok(Err((Refusal::not_found("store"), None)));
            };
            let Some(mut work) = self.on_its_day(work).await? else {
                continue;
            };
            return match command.run(&mut work).await {
                Ok(()) => {
                    let done = work.finish(self.born_published, Some(press)).await?;
                    self.relay.committed(store);
                    Ok(Ok(done))
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
    let created = known.status == CREATED;
    Ok(Ok(Done {
        created,
        body: known.body,
        watermark: watermark.unwrap_or_default(),
    }))
}

impl Press {
    fn remembers(&self, done: &Done) -> Remembered {
        Remembered {
            fingerprint: self.fingerprint.clone(),
            status: if done.created { CREATED } else { OK },
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

//! `POST /reservations/batch`: a batch of lines is held as a whole, or not at all.

use domain::floor::Table;
use domain::guest::GuestTable;
use domain::id::ReservationId;
use domain::stock::{BadHoldLine, Demand, HoldLine, HoldStatus, Life, NotHeld, Short, TTL, ttl};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::super::command::{Outcome, Who, Work};
use super::super::refusal::{Code, FieldError, Refusal, ServiceError};
use super::opening::{Opening, moves, portions};
use crate::store::floor::tables;
use crate::store::hold::{Held, hold_by_signature, hold_find, hold_insert};
use crate::store::hold_line::{LineStatus, Portion, portions_of_hold, portions_turn};
use crate::store::hold_turn::hold_release;
use crate::store::ledger::MoveKind;
use crate::store::menu::items_find;
use crate::store::work::{work_done, work_insert};

/// The longest name of a cart, in bytes.
const LONGEST_ACTOR: usize = 128;

/// `POST /reservations/batch`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HoldBatch {
    /// The cart of this phone or terminal; without, the phone or the session is one.
    pub actor: Option<String>,
    /// 1 to 100 lines.
    pub lines: Vec<HoldLine>,
    /// A hold of the same cart whose place it takes.
    pub replaces: Option<ReservationId>,
    /// For how long, at most the store's setting.
    pub ttl_ms: Option<i64>,
}

/// How a batch is to be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct How {
    /// It came with a key: its content is no reason to take it for another.
    pub keyed: bool,
    /// By a worker, later.
    pub later: bool,
}

impl HoldBatch {
    /// Refuses what is malformed whatever the menu says, before anything is asked of the database.
    ///
    /// # Errors
    /// Every line that is wrong.
    pub fn check(&self) -> Result<(), Refusal> {
        let printable = |actor: &String| {
            let fits = (1..=LONGEST_ACTOR).contains(&actor.len());
            fits && actor.chars().all(|letter| !letter.is_control())
        };
        if !self.actor.as_ref().is_none_or(printable) {
            return Err(Refusal::field(
                "actor",
                "a cart's name has 1 to 128 printable letters",
            ));
        }
        if self.ttl_ms.is_some_and(|ms| !TTL.contains(&ms)) {
            return Err(bad_ttl());
        }
        Demand::check(&self.lines).map_err(|bad| bad_lines(&bad))
    }
}

fn bad_ttl() -> Refusal {
    Refusal::field("ttlMs", domain::stock::BadTtl.to_string())
}

/// The lines that are wrong, each by its place.
pub(super) fn bad_lines(bad: &[BadHoldLine]) -> Refusal {
    let field = |bad: &BadHoldLine| {
        let (field, code) = match bad {
            BadHoldLine::LineCount => ("lines".to_owned(), Code::Validation),
            BadHoldLine::Quantity(n) | BadHoldLine::TooMany(n) => {
                (format!("lines[{n}].quantity"), Code::Validation)
            }
            BadHoldLine::OptionTwice(n) => (format!("lines[{n}].optionIds"), Code::Validation),
            BadHoldLine::OptionNotInItem(n) => {
                (format!("lines[{n}].optionIds"), Code::OptionNotInItem)
            }
        };
        FieldError {
            field,
            code,
            message: bad.to_string(),
        }
    };
    let errors: Vec<FieldError> = bad.iter().map(field).collect();
    let malformed = errors.iter().any(|error| error.code == Code::Validation);
    let code = if malformed {
        Code::Validation
    } else {
        Code::OptionNotInItem
    };
    let detail: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    Refusal {
        errors: errors.clone(),
        ..Refusal::new(code, detail.join("; "))
    }
}

/// What a batch asks for, by the menu.
pub(super) enum Asked {
    /// All of it is known.
    Whole(Demand),
    /// Some of it is not; the rest is.
    Partly(Vec<Short>, Demand),
}

/// A short name of what a hold holds.
pub(super) fn digest(content: &str) -> String {
    let digest = Sha256::digest(content);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Work {
    /// The actor's hold. Staff have the whole store's; a stranger's is none.
    pub(super) async fn own_hold(&mut self, rid: ReservationId) -> Result<Held, ServiceError> {
        let store = self.store().id;
        let found = hold_find(&mut self.tx, store, rid).await?;
        let own = |held: &Held| !self.actor.who.is_guest() || held.owner == self.actor.owner;
        let found = found.filter(own);
        Ok(found.ok_or_else(|| Refusal::not_found("reservation"))?)
    }

    /// What the lines draw on.
    pub(super) async fn asked(&mut self, lines: &[HoldLine]) -> Result<Asked, ServiceError> {
        let store = self.store().id;
        let ids: Vec<_> = lines.iter().map(|line| line.menu_id).collect();
        let items = items_find(&mut self.tx, store, ids).await?;
        match Demand::of(lines, &items) {
            Ok(demand) => Ok(Asked::Whole(demand)),
            Err(NotHeld::Bad(bad)) => Err(bad_lines(&bad).into()),
            Err(NotHeld::Absent(absent, rest)) => {
                Ok(Asked::Partly(Short::of_absent(&absent), rest))
            }
        }
    }

    /// Whose cart: a guest's is their phone's, whatever it is called.
    fn cart(&self, name: Option<&String>) -> String {
        match (name, &self.actor.who) {
            (None, _) => self.actor.owner.clone(),
            (Some(name), Who::Staff(_) | Who::House) => format!("cart/{name}"),
            (Some(name), Who::Guest(_) | Who::Newcomer) => format!("{}/{name}", self.actor.owner),
        }
    }

    /// Shown to managers: the member of staff, or the guests' table.
    async fn holder(&mut self) -> Result<String, ServiceError> {
        match self.actor.who.clone() {
            Who::Staff(_) | Who::Newcomer | Who::House => Ok(self.actor.name.clone()),
            Who::Guest(phone) => {
                let floor = tables(&mut self.tx, phone.store).await?;
                let table: Option<&Table> = GuestTable::among(&floor, phone.party, phone.table);
                Ok(table.map_or_else(String::new, |table| table.name.clone()))
            }
        }
    }

    pub(in crate::service) async fn hold_batch(
        &mut self,
        body: HoldBatch,
        how: How,
    ) -> Result<(), ServiceError> {
        body.check()?;
        let store = self.store();
        let (id, ttl) = (
            store.id,
            ttl(store.hold_ttl_ms, body.ttl_ms).map_err(|_| bad_ttl())?,
        );
        let replaced = match body.replaces {
            Some(rid) => Some(self.own_hold(rid).await?),
            None => None,
        };
        let asked = self.asked(&body.lines).await?;
        let (demand, absent) = match asked {
            Asked::Whole(demand) => (demand, Vec::new()),
            // Short or not: a worker says so.
            Asked::Partly(absent, rest) => (rest, absent),
        };
        let content = digest(&demand.content());
        let actor = self.cart(body.actor.as_ref());
        let signature = (!how.keyed && absent.is_empty()).then(|| content.clone());
        if let Some(signature) = &signature {
            let found = hold_by_signature(&mut self.tx, id, &actor, signature).await?;
            if let Some(found) = found
                && !self.is_over(&found).await?
            {
                return self.answer_again(&found).await;
            }
        }
        let life = match &replaced {
            Some(held) => held.life.succeed(self.now, ttl),
            None => Life::begin(self.now, ttl),
        };
        let opening = Opening {
            actor,
            holder: self.holder().await?,
            content,
            signature,
            order_id: None,
            life,
            sold: false,
        };
        if how.later {
            return self.hold_later(opening, &body).await;
        }
        self.hold_now(opening, demand, absent, replaced).await
    }

    /// An open hold past its time is expired on the way.
    pub(super) async fn is_over(&mut self, held: &Held) -> Result<bool, ServiceError> {
        if !held.life.is_over(self.now) {
            return Ok(false);
        }
        if self.end_expired(held).await? {
            self.mark_order(held).await?;
        }
        Ok(true)
    }

    async fn answer_again(&mut self, held: &Held) -> Result<(), ServiceError> {
        let outcome = match held.status {
            HoldStatus::Pending => Outcome::Accepted,
            HoldStatus::Held
            | HoldStatus::Confirmed
            | HoldStatus::Released
            | HoldStatus::Expired
            | HoldStatus::Rejected => Outcome::Ok,
        };
        let again = |hold| domain::stock::Hold {
            replayed: true,
            ..hold
        };
        self.answer_hold(held, outcome, again).await
    }

    async fn hold_now(
        &mut self,
        opening: Opening,
        demand: Demand,
        absent: Vec<Short>,
        replaced: Option<Held>,
    ) -> Result<(), ServiceError> {
        let rid = ReservationId(Uuid::now_v7());
        let shorts = self
            .hold_in_place_of(rid, opening, &demand, replaced)
            .await?;
        if !shorts.is_empty() || !absent.is_empty() {
            return Err(self.refuse_short([absent, shorts].concat()));
        }
        let store = self.store().id;
        let held = hold_find(&mut self.tx, store, rid).await?;
        let held = held.ok_or_else(|| Refusal::not_found("reservation"))?;
        self.answer_hold(&held, Outcome::Created, |hold| hold).await
    }

    /// Opens a hold of this demand; what another one held counts for it, row by row.
    pub(super) async fn hold_in_place_of(
        &mut self,
        rid: ReservationId,
        opening: Opening,
        demand: &Demand,
        replaced: Option<Held>,
    ) -> Result<Vec<Short>, ServiceError> {
        let back = match &replaced {
            Some(held) => self.hold_superseded(held).await?,
            None => Vec::new(),
        };
        let ids = (0..domain::order::MAX_LINES).map(|_| Uuid::now_v7());
        let ids: Vec<Uuid> = ids.collect();
        let own = portions(rid, demand, &ids);
        let given: Vec<_> = moves(&back, MoveKind::Released).collect();
        let short = self.hold_open(rid, opening, &own, &given).await?;
        Ok(self.shorts(&short, &demand.rows(), &back).await?)
    }

    /// Closes a hold whose place another one takes; its units are still to be moved.
    pub(super) async fn hold_superseded(
        &mut self,
        held: &Held,
    ) -> Result<Vec<Portion>, ServiceError> {
        match held.status {
            HoldStatus::Confirmed => {
                let refusal = Refusal::new(Code::AlreadyConfirmed, "that hold is sold already");
                return Err(refusal.into());
            }
            HoldStatus::Released | HoldStatus::Expired | HoldStatus::Rejected => {
                return Ok(Vec::new());
            }
            HoldStatus::Pending | HoldStatus::Held => {}
        }
        if self.is_over(held).await? {
            return Ok(Vec::new());
        }
        if held.order_id.is_some() {
            let refusal = Refusal::new(Code::InvalidTransition, "that hold is an order's");
            return Err(refusal.into());
        }
        if !hold_release(&mut self.tx, held.rid, "superseded", self.now).await? {
            return Ok(Vec::new());
        }
        work_done(&mut self.tx, held.rid).await?;
        let back = portions_of_hold(&mut self.tx, held.rid, LineStatus::Held).await?;
        let (from, to) = (LineStatus::Held, LineStatus::Released);
        portions_turn(&mut self.tx, held.rid, from, to).await?;
        self.step(held, back.len(), "released", "superseded");
        Ok(back)
    }

    /// The batch is written down for a worker; nothing is held yet.
    async fn hold_later(&mut self, opening: Opening, body: &HoldBatch) -> Result<(), ServiceError> {
        let (store, now) = (self.store().id, self.now);
        let rid = ReservationId(Uuid::now_v7());
        let held = self.held(rid, opening, HoldStatus::Pending);
        hold_insert(&mut self.tx, store, &held).await?;
        let payload = crate::store::doc::write(body)?;
        work_insert(&mut self.tx, store, rid, &payload, now).await?;
        self.stock.queued = true;
        self.step(&held, body.lines.len(), "pending", "");
        self.answer_hold(&held, Outcome::Accepted, |hold| hold)
            .await
    }
}

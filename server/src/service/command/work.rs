//! The work of one command: its transaction, what it saved, and the events that follow.

use domain::call::Call;
use domain::event::EventType;
use domain::floor::Table;
use domain::id::OrderId;
use domain::menu::MenuItem;
use domain::order::{Happened, Order, PlacedBy, PlacedByKind, Refused};
use domain::settings::Store;
use domain::stock::Stock;
use domain::time::Time;
use uuid::Uuid;

use super::super::refusal::{Code, Refusal, ServiceError};
use super::super::stock::StockWork;
use super::{Actor, Who};
use crate::db::{DbError, Tx};
use crate::store::call::call_save;
use crate::store::floor::{party_open, table_save};
use crate::store::menu::item_save;
use crate::store::order::{order_find, order_save};
use crate::store::restaurant::store_find;

/// A list of a command's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum List {
    Orders,
    Tables,
    Calls,
    Items,
    Stock,
}

impl List {
    pub(super) const ALL: [(Self, &'static str); 5] = [
        (Self::Orders, "orders"),
        (Self::Tables, "tables"),
        (Self::Calls, "calls"),
        (Self::Items, "items"),
        (Self::Stock, "stock"),
    ];
}

/// How a command was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is done, or was done already.
    Ok,
    /// There is something new.
    Created,
    /// It will be done.
    Accepted,
}

/// One command at work. Dropped before it is finished, it leaves no trace.
#[derive(Debug)]
pub struct Work {
    pub(in crate::service) tx: Tx,
    pub(in crate::service) actor: Actor,
    pub(in crate::service) now: Time,
    pub(super) store: Store,
    pub(super) outcome: Outcome,
    /// What it does to stock.
    pub(in crate::service) stock: StockWork,
    /// The answer, where it is not the entities that changed.
    pub(super) answer: Option<String>,
    /// It is refused, and what it has done until here stays done.
    pub(super) verdict: Option<Refusal>,
    /// What was saved, the latest document of each entity, in the order of first saving.
    pub(super) saved: Vec<(List, Uuid, String)>,
    pub(super) events: Vec<(EventType, String)>,
}

impl Work {
    /// Begins; `None` when there is no such store.
    pub(in crate::service) async fn begin(
        mut tx: Tx,
        actor: Actor,
        now: Time,
    ) -> Result<Option<Self>, DbError> {
        tx.mark().await?;
        let store = store_find(&mut tx, actor.store).await?;
        let (saved, events) = (Vec::new(), Vec::new());
        Ok(store.map(|store| Self {
            tx,
            actor,
            now,
            store,
            outcome: Outcome::Ok,
            stock: StockWork::default(),
            answer: None,
            verdict: None,
            saved,
            events,
        }))
    }

    pub(in crate::service) fn store(&self) -> &Store {
        &self.store
    }

    pub(in crate::service) fn created(&mut self) {
        self.outcome = Outcome::Created;
    }

    /// Answers with this instead of the entities that changed.
    pub(in crate::service) fn answer(&mut self, outcome: Outcome, body: String) {
        self.outcome = outcome;
        self.answer = Some(body);
    }

    /// Keeps what was done, and refuses all the same.
    pub(in crate::service) fn refuse_and_keep(&mut self, refusal: Refusal) {
        self.verdict = Some(refusal);
    }

    pub(super) fn placed_by(&self) -> PlacedBy {
        PlacedBy {
            kind: match self.actor.who {
                Who::Staff(_) | Who::House => PlacedByKind::Staff,
                Who::Newcomer | Who::Guest(_) => PlacedByKind::Guest,
            },
            name: self.actor.name.clone(),
        }
    }

    pub(super) fn note(&mut self, list: List, id: Uuid, doc: String) {
        match self.saved.iter_mut().find(|(_, known, _)| *known == id) {
            Some(known) => known.2 = doc,
            None => self.saved.push((list, id, doc)),
        }
    }

    /// The order, or 404.
    pub(in crate::service) async fn order(&mut self, id: OrderId) -> Result<Order, ServiceError> {
        let found = order_find(&mut self.tx, self.store.id, id).await?;
        Ok(found.ok_or_else(|| Refusal::not_found("order"))?)
    }

    /// Whether the order's party still sits; an order without a party has none.
    pub(super) async fn party_sits(&mut self, order: &Order) -> Result<bool, ServiceError> {
        match order.party_id {
            None => Ok(false),
            Some(id) => Ok(party_open(&mut self.tx, self.store.id, id)
                .await?
                .unwrap_or(false)),
        }
    }

    /// Saves an order with the events of its change; without events it only answers with it.
    pub(in crate::service) async fn save_order(
        &mut self,
        order: &Order,
        was_open: bool,
        events: Happened,
    ) -> Result<(), ServiceError> {
        if events.is_empty() {
            self.note(List::Orders, order.id.0, crate::store::doc::write(order)?);
            return Ok(());
        }
        let doc = order_save(&mut self.tx, self.store.id, order).await?;
        if !order.is_silent(was_open, self.store.business_day) {
            self.events
                .extend(events.into_iter().map(|event| (event, doc.clone())));
        }
        self.note(List::Orders, order.id.0, doc);
        Ok(())
    }

    /// Saves what the domain decided about the order, or refuses with the order as it is.
    pub(super) async fn conclude(
        &mut self,
        order: &Order,
        was_open: bool,
        outcome: Result<Happened, Refused>,
    ) -> Result<(), ServiceError> {
        match outcome {
            Ok(events) => self.save_order(order, was_open, events).await,
            Err(refused) => Err(self.refuse_order(order, &refused)),
        }
    }

    /// Saves those tables whose version moved on from `before`.
    pub(super) async fn save_tables(
        &mut self,
        before: &[Table],
        after: &[Table],
    ) -> Result<(), ServiceError> {
        for table in after {
            let same = before
                .iter()
                .any(|old| old.id == table.id && old.version == table.version);
            if !same {
                let doc = table_save(&mut self.tx, self.store.id, table).await?;
                self.events.push((EventType::TableChanged, doc.clone()));
                self.note(List::Tables, table.id.0, doc);
            }
        }
        Ok(())
    }

    /// Answers with a table that did not change.
    pub(super) fn show_table(&mut self, table: &Table) -> Result<(), ServiceError> {
        self.note(List::Tables, table.id.0, crate::store::doc::write(table)?);
        Ok(())
    }

    pub(super) async fn save_call(
        &mut self,
        call: &Call,
        changed: bool,
    ) -> Result<(), ServiceError> {
        let doc = if changed {
            let doc = call_save(&mut self.tx, self.store.id, call).await?;
            self.events.push((EventType::CustomerCall, doc.clone()));
            doc
        } else {
            crate::store::doc::write(call)?
        };
        self.note(List::Calls, call.id.0, doc);
        Ok(())
    }

    pub(super) async fn save_item(
        &mut self,
        item: &MenuItem,
        changed: bool,
    ) -> Result<(), ServiceError> {
        let doc = if changed {
            let doc = item_save(&mut self.tx, self.store.id, item).await?;
            self.events
                .push((EventType::KitchenMenuChanged, doc.clone()));
            doc
        } else {
            crate::store::doc::write(item)?
        };
        self.note(List::Items, item.id.0, doc);
        Ok(())
    }

    /// A refusal of the domain about this order, with the order as it is.
    pub(super) fn refuse_order(&mut self, order: &Order, refused: &Refused) -> ServiceError {
        let detail = refused.to_string();
        let refusal = match refused {
            Refused::InvalidTransition => Refusal::new(Code::InvalidTransition, detail),
            Refused::ManagerOnly => return Refusal::new(Code::Forbidden, detail).into(),
            Refused::UnknownLine(_) => return Refusal::not_found("line").into(),
            Refused::Quantity(_) => return Refusal::field("quantity", detail).into(),
            Refused::NoteTooLong => return Refusal::field("note", detail).into(),
        };
        self.refuse_with_orders(std::slice::from_ref(order), refusal)
    }

    /// A conflict, with the orders as they are.
    pub(in crate::service) fn refuse_with_orders(
        &mut self,
        orders: &[Order],
        refusal: Refusal,
    ) -> ServiceError {
        self.saved.clear();
        for order in orders {
            match crate::store::doc::write(order) {
                Ok(doc) => self.note(List::Orders, order.id.0, doc),
                Err(error) => return error.into(),
            }
        }
        refusal.into()
    }

    /// A conflict, with the tables as they are.
    pub(super) fn refuse_with_tables(
        &mut self,
        tables: &[&Table],
        refusal: Refusal,
    ) -> ServiceError {
        self.saved.clear();
        for table in tables {
            match crate::store::doc::write(table) {
                Ok(doc) => self.note(List::Tables, table.id.0, doc),
                Err(error) => return error.into(),
            }
        }
        refusal.into()
    }

    /// A conflict, with the items as they are.
    pub(super) fn refuse_with_items<'a>(
        &mut self,
        items: impl IntoIterator<Item = &'a MenuItem>,
        refusal: Refusal,
    ) -> ServiceError {
        self.saved.clear();
        for item in items {
            match crate::store::doc::write(item) {
                Ok(doc) => self.note(List::Items, item.id.0, doc),
                Err(error) => return error.into(),
            }
        }
        refusal.into()
    }

    /// A conflict, with the call as it is.
    pub(super) fn refuse_with_call(&mut self, call: &Call, refusal: Refusal) -> ServiceError {
        self.saved.clear();
        match crate::store::doc::write(call) {
            Ok(doc) => self.note(List::Calls, call.id.0, doc),
            Err(error) => return error.into(),
        }
        refusal.into()
    }

    /// A conflict, with the stock row as it is.
    pub(in crate::service) fn refuse_with_stock(
        &mut self,
        stock: &Stock,
        refusal: Refusal,
    ) -> ServiceError {
        self.saved.clear();
        match crate::store::doc::write(stock) {
            Ok(doc) => self.note(List::Stock, stock.id.0, doc),
            Err(error) => return error.into(),
        }
        refusal.into()
    }
}

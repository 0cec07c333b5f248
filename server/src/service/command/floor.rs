//! Tables and parties. A party that moves takes its open orders and calls with it.

use std::collections::BTreeSet;

use domain::event::EventType;
use domain::floor::{self, Party, RefusedSeating, Seating, Table};
use domain::id::{PartyId, TableId};
use domain::order::CheckoutStage;
use serde::Deserialize;
use uuid::Uuid;

use super::Work;
use crate::service::refusal::{Code, Refusal, ServiceError};
use crate::store::call::calls_open_of_party;
use crate::store::floor::{party_close, party_insert, tables, zone_names};
use crate::store::guest::{token_follow, token_move};
use crate::store::idempotency::answers_copy;
use crate::store::order::orders_open_of_party;

/// `POST /tables/{id}/seat`, `POST /tables/{id}/covers`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Covers {
    /// 1..=99; when seating it may be left open.
    pub covers: Option<u32>,
}

/// What needs no body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableStep {
    /// 테이블 완료
    Clear,
    /// Ready again.
    Cleaned,
    /// 계산 요청
    Bill,
    /// Joined tables part.
    Unjoin,
}

/// `POST /tables/{id}/transfer`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MoveTo {
    /// A free table.
    pub to_table_id: TableId,
}

/// `POST /tables/{id}/join`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct JoinTables {
    /// Other tables, free or seated.
    pub table_ids: Vec<TableId>,
}

impl Work {
    async fn floor(&mut self) -> Result<Vec<Table>, ServiceError> {
        Ok(tables(&mut self.tx, self.actor.store).await?)
    }

    /// A refusal of the floor, with the table it is about as it is.
    fn refuse_seating(&mut self, tables: &[Table], refused: &RefusedSeating) -> ServiceError {
        let (id, code) = match refused {
            RefusedSeating::UnknownTable(_) => return Refusal::not_found("table").into(),
            RefusedSeating::Covers => return Refusal::field("covers", refused.to_string()).into(),
            RefusedSeating::SameTable => (None, Code::InvalidTransition),
            RefusedSeating::Occupied(id) => (Some(id), Code::TableOccupied),
            RefusedSeating::NotSeated(id) | RefusedSeating::Dirty(id) => {
                (Some(id), Code::InvalidTransition)
            }
        };
        let current: Vec<&Table> = tables
            .iter()
            .filter(|table| Some(&table.id) == id)
            .collect();
        self.refuse_with_tables(&current, Refusal::new(code, refused.to_string()))
    }

    /// Opens a party at a free table of `floor`.
    pub(in crate::service) async fn seat_party(
        &mut self,
        floor: &mut [Table],
        at: TableId,
        covers: Option<u32>,
    ) -> Result<Party, ServiceError> {
        let before = floor.to_vec();
        let id = PartyId(Uuid::now_v7());
        let party = match floor::seat(floor, at, id, covers, self.now) {
            Ok(party) => party,
            Err(refused) => return Err(self.refuse_seating(&before, &refused)),
        };
        party_insert(&mut self.tx, self.actor.store, id).await?;
        self.save_tables(&before, floor).await?;
        Ok(party)
    }

    pub(super) async fn seat(&mut self, at: TableId, body: &Covers) -> Result<(), ServiceError> {
        let mut floor = self.floor().await?;
        self.seat_party(&mut floor, at, body.covers)
            .await
            .map(|_| ())
    }

    pub(super) async fn set_covers(
        &mut self,
        at: TableId,
        body: &Covers,
    ) -> Result<(), ServiceError> {
        let covers = body
            .covers
            .ok_or_else(|| Refusal::field("covers", "covers are missing"))?;
        let (before, mut floor) = self.floor_twice().await?;
        if let Err(refused) = floor::covers(&mut floor, at, covers) {
            return Err(self.refuse_seating(&before, &refused));
        }
        self.settle_tables(at, &before, &floor).await
    }

    async fn floor_twice(&mut self) -> Result<(Vec<Table>, Vec<Table>), ServiceError> {
        let before = self.floor().await?;
        let floor = before.clone();
        Ok((before, floor))
    }

    /// Saves what changed and answers with the table named, changed or not.
    async fn settle_tables(
        &mut self,
        at: TableId,
        before: &[Table],
        after: &[Table],
    ) -> Result<(), ServiceError> {
        if let Some(table) = after.iter().find(|table| table.id == at) {
            self.show_table(table)?;
        }
        self.save_tables(before, after).await
    }

    pub(super) async fn table_step(
        &mut self,
        at: TableId,
        step: TableStep,
    ) -> Result<(), ServiceError> {
        match step {
            TableStep::Clear => self.clear(at).await,
            TableStep::Cleaned => {
                let (before, mut floor) = self.floor_twice().await?;
                if let Err(refused) = floor::cleaned(&mut floor, at) {
                    return Err(self.refuse_seating(&before, &refused));
                }
                self.settle_tables(at, &before, &floor).await
            }
            TableStep::Bill => self.bill(at).await,
            TableStep::Unjoin => self.unjoin(at).await,
        }
    }

    async fn clear(&mut self, at: TableId) -> Result<(), ServiceError> {
        let (before, mut floor) = self.floor_twice().await?;
        let party = match floor::clear(&mut floor, at) {
            Ok(party) => party,
            Err(refused) => return Err(self.refuse_seating(&before, &refused)),
        };
        let store = self.actor.store;
        let orders = orders_open_of_party(&mut self.tx, store, party.id).await?;
        let unpaid: Vec<_> = orders
            .iter()
            .filter(|order| order.checkout_stage == CheckoutStage::AwaitingPayment)
            .cloned()
            .collect();
        if !unpaid.is_empty() {
            let numbers: Vec<String> = unpaid.iter().map(|o| format!("#{}", o.number)).collect();
            let detail = format!("unpaid orders: {}", numbers.join(", "));
            return Err(self.refuse_with_orders(&unpaid, Refusal::new(Code::UnpaidOrders, detail)));
        }
        party_close(&mut self.tx, store, party.id, self.now).await?;
        self.end_carts(party.id).await?;
        self.save_tables(&before, &floor).await?;
        for mut order in orders {
            let was_open = order.is_open();
            match order.party_cleared(self.now) {
                Ok(events) if events.is_empty() => {}
                Ok(events) => self.save_order(&order, was_open, events).await?,
                Err(refused) => return Err(self.refuse_order(&order, &refused)),
            }
        }
        for mut call in calls_open_of_party(&mut self.tx, store, party.id).await? {
            call.close(self.now);
            self.save_call(&call, true).await?;
        }
        Ok(())
    }

    async fn bill(&mut self, at: TableId) -> Result<(), ServiceError> {
        let (before, mut floor) = self.floor_twice().await?;
        if let Err(refused) = floor::bill(&mut floor, at, self.now) {
            return Err(self.refuse_seating(&before, &refused));
        }
        self.settle_tables(at, &before, &floor).await?;
        let party = floor
            .iter()
            .find(|table| table.id == at)
            .and_then(|t| t.party.as_ref());
        let Some(party) = party.map(|party| party.id) else {
            return Ok(());
        };
        for mut order in orders_open_of_party(&mut self.tx, self.actor.store, party).await? {
            let events = order.ask_for_bill();
            if !events.is_empty() {
                self.save_order(&order, true, events).await?;
            }
        }
        Ok(())
    }

    pub(super) async fn transfer(
        &mut self,
        from: TableId,
        body: &MoveTo,
    ) -> Result<(), ServiceError> {
        let (before, mut floor) = self.floor_twice().await?;
        let party = match floor::transfer(&mut floor, from, body.to_table_id) {
            Ok(party) => party,
            Err(refused) => return Err(self.refuse_seating(&before, &refused)),
        };
        self.save_tables(&before, &floor).await?;
        token_move(&mut self.tx, party.id, body.to_table_id).await?;
        self.follow(party.id, &party, &floor).await
    }

    pub(super) async fn join(
        &mut self,
        at: TableId,
        body: &JoinTables,
    ) -> Result<(), ServiceError> {
        let (before, mut floor) = self.floor_twice().await?;
        let (party, ended) = match floor::join(&mut floor, at, &body.table_ids) {
            Ok(joined) => joined,
            Err(refused) => return Err(self.refuse_seating(&before, &refused)),
        };
        self.save_tables(&before, &floor).await?;
        self.follow(party.id, &party, &floor).await?;
        for id in ended {
            self.follow(id, &party, &floor).await?;
            token_follow(&mut self.tx, id, party.id, None).await?;
            answers_copy(&mut self.tx, id.0, party.id.0).await?;
            party_close(&mut self.tx, self.actor.store, id, self.now).await?;
        }
        Ok(())
    }

    async fn unjoin(&mut self, at: TableId) -> Result<(), ServiceError> {
        let (before, mut floor) = self.floor_twice().await?;
        let sits = before
            .iter()
            .find(|table| table.id == at)
            .and_then(|t| t.party.as_ref());
        let old = sits.map(|party| party.id);
        let orders = match old {
            Some(id) => orders_open_of_party(&mut self.tx, self.actor.store, id).await?,
            None => Vec::new(),
        };
        let homes: BTreeSet<TableId> = orders
            .iter()
            .filter_map(|order| order.table_ids.first().copied())
            .collect();
        let apart = match floor::unjoin(&mut floor, at, &homes, || PartyId(Uuid::now_v7())) {
            Ok(apart) => apart,
            Err(refused) => return Err(self.refuse_seating(&before, &refused)),
        };
        for party in &apart.split {
            party_insert(&mut self.tx, self.actor.store, party.id).await?;
        }
        self.save_tables(&before, &floor).await?;
        if let Some(old) = old {
            self.phones_part(old, &apart.split).await?;
            token_move(&mut self.tx, old, at).await?;
        }
        let zones = zone_names(&mut self.tx, self.actor.store).await?;
        let at_home = |home: Option<TableId>| {
            let own = apart
                .split
                .iter()
                .find(|p| home.is_some_and(|h| p.table_ids.contains(&h)));
            own.unwrap_or(&apart.stays)
        };
        for mut order in orders {
            let home = order.table_ids.first().copied();
            let seating = Seating::of(at_home(home), &floor, home, &zones);
            let events = order.relabel(&seating);
            if !events.is_empty() {
                self.save_order(&order, true, events).await?;
            }
        }
        let Some(old) = old else { return Ok(()) };
        for mut call in calls_open_of_party(&mut self.tx, self.actor.store, old).await? {
            let party = at_home(Some(call.table_id));
            let table = if party.table_ids.contains(&call.table_id) {
                call.table_id
            } else {
                at
            };
            if call.party_id != party.id || call.table_id != table {
                (call.party_id, call.table_id) = (party.id, table);
                call.version += 1;
                self.save_call(&call, true).await?;
            }
        }
        Ok(())
    }

    /// Phones that scanned a table which parts go with its guests; those of a table that is free
    /// again stay with the party.
    async fn phones_part(&mut self, old: PartyId, split: &[Party]) -> Result<(), ServiceError> {
        for party in split {
            let table = party.table_ids.first().copied();
            token_follow(&mut self.tx, old, party.id, table).await?;
            answers_copy(&mut self.tx, old.0, party.id.0).await?;
        }
        Ok(())
    }

    /// The open orders and calls of `of` go where `party` sits.
    async fn follow(
        &mut self,
        of: PartyId,
        party: &Party,
        floor: &[Table],
    ) -> Result<(), ServiceError> {
        let store = self.actor.store;
        let zones = zone_names(&mut self.tx, store).await?;
        for mut order in orders_open_of_party(&mut self.tx, store, of).await? {
            let home = order.table_ids.first().copied();
            let events: Vec<EventType> = order.relabel(&Seating::of(party, floor, home, &zones));
            if !events.is_empty() {
                self.save_order(&order, true, events).await?;
            }
        }
        for mut call in calls_open_of_party(&mut self.tx, store, of).await? {
            let home = party
                .table_ids
                .iter()
                .copied()
                .find(|table| *table == call.table_id);
            let Some(table) = home.or(party.table_ids.first().copied()) else {
                continue;
            };
            (call.party_id, call.table_id) = (party.id, table);
            call.version += 1;
            self.save_call(&call, true).await?;
        }
        Ok(())
    }
}

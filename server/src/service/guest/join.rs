//! Joining: a phone scans the code of a table.

use domain::floor::{Party, Table, TableState};
use domain::guest::GuestJoined;
use domain::id::StoreId;
use domain::settings::Store;
use uuid::Uuid;

use super::super::Services;
use super::super::command::{Actor, Who, Work};
use super::super::refusal::{Code, Refusal, ServiceError};
use super::GuestToken;
use crate::store::floor::tables;
use crate::store::guest::{table_by_code, token_insert};
use crate::store::restaurant::store_find;
use crate::store::stream::stream_lock;

impl Services {
    /// A token of the party that sits at the table of that code. A free table is opened, unless
    /// the store seats its guests itself.
    ///
    /// # Errors
    /// No such code; guests do not seat themselves here; or the database failed.
    pub async fn guest_join(&self, code: &str) -> Result<GuestJoined, ServiceError> {
        let (services, code) = (self.clone(), code.to_owned());
        let task = self
            .tasks
            .spawn(async move { services.join_by_code(&code).await });
        task.await.map_err(|_| ServiceError::Interrupted)?
    }

    /// The store of the table of that code: a guest's page is rendered in its language.
    ///
    /// # Errors
    /// The database failed.
    pub async fn store_of_table(&self, code: &str) -> Result<Option<Store>, ServiceError> {
        let mut tx = self.db.read().await?;
        match table_by_code(&mut tx, code).await? {
            Some((store, _)) => Ok(store_find(&mut tx, store).await?),
            None => Ok(None),
        }
    }

    async fn join_by_code(&self, code: &str) -> Result<GuestJoined, ServiceError> {
        loop {
            let mut tx = self.db.write().await?;
            let found = table_by_code(&mut tx, code).await?;
            let (store, _) = found.ok_or_else(|| Refusal::not_found("table"))?;
            stream_lock(&mut tx, store).await?;
            // As it is in our turn: another phone may just have opened it.
            let found = table_by_code(&mut tx, code).await?;
            let (store, table) = found.ok_or_else(|| Refusal::not_found("table"))?;
            let work = Work::begin(tx, newcomer(store, &table), self.clock.now()).await?;
            let work = work.ok_or_else(|| Refusal::not_found("store"))?;
            let Some(mut work) = self.on_its_day(work).await? else {
                continue;
            };
            let at = table.id;
            let (party, token) = (work.party_joined(table).await?, GuestToken::random());
            let (hash, now) = (token.hash(), work.now);
            token_insert(&mut work.tx, &hash, store, (party.id, at), now).await?;
            // Nobody is refused here.
            drop(work.finish(self.born_published, None).await?);
            self.relay.committed(store);
            return Ok(GuestJoined {
                token: token.reveal(),
                party_id: party.id,
            });
        }
    }
}

fn newcomer(store: StoreId, table: &Table) -> Actor {
    Actor {
        store,
        keys: Uuid::nil(),
        owner: "newcomer".to_owned(),
        name: table.name.clone(),
        who: Who::Newcomer,
    }
}

impl Work {
    /// The party at the table, or a new one.
    async fn party_joined(&mut self, table: Table) -> Result<Party, ServiceError> {
        if let Some(party) = table.party {
            return Ok(party);
        }
        // Who has just left could seat themselves again from the street, and new guests would
        // sit down at a table that nobody has cleaned: staff says when it is ready.
        let words = match table.state {
            TableState::Dirty => "this table is being made ready, please ask the staff",
            TableState::Free | TableState::Seated if !self.store().guest_seating => {
                "the staff seats guests here, please ask them"
            }
            TableState::Free | TableState::Seated => {
                let store = self.store().id;
                let mut floor = tables(&mut self.tx, store).await?;
                return self.seat_party(&mut floor, table.id, None).await;
            }
        };
        Err(Refusal::new(Code::GuestSeatingOff, words).into())
    }
}

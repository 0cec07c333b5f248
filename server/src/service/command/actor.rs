//! Who commands.

use domain::call::Call;
use domain::guest::{GuestCall, GuestOrder, GuestStock};
use domain::id::StoreId;
use domain::order::Order;
use domain::staff::Role;
use domain::stock::Stock;
use uuid::Uuid;

use crate::db::{DbError, Tx};
use crate::service::guest::{Phone, phone_find};
use crate::service::refusal::Refusal;
use crate::store::doc::{Doc, write};

/// Who commands.
#[derive(Clone, Debug)]
pub struct Actor {
    /// Where.
    pub store: StoreId,
    /// Whose keys they are: of a member of staff, or of a party.
    pub keys: Uuid,
    /// Whose holds are theirs: a session's, a phone's.
    pub owner: String,
    /// Shown on tickets and calls.
    pub name: String,
    /// Staff or guest.
    pub who: Who,
}

/// Staff or guest.
#[derive(Clone, Debug)]
pub enum Who {
    /// Somebody who works here.
    Staff(Role),
    /// Somebody who scans a table's code, before they have a party.
    Newcomer,
    /// A phone of a party.
    Guest(Phone),
    /// The house itself: what is due, not what somebody asks for.
    House,
}

impl Who {
    /// Whether they may do what only managers may.
    #[must_use]
    pub fn manages(&self) -> bool {
        match self {
            Self::Staff(role) => role.manages(),
            Self::Newcomer | Self::Guest(_) | Self::House => false,
        }
    }

    /// Whether they see what guests see.
    #[must_use]
    pub fn is_guest(&self) -> bool {
        match self {
            Self::Newcomer | Self::Guest(_) => true,
            Self::Staff(_) | Self::House => false,
        }
    }
}

impl Actor {
    /// A phone at a table.
    #[must_use]
    pub fn guest(phone: Phone) -> Self {
        Self {
            store: phone.store,
            keys: phone.party.0,
            owner: format!("phone/{}", phone.token_hash),
            name: String::new(),
            who: Who::Guest(phone),
        }
    }

    /// The house, where something is due.
    #[must_use]
    pub fn house(store: StoreId) -> Self {
        Self {
            store,
            keys: Uuid::nil(),
            owner: "house".to_owned(),
            name: "jumun".to_owned(),
            who: Who::House,
        }
    }

    /// Who they are as the command's transaction sees it: since the token was looked at, the
    /// party may have been joined into another, or cleared.
    pub(super) async fn of_this_moment(
        self,
        tx: &mut Tx,
    ) -> Result<Result<Self, Refusal>, DbError> {
        match &self.who {
            Who::Staff(_) | Who::Newcomer | Who::House => Ok(Ok(self)),
            Who::Guest(phone) => Ok(phone_find(tx, &phone.token_hash).await?.map(Self::guest)),
        }
    }
}

impl Phone {
    /// The order's document as this phone may see it.
    pub(super) fn order(&self, doc: &str) -> Result<Option<String>, DbError> {
        let order: Order = Doc {
            doc: doc.to_owned(),
        }
        .read()?;
        let own = order.party_id == Some(self.party);
        own.then(|| write(&GuestOrder::of(&order))).transpose()
    }

    /// The call's document as this phone may see it.
    pub(super) fn call(&self, doc: &str) -> Result<Option<String>, DbError> {
        let call: Call = Doc {
            doc: doc.to_owned(),
        }
        .read()?;
        let own = call.party_id == self.party;
        own.then(|| write(&GuestCall::of(&call))).transpose()
    }
}

/// The stock row's document as guests may see it.
pub(super) fn stock_of_guests(doc: &str) -> Result<String, DbError> {
    let stock: Stock = Doc {
        doc: doc.to_owned(),
    }
    .read()?;
    write(&GuestStock::of(&stock))
}

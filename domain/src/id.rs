//! Every id is a type of its own, so that a table's id is never taken for a party's.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::from_str(text).map(Self)
            }
        }

        impl From<$name> for Uuid {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }
    )*};
}

ids! {
    /// A restaurant.
    StoreId,
    /// A place that cooks some items.
    StationId,
    /// A member of staff.
    StaffId,
    /// One sign-in of a member of staff.
    SessionId,
    /// A section of the floor.
    ZoneId,
    /// A table with seats.
    TableId,
    /// The guests at one or more joined tables, from seating to clearing.
    PartyId,
    /// A part of the menu.
    CategoryId,
    /// An item of the menu.
    MenuId,
    /// Choices that change a line.
    OptionGroupId,
    /// One choice of an option group.
    OptionId,
    /// A row of stock.
    StockId,
    /// What one party asked for in one round.
    OrderId,
    /// One item of an order with quantity, options and note.
    LineId,
    /// A guest's call for staff.
    CallId,
    /// A hold on stock.
    ReservationId,
    /// One event, wherever it travels.
    OutboxId,
}

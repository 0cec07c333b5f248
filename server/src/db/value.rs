//! What a statement's parameter may be: the four column types that both engines share.

use domain::id::{
    CallId, CategoryId, LineId, MenuId, OrderId, OutboxId, PartyId, ReservationId, SessionId,
    StaffId, StationId, StockId, StoreId, TableId, ZoneId,
};
use domain::time::{BusinessDay, Time};
use uuid::Uuid;

/// A parameter. A null still has a type, which PostgreSQL asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// BIGINT.
    I64(Option<i64>),
    /// BOOLEAN; 0 or 1 on SQLite.
    Bool(Option<bool>),
    /// TEXT.
    Text(Option<String>),
    /// uuid; a BLOB of 16 bytes on SQLite.
    Uuid(Option<Uuid>),
}

/// Generates `From` for a type and its `Option`.
macro_rules! value_from {
    ($($kind:ty => $variant:ident, |$v:ident| $convert:expr;)*) => {$(
        impl From<$kind> for Value {
            fn from($v: $kind) -> Self {
                Self::$variant(Some($convert))
            }
        }
        impl From<Option<$kind>> for Value {
            fn from(value: Option<$kind>) -> Self {
                Self::$variant(value.map(|$v| $convert))
            }
        }
    )*};
}

value_from! {
    i64 => I64, |v| v;
    i32 => I64, |v| i64::from(v);
    u32 => I64, |v| i64::from(v);
    // Sequence numbers come from BIGINT columns, so that the bound is never met.
    u64 => I64, |v| i64::try_from(v).unwrap_or(i64::MAX);
    bool => Bool, |v| v;
    String => Text, |v| v;
    &str => Text, |v| v.to_owned();
    Uuid => Uuid, |v| v;
    Time => I64, |v| v.0;
    BusinessDay => Text, |v| v.to_string();
    StoreId => Uuid, |v| v.0;
    StationId => Uuid, |v| v.0;
    StaffId => Uuid, |v| v.0;
    SessionId => Uuid, |v| v.0;
    ZoneId => Uuid, |v| v.0;
    TableId => Uuid, |v| v.0;
    PartyId => Uuid, |v| v.0;
    CategoryId => Uuid, |v| v.0;
    MenuId => Uuid, |v| v.0;
    StockId => Uuid, |v| v.0;
    OrderId => Uuid, |v| v.0;
    LineId => Uuid, |v| v.0;
    CallId => Uuid, |v| v.0;
    ReservationId => Uuid, |v| v.0;
    OutboxId => Uuid, |v| v.0;
}

impl From<&String> for Value {
    fn from(value: &String) -> Self {
        Self::Text(Some(value.clone()))
    }
}

/// The parameters of a statement, `$1` first: `params![id, name]`.
macro_rules! params {
    ($($value:expr),* $(,)?) => {
        [$($crate::db::Value::from($value)),*]
    };
}

pub(crate) use params;

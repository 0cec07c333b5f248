//! Why a service says no. Statuses and words of the wire are mapped in `http`, in one place.

use serde::{Deserialize, Serialize};

use crate::db::DbError;

/// The codes of refusals that services give (domain, "Commands are intents").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Code {
    /// A field is out of bounds.
    Validation,
    /// Not in a state that allows this.
    InvalidTransition,
    /// 품절
    SoldOut,
    /// The party has left.
    PartyCleared,
    /// Not enough is left.
    InsufficientStock,
    /// Open holds have more than would be left.
    StockHeld,
    /// It is sold: giving back is a refund.
    AlreadyConfirmed,
    /// It changed meanwhile.
    VersionConflict,
    /// Guests do not seat themselves here.
    GuestSeatingOff,
    /// The same call again, too soon.
    CallCooldown,
    /// Guests sit there.
    TableOccupied,
    /// Orders of the party are unpaid.
    UnpaidOrders,
    /// An option of another item.
    OptionNotInItem,
    /// The key was used for something else.
    IdempotencyKeyReused,
    /// Nobody knows this token.
    SignedOut,
    /// Not this role.
    Forbidden,
    /// No such thing in this store.
    NotFound,
}

impl Code {
    /// Whether the answer is remembered under the command's key: the business's refusals are.
    #[must_use]
    pub fn is_remembered(self) -> bool {
        match self {
            Self::Validation
            | Self::InvalidTransition
            | Self::SoldOut
            | Self::PartyCleared
            | Self::TableOccupied
            | Self::UnpaidOrders
            | Self::InsufficientStock
            | Self::StockHeld
            | Self::AlreadyConfirmed
            | Self::VersionConflict
            | Self::GuestSeatingOff
            | Self::OptionNotInItem => true,
            Self::CallCooldown
            | Self::IdempotencyKeyReused
            | Self::SignedOut
            | Self::Forbidden
            | Self::NotFound => false,
        }
    }

    /// Whether more free units would have helped.
    #[must_use]
    pub fn asks_for_stock(self) -> bool {
        match self {
            Self::InsufficientStock | Self::StockHeld => true,
            Self::Validation
            | Self::InvalidTransition
            | Self::SoldOut
            | Self::PartyCleared
            | Self::AlreadyConfirmed
            | Self::VersionConflict
            | Self::GuestSeatingOff
            | Self::CallCooldown
            | Self::TableOccupied
            | Self::UnpaidOrders
            | Self::OptionNotInItem
            | Self::IdempotencyKeyReused
            | Self::SignedOut
            | Self::Forbidden
            | Self::NotFound => false,
        }
    }
}

/// One field that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldError {
    /// `lines[2].quantity`
    pub field: String,
    /// What kind of wrong.
    pub code: Code,
    /// In words.
    pub message: String,
}

/// A refusal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// What kind.
    pub code: Code,
    /// In words, for people.
    pub detail: String,
    /// Fields that are wrong.
    #[serde(default)]
    pub errors: Vec<FieldError>,
    /// The entities as they are now: a JSON object of lists, empty for none.
    #[serde(default)]
    pub current: String,
    /// When to ask again, in ms from the refusal on.
    #[serde(default)]
    pub retry_after_ms: Option<i64>,
}

impl Refusal {
    /// A refusal without fields and entities.
    #[must_use]
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self {
            code,
            detail: detail.into(),
            errors: Vec::new(),
            current: String::new(),
            retry_after_ms: None,
        }
    }

    /// No such thing in this store.
    #[must_use]
    pub fn not_found(what: &str) -> Self {
        Self::new(Code::NotFound, format!("no such {what}"))
    }

    /// With a list beside the entities, such as the rows that are short.
    ///
    /// # Errors
    /// The list cannot be written as JSON; none is known.
    pub fn with<T: Serialize>(mut self, name: &str, list: &[T]) -> Result<Self, DbError> {
        let list = format!("{{\"{name}\":{}}}", crate::store::doc::write(&list)?);
        self.current = joined(&self.current, &list);
        Ok(self)
    }

    /// One field is wrong.
    #[must_use]
    pub fn field(field: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        let error = FieldError {
            field: field.to_owned(),
            code: Code::Validation,
            message: message.clone(),
        };
        Self {
            errors: vec![error],
            ..Self::new(Code::Validation, message)
        }
    }
}

/// Two JSON objects of lists as one; either may be empty.
pub(super) fn joined(one: &str, other: &str) -> String {
    match (one.strip_suffix('}'), other.strip_prefix('{')) {
        (Some("{") | None, _) => other.to_owned(),
        (Some(_), Some("}") | None) => one.to_owned(),
        (Some(one), Some(other)) => format!("{one},{other}"),
    }
}

/// A service did not do it.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// It said no.
    #[error("refused: {}", .0.detail)]
    Refused(Refusal),
    /// The database failed; asking again may help.
    #[error("the database failed")]
    Db(#[from] DbError),
    /// The task that ran the command ended early.
    #[error("the command was interrupted")]
    Interrupted,
}

impl From<Refusal> for ServiceError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn objects_of_lists_are_joined_and_empty_ones_leave_no_comma() {
        let (one, other) = (r#"{"a":[1]}"#, r#"{"b":[]}"#);
        assert_eq!(joined(one, other), r#"{"a":[1],"b":[]}"#);
        for empty in ["", "{}"] {
            assert_eq!(joined(empty, other), other);
            assert_eq!(joined(one, empty), one);
        }
    }
}

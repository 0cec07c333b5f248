//! Refusals of services in the words of the wire.

use std::time::Duration;

use serde_json::Value;

use super::error::{Code, Problem};
use crate::service::refusal::{self, Refusal};

impl From<refusal::Code> for Code {
    fn from(code: refusal::Code) -> Self {
        match code {
            refusal::Code::Validation => Self::Validation,
            refusal::Code::InvalidTransition => Self::InvalidTransition,
            refusal::Code::SoldOut => Self::SoldOut,
            refusal::Code::PartyCleared => Self::PartyCleared,
            refusal::Code::InsufficientStock => Self::InsufficientStock,
            refusal::Code::StockHeld => Self::StockHeld,
            refusal::Code::AlreadyConfirmed => Self::AlreadyConfirmed,
            refusal::Code::VersionConflict => Self::VersionConflict,
            refusal::Code::GuestSeatingOff => Self::GuestSeatingOff,
            refusal::Code::CallCooldown => Self::CallCooldown,
            refusal::Code::SignedOut => Self::SignedOut,
            refusal::Code::TableOccupied => Self::TableOccupied,
            refusal::Code::UnpaidOrders => Self::UnpaidOrders,
            refusal::Code::OptionNotInItem => Self::OptionNotInItem,
            refusal::Code::IdempotencyKeyReused => Self::IdempotencyKeyReused,
            refusal::Code::Forbidden => Self::Forbidden,
            refusal::Code::NotFound => Self::NotFound,
        }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let wait = refusal
            .retry_after_ms
            .unwrap_or_default()
            .max(0)
            .unsigned_abs();
        let mut problem =
            Self::new(refusal.code.into(), refusal.detail).retry_after(Duration::from_millis(wait));
        for error in refusal.errors {
            problem = problem.error(&error.field, Code::from(error.code).name(), &error.message);
        }
        // What the service wrote is an object of lists, or nothing.
        if let Ok(Value::Object(lists)) = serde_json::from_str(&refusal.current) {
            for (name, list) in lists {
                problem = problem.with(&name, list);
            }
        }
        problem
    }
}

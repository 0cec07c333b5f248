//! Stream tickets: an `EventSource` cannot send a header, so it shows a ticket instead.
//!
//! No log line ever shows a ticket, and the database has only its hash.

use std::fmt;
use std::fmt::Write as _;

use domain::id::{SessionId, StoreId};
use metrics::counter;
use sha2::{Digest as _, Sha256};

use super::refusal::{Code, Refusal, ServiceError};
use crate::clock::Clock;
use crate::db::{Db, DbError};
use crate::store::ticket::{ticket_exists, ticket_insert, ticket_take};

/// How long a ticket is good for, in ms.
pub const TICKET_LIFE: i64 = 30_000;

/// 128 random bits, in hex. Its debug form does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Ticket(String);

impl Ticket {
    pub(super) fn random() -> Self {
        Self(format!("{:032x}", rand::random::<u128>()))
    }

    /// The ticket a client shows; `None` when it cannot be one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let hex = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        (text.len() == 32 && hex).then(|| Self(text.to_owned()))
    }

    /// The text that goes to the client, once.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    pub(super) fn hash(&self) -> String {
        Sha256::digest(&self.0)
            .iter()
            .fold(String::new(), |mut text, byte| {
                // Writing to a string does not fail.
                let _ = write!(text, "{byte:02x}");
                text
            })
    }
}

impl fmt::Debug for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ticket(…)")
    }
}

/// Why a ticket opens nothing.
#[derive(Debug, thiserror::Error)]
pub enum TicketError {
    /// Missing, used, expired, of another store or of another session.
    #[error("the ticket is not valid")]
    Invalid,
    /// The database failed.
    #[error("the ticket cannot be checked")]
    Db(#[from] DbError),
}

/// Gives out a ticket bound to the store and the session.
///
/// # Errors
/// `SIGNED_OUT` when the session has just ended; or the database failed.
pub async fn ticket_issue(
    db: &Db,
    clock: &Clock,
    store: StoreId,
    session: SessionId,
) -> Result<Ticket, ServiceError> {
    let ticket = Ticket::random();
    let expires_at = clock.now().plus(TICKET_LIFE);
    let mut tx = db.write().await?;
    let kept = ticket_insert(&mut tx, &ticket.hash(), store, session, expires_at).await;
    kept.map_err(|error| signed_out(error, "sign in again"))?;
    tx.commit().await?;
    counter!("rt_tickets_issued_total", "to" => "staff").increment(1);
    Ok(ticket)
}

/// What the ticket was to be bound to has gone since it was looked at.
pub(super) fn signed_out(error: DbError, advice: &str) -> ServiceError {
    if error.is_constraint("foreign_key") {
        Refusal::new(Code::SignedOut, advice).into()
    } else {
        error.into()
    }
}

/// Takes a ticket for good and answers the session it was bound to. A request that
/// carries a session of its own may only show that session's tickets. A ticket that is not
/// known does not wait for its turn to write.
///
/// # Errors
/// [`TicketError::Invalid`] whatever is wrong with the ticket.
pub async fn ticket_redeem(
    db: &Db,
    clock: &Clock,
    store: StoreId,
    shown: &str,
    own: Option<SessionId>,
) -> Result<SessionId, TicketError> {
    counted(redeem(db, clock, store, shown, own).await)
}

async fn redeem(
    db: &Db,
    clock: &Clock,
    store: StoreId,
    shown: &str,
    own: Option<SessionId>,
) -> Result<SessionId, TicketError> {
    let ticket = Ticket::parse(shown).ok_or(TicketError::Invalid)?;
    let mut tx = db.read().await?;
    if !ticket_exists(&mut tx, &ticket.hash()).await? {
        return Err(TicketError::Invalid);
    }
    drop(tx);
    let mut tx = db.write().await?;
    let taken = ticket_take(&mut tx, &ticket.hash(), store, clock.now()).await?;
    tx.commit().await?;
    let session = taken.ok_or(TicketError::Invalid)?;
    match own {
        Some(own) if own != session => Err(TicketError::Invalid),
        Some(_) | None => Ok(session),
    }
}

/// The same, noted.
pub(super) fn counted<T>(redeemed: Result<T, TicketError>) -> Result<T, TicketError> {
    let outcome = match &redeemed {
        Ok(_) => "taken",
        Err(TicketError::Invalid) => "invalid",
        Err(TicketError::Db(_)) => "failed",
    };
    counter!("rt_tickets_shown_total", "outcome" => outcome).increment(1);
    redeemed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_128_bits_and_shows_itself_to_nobody() {
        let ticket = Ticket::random();
        assert_eq!(ticket.reveal().len(), 32);
        assert_ne!(ticket, Ticket::random());
        assert_eq!(format!("{ticket:?}"), "Ticket(…)");
        assert_eq!(Ticket::parse(ticket.reveal()), Some(ticket.clone()));
        assert_eq!(ticket.hash().len(), 64);
    }

    #[test]
    fn what_cannot_be_a_ticket_is_no_ticket() {
        for text in [
            "",
            "abc",
            "zz345678901234567890123456789012",
            "한글345678901234567890123456789",
        ] {
            assert_eq!(Ticket::parse(text), None, "{text}");
        }
    }
}

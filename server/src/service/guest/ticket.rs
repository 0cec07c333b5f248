//! Stream tickets of phones: as those of staff, bound to the token.

use metrics::counter;

use super::super::Services;
use super::super::refusal::ServiceError;
use super::super::ticket::{TICKET_LIFE, Ticket, TicketError, counted, signed_out};
use super::Phone;
use crate::store::guest::{guest_ticket_exists, guest_ticket_insert, guest_ticket_take};

impl Services {
    /// Gives out a ticket bound to the phone's token.
    ///
    /// # Errors
    /// `SIGNED_OUT` when the token has just ended; or the database failed.
    pub async fn guest_ticket(&self, phone: &Phone) -> Result<Ticket, ServiceError> {
        let (db, hash) = (self.db.clone(), phone.token_hash.clone());
        let expires_at = self.clock.now().plus(TICKET_LIFE);
        let task = self.tasks.spawn(async move {
            let ticket = Ticket::random();
            let mut tx = db.write().await?;
            let kept = guest_ticket_insert(&mut tx, &ticket.hash(), &hash, expires_at).await;
            kept.map_err(|error| signed_out(error, "scan the table's code"))?;
            tx.commit().await?;
            counter!("rt_tickets_issued_total", "to" => "guest").increment(1);
            Ok(ticket)
        });
        task.await.map_err(|_| ServiceError::Interrupted)?
    }

    /// Takes a ticket for good and answers the hash of the token it was bound to. One that is
    /// not known does not wait for its turn to write.
    ///
    /// # Errors
    /// [`TicketError::Invalid`] whatever is wrong with the ticket.
    pub async fn guest_ticket_redeem(&self, shown: &str) -> Result<String, TicketError> {
        counted(self.redeem(shown).await)
    }

    async fn redeem(&self, shown: &str) -> Result<String, TicketError> {
        let ticket = Ticket::parse(shown).ok_or(TicketError::Invalid)?;
        let (db, now) = (self.db.clone(), self.clock.now());
        let task = self.tasks.spawn(async move {
            let mut tx = db.read().await?;
            if !guest_ticket_exists(&mut tx, &ticket.hash()).await? {
                return Err(TicketError::Invalid);
            }
            drop(tx);
            let mut tx = db.write().await?;
            let taken = guest_ticket_take(&mut tx, &ticket.hash(), now).await?;
            tx.commit().await?;
            taken.ok_or(TicketError::Invalid)
        });
        task.await.map_err(|_| TicketError::Invalid)?
    }

    /// The phone whose ticket was shown.
    ///
    /// # Errors
    /// As [`Services::phone_of`].
    pub async fn phone_with(&self, token_hash: &str) -> Result<Phone, ServiceError> {
        let mut tx = self.db.read().await?;
        Ok(super::phone_find(&mut tx, token_hash).await??)
    }
}

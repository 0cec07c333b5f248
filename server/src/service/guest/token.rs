//! The token of a phone. Neither a log line nor the database ever holds it.

use std::fmt;

use domain::id::{PartyId, StoreId, TableId};
use sha2::{Digest as _, Sha256};

use super::super::Services;
use super::super::refusal::{Code, Refusal, ServiceError};
use crate::db::{DbError, Tx};
use crate::store::guest::token_find;

/// 256 random bits, in hex. Its debug form hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct GuestToken(String);

impl GuestToken {
    pub(super) fn random() -> Self {
        let (high, low) = (rand::random::<u128>(), rand::random::<u128>());
        Self(format!("{high:032x}{low:032x}"))
    }

    /// The token a phone shows; `None` when it cannot be one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let hex = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        (text.len() == 64 && hex).then(|| Self(text.to_owned()))
    }

    /// The text that goes to the phone, once.
    pub(super) fn reveal(self) -> String {
        self.0
    }

    pub(super) fn hash(&self) -> String {
        let digest = Sha256::digest(&self.0);
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Debug for GuestToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GuestToken(…)")
    }
}

/// A phone whose party sits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phone {
    /// What it showed, hashed.
    pub token_hash: String,
    /// Where.
    pub store: StoreId,
    /// Whose it is.
    pub party: PartyId,
    /// Whose code was scanned.
    pub table: TableId,
}

/// The phone with this token; a refusal when nobody knows it or its party has left.
pub(in crate::service) async fn phone_find(
    tx: &mut Tx,
    token_hash: &str,
) -> Result<Result<Phone, Refusal>, DbError> {
    let Some(row) = token_find(tx, token_hash).await? else {
        return Ok(Err(Refusal::new(Code::SignedOut, "scan the table's code")));
    };
    if row.closed_at.is_some() {
        return Ok(Err(Refusal::new(Code::PartyCleared, "this party has left")));
    }
    Ok(Ok(Phone {
        token_hash: token_hash.to_owned(),
        store: row.store_id,
        party: row.party_id,
        table: row.table_id,
    }))
}

impl Services {
    /// Which phone showed this token.
    ///
    /// # Errors
    /// `SIGNED_OUT` for a token nobody knows, `PARTY_CLEARED` for one whose party has left; or
    /// the database failed.
    pub async fn phone_of(&self, token: &GuestToken) -> Result<Phone, ServiceError> {
        let mut tx = self.db.read().await?;
        Ok(phone_find(&mut tx, &token.hash()).await??)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_256_bits_and_shows_itself_to_nobody() {
        let token = GuestToken::random();
        assert_ne!(token, GuestToken::random());
        assert_eq!(format!("{token:?}"), "GuestToken(…)");
        assert_eq!(token.hash().len(), 64);
        let text = token.clone().reveal();
        assert_eq!(GuestToken::parse(&text), Some(token));
        assert_eq!(GuestToken::parse(&text[1..]), None);
        assert_eq!(GuestToken::parse(&"가".repeat(22)), None);
    }
}

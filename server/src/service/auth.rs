//! Signing in with a PIN, and who a session is.
//!
//! A PIN is short, so guessing is made slow: by argon2, and by a delay per member of staff
//! that grows with each wrong PIN. Neither a log line nor the database ever holds a PIN or
//! a session's token.

mod pin;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::id::{SessionId, StaffId, StoreId};
use domain::settings::Store;
use domain::staff::Role;
use domain::text::Language;
use domain::time::Time;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use tokio::sync::OwnedMutexGuard;
use uuid::Uuid;

use crate::clock::Clock;
use crate::db::{Db, DbError};
use crate::store::restaurant::store_by_code;
use crate::store::session::{
    SessionRow, session_delete, session_find, session_insert, session_renew,
};
use crate::store::staff::{
    StaffCredentials, StaffTile, staff_attempts_set, staff_credentials, staff_tiles,
};

pub use pin::{PinError, Pins, hash_pin};

/// A session lives this long after its last use, in ms.
pub const SESSION_LIFE: i64 = 12 * 60 * 60 * 1_000;
/// A session in use is renewed at most this often, in ms: reads stay reads.
const RENEWAL: i64 = 5 * 60 * 1_000;
/// The longest delay after a wrong PIN, in ms.
const LONGEST_DELAY: i64 = 60_000;

/// The secret in a session's cookie: 256 random bits, in hex. Its debug form hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionToken(String);

impl SessionToken {
    fn random() -> Self {
        let (high, low) = (rand::random::<u128>(), rand::random::<u128>());
        Self(format!("{high:032x}{low:032x}"))
    }

    /// The token a client shows; `None` when it cannot be one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let hex = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        (text.len() == 64 && hex).then(|| Self(text.to_owned()))
    }

    /// The text of the cookie.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    fn hash(&self) -> String {
        format!("{:x}", HexDigest(Sha256::digest(&self.0).into()))
    }
}

impl fmt::Debug for SessionToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionToken(…)")
    }
}

struct HexDigest([u8; 32]);

impl fmt::LowerHex for HexDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The member of staff that a request comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Staff {
    /// The member of staff.
    pub id: StaffId,
    /// The store they work in.
    pub store_id: StoreId,
    /// The store's code.
    pub store_code: String,
    /// The language of the store's screens.
    pub language: Language,
    /// Their name.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// The session they showed.
    pub session_id: SessionId,
}

/// Why nobody is signed in.
#[derive(Debug, thiserror::Error)]
pub enum LoginError {
    /// No such staff, or another PIN; nobody learns which.
    #[error("wrong PIN")]
    WrongPin {
        /// Until the next attempt is looked at; zero for staff that does not exist.
        retry_after: Duration,
    },
    /// The attempt came before the delay was over; it was not looked at.
    #[error("too many attempts")]
    TooManyAttempts {
        /// Until the next attempt is looked at.
        retry_after: Duration,
    },
    /// The PIN cannot be checked.
    #[error("the PIN cannot be checked")]
    Pin(#[from] PinError),
    /// The database failed.
    #[error("the staff cannot be read")]
    Db(#[from] DbError),
}

/// Signs people in and out. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Auth {
    db: Db,
    clock: Clock,
    pins: Pins,
    turns: Arc<Mutex<HashMap<StaffId, Arc<tokio::sync::Mutex<()>>>>>,
}

impl Auth {
    /// Over this database, by this clock.
    #[must_use]
    pub fn new(db: Db, clock: Clock) -> Self {
        Self {
            db,
            clock,
            pins: Pins::default(),
            turns: Arc::default(),
        }
    }

    /// The tiles of the login page; `None` without a store of that code.
    ///
    /// # Errors
    ///
    /// When the database cannot be reached.
    pub async fn tiles(&self, store_code: &str) -> Result<Option<Vec<StaffTile>>, DbError> {
        staff_tiles(&mut self.db.read().await?, store_code).await
    }

    /// Checks a PIN and opens a session.
    ///
    /// # Errors
    ///
    /// [`LoginError`]; a wrong PIN is counted before this answers.
    pub async fn login(
        &self,
        store_code: &str,
        login: &str,
        pin: &str,
    ) -> Result<(SessionToken, Staff), LoginError> {
        let Some(found) = self.credentials(store_code, login).await? else {
            // The same work as for staff that exists, so that time tells nothing.
            self.pins.verify_decoy(pin).await?;
            let retry_after = Duration::ZERO;
            return Err(LoginError::WrongPin { retry_after });
        };
        // One attempt at a time, so that guesses in parallel do not slip past the delay.
        let _turn = self.turn(found.id).await;
        loop {
            let Some(staff) = self.credentials(store_code, login).await? else {
                let retry_after = Duration::ZERO;
                return Err(LoginError::WrongPin { retry_after });
            };
            let wait = staff.blocked_until - self.clock.now().0;
            if wait > 0 {
                let retry_after = millis(wait);
                return Err(LoginError::TooManyAttempts { retry_after });
            }
            if self.pins.verify(pin, &staff.pin_hash).await? {
                if let Some(opened) = self.open(&staff).await? {
                    return Ok(opened);
                }
            } else if let Some(retry_after) = self.count_wrong(&staff).await? {
                tracing::info!(staff = %staff.id, store = %staff.store_id, "wrong PIN");
                return Err(LoginError::WrongPin { retry_after });
            }
            // Another node counted an attempt meanwhile: nobody learns what came of this one.
        }
    }

    async fn credentials(
        &self,
        store_code: &str,
        login: &str,
    ) -> Result<Option<StaffCredentials>, DbError> {
        staff_credentials(&mut self.db.read().await?, store_code, login).await
    }

    async fn turn(&self, staff: StaffId) -> OwnedMutexGuard<()> {
        let turn = {
            let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(turns.entry(staff).or_default())
        };
        turn.lock_owned().await
    }

    /// Until the next attempt is looked at; `None`: another one was counted meanwhile.
    async fn count_wrong(&self, staff: &StaffCredentials) -> Result<Option<Duration>, DbError> {
        let attempts = staff.failed_attempts.saturating_add(1);
        let delay = delay_after(attempts);
        let until = self.clock.now().plus(delay);
        let mut tx = self.db.write().await?;
        if !staff_attempts_set(&mut tx, staff, attempts, until).await? {
            return Ok(None);
        }
        tx.commit().await?;
        Ok(Some(millis(delay)))
    }

    /// A session; `None`: another attempt was counted meanwhile.
    async fn open(
        &self,
        staff: &StaffCredentials,
    ) -> Result<Option<(SessionToken, Staff)>, LoginError> {
        let token = SessionToken::random();
        let hash = token.hash();
        let id = SessionId(Uuid::now_v7());
        let now = self.clock.now();
        let mut tx = self.db.write().await?;
        if !staff_attempts_set(&mut tx, staff, 0, Time(0)).await? {
            return Ok(None);
        }
        let life = (now, now.plus(SESSION_LIFE));
        session_insert(&mut tx, id, &hash, (staff.store_id, staff.id), life).await?;
        let row = session_find(&mut tx, &hash, now).await?;
        tx.commit().await?;
        tracing::info!(staff = %staff.id, store = %staff.store_id, session = %id, "signed in");
        let staff = row.map(of_session).ok_or(LoginError::WrongPin {
            retry_after: Duration::ZERO,
        })?;
        Ok(Some((token, staff)))
    }

    /// Who showed this token; `None` when it is of no session that lives. Being asked is
    /// use, which lets the session live on.
    ///
    /// # Errors
    ///
    /// When the database cannot be reached.
    pub async fn staff_of(&self, token: &SessionToken) -> Result<Option<Staff>, DbError> {
        let now = self.clock.now();
        let row = session_find(&mut self.db.read().await?, &token.hash(), now).await?;
        if let Some(row) = &row
            && row.expires_at < now.plus(SESSION_LIFE - RENEWAL).0
        {
            self.renew(row.id, now.plus(SESSION_LIFE));
        }
        Ok(row.map(of_session))
    }

    /// Renews without making the request wait for the writer.
    fn renew(&self, session: SessionId, until: Time) {
        let db = self.db.clone();
        tokio::spawn(async move {
            let renewed = async {
                let mut tx = db.write().await?;
                session_renew(&mut tx, session, until).await?;
                tx.commit().await
            };
            if let Err(error) = renewed.await {
                tracing::warn!(%session, %error, "session not renewed");
            }
        });
    }

    /// The store of that code, for its pages before anybody has signed in.
    ///
    /// # Errors
    ///
    /// When the database cannot be reached.
    pub async fn store_of(&self, store_code: &str) -> Result<Option<Store>, DbError> {
        store_by_code(&mut self.db.read().await?, store_code).await
    }

    /// Ends the session of this token; its streams end with the next heartbeat.
    ///
    /// # Errors
    ///
    /// When the database cannot be reached.
    pub async fn logout(&self, token: &SessionToken) -> Result<(), DbError> {
        let mut tx = self.db.write().await?;
        session_delete(&mut tx, &token.hash()).await?;
        tx.commit().await
    }
}

/// 1, 2, 4 … seconds, at most a minute; in ms.
fn delay_after(attempts: i64) -> i64 {
    let doublings = u32::try_from(attempts.clamp(1, 7) - 1).unwrap_or_default();
    (1_000 << doublings).min(LONGEST_DELAY)
}

fn millis(ms: i64) -> Duration {
    Duration::from_millis(u64::try_from(ms).unwrap_or_default())
}

/// Of the store's settings; Korean where they name none.
fn language(store_doc: &str) -> Language {
    #[derive(Deserialize)]
    struct Settings {
        language: Language,
    }
    let settings = serde_json::from_str::<Settings>(store_doc);
    settings.map(|s| s.language).unwrap_or_default()
}

fn of_session(row: SessionRow) -> Staff {
    Staff {
        id: row.staff_id,
        store_id: row.store_id,
        store_code: row.store_code,
        language: language(&row.store_doc),
        name: row.name,
        role: row.role.0,
        session_id: row.id,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delay_doubles_up_to_a_minute() {
        let delays: Vec<i64> = (1..=9).map(|n| delay_after(n) / 1_000).collect();
        assert_eq!(delays, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
        assert_eq!(delay_after(i64::MAX), LONGEST_DELAY);
    }

    #[test]
    fn a_token_is_256_bits_and_shows_itself_to_nobody() {
        let token = SessionToken::random();
        assert_eq!(token.reveal().len(), 64);
        assert_ne!(token, SessionToken::random());
        assert_eq!(format!("{token:?}"), "SessionToken(…)");
        assert_eq!(SessionToken::parse(token.reveal()), Some(token.clone()));
        assert_eq!(token.hash().len(), 64);
        assert_eq!(SessionToken::parse("한글"), None);
    }
}

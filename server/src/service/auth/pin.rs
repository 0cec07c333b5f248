//! Hashing PINs: slow on purpose, so never on the threads that serve, and few at once.

use std::sync::{Arc, OnceLock};

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// Each hash takes 19 MiB and a core for a moment; a rush of logins waits in line.
const AT_ONCE: usize = 2;
/// How many may stand in that line.
const IN_LINE: usize = 64;

/// A PIN could not be hashed or checked.
#[derive(Debug, thiserror::Error)]
pub enum PinError {
    /// The kept hash is none.
    #[error("the hash of a PIN is damaged")]
    Damaged,
    /// No randomness, or no thread.
    #[error("a PIN cannot be hashed")]
    Hashing,
    /// More logins at once than the process takes.
    #[error("too many logins at once")]
    Busy,
}

/// Checks PINs, a few at a time. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Pins {
    turns: Arc<Semaphore>,
    line: Arc<Semaphore>,
}

impl Default for Pins {
    fn default() -> Self {
        Self {
            turns: Arc::new(Semaphore::new(AT_ONCE)),
            line: Arc::new(Semaphore::new(IN_LINE)),
        }
    }
}

impl Pins {
    /// Whether `pin` is the one that was hashed.
    ///
    /// # Errors
    ///
    /// [`PinError`].
    pub async fn verify(&self, pin: &str, hash: &str) -> Result<bool, PinError> {
        let (pin, hash) = (pin.to_owned(), hash.to_owned());
        self.take_turn(move || {
            let hash = PasswordHash::new(&hash).map_err(|_| PinError::Damaged)?;
            Ok(Argon2::default()
                .verify_password(pin.as_bytes(), &hash)
                .is_ok())
        })
        .await
    }

    /// Does the work of [`Pins::verify`] for staff that does not exist.
    ///
    /// # Errors
    ///
    /// [`PinError`].
    pub async fn verify_decoy(&self, pin: &str) -> Result<(), PinError> {
        static DECOY: OnceLock<String> = OnceLock::new();
        let decoy = match DECOY.get() {
            Some(decoy) => decoy.clone(),
            None => hash_pin("nobody's").await?,
        };
        self.verify(pin, DECOY.get_or_init(|| decoy)).await?;
        Ok(())
    }

    async fn take_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, PinError> + Send + 'static,
    ) -> Result<T, PinError> {
        let _place = self.line.try_acquire().map_err(|_| PinError::Busy)?;
        let turn = Arc::clone(&self.turns).acquire_owned().await;
        let turn = turn.map_err(|_| PinError::Hashing)?;
        // The turn goes with the work: a client that leaves does not let the next one in early.
        let done = spawn_blocking(move || {
            let _turn = turn;
            work()
        });
        done.await.map_err(|_| PinError::Hashing)?
    }
}

/// The PHC string to keep for a PIN.
///
/// # Errors
///
/// [`PinError::Hashing`].
pub async fn hash_pin(pin: &str) -> Result<String, PinError> {
    let pin = pin.to_owned();
    let hash = spawn_blocking(move || {
        let hash = Argon2::default().hash_password(pin.as_bytes());
        hash.map(|hash| hash.to_string())
    });
    match hash.await {
        Ok(Ok(hash)) => Ok(hash),
        Ok(Err(_)) | Err(_) => Err(PinError::Hashing),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_pin_fits_its_own_hash_only_and_no_two_hashes_are_equal() {
        let hash = hash_pin("3000").await.unwrap();
        let pins = Pins::default();
        assert!(pins.verify("3000", &hash).await.unwrap());
        assert!(!pins.verify("3001", &hash).await.unwrap());
        assert_ne!(hash, hash_pin("3000").await.unwrap());
        assert!(hash.starts_with("$argon2id$"));
    }

    #[tokio::test]
    async fn a_damaged_hash_is_no_match() {
        let checked = Pins::default().verify("3000", "plain").await;
        assert!(matches!(checked, Err(PinError::Damaged)), "{checked:?}");
    }
}

//! One hold: asked for once, and given back however long that takes.

use domain::id::ReservationId;
use domain::stock::HoldLine;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::api::{Api, ApiError};
use crate::patience::Patience;

/// What is read of an answer.
#[derive(Deserialize)]
struct Held {
    rid: ReservationId,
}

/// A hold that is asked for, by a cart of its own.
#[derive(Clone, Debug)]
pub(super) struct Press {
    key: String,
    body: Value,
    rid: Option<ReservationId>,
}

impl Press {
    pub(super) fn new(lines: &[HoldLine]) -> Self {
        Self {
            key: Uuid::new_v4().to_string(),
            body: json!({ "actor": Uuid::new_v4(), "lines": lines }),
            rid: None,
        }
    }

    /// Asks once.
    pub(super) async fn ask(&mut self, api: &Api) -> Result<(), ApiError> {
        let path = "/reservations/batch";
        let held: Held = api.command_once(path, &self.key, &self.body).await?;
        self.rid = Some(held.rid);
        Ok(())
    }

    /// Gives it back; `false`: there was nothing. What was not answered is asked for again by its
    /// key, since it may be held.
    pub(super) async fn give_back(&mut self, api: &Api) -> Result<bool, ApiError> {
        if self.rid.is_none() {
            let path = "/reservations/batch";
            match patiently::<Held>(api, path, &self.key, &self.body).await {
                Ok(held) => self.rid = Some(held.rid),
                Err(ApiError::Refused { .. }) => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        let Some(rid) = self.rid else {
            return Ok(false);
        };
        let path = format!("/reservations/{rid}/finalize");
        let body = json!({ "success": false });
        let key = Uuid::new_v4().to_string();
        patiently::<Value>(api, &path, &key, &body).await?;
        Ok(true)
    }
}

async fn patiently<T: DeserializeOwned>(
    api: &Api,
    path: &str,
    key: &str,
    body: &Value,
) -> Result<T, ApiError> {
    let mut patience = Patience::new();
    loop {
        match api.command_once(path, key, body).await {
            Err(error) if patience.again(&error).await => {}
            result => return result,
        }
    }
}

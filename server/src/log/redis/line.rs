//! Connections to a Redis server, as all that use one make them.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ::redis::aio::{ConnectionManager, ConnectionManagerConfig, MultiplexedConnection};
use ::redis::{AsyncConnectionConfig, Client, RedisResult, Value};

/// The first pause after a failure; it doubles with each.
const FIRST_RETRY: Duration = Duration::from_millis(50);

/// A connection for what is answered at once.
pub(crate) struct Line {
    client: Client,
    patience: Duration,
    now: Mutex<ConnectionManager>,
}

impl Line {
    pub(crate) fn new(client: Client, patience: Duration) -> RedisResult<Self> {
        Ok(Self {
            now: Mutex::new(manager(&client, patience)?),
            client,
            patience,
        })
    }

    pub(crate) fn get(&self) -> ConnectionManager {
        let now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        now.clone()
    }

    /// After a failure what follows goes by a connection of its own: the old one may be stuck in
    /// ways that it does not notice.
    pub(crate) fn renew(&self) {
        if let Ok(fresh) = manager(&self.client, self.patience) {
            *self.now.lock().unwrap_or_else(PoisonError::into_inner) = fresh;
        }
    }
}

/// Made when it is first used. It is tried once: whoever uses it tries again.
fn manager(client: &Client, patience: Duration) -> RedisResult<ConnectionManager> {
    let config = ConnectionManagerConfig::new()
        .set_response_timeout(Some(patience))
        .set_connection_timeout(Some(patience))
        .set_number_of_retries(0);
    ConnectionManager::new_lazy_with_config(client.clone(), config)
}

/// A connection for reads that wait, without a limit of its own: a read waits for as long as it
/// says.
pub(crate) async fn waiting_line(
    client: &Client,
    patience: Duration,
) -> RedisResult<MultiplexedConnection> {
    let options = AsyncConnectionConfig::new()
        .set_connection_timeout(Some(patience))
        .set_response_timeout(None);
    client
        .get_multiplexed_async_connection_with_config(&options)
        .await
}

/// Doubles from [`FIRST_RETRY`] to `longest`, and up to a half less, so that the readers of many
/// processes do not come at once.
pub(crate) fn pause(failures: u32, longest: Duration) -> Duration {
    let doubled = FIRST_RETRY * (1 << failures.saturating_sub(1).min(10));
    doubled.min(longest).mul_f64(rand::random_range(0.5..=1.0))
}

/// The parts of an answer that is a list; none of any other.
pub(crate) fn list(value: Value) -> Vec<Value> {
    match value {
        Value::Array(values) => values,
        // Redis' own list of shapes is open.
        _ => Vec::new(),
    }
}

/// An answer that is text.
pub(crate) fn text(value: Value) -> Option<String> {
    match value {
        Value::BulkString(bytes) => String::from_utf8(bytes).ok(),
        // Redis' own list of shapes is open.
        _ => None,
    }
}

//! Putting events in the log: one pipeline for each store's rows.
//!
//! Redis refuses an id that is not larger than its last one, so that an event is never there
//! twice, whoever publishes it and how often.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use ::redis::aio::ConnectionManager;
use ::redis::{Client, Pipeline, RedisError, RedisResult, Value, cmd};
use domain::id::StoreId;
use domain::stream::Epoch;
use metrics::counter;

use super::entry::{self, Entry};
use super::health::{Health, Part};
use super::line::Line;
use crate::log::{LogError, Outcome, Published, Repeat};
use crate::store::outbox::{MARKER, OutboxRow};

/// A store's key goes this long after its last event, in seconds.
const KEEP: u32 = 7 * 24 * 60 * 60;

/// What the server said to one event.
enum Answer {
    Put,
    /// Its number is not larger than the last.
    NotAbove,
    /// It does not like this event, for all one knows.
    Refused(RedisError),
    /// It cannot do its work.
    Failed(RedisError),
}

impl From<RedisResult<Value>> for Answer {
    fn from(answer: RedisResult<Value>) -> Self {
        match answer {
            Ok(_) => Self::Put,
            Err(error) if error.code() != Some("ERR") => Self::Failed(error),
            Err(error) if is_about_the_number(&error) => Self::NotAbove,
            Err(error) => Self::Refused(error),
        }
    }
}

fn is_about_the_number(error: &RedisError) -> bool {
    let told = error.detail().unwrap_or_default();
    told.contains("equal or smaller")
}

/// The connection that events go out by.
pub(super) struct Publisher {
    line: Line,
    patience: Duration,
    health: Arc<Health>,
}

impl Publisher {
    pub(super) fn new(
        client: Client,
        patience: Duration,
        health: Arc<Health>,
    ) -> Result<Self, LogError> {
        Ok(Self {
            line: Line::new(client, patience).map_err(failure)?,
            patience,
            health,
        })
    }

    /// Offers the rows in order; see [`crate::log::Log::publish`]. It is over within the patience,
    /// however many rows there are.
    pub(super) async fn publish(
        &self,
        store: StoreId,
        epoch: Epoch,
        rows: &[OutboxRow],
    ) -> Published {
        let key = entry::key(store, epoch);
        let offered = attempt(self.line.get(), &key, rows);
        let published = match tokio::time::timeout(self.patience, offered).await {
            Ok(Ok(published)) => published,
            Ok(Err(error)) => Published::failed(failure(error)),
            Err(_) => Published::failed(LogError::Patience),
        };
        self.note(published.failure.as_ref());
        published
    }

    /// Asks whether the server is there.
    pub(super) async fn probe(&self) {
        let (mut line, ping) = (self.line.get(), cmd("PING"));
        let answer = ping.query_async::<Value>(&mut line);
        let failure = match tokio::time::timeout(self.patience, answer).await {
            Ok(Ok(_)) => None,
            Ok(Err(error)) => Some(failure(error)),
            Err(_) => Some(LogError::Patience),
        };
        self.note(failure.as_ref());
    }

    /// Notes whether the log takes events.
    fn note(&self, failure: Option<&LogError>) {
        let news = self.health.note(Part::Publishing, failure.is_none());
        let Some(failure) = failure else {
            if news {
                tracing::info!("the event log takes events");
            }
            return;
        };
        counter!("rt_log_publish_failures_total").increment(1);
        if news {
            let cause: &dyn std::error::Error = failure;
            tracing::error!(error = cause, "the event log takes no events");
        }
        self.line.renew();
    }
}

/// What can never be delivered as itself goes out as the marker at once.
fn is_poison(row: &OutboxRow) -> bool {
    !row.dead && !row.is_deliverable()
}

/// Offers the rows, then asks what stands under the numbers that were refused. A log with
/// another history under them is of no use to anybody: it begins again.
async fn attempt(
    mut line: ConnectionManager,
    key: &str,
    rows: &[OutboxRow],
) -> RedisResult<Published> {
    let mut answers = offer(&mut line, key, rows).await?;
    let mut there = look_up(&mut line, key, refused(rows, &answers)).await?;
    let is_another = |row: &OutboxRow| there.get(&row.seq).is_some_and(|entry| !entry.is(row));
    if rows.iter().any(is_another) {
        entry::forget(key).exec_async(&mut line).await?;
        answers = offer(&mut line, key, rows).await?;
    }
    let mut published = Published::default();
    for (row, answer) in rows.iter().zip(answers) {
        let there = there.remove(&row.seq);
        let outcome = match answer {
            Answer::Put | Answer::NotAbove if is_poison(row) => Ok(Outcome::Dead),
            Answer::Put if there.is_none() => Ok(Outcome::Put),
            Answer::Put | Answer::NotAbove => Ok(repeated(row, there)),
            Answer::Refused(error) => bury(&mut line, key, row, error).await?,
            Answer::Failed(error) => Err(failure(error)),
        };
        match outcome {
            Ok(outcome) => published.outcomes.push(outcome),
            Err(failure) => {
                published.failure = Some(failure);
                break;
            }
        }
    }
    Ok(published)
}

/// The numbers that were not above the last.
fn refused(rows: &[OutboxRow], answers: &[Answer]) -> Vec<u64> {
    let number = |(row, answer): (&OutboxRow, &Answer)| match answer {
        Answer::NotAbove => Some(row.seq),
        Answer::Put | Answer::Refused(_) | Answer::Failed(_) => None,
    };
    rows.iter().zip(answers).filter_map(number).collect()
}

async fn offer(
    line: &mut ConnectionManager,
    key: &str,
    rows: &[OutboxRow],
) -> RedisResult<Vec<Answer>> {
    let mut pipe = Pipeline::with_capacity(rows.len() + 1);
    pipe.ignore_errors();
    for row in rows {
        pipe.add_command(if is_poison(row) {
            entry::add_marker(key, row)
        } else {
            entry::add(key, row)
        });
    }
    pipe.cmd("EXPIRE").arg(key).arg(KEEP).ignore();
    let answers: Vec<RedisResult<Value>> = pipe.query_async(line).await?;
    Ok(answers.into_iter().map(Answer::from).collect())
}

/// The entries that stand under these numbers.
async fn look_up(
    line: &mut ConnectionManager,
    key: &str,
    numbers: Vec<u64>,
) -> RedisResult<HashMap<u64, Entry>> {
    if numbers.is_empty() {
        return Ok(HashMap::new());
    }
    let mut pipe = Pipeline::with_capacity(numbers.len());
    for seq in &numbers {
        pipe.add_command(entry::find(key, *seq));
    }
    let answers: Vec<Value> = pipe.query_async(line).await?;
    let found = answers
        .into_iter()
        .map(|answer| entry::entries(answer).into_iter().next());
    let found = numbers.into_iter().zip(found);
    Ok(found
        .filter_map(|(seq, entry)| Some((seq, entry?)))
        .collect())
}

/// What stood under a number that was refused.
fn repeated(row: &OutboxRow, there: Option<Entry>) -> Outcome {
    match there {
        None => Outcome::Repeated(Repeat::Lost),
        Some(entry) if !entry.is(row) => Outcome::Repeated(Repeat::Other),
        // An attempt whose end nobody heard of has buried it.
        Some(entry) if entry.is_marker() && row.told().0 != MARKER => Outcome::Dead,
        Some(_) => Outcome::Repeated(Repeat::Same),
    }
}

/// A row that was refused. When the marker under its number is taken, it was for the event's
/// own sake; else the log cannot do its work.
async fn bury(
    line: &mut ConnectionManager,
    key: &str,
    row: &OutboxRow,
    error: RedisError,
) -> RedisResult<Result<Outcome, LogError>> {
    let answers: Vec<RedisResult<Value>> = Pipeline::new()
        .ignore_errors()
        .add_command(entry::add_marker(key, row))
        .query_async(line)
        .await?;
    let taken = answers
        .into_iter()
        .map(Answer::from)
        .all(|answer| match answer {
            // Later rows may be in already: then readers find the marker in the outbox.
            Answer::Put | Answer::NotAbove => true,
            Answer::Refused(_) | Answer::Failed(_) => false,
        });
    Ok(if taken {
        Ok(Outcome::Dead)
    } else {
        Err(failure(error))
    })
}

fn failure(error: RedisError) -> LogError {
    if error.is_timeout() {
        LogError::Patience
    } else {
        LogError::Unavailable(Box::new(error))
    }
}

#[cfg(test)]
mod tests {
    use ::redis::{ErrorKind, ServerErrorKind};

    use super::*;

    fn said(kind: ServerErrorKind, detail: &str) -> Answer {
        let error = (ErrorKind::Server(kind), "said", detail.to_owned());
        Answer::from(Err(RedisError::from(error)))
    }

    #[test]
    fn a_number_that_is_not_above_an_event_that_is_refused_and_a_log_in_need_are_told_apart() {
        let smaller =
            "The ID specified in XADD is equal or smaller than the target stream top item";
        let answer = said(ServerErrorKind::ResponseError, smaller);
        assert!(matches!(answer, Answer::NotAbove));
        let answer = said(
            ServerErrorKind::ResponseError,
            "Elements are too large to be stored",
        );
        assert!(matches!(answer, Answer::Refused(_)));
        for need in [ServerErrorKind::BusyLoading, ServerErrorKind::ReadOnly] {
            assert!(matches!(said(need, smaller), Answer::Failed(_)));
        }
    }
}

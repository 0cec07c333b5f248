//! Which tables a replay may seat guests at.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::id::TableId;
use tokio::sync::Semaphore;

/// No table is left to seat anybody at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("every table of the store is taken by somebody else")]
pub struct NoTable;

/// The free tables. Who comes when all are taken waits, first come, first served.
#[derive(Debug)]
pub struct Tables {
    free: Mutex<VecDeque<TableId>>,
    /// A permit for each free table.
    permits: Semaphore,
    /// Tables that are free or will be.
    ours: Mutex<usize>,
}

impl Tables {
    /// All of `tables` are free.
    #[must_use]
    pub fn new(tables: Vec<TableId>) -> Self {
        Self {
            permits: Semaphore::new(tables.len()),
            ours: Mutex::new(tables.len()),
            free: Mutex::new(tables.into()),
        }
    }

    /// A free table, longest free first; waits for one.
    ///
    /// # Errors
    /// None will ever be free.
    pub async fn take(&self) -> Result<TableId, NoTable> {
        if *lock(&self.ours) == 0 {
            return Err(NoTable);
        }
        self.permits.acquire().await.map_err(|_| NoTable)?.forget();
        lock(&self.free).pop_front().ok_or(NoTable)
    }

    /// The table is free again.
    pub fn give_back(&self, table: TableId) {
        lock(&self.free).push_back(table);
        self.permits.add_permits(1);
    }

    /// The table taken turned out to be somebody else's, or was left in a state unknown.
    pub fn lose(&self) {
        let mut ours = lock(&self.ours);
        *ours = ours.saturating_sub(1);
        if *ours == 0 {
            self.permits.close();
        }
    }
}

/// A panic elsewhere leaves a list of tables as good as it was.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use uuid::Uuid;

    fn table(number: u128) -> TableId {
        TableId(Uuid::from_u128(number))
    }

    #[tokio::test]
    async fn who_waits_gets_the_table_that_is_cleaned() {
        let tables = Arc::new(Tables::new(vec![table(1)]));
        assert_eq!(tables.take().await, Ok(table(1)));
        let waiting = tokio::spawn({
            let tables = Arc::clone(&tables);
            async move { tables.take().await }
        });
        tables.give_back(table(1));
        assert_eq!(waiting.await.unwrap(), Ok(table(1)));
    }

    #[tokio::test]
    async fn nobody_waits_for_tables_that_will_never_be_free() {
        let tables = Arc::new(Tables::new(vec![table(1)]));
        assert_eq!(tables.take().await, Ok(table(1)));
        let waiting = tokio::spawn({
            let tables = Arc::clone(&tables);
            async move { tables.take().await }
        });
        tables.lose();
        assert_eq!(waiting.await.unwrap(), Err(NoTable));
        assert_eq!(tables.take().await, Err(NoTable));
    }
}

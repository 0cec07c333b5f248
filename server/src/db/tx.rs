//! A transaction and the three things it can do.

use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{FromRow, Sqlite, Transaction};

use super::{DbError, Value};

/// A type that a row of either engine can be read into: derive `sqlx::FromRow`.
pub trait Row: for<'r> FromRow<'r, SqliteRow> + Send + Unpin + 'static {}

impl<T> Row for T where T: for<'r> FromRow<'r, SqliteRow> + Send + Unpin + 'static {}

/// A transaction. Dropped without [`Tx::commit`], it leaves no trace.
#[derive(Debug)]
pub enum Tx {
    /// On SQLite.
    Sqlite(Transaction<'static, Sqlite>),
}

impl Tx {
    /// Runs a statement; answers how many rows it touched.
    ///
    /// # Errors
    ///
    /// Any [`DbError`] but `Decode`, `Migration` and `Url`.
    pub async fn execute(
        &mut self,
        sql: &'static str,
        params: impl AsRef<[Value]> + Send,
    ) -> Result<u64, DbError> {
        match self {
            Self::Sqlite(tx) => {
                let done = sqlx::query_with(sql, sqlite(params.as_ref())?)
                    .execute(&mut **tx)
                    .await?;
                Ok(done.rows_affected())
            }
        }
    }

    /// The first row, if there is one.
    ///
    /// # Errors
    ///
    /// As [`Tx::execute`], and [`DbError::Decode`].
    pub async fn fetch_optional<T: Row>(
        &mut self,
        sql: &'static str,
        params: impl AsRef<[Value]> + Send,
    ) -> Result<Option<T>, DbError> {
        match self {
            Self::Sqlite(tx) => {
                let query = sqlx::query_as_with::<Sqlite, T, _>(sql, sqlite(params.as_ref())?);
                Ok(query.fetch_optional(&mut **tx).await?)
            }
        }
    }

    /// Every row, in the statement's order.
    ///
    /// # Errors
    ///
    /// As [`Tx::fetch_optional`].
    pub async fn fetch_all<T: Row>(
        &mut self,
        sql: &'static str,
        params: impl AsRef<[Value]> + Send,
    ) -> Result<Vec<T>, DbError> {
        match self {
            Self::Sqlite(tx) => {
                let query = sqlx::query_as_with::<Sqlite, T, _>(sql, sqlite(params.as_ref())?);
                Ok(query.fetch_all(&mut **tx).await?)
            }
        }
    }

    /// Tries something from here on: [`Tx::back`] comes back to this moment, locks that are held
    /// stay. A later try takes its place.
    ///
    /// # Errors
    ///
    /// As [`Tx::execute`].
    pub async fn fork(&mut self) -> Result<(), DbError> {
        self.execute("savepoint tried", []).await.map(drop)
    }

    /// Undoes everything since the last [`Tx::fork`].
    ///
    /// # Errors
    ///
    /// As [`Tx::execute`]; [`DbError::Statement`] without one.
    pub async fn back(&mut self) -> Result<(), DbError> {
        self.execute("rollback to savepoint tried", [])
            .await
            .map(drop)
    }

    /// Makes what was done last, on disk, before it answers.
    ///
    /// # Errors
    ///
    /// [`DbError::Unavailable`]; whether it was done is then unknown.
    pub async fn commit(self) -> Result<(), DbError> {
        match self {
            Self::Sqlite(tx) => Ok(tx.commit().await?),
        }
    }
}

fn sqlite(params: &[Value]) -> Result<SqliteArguments, DbError> {
    use sqlx::Arguments;
    let mut arguments = SqliteArguments::default();
    for value in params {
        match value {
            Value::I64(v) => arguments.add(*v),
            Value::Bool(v) => arguments.add(*v),
            Value::Text(v) => arguments.add(v.clone()),
            Value::Uuid(v) => arguments.add(*v),
        }
        .map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}

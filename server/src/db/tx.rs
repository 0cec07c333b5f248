//! A transaction and the three things it can do.

use std::borrow::Cow;

use sqlx::postgres::{PgArguments, PgRow};
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Arguments, AssertSqlSafe, FromRow, Postgres, Sqlite, Transaction};

use super::{DbError, Value};

/// A type that a row of either engine can be read into: derive `sqlx::FromRow`.
pub trait Row:
    for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin + 'static
{
}

impl<T> Row for T where
    T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin + 'static
{
}

/// Rows of one [`Tx::insert`] statement at most: each number of them is a statement of its own to the
/// engines, which remember only so many.
const TOGETHER: usize = 8;

/// A transaction. Dropped without [`Tx::commit`], it leaves no trace.
#[derive(Debug)]
pub enum Tx {
    /// On SQLite.
    Sqlite(Transaction<'static, Sqlite>),
    /// On PostgreSQL.
    Postgres(Transaction<'static, Postgres>),
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
            Self::Postgres(tx) => {
                let done = sqlx::query_with(sql, postgres(params.as_ref())?)
                    .execute(&mut **tx)
                    .await?;
                Ok(done.rows_affected())
            }
        }
    }

    /// Inserts rows, all of one width, several with each statement: a command waits for each of its
    /// statements, and others wait for the command. `into` is the statement up to its values.
    ///
    /// # Errors
    ///
    /// As [`Tx::execute`].
    pub async fn insert<const N: usize>(
        &mut self,
        into: &'static str,
        rows: &[[Value; N]],
    ) -> Result<(), DbError> {
        for rows in rows.chunks(TOGETHER) {
            // Made of nothing but `into` and numbers.
            let sql = AssertSqlSafe(format!("{into} values {}", places(rows.len(), N)));
            let params = rows.as_flattened();
            match self {
                Self::Sqlite(tx) => {
                    let query = sqlx::query_with(sql, sqlite(params)?);
                    query.execute(&mut **tx).await.map(drop)?;
                }
                Self::Postgres(tx) => {
                    let query = sqlx::query_with(sql, postgres(params)?);
                    query.execute(&mut **tx).await.map(drop)?;
                }
            }
        }
        Ok(())
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
            Self::Postgres(tx) => {
                let query = sqlx::query_as_with::<Postgres, T, _>(sql, postgres(params.as_ref())?);
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
            Self::Postgres(tx) => {
                let query = sqlx::query_as_with::<Postgres, T, _>(sql, postgres(params.as_ref())?);
                Ok(query.fetch_all(&mut **tx).await?)
            }
        }
    }

    /// Marks what was done up to here: [`Tx::undo`] comes back to it, and locks that are held stay.
    ///
    /// # Errors
    ///
    /// As [`Tx::execute`].
    pub async fn mark(&mut self) -> Result<(), DbError> {
        self.execute("savepoint marked", []).await.map(drop)
    }

    /// Undoes everything since the mark.
    ///
    /// # Errors
    ///
    /// As [`Tx::execute`]; [`DbError::Statement`] without a mark.
    pub async fn undo(&mut self) -> Result<(), DbError> {
        self.execute("rollback to savepoint marked", [])
            .await
            .map(drop)
    }

    /// Tries something from here on, after the mark: [`Tx::back`] comes back to this moment. A later
    /// try takes its place.
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
            Self::Postgres(tx) => Ok(tx.commit().await?),
        }
    }
}

/// `($1, $2), ($3, $4)`: so many rows of so many values.
fn places(rows: usize, width: usize) -> String {
    let row = |row: usize| {
        let places = (1..=width).map(|place| format!("${}", row * width + place));
        format!("({})", places.collect::<Vec<_>>().join(", "))
    };
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}

fn sqlite(params: &[Value]) -> Result<SqliteArguments, DbError> {
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

fn postgres(params: &[Value]) -> Result<PgArguments, DbError> {
    let mut arguments = PgArguments::default();
    for value in params {
        match value {
            Value::I64(v) => arguments.add(*v),
            Value::Bool(v) => arguments.add(*v),
            Value::Text(v) => arguments.add(v.as_deref().map(without_nul)),
            Value::Uuid(v) => arguments.add(*v),
        }
        .map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}

/// TEXT of PostgreSQL holds every character but this one, and refuses a comparison with it too.
fn without_nul(text: &str) -> Cow<'_, str> {
    if text.contains('\0') {
        Cow::Owned(text.replace('\0', "\u{FFFD}"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_of_several_rows_are_numbered_through() {
        assert_eq!(places(1, 3), "($1, $2, $3)");
        assert_eq!(places(3, 2), "($1, $2), ($3, $4), ($5, $6)");
    }
}

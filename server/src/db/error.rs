//! What may go wrong in storage, in words that hold for both engines.

use sqlx::error::{DatabaseError, ErrorKind};

/// A statement, or the database under it, failed.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    /// The database refused a row; `name` is the constraint's, so that `store` can tell them apart.
    ///
    /// Unnamed constraints are called as PostgreSQL would: `staff_store_id_login_key`,
    /// `store_pkey`. Every foreign key is `foreign_key` and every missing value `not_null`, for
    /// SQLite does not tell which one it was.
    #[error("a row breaks the constraint {name}")]
    Constraint {
        /// The constraint's name.
        name: String,
        /// The engine's own words.
        #[source]
        source: sqlx::Error,
    },
    /// No connection, no disk, a lock that did not come free or that two transactions wanted from
    /// each other: nothing was done that was not answered, and asking again may help.
    #[error("the database is unavailable")]
    Unavailable(#[source] sqlx::Error),
    /// A row does not fit the type it was read into.
    #[error("a row does not fit its type")]
    Decode(#[source] sqlx::Error),
    /// The engine does not accept the statement: a mistake of the program.
    #[error("the database refused a statement")]
    Statement(#[source] sqlx::Error),
    /// The schema could not be brought to this version.
    #[error("the schema could not be migrated")]
    Migration(#[source] sqlx::migrate::MigrateError),
    /// The address of the database is not one.
    #[error("the database address is not usable: {reason}")]
    Url {
        /// Why, in words for the operator.
        reason: String,
    },
}

impl DbError {
    /// Whether this is the constraint `wanted` refusing a row.
    #[must_use]
    pub fn is_constraint(&self, wanted: &str) -> bool {
        matches!(self, Self::Constraint { name, .. } if name == wanted)
    }
}

impl From<sqlx::Error> for DbError {
    fn from(source: sqlx::Error) -> Self {
        use sqlx::Error as E;
        if let E::Database(refused) = &source
            && let Some(name) = constraint_name(refused.as_ref())
        {
            return Self::Constraint { name, source };
        }
        match &source {
            E::Database(refused) if is_fault_of_statement(refused.as_ref()) => {
                Self::Statement(source)
            }
            E::ColumnDecode { .. }
            | E::ColumnNotFound(_)
            | E::ColumnIndexOutOfBounds { .. }
            | E::Decode(_)
            | E::TypeNotFound { .. }
            | E::RowNotFound => Self::Decode(source),
            E::Encode(_) | E::InvalidArgument(_) => Self::Statement(source),
            // The engine's list is open; what is left is the way to it, or its disk.
            _ => Self::Unavailable(source),
        }
    }
}

/// SQLite's plain `SQLITE_ERROR`; of PostgreSQL the classes 22, a value that no column takes, and
/// 42, no such table or a syntax error.
fn is_fault_of_statement(refused: &dyn DatabaseError) -> bool {
    let code = refused.code();
    let state = code.as_deref().unwrap_or_default();
    state == "1" || (state.len() == 5 && (state.starts_with("22") || state.starts_with("42")))
}

fn constraint_name(refused: &dyn DatabaseError) -> Option<String> {
    let named = || match refused.constraint() {
        Some(name) => Some(name.to_owned()),
        None => told_by_sqlite(refused),
    };
    match refused.kind() {
        ErrorKind::UniqueViolation | ErrorKind::CheckViolation => named(),
        ErrorKind::NotNullViolation => Some("not_null".to_owned()),
        ErrorKind::ForeignKeyViolation => Some("foreign_key".to_owned()),
        // The engine's list is open; anything else is no constraint.
        _ => None,
    }
}

fn told_by_sqlite(refused: &dyn DatabaseError) -> Option<String> {
    let (_, told) = refused.message().rsplit_once("failed: ")?;
    let unique = refused.is_unique_violation();
    Some(if unique {
        unique_name(told, is_primary_key(refused))
    } else {
        told.to_owned()
    })
}

/// SQLite's `SQLITE_CONSTRAINT_PRIMARYKEY`.
fn is_primary_key(refused: &dyn DatabaseError) -> bool {
    refused.code().as_deref() == Some("1555")
}

/// `staff.store_id, staff.login` → `staff_store_id_login_key`.
fn unique_name(told: &str, primary: bool) -> String {
    let columns = told.split(", ").filter_map(|c| c.split_once('.'));
    let table = columns.clone().next().map_or(told, |(table, _)| table);
    if primary {
        return format!("{table}_pkey");
    }
    let columns: Vec<&str> = columns.map(|(_, column)| column).collect();
    format!("{table}_{}_key", columns.join("_"))
}

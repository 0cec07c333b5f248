//! Members of staff: who they are, the hash of their PIN, and wrong attempts.

use domain::id::{StaffId, StoreId};
use domain::staff::Role;
use domain::time::Time;
use uuid::Uuid;

use crate::db::{DbError, Tx, params};

/// A role as its column holds it.
#[derive(Clone, Copy, Debug)]
pub struct StoredRole(pub Role);

/// The column holds a role that this build does not know.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is no role")]
pub struct NotARole(String);

impl TryFrom<String> for StoredRole {
    type Error = NotARole;
    fn try_from(name: String) -> Result<Self, NotARole> {
        Role::named(&name).map(Self).ok_or(NotARole(name))
    }
}

/// A member of staff to be.
#[derive(Clone, Debug)]
pub struct NewStaff {
    /// The new id.
    pub id: StaffId,
    /// Where they work.
    pub store: StoreId,
    /// What they sign in as; unique in the store.
    pub login: String,
    /// Shown on tiles and receipts.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// PHC string of argon2.
    pub pin_hash: String,
}

/// What signing in needs to know.
#[derive(Debug, sqlx::FromRow)]
pub struct StaffCredentials {
    /// Their id.
    #[sqlx(try_from = "Uuid")]
    pub id: StaffId,
    /// Where they work.
    #[sqlx(try_from = "Uuid")]
    pub store_id: StoreId,
    /// PHC string of argon2.
    pub pin_hash: String,
    /// Wrong PINs since the last right one.
    pub failed_attempts: i64,
    /// No attempt is looked at before this.
    pub blocked_until: i64,
}

/// A tile of the login page.
#[derive(Debug, sqlx::FromRow)]
pub struct StaffTile {
    /// What they sign in as.
    pub login: String,
    /// Shown.
    pub name: String,
    /// Shown under it.
    #[sqlx(try_from = "String")]
    pub role: StoredRole,
}

/// Keeps a new member of staff.
///
/// # Errors
///
/// `staff_store_id_login_key` when the store has that login.
pub async fn staff_insert(tx: &mut Tx, staff: &NewStaff) -> Result<(), DbError> {
    let sql = "insert into staff (id, store_id, login, name, role, pin_hash) \
        values ($1, $2, $3, $4, $5, $6)";
    let NewStaff {
        id,
        store,
        login,
        name,
        role,
        pin_hash,
    } = staff;
    tx.execute(
        sql,
        params![*id, *store, login, name, role.name(), pin_hash],
    )
    .await?;
    Ok(())
}

/// The credentials of `login` in the store of that code.
///
/// # Errors
///
/// When the database cannot be reached.
pub async fn staff_credentials(
    tx: &mut Tx,
    store_code: &str,
    login: &str,
) -> Result<Option<StaffCredentials>, DbError> {
    let sql = "select staff.id, staff.store_id, pin_hash, failed_attempts, blocked_until \
        from staff join store on store.id = staff.store_id \
        where store.code = $1 and staff.login = $2";
    tx.fetch_optional(sql, params![store_code, login]).await
}

/// The staff of the store of that code, in the order of their roles; `None` without such a store.
///
/// # Errors
///
/// When the database cannot be reached.
pub async fn staff_tiles(tx: &mut Tx, store_code: &str) -> Result<Option<Vec<StaffTile>>, DbError> {
    let store = tx
        .fetch_optional::<(Uuid,)>("select id from store where code = $1", params![store_code])
        .await?;
    let Some((store,)) = store else {
        return Ok(None);
    };
    let sql = "select login, name, role from staff where store_id = $1 order by name, login";
    let mut tiles = tx.fetch_all::<StaffTile>(sql, params![store]).await?;
    tiles.sort_by_key(|tile| Role::ALL.iter().position(|role| *role == tile.role.0));
    Ok(Some(tiles))
}

/// Notes how many wrong PINs there are now, and until when no attempt is looked at, if that is
/// still as it was `seen`. `false`: another attempt was counted meanwhile.
///
/// # Errors
///
/// When the database cannot be reached.
pub async fn staff_attempts_set(
    tx: &mut Tx,
    seen: &StaffCredentials,
    failed_attempts: i64,
    blocked_until: Time,
) -> Result<bool, DbError> {
    let sql = "update staff set failed_attempts = $4, blocked_until = $5 \
        where id = $1 and failed_attempts = $2 and blocked_until = $3";
    let values = params![
        seen.id,
        seen.failed_attempts,
        seen.blocked_until,
        failed_attempts,
        blocked_until,
    ];
    Ok(tx.execute(sql, values).await? == 1)
}

//! Opening a store: settings, stations, floor, staff.

use domain::floor::{Table, TableState, Zone};
use domain::id::{StaffId, StationId, StoreId, TableId, ZoneId};
use domain::money::Currency;
use domain::settings::{PaymentTiming, Station, Store, Thresholds};
use domain::staff::Role;
use domain::stream::Epoch;
use domain::text::{Language, LocalText, NAME_GRAPHEMES, fits};
use domain::time::{DayCut, Time};
use serde::Serialize;
use uuid::Uuid;

use super::auth::{PinError, hash_pin};
use super::day::{NotAZone, business_day};
use crate::clock::Clock;
use crate::db::{Db, DbError, Tx};
use crate::store::floor::{table_save, zone_save};
use crate::store::restaurant::store_insert;
use crate::store::staff::{NewStaff, staff_insert};

/// The most tables of a new store.
const MAX_TABLES: u32 = 500;

/// A store to be.
#[derive(Clone, Debug)]
pub struct NewStore {
    /// In addresses: lower-case letters, digits and `-`, 1 to 40.
    pub code: String,
    /// Shown to people.
    pub name: LocalText,
    /// Of every price.
    pub currency: Currency,
    /// IANA name.
    pub time_zone: String,
    /// Of its screens.
    pub language: Language,
    /// When guests pay.
    pub payment_timing: PaymentTiming,
    /// The first is the default.
    pub stations: Vec<LocalText>,
    /// Zones with the names, seats and codes of their tables.
    pub zones: Vec<(LocalText, Vec<NewTable>)>,
    /// Who works there.
    pub staff: Vec<NewMember>,
}

/// A table to be.
#[derive(Clone, Debug)]
pub struct NewTable {
    /// `A-12`
    pub name: String,
    /// For how many.
    pub seats: u32,
    /// On its QR sticker.
    pub code: String,
}

/// A member of staff to be.
#[derive(Clone, Debug, Serialize)]
pub struct NewMember {
    /// What they sign in as.
    #[serde(rename = "staff")]
    pub login: String,
    /// Shown on tiles and tickets.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// 4 to 8 digits; kept as a hash only.
    pub pin: String,
}

/// Why a store is not opened.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The code does not fit into addresses.
    #[error("`{0}` is not a store code: 1 to 40 lower-case letters, digits or `-`")]
    Code(String),
    /// Another store has the code.
    #[error("there is a store `{0}` already")]
    Taken(String),
    /// The name is empty or too long.
    #[error("a name has 1 to 120 characters")]
    Name,
    /// None, or too many.
    #[error("a store has 1 to {MAX_TABLES} tables")]
    Tables,
    /// The time zone is unknown.
    #[error(transparent)]
    Zone(#[from] NotAZone),
    /// A PIN could not be hashed.
    #[error("a PIN could not be hashed")]
    Pin(#[from] PinError),
    /// The database failed.
    #[error("the store could not be written")]
    Db(#[from] DbError),
}

/// What the operator asks for; the rest is as usual.
#[derive(Clone, Debug)]
pub struct PlainStore {
    /// In addresses.
    pub code: String,
    /// Shown to people, in `language`.
    pub name: String,
    /// Of every price.
    pub currency: Currency,
    /// IANA name.
    pub time_zone: String,
    /// Of its screens.
    pub language: Language,
    /// How many.
    pub tables: u32,
}

impl PlainStore {
    /// One zone, one kitchen, one member of staff for each role with a random PIN of six digits.
    ///
    /// # Errors
    /// The number of tables is out of bounds.
    pub fn plan(self) -> Result<NewStore, OpeningError> {
        if self.tables == 0 || self.tables > MAX_TABLES {
            return Err(OpeningError::Tables);
        }
        let table = |number: u32| NewTable {
            name: number.to_string(),
            seats: 4,
            code: format!("{}-{number}-{:06x}", self.code, rand::random::<u32>() >> 8),
        };
        let staff = Role::ALL.map(|role| NewMember {
            login: role.name().to_owned(),
            name: role_name(role, self.language).to_owned(),
            role,
            pin: format!("{:06}", rand::random_range(0..1_000_000_u32)),
        });
        Ok(NewStore {
            zones: vec![(
                LocalText::both("홀", "Hall"),
                (1..=self.tables).map(table).collect(),
            )],
            code: self.code,
            name: LocalText::one(self.language, &self.name),
            currency: self.currency,
            time_zone: self.time_zone,
            language: self.language,
            payment_timing: PaymentTiming::Prepaid,
            stations: vec![LocalText::both("주방", "Kitchen")],
            staff: staff.to_vec(),
        })
    }
}

fn role_name(role: Role, language: Language) -> &'static str {
    match (role, language) {
        (Role::Owner, Language::Ko) => "점주",
        (Role::Owner, Language::En) => "Owner",
        (Role::Manager, Language::Ko) => "매니저",
        (Role::Manager, Language::En) => "Manager",
        (Role::Hall, Language::Ko) => "홀",
        (Role::Hall, Language::En) => "Hall",
        (Role::Counter, Language::Ko) => "카운터",
        (Role::Counter, Language::En) => "Counter",
        (Role::Kitchen, Language::Ko) => "주방",
        (Role::Kitchen, Language::En) => "Kitchen",
    }
}

/// Opens a store in a transaction of its own.
///
/// # Errors
/// [`OpeningError`]; then nothing was written.
pub async fn open_store(db: &Db, clock: &Clock, new: NewStore) -> Result<Store, OpeningError> {
    let pins = hash_pins(&new.staff).await?;
    let mut tx = db.write().await?;
    let store = open_store_in(&mut tx, clock.now(), new, pins).await?;
    tx.commit().await?;
    Ok(store)
}

/// The hash of each member's PIN: slow on purpose, so outside of any transaction.
///
/// # Errors
/// [`OpeningError::Pin`]
pub async fn hash_pins(staff: &[NewMember]) -> Result<Vec<String>, OpeningError> {
    let mut hashes = Vec::with_capacity(staff.len());
    for member in staff {
        hashes.push(hash_pin(&member.pin).await?);
    }
    Ok(hashes)
}

/// Opens a store as a part of `tx`.
///
/// # Errors
/// [`OpeningError`]
pub async fn open_store_in(
    tx: &mut Tx,
    now: Time,
    new: NewStore,
    pins: Vec<String>,
) -> Result<Store, OpeningError> {
    let fitting = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if !(1..=40).contains(&new.code.len()) || !new.code.bytes().all(fitting) {
        return Err(OpeningError::Code(new.code));
    }
    let shown = new.name.get(new.language);
    if shown.trim().is_empty() || !fits(shown, NAME_GRAPHEMES) {
        return Err(OpeningError::Name);
    }
    let (day, next_cut_at) = business_day(now, &new.time_zone, DayCut::FIVE)?;
    let stations = new
        .stations
        .into_iter()
        .enumerate()
        .map(|(index, name)| Station {
            id: StationId(Uuid::now_v7()),
            name,
            is_default: index == 0,
            thresholds: Thresholds::default(),
        });
    let store = Store {
        id: StoreId(Uuid::now_v7()),
        version: 1,
        code: new.code,
        name: new.name,
        guest_seating: true,
        hold_ttl_ms: 600_000,
        currency: new.currency,
        time_zone: new.time_zone,
        day_cut: DayCut::FIVE,
        language: new.language,
        payment_timing: new.payment_timing,
        tax_rate_permille: 100,
        stations: stations.collect(),
        business_day: day,
        next_cut_at,
    };
    match store_insert(tx, &store, new_epoch()).await {
        Err(error) if error.is_constraint("store_code_key") => {
            return Err(OpeningError::Taken(store.code));
        }
        written => written?,
    }
    furnish(tx, store.id, new.zones).await?;
    for (member, pin_hash) in new.staff.into_iter().zip(pins) {
        let staff = NewStaff {
            id: StaffId(Uuid::now_v7()),
            store: store.id,
            login: member.login,
            name: member.name,
            role: member.role,
            pin_hash,
        };
        staff_insert(tx, &staff).await?;
    }
    Ok(store)
}

/// Never 0: that is no history.
fn new_epoch() -> Epoch {
    Epoch(rand::random_range(1..=u32::MAX))
}

async fn furnish(
    tx: &mut Tx,
    store: StoreId,
    zones: Vec<(LocalText, Vec<NewTable>)>,
) -> Result<(), DbError> {
    let mut place = 0;
    for (sort, (name, tables)) in (1..).zip(zones) {
        let zone = Zone {
            id: ZoneId(Uuid::now_v7()),
            version: 1,
            name,
            sort,
        };
        zone_save(tx, store, &zone).await?;
        for table in tables {
            place += 1;
            let table = Table {
                id: TableId(Uuid::now_v7()),
                version: 1,
                zone_id: zone.id,
                name: table.name,
                seats: table.seats,
                sort: place,
                code: table.code,
                state: TableState::Free,
                party: None,
            };
            table_save(tx, store, &table).await?;
        }
    }
    Ok(())
}

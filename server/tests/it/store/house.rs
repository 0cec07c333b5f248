//! The restaurant of the stories.

use domain::floor::{Party, Table, TableState, Zone};
use domain::id::{CategoryId, MenuId, PartyId, StaffId, StoreId, TableId, ZoneId};
use domain::menu::MenuItem;
use domain::money::Amount;
use domain::staff::Role;
use domain::stream::Epoch;
use domain::text::LocalText;
use domain::time::Time;
use server::db::{Db, Tx};
use server::store::floor::{party_insert, table_save, zone_save};
use server::store::restaurant::store_insert;
use server::store::staff::{NewStaff, staff_insert};
use uuid::Uuid;

use crate::support::{Engine, Place, settings};

pub const EPOCH: Epoch = Epoch(0x9f3a_61c2);
pub const NOW: Time = Time(1_772_334_000_000);

pub struct House {
    pub db: Db,
    pub store: StoreId,
    _place: Place,
}

impl House {
    /// A database without a store; `store` is the id of the one to come.
    pub async fn empty(engine: Engine) -> Self {
        let place = Place::on(engine).await;
        Self {
            db: place.open().await,
            store: StoreId(Uuid::now_v7()),
            _place: place,
        }
    }

    /// With the store `one`.
    pub async fn open(engine: Engine) -> Self {
        let house = Self::empty(engine).await;
        house.another(house.store, "one").await;
        house
    }

    pub async fn another(&self, store: StoreId, code: &str) {
        let mut tx = self.write().await;
        let settings = settings(store, code, NOW.0);
        store_insert(&mut tx, &settings, EPOCH).await.unwrap();
        tx.commit().await.unwrap();
    }

    pub async fn write(&self) -> Tx {
        self.db.write().await.unwrap()
    }

    pub async fn read(&self) -> Tx {
        self.db.read().await.unwrap()
    }

    /// Somebody who works here.
    pub async fn member(&self, login: &str, name: &str, role: Role) -> StaffId {
        let staff = NewStaff {
            id: StaffId(Uuid::now_v7()),
            store: self.store,
            login: login.to_owned(),
            name: name.to_owned(),
            role,
            pin_hash: "hash".to_owned(),
        };
        let mut tx = self.write().await;
        staff_insert(&mut tx, &staff).await.unwrap();
        tx.commit().await.unwrap();
        staff.id
    }

    /// A table in a zone of its own, with a party.
    pub async fn seated(&self, code: &str) -> (Table, PartyId) {
        let zone = zone(1);
        let party = PartyId(Uuid::now_v7());
        let mut table = table(zone.id, code, 1);
        table.state = TableState::Seated;
        table.party = Some(Party {
            id: party,
            table_ids: vec![table.id],
            covers: None,
            seated_at: NOW,
            bill_requested_at: None,
        });
        let mut tx = self.write().await;
        zone_save(&mut tx, self.store, &zone).await.unwrap();
        party_insert(&mut tx, self.store, party).await.unwrap();
        table_save(&mut tx, self.store, &table).await.unwrap();
        tx.commit().await.unwrap();
        (table, party)
    }
}

pub fn zone(sort: i64) -> Zone {
    Zone {
        id: ZoneId(Uuid::now_v7()),
        version: 1,
        name: LocalText::both("홀", "Hall"),
        sort,
    }
}

pub fn table(zone_id: ZoneId, code: &str, sort: i64) -> Table {
    Table {
        id: TableId(Uuid::now_v7()),
        version: 1,
        zone_id,
        name: code.to_uppercase(),
        seats: 4,
        sort,
        code: code.to_owned(),
        state: TableState::Free,
        party: None,
    }
}

pub fn item(category_id: CategoryId, code: &str, sort: i64) -> MenuItem {
    MenuItem {
        id: MenuId(Uuid::now_v7()),
        version: 1,
        code: code.to_owned(),
        category_id,
        name: LocalText::both("공깃밥", "Rice"),
        description: LocalText::default(),
        price: Amount(1_000),
        station_id: None,
        sold_out: false,
        sort,
        option_groups: Vec::new(),
        stock_id: None,
        image_url: None,
    }
}

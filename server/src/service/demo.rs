//! The demo restaurant: a Korean house in Seoul with two stations.

mod menu;

use domain::id::{CategoryId, MenuId, OptionGroupId, OptionId, StationId, StockId};
use domain::menu::{Category, MenuItem, MenuOption, OptionGroup};
use domain::money::{Amount, Currency};
use domain::settings::PaymentTiming;
use domain::staff::Role;
use domain::stock::Stock;
use domain::text::{Language, LocalText};
use domain::time::Time;
use uuid::Uuid;

use super::opening::{NewMember, NewStore, NewTable, OpeningError, hash_pins, open_store_in};
use super::stock::stock_open;
use crate::clock::Clock;
use crate::db::{Db, DbError, Tx};
use crate::store::ledger::Cause;
use crate::store::menu::{category_save, item_save};
use crate::store::restaurant::store_exists;
use menu::{COUNTED, Choice, Dish, Group, MENU};

/// Its code.
pub const CODE: &str = "demo";

/// Login, name, role, PIN. For the demo only: the login page says so.
pub const STAFF: [(&str, &str, Role, &str); 5] = [
    ("owner", "김하늘", Role::Owner, "1000"),
    ("manager", "박서연", Role::Manager, "2000"),
    ("hall", "이지은", Role::Hall, "3000"),
    ("counter", "최민수", Role::Counter, "4000"),
    ("kitchen", "정태호", Role::Kitchen, "5000"),
];

/// Opens the demo restaurant when the database has no store. `false`: it has one.
///
/// # Errors
/// [`OpeningError`]; then nothing was written.
pub async fn open_demo(db: &Db, clock: &Clock) -> Result<bool, OpeningError> {
    if store_exists(&mut db.read().await?).await? {
        return Ok(false);
    }
    let new = plan();
    let pins = hash_pins(&new.staff).await?;
    let mut tx = db.write().await?;
    // Another process may have been faster, or be at it.
    if store_exists(&mut tx).await? {
        return Ok(false);
    }
    let store = match open_store_in(&mut tx, clock.now(), new, pins).await {
        Err(OpeningError::Taken(_)) => return Ok(false),
        opened => opened?,
    };
    let bar = store.stations.get(1).map(|station| station.id);
    write_menu(&mut tx, store.id, bar, clock.now()).await?;
    tx.commit().await?;
    Ok(true)
}

fn plan() -> NewStore {
    let tables = |zone: &str, count: u32| -> Vec<NewTable> {
        let lower = zone.to_lowercase();
        let seats = |number: u32| if number.is_multiple_of(3) { 6 } else { 4 };
        let table = |number| NewTable {
            name: format!("{zone}-{number}"),
            seats: seats(number),
            code: format!("{CODE}-{lower}{number}"),
        };
        (1..=count).map(table).collect()
    };
    let member = |(login, name, role, pin): (&str, &str, Role, &str)| NewMember {
        login: login.to_owned(),
        name: name.to_owned(),
        role,
        pin: pin.to_owned(),
    };
    NewStore {
        code: CODE.to_owned(),
        name: LocalText::both("한상차림 성수점", "Hansang Seongsu"),
        currency: Currency::KRW,
        time_zone: "Asia/Seoul".to_owned(),
        language: Language::Ko,
        payment_timing: PaymentTiming::Prepaid,
        stations: vec![
            LocalText::both("주방", "Kitchen"),
            LocalText::both("바", "Bar"),
        ],
        zones: vec![
            (LocalText::both("홀 A", "Hall A"), tables("A", 7)),
            (LocalText::both("홀 B", "Hall B"), tables("B", 5)),
        ],
        staff: STAFF.into_iter().map(member).collect(),
    }
}

/// What is counted, before it is known which items draw on it.
fn counted() -> Vec<Stock> {
    let row = |(ko, en, on_hand): (&str, &str, i64)| Stock {
        id: StockId(Uuid::now_v7()),
        version: 1,
        name: LocalText::both(ko, en),
        available: on_hand,
        on_hand,
        held: 0,
        menu_ids: Vec::new(),
    };
    COUNTED.into_iter().map(row).collect()
}

/// The row that a dish or a choice of this Korean name draws on.
fn drawn<'a>(rows: &'a mut [Stock], ko: &str) -> Option<&'a mut Stock> {
    rows.iter_mut().find(|row| row.name.get(Language::Ko) == ko)
}

fn count(rows: &mut [Stock], item: &mut MenuItem) {
    let id = item.id;
    let mut note = |name: &LocalText| {
        let row = drawn(rows, name.get(Language::Ko))?;
        if !row.menu_ids.contains(&id) {
            row.menu_ids.push(id);
        }
        Some(row.id)
    };
    item.stock_id = note(&item.name);
    for option in item
        .option_groups
        .iter_mut()
        .flat_map(|group| &mut group.options)
    {
        option.stock_id = note(&option.name);
    }
}

async fn write_menu(
    tx: &mut Tx,
    store: domain::id::StoreId,
    bar: Option<StationId>,
    now: Time,
) -> Result<(), DbError> {
    let mut rows = counted();
    let mut code = 100;
    for (sort, (ko, en, at_bar, dishes)) in (1..).zip(MENU) {
        let category_id = CategoryId(Uuid::now_v7());
        let name = LocalText::both(ko, en);
        category_save(
            tx,
            store,
            &Category {
                id: category_id,
                version: 1,
                name,
                sort,
            },
        )
        .await?;
        for dish in dishes {
            code += 1;
            let station_id = bar.filter(|_| at_bar);
            let mut item = item(dish, code, category_id, station_id);
            count(&mut rows, &mut item);
            item_save(tx, store, &item).await?;
        }
    }
    let cause = Cause {
        store,
        who: "demo",
        why: "opened",
        at: now,
    };
    for row in &rows {
        stock_open(tx, row, cause).await?;
    }
    Ok(())
}

fn item(
    dish: &Dish,
    code: i64,
    category_id: CategoryId,
    station_id: Option<StationId>,
) -> MenuItem {
    let about = match dish.about {
        ("", _) => LocalText::default(),
        (ko, en) => LocalText::both(ko, en),
    };
    MenuItem {
        id: MenuId(Uuid::now_v7()),
        version: 1,
        code: code.to_string(),
        category_id,
        name: LocalText::both(dish.ko, dish.en),
        description: about,
        price: Amount(dish.price),
        station_id,
        sold_out: false,
        sort: code,
        option_groups: dish
            .groups
            .iter()
            .map(|group| option_group(group))
            .collect(),
        stock_id: None,
        image_url: None,
    }
}

fn option_group(group: &Group) -> OptionGroup {
    let option = |(ko, en, delta): &Choice| MenuOption {
        id: OptionId(Uuid::now_v7()),
        name: LocalText::both(ko, en),
        price_delta: Amount(*delta),
        stock_id: None,
        stock_quantity: 1,
        sold_out: false,
    };
    OptionGroup {
        id: OptionGroupId(Uuid::now_v7()),
        name: LocalText::both(group.name.0, group.name.1),
        min: group.bounds.0,
        max: group.bounds.1,
        options: group.choices.iter().map(option).collect(),
    }
}

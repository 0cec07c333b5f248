//! The demo restaurant: a Korean house in Seoul with two stations.

use domain::id::{CategoryId, MenuId, OptionGroupId, OptionId, StationId};
use domain::menu::{Category, MenuItem, MenuOption, OptionGroup};
use domain::money::{Amount, Currency};
use domain::settings::PaymentTiming;
use domain::staff::Role;
use domain::text::{Language, LocalText};
use uuid::Uuid;

use super::opening::{NewMember, NewStore, NewTable, OpeningError, hash_pins, open_store_in};
use crate::clock::Clock;
use crate::db::{Db, DbError, Tx};
use crate::store::menu::{category_save, item_save};
use crate::store::restaurant::store_exists;

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

type Choice = (&'static str, &'static str, i64);

struct Group {
    name: (&'static str, &'static str),
    bounds: (u32, u32),
    choices: &'static [Choice],
}

const SPICE: Group = Group {
    name: ("맵기", "Spiciness"),
    bounds: (1, 1),
    choices: &[
        ("순한맛", "Mild", 0),
        ("보통맛", "Medium", 0),
        ("매운맛", "Hot", 0),
    ],
};
const STEW_EXTRAS: Group = Group {
    name: ("추가", "Extras"),
    bounds: (0, 4),
    choices: &[
        ("공깃밥 추가", "Extra rice", 1_000),
        ("두부 추가", "Extra tofu", 1_500),
        ("라면사리", "Ramen noodles", 2_000),
        ("계란 추가", "Extra egg", 1_000),
    ],
};
const PORTION: Group = Group {
    name: ("크기", "Size"),
    bounds: (1, 1),
    choices: &[("보통", "Regular", 0), ("특대", "Large", 3_500)],
};
const NOODLE_EXTRAS: Group = Group {
    name: ("추가", "Extras"),
    bounds: (0, 2),
    choices: &[
        ("바지락 추가", "Extra clams", 3_000),
        ("면 추가", "Extra noodles", 2_000),
    ],
};
const GRILL_EXTRAS: Group = Group {
    name: ("곁들임", "Sides"),
    bounds: (0, 3),
    choices: &[
        ("쌈 채소 추가", "Extra lettuce wraps", 2_000),
        ("버섯 추가", "Extra mushrooms", 3_000),
        ("된장찌개 추가", "Small soybean stew", 3_000),
    ],
};
const ICE: Group = Group {
    name: ("얼음", "Ice"),
    bounds: (1, 1),
    choices: &[("얼음 보통", "Regular ice", 0), ("얼음 없이", "No ice", 0)],
};

struct Dish {
    ko: &'static str,
    en: &'static str,
    about: (&'static str, &'static str),
    price: i64,
    groups: &'static [&'static Group],
}

const fn dish(
    ko: &'static str,
    en: &'static str,
    price: i64,
    about: (&'static str, &'static str),
    groups: &'static [&'static Group],
) -> Dish {
    Dish {
        ko,
        en,
        about,
        price,
        groups,
    }
}

/// A category and whether the bar makes it.
const MENU: [(&str, &str, bool, &[Dish]); 5] = [
    (
        "찌개·탕",
        "Stews",
        false,
        &[
            dish(
                "김치찌개",
                "Kimchi stew",
                9_900,
                ("묵은지와 돼지고기", "Aged kimchi and pork"),
                &[&SPICE, &STEW_EXTRAS],
            ),
            dish(
                "차돌박이 된장찌개",
                "Beef brisket soybean stew",
                10_000,
                ("집된장과 차돌박이", "House soybean paste, brisket"),
                &[&PORTION, &STEW_EXTRAS],
            ),
            dish(
                "순두부찌개",
                "Soft tofu stew",
                9_500,
                ("바지락과 순두부", "Clams and soft tofu"),
                &[&SPICE, &STEW_EXTRAS],
            ),
            dish(
                "부대찌개",
                "Army stew",
                11_000,
                ("햄, 소시지, 라면사리", "Ham, sausage, noodles"),
                &[&SPICE, &STEW_EXTRAS],
            ),
            dish(
                "갈비탕",
                "Short rib soup",
                14_000,
                ("맑은 국물에 갈비", "Clear broth with short ribs"),
                &[&PORTION],
            ),
            dish(
                "육개장",
                "Spicy beef soup",
                11_000,
                ("양지와 고사리", "Brisket and fernbrake"),
                &[&SPICE],
            ),
        ],
    ),
    (
        "구이·볶음",
        "Grill",
        false,
        &[
            dish(
                "삼겹살 (200g)",
                "Pork belly (200g)",
                16_000,
                ("국내산 생삼겹", "Fresh Korean pork belly"),
                &[&GRILL_EXTRAS],
            ),
            dish(
                "돼지갈비 (250g)",
                "Marinated pork ribs (250g)",
                17_000,
                ("간장 양념 갈비", "Soy-marinated ribs"),
                &[&GRILL_EXTRAS],
            ),
            dish(
                "제육볶음",
                "Spicy pork stir-fry",
                12_000,
                ("고추장 양념 돼지고기", "Pork in chili paste"),
                &[&SPICE],
            ),
            dish(
                "불고기",
                "Bulgogi",
                15_000,
                ("간장 양념 소고기", "Soy-marinated beef"),
                &[&PORTION],
            ),
            dish(
                "오징어볶음",
                "Spicy squid",
                13_000,
                ("불맛 오징어", "Wok-fired squid"),
                &[&SPICE],
            ),
            dish(
                "고등어구이",
                "Grilled mackerel",
                11_000,
                ("소금구이", "Salt-grilled"),
                &[],
            ),
        ],
    ),
    (
        "면·밥",
        "Noodles & rice",
        false,
        &[
            dish(
                "막걸리 칼국수",
                "Knife-cut noodles",
                9_000,
                ("바지락 육수", "Clam broth"),
                &[&NOODLE_EXTRAS],
            ),
            dish(
                "비빔냉면",
                "Spicy cold noodles",
                10_000,
                ("매콤한 양념", "Chili sauce"),
                &[&PORTION],
            ),
            dish(
                "물냉면",
                "Cold noodles in broth",
                10_000,
                ("동치미 육수", "Radish-water broth"),
                &[&PORTION],
            ),
            dish(
                "돌솥비빔밥",
                "Stone pot bibimbap",
                10_500,
                ("나물과 계란", "Vegetables and egg"),
                &[&SPICE],
            ),
            dish("공깃밥", "Rice", 1_000, ("", ""), &[]),
        ],
    ),
    (
        "전·안주",
        "Pancakes & sides",
        false,
        &[
            dish(
                "해물파전",
                "Seafood pancake",
                16_000,
                ("오징어, 새우, 쪽파", "Squid, shrimp, scallions"),
                &[],
            ),
            dish(
                "김치전",
                "Kimchi pancake",
                12_000,
                ("바삭한 김치전", "Crisp and sour"),
                &[],
            ),
            dish(
                "계란말이",
                "Rolled omelette",
                9_000,
                ("치즈 선택 가능", "Five eggs"),
                &[],
            ),
            dish(
                "도토리묵무침",
                "Acorn jelly salad",
                11_000,
                ("참기름 양념", "Sesame dressing"),
                &[],
            ),
        ],
    ),
    (
        "음료·주류",
        "Drinks",
        true,
        &[
            dish("콜라", "Cola", 2_000, ("355 ml", "355 ml"), &[&ICE]),
            dish(
                "사이다",
                "Lemon-lime soda",
                2_000,
                ("355 ml", "355 ml"),
                &[&ICE],
            ),
            dish(
                "식혜",
                "Sweet rice drink",
                3_000,
                ("직접 담근 식혜", "Made here"),
                &[],
            ),
            dish("막걸리", "Makgeolli", 5_000, ("750 ml", "750 ml"), &[]),
            dish("소주", "Soju", 5_000, ("360 ml", "360 ml"), &[]),
            dish("생맥주 500cc", "Draft beer 500 ml", 5_000, ("", ""), &[]),
        ],
    ),
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
    // Another process may have been faster.
    if store_exists(&mut tx).await? {
        return Ok(false);
    }
    let store = open_store_in(&mut tx, clock.now(), new, pins).await?;
    let bar = store.stations.get(1).map(|station| station.id);
    write_menu(&mut tx, store.id, bar).await?;
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

async fn write_menu(
    tx: &mut Tx,
    store: domain::id::StoreId,
    bar: Option<StationId>,
) -> Result<(), DbError> {
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
            item_save(tx, store, &item(dish, code, category_id, station_id)).await?;
        }
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

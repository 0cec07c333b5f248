//! The demo restaurant's menu.

/// Korean, English, price difference.
pub(super) type Choice = (&'static str, &'static str, i64);

/// Choices of a dish.
pub(super) struct Group {
    pub(super) name: (&'static str, &'static str),
    pub(super) bounds: (u32, u32),
    pub(super) choices: &'static [Choice],
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

/// A dish.
pub(super) struct Dish {
    pub(super) ko: &'static str,
    pub(super) en: &'static str,
    pub(super) about: (&'static str, &'static str),
    pub(super) price: i64,
    pub(super) groups: &'static [&'static Group],
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

/// Dishes and choices of which there are only so many, by their Korean names.
pub(super) const COUNTED: [(&str, &str, i64); 4] = [
    ("갈비탕", "Short rib soup", 30),
    ("도토리묵무침", "Acorn jelly salad", 8),
    ("식혜", "Sweet rice drink", 20),
    ("라면사리", "Ramen noodles", 40),
];

/// A category and whether the bar makes it.
pub(super) const MENU: [(&str, &str, bool, &[Dish]); 5] = [
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

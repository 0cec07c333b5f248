use std::collections::BTreeMap;

use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::id::{CategoryId, OptionGroupId, OptionId};
use crate::menu::{MenuItem, MenuOption, OptionGroup};
use crate::money::Amount;
use crate::time::Time;

fn stock_id(n: u128) -> StockId {
    StockId(Uuid::from_u128(n))
}

fn menu_id(n: u128) -> MenuId {
    MenuId(Uuid::from_u128(100 + n))
}

fn option_id(n: u128) -> OptionId {
    OptionId(Uuid::from_u128(200 + n))
}

fn option(n: u128, stock: Option<u128>, units: u32) -> MenuOption {
    MenuOption {
        id: option_id(n),
        name: LocalText::both("추가", "Extra"),
        price_delta: Amount(0),
        stock_id: stock.map(stock_id),
        stock_quantity: units,
        sold_out: n == 9,
    }
}

fn item(n: u128, stock: Option<u128>, options: Vec<MenuOption>) -> MenuItem {
    let group = OptionGroup {
        id: OptionGroupId(Uuid::from_u128(300 + n)),
        name: LocalText::both("추가", "Extras"),
        min: 0,
        max: 9,
        options,
    };
    MenuItem {
        id: menu_id(n),
        version: 1,
        code: format!("M{n}"),
        category_id: CategoryId(Uuid::from_u128(1)),
        name: LocalText::both("갈비", "Ribs"),
        description: LocalText::default(),
        price: Amount(1_000),
        station_id: None,
        sold_out: n == 4,
        sort: 1,
        option_groups: vec![group],
        stock_id: stock.map(stock_id),
        image_url: None,
    }
}

/// 1 draws on A, 2 on B, 3 on nothing but by its options, 4 is sold out.
fn menu() -> BTreeMap<MenuId, MenuItem> {
    let items = [
        item(
            1,
            Some(1),
            vec![option(1, Some(1), 2), option(2, Some(2), 3)],
        ),
        item(2, Some(2), vec![]),
        item(
            3,
            None,
            vec![
                option(3, Some(1), 5),
                option(4, None, 1),
                option(9, None, 1),
            ],
        ),
        item(4, Some(1), vec![]),
        item(5, Some(3), vec![option(5, Some(3), u32::MAX)]),
    ];
    items.into_iter().map(|item| (item.id, item)).collect()
}

fn line(item: u128, quantity: i64, options: &[u128]) -> HoldLine {
    HoldLine {
        menu_id: menu_id(item),
        option_ids: options.iter().copied().map(option_id).collect(),
        quantity,
    }
}

fn rows(lines: &[HoldLine]) -> Vec<(StockId, u32, Vec<usize>)> {
    let demand = Demand::of(lines, &menu()).unwrap();
    let rows = demand.rows().into_iter();
    rows.map(|(id, row)| (id, row.quantity, row.from)).collect()
}

fn bad(lines: &[HoldLine]) -> Vec<BadHoldLine> {
    match Demand::of(lines, &menu()) {
        Err(NotHeld::Bad(bad)) => bad,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_same_thing_on_two_lines_is_one_row() {
    let (one, other) = (
        rows(&[line(1, 3, &[]), line(1, 3, &[])]),
        (stock_id(1), 6, vec![0, 1]),
    );
    assert_eq!(one, [other]);
}

#[test]
fn options_draw_on_their_rows_for_each_portion() {
    let found = rows(&[line(2, 1, &[]), line(1, 2, &[1, 2]), line(3, 1, &[3, 4])]);
    let wanted = [
        // 2 portions and 2 × 2 of the option, and 5 of another item's.
        (stock_id(1), 11, vec![1, 2]),
        (stock_id(2), 7, vec![0, 1]),
    ];
    assert_eq!(found, wanted);
}

#[test]
fn what_is_not_counted_draws_on_nothing() {
    assert!(rows(&[line(3, 999, &[4])]).is_empty());
}

// Trial C58.
#[rstest::rstest]
#[case(&[line(1, 2, &[]), line(2, -3, &[])], BadHoldLine::Quantity(1))]
#[case(&[line(1, 0, &[])], BadHoldLine::Quantity(0))]
#[case(&[line(1, 5, &[]), line(1, -4, &[])], BadHoldLine::Quantity(1))]
#[case(&[], BadHoldLine::LineCount)]
// Trial C59.
#[case(&[line(1, 2_147_483_647, &[]), line(1, 1, &[])], BadHoldLine::Quantity(0))]
#[case(&[line(1, 4_294_967_296, &[])], BadHoldLine::Quantity(0))]
#[case(&[line(1, i64::MAX, &[])], BadHoldLine::Quantity(0))]
#[case(&[line(1, 10_000_000_000, &[])], BadHoldLine::Quantity(0))]
#[case(&[line(1, 1, &[1, 1])], BadHoldLine::OptionTwice(0))]
#[case(&[line(2, 1, &[]), line(2, 1, &[1])], BadHoldLine::OptionNotInItem(1))]
#[case(&[line(5, 1, &[5])], BadHoldLine::TooMany(0))]
#[case(&[line(3, 999, &[3]), line(3, 999, &[3]), line(3, 2, &[3])], BadHoldLine::TooMany(2))]
fn a_line_that_is_wrong_by_itself_is_named(#[case] lines: &[HoldLine], #[case] wrong: BadHoldLine) {
    assert_eq!(bad(lines), [wrong]);
}

#[test]
fn merged_over_the_bound_names_the_line_that_goes_over() {
    let mut lines = vec![line(1, 999, &[]); 10];
    assert_eq!(rows(&lines)[0].1, 9_990);
    lines.push(line(1, 10, &[]));
    assert_eq!(bad(&lines), [BadHoldLine::TooMany(10)]);
    assert!(Demand::check(&lines).is_err(), "without the menu");
    assert_eq!(bad(&vec![line(1, 1, &[]); 101]), [BadHoldLine::LineCount]);
}

#[test]
fn unknown_and_sold_out_are_named_with_every_line_that_asks() {
    let lines = [
        line(1, 3, &[]),
        line(77, 2, &[]),
        line(4, 1, &[]),
        line(77, 1, &[]),
    ];
    let Err(NotHeld::Absent(absent, rest)) = Demand::of(&lines, &menu()) else {
        panic!("held");
    };
    assert_eq!(rest.rows().len(), 1);
    let shorts = Short::of_absent(&absent);
    assert_eq!(shorts.len(), 2);
    let (ghost, gone) = (&shorts[0], &shorts[1]);
    assert_eq!(
        (ghost.reason, ghost.requested, ghost.short_by),
        (Reason::Unknown, 3, 3)
    );
    assert_eq!(
        (ghost.from.as_slice(), ghost.menu_id),
        (&[1, 3][..], Some(menu_id(77)))
    );
    assert_eq!(
        (gone.reason, gone.from.as_slice()),
        (Reason::Unavailable, &[2][..])
    );
    let option = Demand::of(&[line(3, 1, &[9])], &menu());
    assert!(matches!(option, Err(NotHeld::Absent(..))), "{option:?}");
}

#[test]
fn guests_are_told_up_to_nine_and_sums_still_fit() {
    let short = Short::of_stock(stock_id(1), None, 20, 15, Reason::Short, vec![0]);
    assert_eq!((short.available, short.short_by), (15, 5));
    let shown = short.for_guests();
    assert_eq!((shown.available, shown.short_by), (9, 11));
    let gone = Short::of_stock(stock_id(1), None, 2, 15, Reason::Unavailable, vec![0]);
    assert_eq!((gone.available, gone.short_by), (0, 2));
}

const NOW: Time = Time(1_770_000_000_000);
const MINUTE: i64 = 60_000;

#[rstest::rstest]
#[case(10 * MINUTE, None, Ok(10 * MINUTE))]
#[case(10 * MINUTE, Some(1_000), Ok(1_000))]
#[case(10 * MINUTE, Some(30 * MINUTE), Ok(10 * MINUTE))]
#[case(0, None, Ok(MINUTE))]
#[case(i64::MAX, None, Ok(30 * MINUTE))]
#[case(10 * MINUTE, Some(999), Err(BadTtl))]
#[case(10 * MINUTE, Some(-1), Err(BadTtl))]
#[case(10 * MINUTE, Some(i64::MAX), Err(BadTtl))]
fn a_time_to_live_is_the_stores_or_shorter(
    #[case] store: i64,
    #[case] wanted: Option<i64>,
    #[case] ms: Result<i64, BadTtl>,
) {
    assert_eq!(ttl(store, wanted), ms);
}

#[test]
fn a_hold_is_extended_once_and_only_in_time() {
    let life = Life::begin(NOW, 10 * MINUTE);
    let last = life.expires_at.plus(-1);
    let until = life.extended(last).unwrap();
    assert_eq!(until, NOW.plus(20 * MINUTE));
    assert_eq!(life.extended(life.expires_at), None);
    let extended = Life {
        expires_at: until,
        ..life
    };
    assert_eq!(extended.extended(last), None);
}

#[test]
fn every_end_is_known_for_every_status() {
    use HoldStatus::{Confirmed, Expired, Held, Pending, Rejected, Released};
    let ends = |success| HoldStatus::ALL.map(|status| (status, settle(status, success)));
    let confirming = [
        (Pending, End::Never),
        (Held, End::Late),
        (Confirmed, End::Already),
        (Released, End::Never),
        (Expired, End::Late),
        (Rejected, End::Never),
    ];
    assert_eq!(ends(true), confirming);
    let failing = [
        (Pending, End::Never),
        (Held, End::Never),
        (Confirmed, End::Sold),
        (Released, End::Already),
        (Expired, End::Already),
        (Rejected, End::Already),
    ];
    assert_eq!(ends(false), failing);
    for status in HoldStatus::ALL {
        assert_eq!(HoldStatus::parse(status.name()), Some(status));
    }
    assert_eq!(HoldStatus::parse("gone"), None);
}

fn any_lines() -> impl Strategy<Value = Vec<HoldLine>> {
    let options = prop::sample::subsequence(vec![1_u128, 2, 3, 4, 5], 0..=2);
    let line = (1..7_u128, -2..1_200_i64, options).prop_map(|(n, q, o)| line(n, q, &o));
    prop::collection::vec(line, 0..14)
}

#[test]
fn a_hold_in_place_of_one_that_is_over_begins_a_life_of_its_own() {
    let old = Life::begin(NOW, *TTL.end());
    let last = old.expires_at.plus(-1);
    assert_eq!(old.succeed(last, 1_000).started_at, NOW);
    for over in [old.expires_at, NOW.plus(3 * LONGEST)] {
        let new = old.succeed(over, 1_000);
        assert_eq!(new, Life::begin(over, 1_000));
        assert!(!new.is_over(over));
    }
}

proptest! {
    #[test]
    fn no_demand_is_negative_or_over_the_bound_and_all_of_it_comes_from_its_lines(
        lines in any_lines(),
    ) {
        let demand = match Demand::of(&lines, &menu()) {
            Ok(demand) | Err(NotHeld::Absent(_, demand)) => demand,
            Err(NotHeld::Bad(bad)) => {
                prop_assert!(!bad.is_empty());
                return Ok(());
            }
        };
        prop_assert!(lines.iter().all(|line| (1..=999).contains(&line.quantity)));
        let mut sum = 0;
        for row in demand.rows().values() {
            prop_assert!((1..=MAX_MERGED).contains(&row.quantity));
            prop_assert!(row.from.windows(2).all(|pair| pair[0] < pair[1]));
            sum += row.quantity;
        }
        prop_assert_eq!(sum, demand.units().iter().map(|units| units.quantity).sum::<u32>());
    }

    #[test]
    fn content_does_not_depend_on_the_order_of_lines(lines in any_lines(), turn in 0..14_usize) {
        let Ok(demand) = Demand::of(&lines, &menu()) else { return Ok(()) };
        let mut turned = lines.clone();
        turned.rotate_left(turn % lines.len());
        let turned = Demand::of(&turned, &menu()).unwrap();
        prop_assert_eq!(demand.content(), turned.content());
        let mut more = lines;
        more.push(line(1, 1, &[]));
        if let Ok(more) = Demand::of(&more, &menu()) {
            prop_assert_ne!(demand.content(), more.content());
        }
    }

    #[test]
    fn no_chain_of_holds_outlives_two_hours(
        ttls in prop::collection::vec((1_000..=30 * MINUTE, 0..40 * MINUTE), 1..20),
    ) {
        let mut now = NOW;
        let mut life = Life::begin(now, ttls[0].0);
        for (ttl, pause) in ttls {
            now = now.plus(pause);
            if life.is_over(now) {
                break;
            }
            if let Some(until) = life.extended(now) {
                prop_assert!(until.since(life.expires_at) <= EXTENSION);
                life.expires_at = until;
            }
            life = life.succeed(now, ttl);
            prop_assert!(life.expires_at > now, "born expired");
            prop_assert!(life.max_until <= NOW.plus(LONGEST));
        }
    }
}

fn shelf(rows: &[(u128, i64)]) -> Shelf {
    Shelf::of(rows.iter().map(|(row, left)| (stock_id(*row), *left)))
}

#[test]
fn what_is_left_is_told_when_it_is_little_or_nothing() {
    let plain = item(1, Some(1), Vec::new());
    let left = |units| shelf(&[(1, units)]).left(&plain);
    let told = [9, 6, 5, 1, 0, -1].map(left);
    assert_eq!(
        told,
        [
            Left::Enough,
            Left::Enough,
            Left::Few(5),
            Left::Few(1),
            Left::Nothing,
            Left::Nothing
        ]
    );
    assert_eq!(shelf(&[]).left(&plain), Left::Enough, "not known");
    let marked = item(4, None, Vec::new());
    assert_eq!(shelf(&[]).left(&marked), Left::Nothing, "sold out by hand");
}

#[test]
fn a_choice_that_must_be_made_bounds_what_is_left() {
    let mut sized = item(1, None, vec![option(1, Some(1), 1), option(2, Some(2), 2)]);
    sized.option_groups[0].min = 1;
    let left = |one, two| shelf(&[(1, one), (2, two)]).left(&sized);
    assert_eq!(left(2, 4), Left::Few(4), "2 of the one, 2 of the other");
    assert_eq!(left(0, 3), Left::Few(1));
    assert_eq!(left(0, 1), Left::Nothing, "a portion takes two");
    assert_eq!(left(9, 9), Left::Enough);
    // Where one choice is not counted, nothing bounds it; where none must be made, neither.
    assert_eq!(shelf(&[(1, 1)]).left(&sized), Left::Enough);
    sized.option_groups[0].min = 0;
    assert_eq!(shelf(&[(1, 0), (2, 0)]).left(&sized), Left::Enough);
}

#[test]
fn portions_are_bounded_by_whatever_runs_out_first_and_taking_leaves_the_rest() {
    let dish = item(
        1,
        Some(1),
        vec![option(1, Some(2), 2), option(2, Some(1), 1)],
    );
    let mut rest = shelf(&[(1, 7), (2, 5)]);
    assert_eq!(rest.portions(&dish, &[]), Some(7));
    assert_eq!(rest.portions(&dish, &[option_id(1)]), Some(2));
    assert_eq!(
        rest.portions(&dish, &[option_id(2)]),
        Some(3),
        "two of row 1 each"
    );
    rest.take(&dish, &[option_id(1)], 2);
    assert_eq!(rest, shelf(&[(1, 5), (2, 1)]));
    assert!(!rest.has(&dish.option_groups[0].options[0]));
    rest.set(stock_id(2), 2);
    assert!(rest.has(&dish.option_groups[0].options[0]));
    assert_eq!(shelf(&[]).portions(&dish, &[]), None);
}

#[test]
fn for_guests_the_most_they_see_stands_for_as_many_or_more() {
    let plain = item(1, Some(1), Vec::new());
    let of = |left| Shelf::of_guests([(stock_id(1), left)]).portions(&plain, &[]);
    assert_eq!((of(8), of(GUESTS_SEE)), (Some(8), None));
}

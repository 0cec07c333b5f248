use rstest::rstest;

use super::*;
use crate::id::{OptionGroupId, OptionId};
use crate::menu::{BadChoice, MenuOption, OptionGroup};
use crate::money::MAX_AMOUNT;

fn enter(wanted: &[Wanted]) -> Result<Vec<Line>, BadOrder> {
    enter_from(&menu(), wanted)
}

fn enter_from(
    items: &BTreeMap<MenuId, MenuItem>,
    wanted: &[Wanted],
) -> Result<Vec<Line>, BadOrder> {
    let entry = ItemFor {
        items,
        default_station: STATION,
        now: NOW,
    };
    let mut next = 0;
    entry.lines(wanted, || {
        next += 1;
        line_id(next)
    })
}

fn errors(result: Result<Vec<Line>, BadOrder>) -> Vec<(usize, BadLine)> {
    match result {
        Err(BadOrder::Lines(errors)) => errors.into_iter().map(|e| (e.index, e.error)).collect(),
        other => panic!("not refused by line: {other:?}"),
    }
}

// Trials C58 and C59.
#[rstest]
#[case(0)]
#[case(-3)]
#[case(1_000)]
#[case(2_147_483_647)]
#[case(4_294_967_296)]
#[case(4_294_967_297)]
#[case(931_653_741_096_443)]
#[case(i64::MAX)]
#[case(i64::MIN)]
fn a_quantity_out_of_bounds_is_refused_and_its_line_named(#[case] quantity: i64) {
    let result = enter(&[wanted(1, 2), wanted(2, quantity)]);
    assert_eq!(errors(result), [(1, BadLine::Quantity)]);
}

#[test]
fn lines_are_checked_before_they_could_be_merged() {
    let result = enter(&[wanted(1, 5), wanted(1, -4)]);
    assert_eq!(errors(result), [(1, BadLine::Quantity)]);
    let lines = enter(&[wanted(1, 5), wanted(1, 4)]).unwrap();
    assert_eq!(lines.len(), 2, "each line stays a line");
}

#[test]
fn every_bad_line_is_named_not_the_first_only() {
    let long = Wanted {
        note: "가".repeat(501),
        ..wanted(1, 1)
    };
    let allergy = Wanted {
        allergy: "가".repeat(501),
        ..wanted(1, 1)
    };
    let result = enter(&[long, wanted(1, 1), wanted(66, 1), allergy, wanted(2, 0)]);
    let expected = [
        (0, BadLine::NoteTooLong),
        (2, BadLine::UnknownItem),
        (3, BadLine::AllergyTooLong),
        (4, BadLine::Quantity),
    ];
    assert_eq!(errors(result), expected);
}

#[test]
fn an_order_has_one_to_a_hundred_lines() {
    assert_eq!(enter(&[]), Err(BadOrder::LineCount));
    let hundred = vec![wanted(2, 1); 100];
    assert_eq!(enter(&hundred).map(|lines| lines.len()), Ok(100));
    let more = vec![wanted(2, 1); 101];
    assert_eq!(enter(&more), Err(BadOrder::LineCount));
    let mut order = unpaid(&[(1, 1); 99]);
    let two = lines(200, &[(2, 1), (2, 1)], NOW);
    let refused = order.add_lines(two, PaymentTiming::Prepaid, NOW);
    assert_eq!(refused, Ok(Err(BadOrder::LineCount)));
}

fn with_options() -> BTreeMap<MenuId, MenuItem> {
    let option = |n: u128, delta: i64| MenuOption {
        id: OptionId(Uuid::from_u128(n)),
        name: LocalText::both("곱빼기", "Large"),
        price_delta: Amount(delta),
        stock_id: None,
        stock_quantity: 1,
        sold_out: n == 3,
    };
    let mut items = menu();
    let item = items.get_mut(&menu_id(1)).unwrap();
    item.option_groups = vec![OptionGroup {
        id: OptionGroupId(Uuid::from_u128(1)),
        name: LocalText::both("크기", "Size"),
        min: 1,
        max: 1,
        options: vec![option(1, 2_000), option(2, -20_000), option(3, 0)],
    }];
    items
}

fn choosing(options: &[u128]) -> Wanted {
    Wanted {
        option_ids: options
            .iter()
            .map(|n| OptionId(Uuid::from_u128(*n)))
            .collect(),
        ..wanted(1, 2)
    }
}

#[test]
fn options_change_the_amount_and_are_copied_to_the_line() {
    let lines = enter_from(&with_options(), &[choosing(&[1])]).unwrap();
    assert_eq!(lines[0].amount, Amount((9_900 + 2_000) * 2));
    assert_eq!(lines[0].options[0].price_delta, Amount(2_000));
    assert_eq!(lines[0].unit_price, Amount(9_900));
}

#[test]
fn options_that_do_not_go_with_the_item_are_refused() {
    let id = |n: u128| OptionId(Uuid::from_u128(n));
    let refused = |options: &[u128]| {
        let result = enter_from(&with_options(), &[choosing(options)]);
        errors(result).remove(0).1
    };
    assert_eq!(
        refused(&[9, 1]),
        BadLine::Choice(BadChoice::NotInItem(id(9)))
    );
    assert_eq!(refused(&[1, 1]), BadLine::Choice(BadChoice::Twice(id(1))));
    assert_eq!(refused(&[3]), BadLine::Choice(BadChoice::SoldOut(id(3))));
    for options in [&[][..], &[1, 2]] {
        assert!(matches!(
            refused(options),
            BadLine::Choice(BadChoice::Count { .. })
        ));
    }
    assert_eq!(refused(&[2]), BadLine::Amount, "below zero");
}

#[test]
fn what_is_sold_out_is_not_ordered() {
    let mut items = menu();
    items.get_mut(&menu_id(1)).unwrap().sold_out = true;
    let result = enter_from(&items, &[wanted(1, 1), wanted(2, 1)]);
    assert_eq!(errors(result), [(0, BadLine::SoldOut)]);
}

#[test]
fn a_total_beyond_the_bound_is_refused_and_never_wraps() {
    let mut items = menu();
    items.get_mut(&menu_id(1)).unwrap().price = MAX_AMOUNT;
    assert_eq!(
        errors(enter_from(&items, &[wanted(1, 999)])),
        [(0, BadLine::Amount)]
    );
    let dear = enter_from(&items, &[wanted(1, 1)]).unwrap();
    let more = enter_from(&items, &[wanted(1, 1), wanted(1, 1)]).unwrap();
    let new = || new_order(PaymentTiming::Prepaid);
    assert_eq!(
        Order::place(new(), more.clone(), NOW).map(drop),
        Err(BadOrder::Total)
    );
    let (mut order, _) = Order::place(new(), dear, NOW).unwrap();
    let before = order.clone();
    let cola = lines(50, &[(2, 1)], NOW);
    let refused = order.add_lines(cola, PaymentTiming::Prepaid, NOW);
    assert_eq!(refused, Ok(Err(BadOrder::Total)));
    let refused = order.add_lines(more, PaymentTiming::Prepaid, NOW);
    assert_eq!(refused, Ok(Err(BadOrder::Total)));
    assert_eq!(order, before);
}

#[test]
fn a_note_over_the_limit_is_refused() {
    let new = NewOrder {
        note: "가".repeat(501),
        ..new_order(PaymentTiming::Prepaid)
    };
    let refused = Order::place(new, lines(1, &[(1, 1)], NOW), NOW);
    assert_eq!(refused.map(drop), Err(BadOrder::NoteTooLong));
}

#[test]
fn a_prepaid_order_waits_and_a_postpaid_one_fires() {
    use crate::event::EventType as E;
    let prepaid = new_order(PaymentTiming::Prepaid);
    let (order, happened) = Order::place(prepaid, lines(1, &[(1, 1)], NOW), NOW).unwrap();
    assert_eq!(happened, [E::HallPayment]);
    assert!(order.payment_due && !order.is_fired());
    let postpaid = new_order(PaymentTiming::Postpaid);
    let (order, happened) = Order::place(postpaid, lines(1, &[(1, 1)], NOW), NOW).unwrap();
    assert_eq!(happened, [E::KitchenCook]);
    assert!(!order.payment_due && order.is_fired());
}

#[test]
fn added_lines_join_only_an_order_that_awaits_payment() {
    use crate::event::EventType as E;
    let cola = || lines(50, &[(2, 1)], NOW);
    let mut order = unpaid(&[(1, 1)]);
    let joined = order.add_lines(cola(), PaymentTiming::Prepaid, NOW);
    assert_eq!(joined, Ok(Ok(vec![E::OrderChanged])));
    assert_eq!((order.total, order.version), (Amount(11_900), 2));
    order.confirm(Tender::Card, true, NOW).unwrap();
    let refused = order.add_lines(cola(), PaymentTiming::Prepaid, NOW);
    assert_eq!(refused, Err(Refused::InvalidTransition));
}

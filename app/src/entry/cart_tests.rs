#![cfg(test)]

use super::*;
use crate::entry::fixture::{cola, id, menu, option_id, stew, stock_id, stocked};

fn line(item: &MenuItem, options: &[u128]) -> CartLine {
    CartLine::one(item, options.iter().copied().map(option_id).collect())
}

fn cart(lines: &[CartLine]) -> Cart {
    let mut cart = Cart::default();
    for line in lines {
        assert!(cart.add(line.clone()));
    }
    cart
}

#[test]
fn the_same_choice_counts_up_and_another_is_a_line_of_its_own() {
    let item = stew(1);
    let noted = CartLine {
        note: "덜 맵게".to_owned(),
        ..line(&item, &[11])
    };
    let careful = CartLine {
        allergy: "땅콩".to_owned(),
        ..line(&item, &[11])
    };
    let cart = cart(&[
        line(&item, &[11]),
        line(&item, &[11]),
        line(&item, &[12]),
        noted.clone(),
        careful,
        noted,
    ]);
    let quantities: Vec<u32> = cart.lines().iter().map(|line| line.quantity).collect();
    assert_eq!(quantities, [2, 1, 2, 1]);
    assert_eq!((cart.count(), cart.count_of(id(1))), (6, 6));
    assert_eq!(cart.count_of(id(2)), 0);
}

#[test]
fn a_quantity_stays_within_what_the_server_takes() {
    let mut cart = cart(&[line(&cola(1), &[])]);
    cart.set_quantity(0, 0);
    assert_eq!(cart.count(), 1);
    cart.set_quantity(0, 1_000_000);
    assert_eq!(cart.count(), 999);
    assert!(cart.add(line(&cola(1), &[])));
    assert_eq!(cart.count(), 999);
    cart.set_quantity(7, 3);
    cart.remove(7);
    assert_eq!(cart.lines().len(), 1);
}

#[test]
fn the_hundred_and_first_line_is_refused_but_more_of_a_known_one_is_not() {
    let items: Vec<MenuItem> = (1..=101).map(cola).collect();
    let mut cart = cart(
        &items[..100]
            .iter()
            .map(|i| line(i, &[]))
            .collect::<Vec<_>>(),
    );
    assert!(!cart.add(line(&items[100], &[])));
    assert!(cart.add(line(&items[0], &[])));
    assert_eq!((cart.lines().len(), cart.count()), (100, 101));
}

#[test]
fn the_total_follows_the_menu_of_the_moment() {
    let mut item = stew(1);
    let cart = cart(&[
        line(&item, &[12, 22]),
        line(&item, &[12, 22]),
        line(&cola(2), &[]),
    ]);
    let total = |item: &MenuItem| cart.total(&menu(&[item.clone(), cola(2)]));
    assert_eq!(total(&item), Amount((9_900 + 3_000 - 400) * 2 + 2_000));
    item.price = Amount(10_000);
    assert_eq!(total(&item), Amount((10_000 + 3_000 - 400) * 2 + 2_000));
}

#[test]
fn an_amount_beyond_bounds_is_nothing_instead_of_a_wrapped_number() {
    let item = MenuItem {
        price: Amount(i64::MAX),
        ..cola(1)
    };
    assert_eq!(line(&item, &[]).amount(&item), Amount::ZERO);
}

#[test]
fn what_went_away_is_named_and_the_rest_is_kept() {
    let (fine, mut sold, mut option) = (cola(1), cola(2), stew(3));
    let gone = CartLine::one(&cola(4), Vec::new());
    let mut cart = cart(&[
        line(&sold, &[]),
        line(&fine, &[]),
        line(&option, &[12]),
        gone,
        line(&option, &[11]),
    ]);
    let menu_before = menu(&[fine.clone(), sold.clone(), option.clone(), cola(4)]);
    assert_eq!(cart.check(&menu_before), []);
    sold.sold_out = true;
    option.option_groups[0].options[1].sold_out = true;
    let found = cart.check(&menu(&[fine, sold, option]));
    let named: Vec<_> = found
        .iter()
        .map(|gone| (gone.name.ko.as_deref().unwrap_or(""), &gone.why))
        .collect();
    let option_gone = Why::OptionSoldOut(LocalText {
        ko: Some("옵션 12".to_owned()),
        en: None,
    });
    assert_eq!(
        named,
        [
            ("찌개 2", &Why::SoldOut),
            ("찌개 3", &option_gone),
            ("찌개 4", &Why::Changed),
        ]
    );
    cart.drop_gone(&found);
    let kept: Vec<_> = cart.lines().iter().map(|line| line.menu_id).collect();
    assert_eq!(kept, [id(1), id(3)]);
}

#[test]
fn an_item_without_enough_options_left_is_sold_out() {
    let mut item = stew(1);
    let cart = cart(&[line(&item, &[11])]);
    for option in &mut item.option_groups[0].options {
        option.sold_out = true;
    }
    assert_eq!(cart.check(&menu(&[item]))[0].why, Why::SoldOut);
}

#[test]
fn an_item_that_asks_for_more_than_before_is_changed() {
    let mut item = stew(1);
    let cart = cart(&[line(&item, &[11])]);
    item.option_groups[1].min = 1;
    assert_eq!(cart.check(&menu(&[item]))[0].why, Why::Changed);
}

#[test]
fn a_request_carries_exactly_what_the_server_takes() {
    let noted = CartLine {
        note: " 덜 맵게 ".to_owned(),
        ..line(&stew(1), &[11])
    };
    let json = serde_json::to_value(cart(&[noted]).wanted()).unwrap();
    assert_eq!(
        json,
        serde_json::json!([{
            "menuId": id(1), "quantity": 1, "optionIds": [option_id(11)], "note": "덜 맵게",
            "allergy": "",
        }])
    );
}

#[test]
fn a_kept_cart_is_read_as_it_was_written() {
    let cart = cart(&[line(&stew(1), &[11, 22]), line(&cola(2), &[])]);
    let text = serde_json::to_string(&cart).unwrap();
    assert_eq!(serde_json::from_str::<Cart>(&text).unwrap(), cart);
}

#[test]
fn staff_add_a_plain_item_with_one_tap_and_guests_are_asked() {
    assert_eq!(
        Tap::on(&cola(1), true),
        Tap::Add(CartLine::one(&cola(1), Vec::new()))
    );
    assert_eq!(Tap::on(&cola(1), false), Tap::Ask);
    assert_eq!(Tap::on(&stew(1), true), Tap::Ask);
}

/// The cola draws on row 1; the stew's option 21 draws two units of row 2.
fn counted() -> [MenuItem; 2] {
    let (mut cola, mut stew) = (cola(1), stew(2));
    cola.stock_id = Some(stock_id(1));
    let extra = &mut stew.option_groups[1].options[0];
    extra.stock_id = Some(stock_id(2));
    extra.stock_quantity = 2;
    [cola, stew]
}

fn named(found: &[Gone]) -> Vec<(usize, &Why, u32)> {
    let each = found.iter();
    each.map(|gone| (gone.index, &gone.why, gone.keep))
        .collect()
}

#[test]
fn what_is_left_goes_to_the_lines_in_their_order_and_the_rest_is_cut() {
    let items = counted();
    let [cola, stew] = &items;
    let mut noted = line(cola, &[]);
    noted.note = "얼음 빼고".to_owned();
    let mut cart = cart(&[line(cola, &[]), noted, line(stew, &[11, 21])]);
    cart.set_quantity(0, 3);
    cart.set_quantity(1, 4);
    cart.set_quantity(2, 2);
    assert_eq!(cart.check(&stocked(&items, &[(1, 7), (2, 4)])), []);
    let short = cart.check(&stocked(&items, &[(1, 5), (2, 3)]));
    assert_eq!(named(&short), [(1, &Why::Few(5), 2), (2, &Why::Few(1), 1)]);
    cart.drop_gone(&short);
    assert_eq!((cart.lines().len(), cart.count()), (3, 6));
    assert_eq!(cart.check(&stocked(&items, &[(1, 5), (2, 3)])), []);
}

#[test]
fn what_is_used_up_is_sold_out_by_the_name_of_what_is_gone() {
    let items = counted();
    let [cola, stew] = &items;
    let mut cart = cart(&[line(cola, &[]), line(stew, &[11, 21]), line(stew, &[11])]);
    let gone = cart.check(&stocked(&items, &[(1, 0), (2, 1)]));
    let extra = Why::OptionSoldOut(items[1].option_groups[1].options[0].name.clone());
    assert_eq!(named(&gone), [(0, &Why::SoldOut, 0), (1, &extra, 0)]);
    cart.drop_gone(&gone);
    assert_eq!(cart.lines(), [line(stew, &[11])]);
}

#[test]
fn there_is_room_for_what_the_cart_has_not_taken() {
    let items = counted();
    let [cola, stew] = &items;
    let cart = cart(&[line(cola, &[]), line(stew, &[11, 21])]);
    let offer = stocked(&items, &[(1, 3), (2, 5)]);
    assert_eq!(cart.room(&offer, cola, &[]), Some(2));
    assert_eq!(cart.room(&offer, stew, &[option_id(21)]), Some(1));
    assert_eq!(cart.room(&offer, stew, &[option_id(11)]), None);
    let none = stocked(&items, &[(1, 1)]);
    assert_eq!(cart.room(&none, cola, &[]), Some(0));
}

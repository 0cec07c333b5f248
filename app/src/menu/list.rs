//! The rows of the menu screen: categories with their items, as searched and filtered. Pure.

use std::collections::BTreeSet;
use std::sync::Arc;

use domain::id::MenuId;
use domain::menu::{Category, MenuItem};
use domain::sorting::sort_by_key;
use domain::text::LocalText;
use uuid::Uuid;

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    /// A heading: its name, and how many of all its items cannot be ordered.
    Category(LocalText, usize),
    /// An item.
    Item(Known),
}

/// An item as the screen knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// With what its presses foresee.
    pub item: Arc<MenuItem>,
    /// A press has not settled.
    pub pending: bool,
    /// What is counted of it is used up.
    pub used_up: bool,
}

impl Known {
    /// Whether it cannot be ordered.
    #[must_use]
    pub fn is_out(&self) -> bool {
        self.used_up || self.item.is_sold_out()
    }
}

/// What is looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Part of a name, or of a code.
    pub search: String,
    /// Only what is sold out, and what was when the filter was set: nothing goes from under a
    /// finger.
    pub only_out: Option<BTreeSet<MenuId>>,
}

impl Wanted {
    fn takes(&mut self, known: &Known) -> bool {
        let item = &known.item;
        if let Some(kept) = &mut self.only_out {
            if is_out(known) {
                kept.insert(item.id);
            }
            if !kept.contains(&item.id) {
                return false;
            }
        }
        let search = plain(&self.search);
        let texts = [item.name.ko.as_deref(), item.name.en.as_deref()];
        let mut texts = texts.into_iter().flatten().chain([item.code.as_str()]);
        texts.any(|text| plain(text).contains(&search))
    }
}

/// Without what people leave out when they type.
fn plain(text: &str) -> String {
    let letters = text.chars().filter(|letter| !letter.is_whitespace());
    letters.flat_map(char::to_lowercase).collect()
}

/// Whether it, or one of its options, cannot be ordered.
fn is_out(known: &Known) -> bool {
    let groups = &known.item.option_groups;
    let mut options = groups.iter().flat_map(|group| &group.options);
    known.is_out() || options.any(|option| option.sold_out)
}

/// How many options of an item there are, and how many of them are sold out.
#[must_use]
pub fn options(item: &MenuItem) -> (usize, usize) {
    let options = || item.option_groups.iter().flat_map(|group| &group.options);
    let out = options().filter(|option| option.sold_out).count();
    (options().count(), out)
}

/// The rows, in the order of the menu; a category without an item that is wanted has none.
#[must_use]
pub fn rows(items: Vec<Known>, categories: &[Category], wanted: &mut Wanted) -> Vec<(Uuid, Row)> {
    let mut categories: Vec<&Category> = categories.iter().collect();
    sort_by_key(&mut categories, |category| (category.sort, category.id));
    let mut items = items;
    sort_by_key(&mut items, |known| (known.item.sort, known.item.id));
    let mut rows = Vec::with_capacity(items.len() + categories.len());
    for category in categories {
        let (here, rest): (Vec<_>, Vec<_>) = items
            .into_iter()
            .partition(|known| known.item.category_id == category.id);
        items = rest;
        let out = here.iter().filter(|known| known.is_out()).count();
        let shown = take(here, wanted);
        if !shown.is_empty() {
            let heading = Row::Category(category.name.clone(), out);
            rows.push((category.id.0, heading));
            rows.extend(shown);
        }
    }
    // Of a category that is not known yet.
    rows.extend(take(items, wanted));
    rows
}

fn take(items: Vec<Known>, wanted: &mut Wanted) -> Vec<(Uuid, Row)> {
    let wanted = items.into_iter().filter(|known| wanted.takes(known));
    wanted
        .map(|known| (known.item.id.0, Row::Item(known)))
        .collect()
}

mod tests {
    #![cfg(test)]

    use serde_json::json;

    use super::*;

    fn id(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    fn category(number: u128, sort: i64) -> Category {
        serde_json::from_value(json!({
            "id": id(number), "version": 1, "name": {"ko": "찌개"}, "sort": sort,
        }))
        .unwrap()
    }

    fn item(number: u128, category: u128, name: &str) -> MenuItem {
        serde_json::from_value(json!({
            "id": id(number), "version": 1, "code": number.to_string(), "categoryId": id(category),
            "name": {"ko": name, "en": "Kimchi Stew"}, "price": 9900, "soldOut": false,
            "sort": number, "optionGroups": [{
                "id": id(50), "name": {"ko": "맵기"}, "min": 1, "max": 1, "options": [
                    {"id": id(51), "name": {"ko": "순한맛"}, "priceDelta": 0, "stockQuantity": 1, "soldOut": false},
                    {"id": id(52), "name": {"ko": "매운맛"}, "priceDelta": 0, "stockQuantity": 1, "soldOut": false},
                ],
            }],
        }))
        .unwrap()
    }

    fn known(item: &MenuItem) -> Known {
        Known {
            item: Arc::new(item.clone()),
            pending: false,
            used_up: false,
        }
    }

    fn shown(items: &[MenuItem], wanted: &mut Wanted) -> Vec<Uuid> {
        let items = items.iter().map(known);
        let categories = [category(2, 2), category(1, 1)];
        let rows = rows(items.collect(), &categories, wanted);
        rows.into_iter().map(|(id, _)| id).collect()
    }

    fn search(text: &str) -> Wanted {
        Wanted {
            search: text.to_owned(),
            only_out: None,
        }
    }

    #[test]
    fn items_stand_under_their_categories_in_the_order_of_the_menu() {
        let items = [item(12, 1, "나"), item(21, 2, "다"), item(11, 1, "가")];
        let ids = shown(&items, &mut Wanted::default());
        assert_eq!(ids, [1, 11, 12, 2, 21].map(id));
    }

    #[test]
    fn a_name_is_found_in_both_languages_whatever_the_spaces_and_a_code_too() {
        let items = [item(11, 1, "차돌박이 된장찌개"), item(12, 1, "순두부")];
        assert_eq!(shown(&items, &mut search("박이된장")), [1, 11].map(id));
        assert_eq!(shown(&items, &mut search("kimchistew")).len(), 3);
        assert_eq!(shown(&items, &mut search("12")), [1, 12].map(id));
        assert!(shown(&items, &mut search("냉면")).is_empty());
    }

    #[test]
    fn what_comes_back_stays_until_the_filter_is_set_again() {
        let mut items = [item(11, 1, "가"), item(12, 1, "나")];
        items[0].option_groups[0].options[0].sold_out = true;
        let mut wanted = Wanted {
            only_out: Some(BTreeSet::new()),
            ..Wanted::default()
        };
        assert_eq!(shown(&items, &mut wanted), [1, 11].map(id));
        items[0].option_groups[0].options[0].sold_out = false;
        items[1].sold_out = true;
        assert_eq!(shown(&items, &mut wanted), [1, 11, 12].map(id));
    }

    #[test]
    fn a_heading_counts_all_that_cannot_be_ordered() {
        let mut items = [item(11, 1, "가"), item(12, 1, "나"), item(13, 1, "다")];
        items[0].sold_out = true;
        for option in &mut items[1].option_groups[0].options {
            option.sold_out = true;
        }
        let mut known: Vec<Known> = items.iter().map(known).collect();
        known[2].used_up = true;
        let rows = rows(known, &[category(1, 1)], &mut search("다"));
        let Row::Category(_, out) = &rows[0].1 else {
            panic!("a heading")
        };
        assert_eq!((*out, rows.len()), (3, 2));
        assert_eq!(options(&items[1]), (2, 2));
    }
}

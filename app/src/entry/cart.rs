//! What somebody is about to order. Prices and availability are always those of the menu as it is
//! at the moment; the cart keeps neither.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::id::{MenuId, OptionId};
use domain::menu::{BadChoice, MenuItem, MenuOption};
use domain::money::Amount;
use domain::order::{MAX_LINES, MAX_QUANTITY};
use domain::text::LocalText;
use serde::{Deserialize, Serialize};

/// The menu by id.
pub type Items = BTreeMap<MenuId, Arc<MenuItem>>;

/// One item with quantity, options and notes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CartLine {
    /// Which item.
    pub menu_id: MenuId,
    /// 1..=999
    pub quantity: u32,
    /// In the menu's order.
    pub option_ids: Vec<OptionId>,
    /// For the cook.
    pub note: String,
    /// For the cook, in red.
    pub allergy: String,
    /// As it was called when it was chosen: says what went away when the menu has lost it.
    pub name: LocalText,
}

/// What a tap on an item does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tap {
    /// Asks for options, notes, quantity.
    Ask,
    /// Puts one into the cart.
    Add(CartLine),
}

impl Tap {
    /// A tap on `item`. Where `at_once`, an item without options is not asked about.
    #[must_use]
    pub fn on(item: &MenuItem, at_once: bool) -> Self {
        if at_once && item.option_groups.is_empty() {
            Self::Add(CartLine::one(item, Vec::new()))
        } else {
            Self::Ask
        }
    }
}

/// Why a line cannot be ordered now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// The item is sold out.
    SoldOut,
    /// One of its options is.
    OptionSoldOut(LocalText),
    /// The item is off the menu, or its options are others now.
    Changed,
}

/// A line that cannot be ordered now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gone {
    /// Its place in the cart.
    pub index: usize,
    /// What it is called.
    pub name: LocalText,
    /// Why.
    pub why: Why,
}

impl CartLine {
    /// One of `item`.
    #[must_use]
    pub fn one(item: &MenuItem, option_ids: Vec<OptionId>) -> Self {
        Self {
            menu_id: item.id,
            quantity: 1,
            option_ids,
            note: String::new(),
            allergy: String::new(),
            name: item.name.clone(),
        }
    }

    /// The chosen options that the menu still has.
    #[must_use]
    pub fn options<'a>(&self, item: &'a MenuItem) -> Vec<&'a MenuOption> {
        let options = item.option_groups.iter().flat_map(|group| &group.options);
        options
            .filter(|option| self.option_ids.contains(&option.id))
            .collect()
    }

    /// `(price + options) × quantity`, as the server will reckon.
    #[must_use]
    pub fn amount(&self, item: &MenuItem) -> Amount {
        let options = self.options(item);
        let unit = options.iter().try_fold(item.price, |unit, option| {
            unit.checked_add(option.price_delta)
        });
        let amount = unit.and_then(|unit| unit.checked_mul(self.quantity));
        amount.unwrap_or(Amount::ZERO)
    }

    fn is_same(&self, other: &Self) -> bool {
        self.menu_id == other.menu_id
            && self.option_ids == other.option_ids
            && self.note == other.note
            && self.allergy == other.allergy
    }

    fn gone(&self, items: &Items) -> Option<Why> {
        let Some(item) = items.get(&self.menu_id) else {
            return Some(Why::Changed);
        };
        if item.is_sold_out() {
            return Some(Why::SoldOut);
        }
        match item.choose(&self.option_ids) {
            Ok(_) => None,
            Err(BadChoice::SoldOut(id)) => {
                let options = self.options(item);
                let option = options.iter().find(|option| option.id == id);
                option.map(|option| Why::OptionSoldOut(option.name.clone()))
            }
            Err(BadChoice::NotInItem(_) | BadChoice::Twice(_) | BadChoice::Count { .. }) => {
                Some(Why::Changed)
            }
        }
    }
}

/// A quantity that the server takes.
#[must_use]
pub fn in_bounds(quantity: i64) -> u32 {
    // 1..=999 fits.
    quantity.clamp(1, MAX_QUANTITY) as u32
}

/// The lines somebody is about to order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cart {
    lines: Vec<CartLine>,
}

impl Cart {
    /// In the order of choosing.
    #[must_use]
    pub fn lines(&self) -> &[CartLine] {
        &self.lines
    }

    /// Nothing chosen.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Portions of all lines.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.lines.iter().map(|line| line.quantity).sum()
    }

    /// Portions of one item.
    #[must_use]
    pub fn count_of(&self, id: MenuId) -> u32 {
        let of_it = self.lines.iter().filter(|line| line.menu_id == id);
        of_it.map(|line| line.quantity).sum()
    }

    /// Adds a line; the same item with the same options and notes counts up. `false`: the cart
    /// has as many lines as an order may have.
    #[must_use]
    pub fn add(&mut self, line: CartLine) -> bool {
        if let Some(same) = self.lines.iter_mut().find(|known| known.is_same(&line)) {
            same.quantity = in_bounds(i64::from(same.quantity) + i64::from(line.quantity));
            return true;
        }
        let fits = self.lines.len() < MAX_LINES;
        if fits {
            self.lines.push(line);
        }
        fits
    }

    /// Changes how many of a line.
    pub fn set_quantity(&mut self, index: usize, quantity: i64) {
        if let Some(line) = self.lines.get_mut(index) {
            line.quantity = in_bounds(quantity);
        }
    }

    /// Takes a line out.
    pub fn remove(&mut self, index: usize) {
        if index < self.lines.len() {
            self.lines.remove(index);
        }
    }

    /// Takes out what cannot be ordered; the rest stays.
    pub fn drop_gone(&mut self, gone: &[Gone]) {
        let mut index = 0;
        self.lines.retain(|_| {
            index += 1;
            gone.iter().all(|gone| gone.index + 1 != index)
        });
    }

    /// The sum, at the menu's prices.
    #[must_use]
    pub fn total(&self, items: &Items) -> Amount {
        let amount = |line: &CartLine| items.get(&line.menu_id).map(|item| line.amount(item));
        let amounts = self.lines.iter().filter_map(amount);
        Amount(amounts.map(|amount| amount.0).sum())
    }

    /// What of it cannot be ordered now.
    #[must_use]
    pub fn check(&self, items: &Items) -> Vec<Gone> {
        let lines = self.lines.iter().enumerate();
        let gone = lines.filter_map(|(index, line)| {
            let why = line.gone(items)?;
            let item = items.get(&line.menu_id);
            let name = item.map_or(&line.name, |item| &item.name).clone();
            Some(Gone { index, name, why })
        });
        gone.collect()
    }

    /// The lines as a request carries them: what the server may know.
    #[must_use]
    pub fn wanted(&self) -> Vec<WantedLine<'_>> {
        self.lines.iter().map(WantedLine::of).collect()
    }
}

/// A line of a request.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WantedLine<'a> {
    menu_id: MenuId,
    quantity: u32,
    option_ids: &'a [OptionId],
    note: &'a str,
    allergy: &'a str,
}

impl<'a> WantedLine<'a> {
    fn of(line: &'a CartLine) -> Self {
        Self {
            menu_id: line.menu_id,
            quantity: line.quantity,
            option_ids: &line.option_ids,
            note: line.note.trim(),
            allergy: line.allergy.trim(),
        }
    }
}

#[path = "cart_tests.rs"]
mod tests;

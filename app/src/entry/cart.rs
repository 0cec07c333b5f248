//! What somebody is about to order. Prices and availability are always those of the menu as it is
//! at the moment; the cart keeps neither.

use domain::id::{MenuId, OptionId};
use domain::menu::{MenuItem, MenuOption};
use domain::money::Amount;
use domain::order::{MAX_LINES, MAX_QUANTITY};
use domain::stock::{Left, Shelf};
use domain::text::LocalText;
use serde::{Deserialize, Serialize};

use super::offer::Offer;

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
    /// So many portions are left, fewer than the cart has.
    Few(i64),
}

/// A line that cannot be ordered now, or not all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gone {
    /// Its place in the cart.
    pub index: usize,
    /// What it is called.
    pub name: LocalText,
    /// Why.
    pub why: Why,
    /// So many of it can be.
    pub keep: u32,
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

    /// Why not all of it can be ordered, and how many can; `rest` is what the lines before it leave.
    fn gone(&self, offer: &Offer, rest: &mut Shelf) -> Option<(Why, u32)> {
        let Some(item) = offer.get(self.menu_id) else {
            return Some((Why::Changed, 0));
        };
        let shelf = offer.shelf();
        if shelf.left(item) == Left::Nothing {
            return Some((Why::SoldOut, 0));
        }
        let options = self.options(item);
        if let Some(option) = options.iter().find(|option| !shelf.has(option)) {
            return Some((Why::OptionSoldOut(option.name.clone()), 0));
        }
        if item.choose(&self.option_ids).is_err() {
            return Some((Why::Changed, 0));
        }
        let fits = rest.portions(item, &self.option_ids);
        let keep = fits.map_or(self.quantity, |fits| self.quantity.min(floor(fits)));
        rest.take(item, &self.option_ids, keep);
        let all = shelf.portions(item, &self.option_ids).unwrap_or_default();
        (keep < self.quantity).then_some((Why::Few(all), keep))
    }
}

/// Portions as a quantity.
fn floor(portions: i64) -> u32 {
    // 0..=999 fits.
    portions.clamp(0, MAX_QUANTITY) as u32
}

/// The largest quantity of a line.
pub const MOST: u32 = MAX_QUANTITY as u32;

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

    /// Takes out what cannot be ordered, or as much of it; the rest stays.
    pub fn drop_gone(&mut self, gone: &[Gone]) {
        for gone in gone {
            if let Some(line) = self.lines.get_mut(gone.index) {
                line.quantity = gone.keep;
            }
        }
        self.lines.retain(|line| line.quantity > 0);
    }

    /// The sum, at the menu's prices.
    #[must_use]
    pub fn total(&self, offer: &Offer) -> Amount {
        let amount = |line: &CartLine| offer.get(line.menu_id).map(|item| line.amount(item));
        let amounts = self.lines.iter().filter_map(amount);
        Amount(amounts.map(|amount| amount.0).sum())
    }

    /// What of it cannot be ordered now. What is left goes to the lines in their order.
    #[must_use]
    pub fn check(&self, offer: &Offer) -> Vec<Gone> {
        let mut rest = offer.shelf().clone();
        let lines = self.lines.iter().enumerate();
        let gone = lines.filter_map(|(index, line)| {
            let (why, keep) = line.gone(offer, &mut rest)?;
            let item = offer.get(line.menu_id);
            let name = item.map_or(&line.name, |item| &item.name).clone();
            Some(Gone {
                index,
                name,
                why,
                keep,
            })
        });
        gone.collect()
    }

    /// Portions of `item` with these options that can be added; `None`: as many as you like.
    #[must_use]
    pub fn room(&self, offer: &Offer, item: &MenuItem, options: &[OptionId]) -> Option<u32> {
        let mut rest = offer.shelf().clone();
        for line in &self.lines {
            if let Some(item) = offer.get(line.menu_id) {
                rest.take(item, &line.option_ids, line.quantity);
            }
        }
        rest.portions(item, options).map(floor)
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

//! What is left, as a screen knows it: it says 품절, or how few there are, before anybody asks for
//! them in vain. The server decides.

use std::collections::BTreeMap;

use super::GUESTS_SEE;
use super::demand::draws;
use crate::id::{OptionId, StockId};
use crate::menu::{MenuItem, MenuOption, OptionGroup};

/// So many portions, or fewer, are told (screens, "3개 남음").
pub const LOW: i64 = 5;

/// How much of an item is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// It is not counted, or there is more than [`LOW`].
    Enough,
    /// So many portions: 1..=[`LOW`].
    Few(i64),
    /// It cannot be ordered: 품절, or nothing is left.
    Nothing,
}

/// Units that are left, by stock row. A row that is not known does not limit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shelf(BTreeMap<StockId, i64>);

impl Shelf {
    /// What staff know: each row with what is available.
    #[must_use]
    pub fn of(rows: impl IntoIterator<Item = (StockId, i64)>) -> Self {
        Self(rows.into_iter().collect())
    }

    /// What guests know: [`GUESTS_SEE`] stands for that many or more.
    #[must_use]
    pub fn of_guests(rows: impl IntoIterator<Item = (StockId, i64)>) -> Self {
        let known = rows.into_iter().filter(|(_, left)| *left < GUESTS_SEE);
        Self::of(known)
    }

    /// A refusal says better.
    pub fn set(&mut self, id: StockId, available: i64) {
        self.0.insert(id, available);
    }

    fn units(&self, id: Option<StockId>) -> Option<i64> {
        self.0.get(&id?).copied()
    }

    /// Whether an option can be chosen.
    #[must_use]
    pub fn has(&self, option: &MenuOption) -> bool {
        !option.sold_out && self.of_option(option) != Some(0)
    }

    /// Portions with this option that could be had; `None`: it is not counted.
    fn of_option(&self, option: &MenuOption) -> Option<i64> {
        let units = i64::from(option.stock_quantity);
        let left = self.units(option.stock_id).filter(|_| units > 0)?;
        Some(left.max(0) / units)
    }

    /// Portions of `item` with these options that could be had; `None`: nothing of it is counted.
    #[must_use]
    pub fn portions(&self, item: &MenuItem, chosen: &[OptionId]) -> Option<i64> {
        let (draws, _) = draws(item, chosen)?;
        let rows = draws.iter();
        let each =
            |(id, units): (&StockId, &u32)| Some(self.units(Some(*id))?.max(0) / i64::from(*units));
        rows.filter_map(each).min()
    }

    /// So many portions of it are spoken for.
    pub fn take(&mut self, item: &MenuItem, chosen: &[OptionId], portions: u32) {
        let drawn = draws(item, chosen).map(|(draws, _)| draws);
        for (id, units) in drawn.unwrap_or_default() {
            if let Some(left) = self.0.get_mut(&id) {
                *left -= i64::from(units) * i64::from(portions);
            }
        }
    }

    /// How much of `item` is left, whichever options are chosen.
    #[must_use]
    pub fn left(&self, item: &MenuItem) -> Left {
        if item.is_starved(|option| self.has(option)) {
            return Left::Nothing;
        }
        let groups = item.option_groups.iter();
        let groups = groups.filter_map(|group| self.of_group(group));
        let own = self.units(item.stock_id);
        match own.into_iter().chain(groups).min() {
            None => Left::Enough,
            Some(left) if left > LOW => Left::Enough,
            Some(left) if left > 0 => Left::Few(left),
            Some(_) => Left::Nothing,
        }
    }

    /// Portions that a group of which something must be chosen leaves, if all of it is counted.
    fn of_group(&self, group: &OptionGroup) -> Option<i64> {
        let options = group.options.iter().filter(|option| self.has(option));
        let each: Option<Vec<i64>> = options.map(|option| self.of_option(option)).collect();
        let min = i64::from(group.min);
        (min > 0).then_some(each?.iter().sum::<i64>() / min.max(1))
    }
}

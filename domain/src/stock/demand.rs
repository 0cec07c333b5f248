//! What a batch of lines draws on: expanded to stock rows, merged by them.
//!
//! Each line is checked by itself before anything is added up, so that a negative line can
//! never make another one look smaller.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::Reason;
use crate::id::{MenuId, OptionId, StockId};
use crate::menu::MenuItem;
use crate::order::{Line, MAX_LINES, MAX_QUANTITY};
use crate::text::LocalText;

/// The most units of one stock row in one batch.
pub const MAX_MERGED: u32 = 9_999;

/// One line as it was asked for; nothing of it is trusted yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HoldLine {
    /// Which item.
    pub menu_id: MenuId,
    /// The chosen options.
    #[serde(default)]
    pub option_ids: Vec<OptionId>,
    /// Anything; 1..=999 is accepted.
    pub quantity: i64,
}

/// What is wrong with a batch; the index is the line's place in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadHoldLine {
    /// No line, or more than [`MAX_LINES`].
    #[error("a hold has 1 to {MAX_LINES} lines")]
    LineCount,
    /// Not 1..=999.
    #[error("the quantity is 1 to 999")]
    Quantity(usize),
    /// The same option twice.
    #[error("an option is chosen twice")]
    OptionTwice(usize),
    /// The option is not one of this item.
    #[error("an option does not belong to this item")]
    OptionNotInItem(usize),
    /// With this line there would be more than [`MAX_MERGED`] of one thing.
    #[error("more than {MAX_MERGED} of one thing")]
    TooMany(usize),
}

/// Why a batch cannot be held as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotHeld {
    /// Every line that is malformed.
    Bad(Vec<BadHoldLine>),
    /// Lines of what this store does not have, or not now; the others are in the demand.
    Absent(Vec<Absent>, Demand),
}

/// A line of what this store does not have, or not now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absent {
    /// Its place in the batch.
    pub line: usize,
    /// Which item it names.
    pub menu_id: MenuId,
    /// The item's name, if there is such an item.
    pub name: Option<LocalText>,
    /// How many were asked for.
    pub quantity: u32,
    /// [`Reason::Unknown`] or [`Reason::Unavailable`].
    pub reason: Reason,
}

/// The units of one stock row that one line draws on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Units {
    /// The line's place in the batch.
    pub line: usize,
    /// Of what.
    pub stock_id: StockId,
    /// 1..=[`MAX_MERGED`]
    pub quantity: u32,
}

/// The units of one stock row that a whole batch draws on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// 1..=[`MAX_MERGED`]
    pub quantity: u32,
    /// The lines that ask for it, ascending.
    pub from: Vec<usize>,
}

/// What a batch draws on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    units: Vec<Units>,
}

impl Demand {
    /// Refuses lines that are malformed whatever the menu says.
    ///
    /// # Errors
    /// Every line that is.
    pub fn check(lines: &[HoldLine]) -> Result<(), Vec<BadHoldLine>> {
        if lines.is_empty() || lines.len() > MAX_LINES {
            return Err(vec![BadHoldLine::LineCount]);
        }
        let mut bad = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            let mut each = BTreeSet::new();
            if !(1..=MAX_QUANTITY).contains(&line.quantity) {
                bad.push(BadHoldLine::Quantity(index));
            } else if !line.option_ids.iter().all(|id| each.insert(*id)) {
                bad.push(BadHoldLine::OptionTwice(index));
            }
        }
        if !bad.is_empty() {
            return Err(bad);
        }
        // Bounded by now: 100 lines of 999.
        let mut sums: BTreeMap<MenuId, i64> = BTreeMap::new();
        for (index, line) in lines.iter().enumerate() {
            let sum = sums.entry(line.menu_id).or_default();
            *sum += line.quantity;
            if *sum > i64::from(MAX_MERGED) {
                return Err(vec![BadHoldLine::TooMany(index)]);
            }
        }
        Ok(())
    }

    /// What these lines draw on, by the menu as it is. How many options of a group are chosen is
    /// the order's concern, not the hold's.
    ///
    /// # Errors
    /// [`NotHeld`]; the malformed come first.
    pub fn of(lines: &[HoldLine], items: &BTreeMap<MenuId, MenuItem>) -> Result<Self, NotHeld> {
        Self::check(lines).map_err(NotHeld::Bad)?;
        let (mut demand, mut sums) = (Self::default(), BTreeMap::new());
        let (mut bad, mut absent) = (Vec::new(), Vec::new());
        for (index, line) in lines.iter().enumerate() {
            let quantity = u32::try_from(line.quantity).unwrap_or(u32::MAX);
            let missing = |reason, name| Absent {
                line: index,
                menu_id: line.menu_id,
                name,
                quantity,
                reason,
            };
            let Some(item) = items.get(&line.menu_id) else {
                absent.push(missing(Reason::Unknown, None));
                continue;
            };
            let (draws, sold_out) = match draws(item, &line.option_ids) {
                Some(drawn) => drawn,
                None => {
                    bad.push(BadHoldLine::OptionNotInItem(index));
                    continue;
                }
            };
            if sold_out || item.is_sold_out() {
                absent.push(missing(Reason::Unavailable, Some(item.name.clone())));
                continue;
            }
            if !demand.add(index, quantity, &draws, &mut sums) {
                bad.push(BadHoldLine::TooMany(index));
            }
        }
        if !bad.is_empty() {
            return Err(NotHeld::Bad(bad));
        }
        if absent.is_empty() {
            Ok(demand)
        } else {
            Err(NotHeld::Absent(absent, demand))
        }
    }

    /// What lines that were ordered draw on. Sold out since or not, they are ordered; what is not
    /// on the menu any more is not counted.
    ///
    /// # Errors
    /// [`BadHoldLine::TooMany`], with the line's place.
    pub fn of_order<'a>(
        lines: impl IntoIterator<Item = &'a Line>,
        items: &BTreeMap<MenuId, MenuItem>,
    ) -> Result<Self, BadHoldLine> {
        let (mut demand, mut sums) = (Self::default(), BTreeMap::new());
        for (index, line) in lines.into_iter().enumerate() {
            let Some(item) = items.get(&line.menu_id) else {
                continue;
            };
            let known = |id: &OptionId| {
                let mut options = item.option_groups.iter().flat_map(|group| &group.options);
                options.any(|option| option.id == *id)
            };
            let options = line.options.iter().map(|option| option.id).filter(known);
            let options: Vec<OptionId> = options.collect();
            let drawn = draws(item, &options).map_or_else(BTreeMap::new, |(draws, _)| draws);
            if !demand.add(index, line.quantity, &drawn, &mut sums) {
                return Err(BadHoldLine::TooMany(index));
            }
        }
        Ok(demand)
    }

    /// Adds one line that was checked; `false` when it is too many of something.
    fn add(
        &mut self,
        line: usize,
        quantity: u32,
        draws: &BTreeMap<StockId, u32>,
        sums: &mut BTreeMap<StockId, u32>,
    ) -> bool {
        for (stock_id, each) in draws {
            let units = each.checked_mul(quantity).filter(|n| *n <= MAX_MERGED);
            let sum = sums.entry(*stock_id).or_default();
            let more = units.and_then(|units| sum.checked_add(units));
            let (Some(units), Some(more)) = (units, more.filter(|n| *n <= MAX_MERGED)) else {
                return false;
            };
            *sum = more;
            self.units.push(Units {
                line,
                stock_id: *stock_id,
                quantity: units,
            });
        }
        true
    }

    /// By line and stock row, in the order of the lines.
    #[must_use]
    pub fn units(&self) -> &[Units] {
        &self.units
    }

    /// Nothing here is counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// By stock row: the order in which rows are locked, everywhere.
    #[must_use]
    pub fn rows(&self) -> BTreeMap<StockId, Row> {
        let mut rows: BTreeMap<StockId, Row> = BTreeMap::new();
        for units in &self.units {
            let row = rows.entry(units.stock_id).or_default();
            row.quantity += units.quantity;
            if row.from.last() != Some(&units.line) {
                row.from.push(units.line);
            }
        }
        rows
    }

    /// The same for the same units of the same stock rows, however they are spread over lines.
    #[must_use]
    pub fn content(&self) -> String {
        content(self.rows().iter().map(|(id, row)| (*id, row.quantity)))
    }
}

/// The content signature of these units, which come in ascending order of their rows.
pub(super) fn content(rows: impl Iterator<Item = (StockId, u32)>) -> String {
    rows.map(|(id, quantity)| format!("{id}:{quantity};"))
        .collect()
}

/// Units of each stock row per portion, and whether a chosen option is sold out; `None` when
/// one of the options is not the item's.
pub(super) fn draws(
    item: &MenuItem,
    chosen: &[OptionId],
) -> Option<(BTreeMap<StockId, u32>, bool)> {
    let mut draws: BTreeMap<StockId, u32> = BTreeMap::new();
    let mut draw = |stock_id: Option<StockId>, units: u32| {
        if let Some(id) = stock_id.filter(|_| units > 0) {
            let sum = draws.entry(id).or_default();
            *sum = sum.saturating_add(units);
        }
    };
    draw(item.stock_id, 1);
    let mut sold_out = false;
    for id in chosen {
        let mut options = item.option_groups.iter().flat_map(|group| &group.options);
        let option = options.find(|option| option.id == *id)?;
        sold_out |= option.sold_out;
        draw(option.stock_id, option.stock_quantity);
    }
    Some((draws, sold_out))
}

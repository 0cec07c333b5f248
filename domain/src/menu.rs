//! The menu: categories, items, option groups, and what can be ordered now.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::id::{CategoryId, MenuId, OptionGroupId, OptionId, StationId, StockId};
use crate::money::Amount;
use crate::text::LocalText;

/// A part of the menu.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Category {
    /// Its id.
    pub id: CategoryId,
    /// +1 with every update.
    pub version: u64,
    /// Shown to people.
    pub name: LocalText,
    /// Place on the menu, ascending.
    pub sort: i64,
}

/// One choice of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MenuOption {
    /// Its id.
    pub id: OptionId,
    /// Shown to people.
    pub name: LocalText,
    /// Added to the unit price; may be negative.
    pub price_delta: Amount,
    /// The stock row it draws on, if counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stock_id: Option<StockId>,
    /// Units of that row per portion.
    pub stock_quantity: u32,
    /// 품절
    pub sold_out: bool,
}

/// Choices that change a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OptionGroup {
    /// Its id.
    pub id: OptionGroupId,
    /// Shown to people.
    pub name: LocalText,
    /// At least so many must be chosen.
    pub min: u32,
    /// At most so many may be chosen.
    pub max: u32,
    /// The choices.
    pub options: Vec<MenuOption>,
}

/// An item of the menu.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MenuItem {
    /// Its id.
    pub id: MenuId,
    /// +1 with every update.
    pub version: u64,
    /// Unique in the store; from a spreadsheet's `menu_item_id`.
    pub code: String,
    /// Where it stands.
    pub category_id: CategoryId,
    /// Shown to people.
    pub name: LocalText,
    /// Shown under the name.
    #[serde(default)]
    pub description: LocalText,
    /// Of one portion, without options.
    pub price: Amount,
    /// Where it is cooked; `None` is the default station.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub station_id: Option<StationId>,
    /// 품절, set by people.
    pub sold_out: bool,
    /// Place in its category, ascending.
    pub sort: i64,
    /// What a guest may choose.
    pub option_groups: Vec<OptionGroup>,
    /// The stock row it draws on, if counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stock_id: Option<StockId>,
    /// A picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image_url: Option<String>,
}

/// Why these options do not go with this item.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadChoice {
    /// The option is not one of this item.
    #[error("option {0} does not belong to this item")]
    NotInItem(OptionId),
    /// The same option twice.
    #[error("option {0} is chosen twice")]
    Twice(OptionId),
    /// The option is sold out.
    #[error("option {0} is sold out")]
    SoldOut(OptionId),
    /// Fewer than the group's minimum or more than its maximum.
    #[error("choose {min} to {max} of group {group}, not {chosen}")]
    Count {
        /// The group.
        group: OptionGroupId,
        /// At least.
        min: u32,
        /// At most.
        max: u32,
        /// As asked.
        chosen: u32,
    },
}

impl MenuItem {
    /// Whether it cannot be ordered: marked so, or a group has fewer available options
    /// than its `min`.
    #[must_use]
    pub fn is_sold_out(&self) -> bool {
        self.is_starved(|option| !option.sold_out)
    }

    /// The same where `has` says which options can be had.
    pub fn is_starved(&self, has: impl Fn(&MenuOption) -> bool) -> bool {
        let starved = |group: &OptionGroup| {
            let available = group.options.iter().filter(|option| has(option)).count();
            available < group.min as usize
        };
        self.sold_out || self.option_groups.iter().any(starved)
    }

    /// The chosen options, in the menu's order.
    ///
    /// # Errors
    /// [`BadChoice`] for the first rule that is broken.
    pub fn choose(&self, ids: &[OptionId]) -> Result<Vec<&MenuOption>, BadChoice> {
        let mut wanted = BTreeSet::new();
        for id in ids {
            if !wanted.insert(*id) {
                return Err(BadChoice::Twice(*id));
            }
        }
        let mut chosen = Vec::with_capacity(ids.len());
        for group in &self.option_groups {
            let before = chosen.len();
            chosen.extend(
                group
                    .options
                    .iter()
                    .filter(|option| wanted.remove(&option.id)),
            );
            let count = (chosen.len() - before) as u32;
            if count < group.min || count > group.max {
                let (min, max) = (group.min, group.max);
                return Err(BadChoice::Count {
                    group: group.id,
                    min,
                    max,
                    chosen: count,
                });
            }
        }
        if let Some(stranger) = wanted.first() {
            return Err(BadChoice::NotInItem(*stranger));
        }
        match chosen.iter().find(|option| option.sold_out) {
            Some(option) => Err(BadChoice::SoldOut(option.id)),
            None => Ok(chosen),
        }
    }

    /// Marks the item, or one of its options, sold out or back. `Ok(false)`: it was so already.
    ///
    /// # Errors
    /// [`BadChoice::NotInItem`] for an option of another item.
    pub fn set_sold_out(
        &mut self,
        option: Option<OptionId>,
        sold_out: bool,
    ) -> Result<bool, BadChoice> {
        let flag = match option {
            None => &mut self.sold_out,
            Some(id) => {
                let options = self
                    .option_groups
                    .iter_mut()
                    .flat_map(|group| &mut group.options);
                let found = options.into_iter().find(|option| option.id == id);
                &mut found.ok_or(BadChoice::NotInItem(id))?.sold_out
            }
        };
        let changed = *flag != sold_out;
        *flag = sold_out;
        if changed {
            self.version += 1;
        }
        Ok(changed)
    }
}

//! What can be ordered at the moment: the menu, and what is left of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::id::MenuId;
use domain::menu::MenuItem;
use domain::stock::{Left, Shelf, Short};

/// The menu by id, and what is left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    items: BTreeMap<MenuId, Arc<MenuItem>>,
    shelf: Shelf,
}

impl Offer {
    /// These items, of which so much is left.
    #[must_use]
    pub fn new(items: BTreeMap<MenuId, Arc<MenuItem>>, shelf: Shelf) -> Self {
        Self { items, shelf }
    }

    /// The item of that id.
    #[must_use]
    pub fn get(&self, id: MenuId) -> Option<&Arc<MenuItem>> {
        self.items.get(&id)
    }

    /// Every item.
    pub fn items(&self) -> impl Iterator<Item = &Arc<MenuItem>> {
        self.items.values()
    }

    /// What is left.
    #[must_use]
    pub fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    /// The same where a refusal said what is left; `None`: it said nothing.
    #[must_use]
    pub fn with(&self, short: &[Short]) -> Option<Self> {
        let known = short
            .iter()
            .filter_map(|it| Some((it.stock_id?, it.available)));
        let mut shelf = self.shelf.clone();
        known.for_each(|(id, available)| shelf.set(id, available));
        (shelf != self.shelf).then(|| Self::new(self.items.clone(), shelf))
    }

    /// The item with what is left of it.
    #[must_use]
    pub fn dish(&self, id: MenuId) -> Option<Dish> {
        let item = Arc::clone(self.get(id)?);
        let left = self.shelf.left(&item);
        Some(Dish { item, left })
    }
}

/// An item as a list of dishes shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dish {
    /// The item.
    pub item: Arc<MenuItem>,
    /// How much of it is left.
    pub left: Left,
}

impl Dish {
    /// Whether it cannot be ordered.
    #[must_use]
    pub fn is_out(&self) -> bool {
        self.left == Left::Nothing
    }
}

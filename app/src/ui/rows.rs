//! A list whose rows have a signal each, so that one event renders one row.

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::prelude::*;
use uuid::Uuid;

use super::Erase;

/// Rows by id, in an order. What a screen shows is computed anew from the store after each piece
/// of news; only rows that differ are told.
pub struct Rows<V: 'static> {
    /// The ids of the rows, in their order.
    pub ids: RwSignal<Vec<Uuid>>,
    rows: StoredValue<BTreeMap<Uuid, ArcRwSignal<V>>>,
}

impl<V> Clone for Rows<V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Rows<V> {}

impl<V: Clone + PartialEq + Send + Sync + 'static> Rows<V> {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            ids: RwSignal::new(Vec::new()),
            rows: StoredValue::new(BTreeMap::new()),
        }
    }

    /// Shows exactly these rows, in this order.
    pub fn show(self, rows: Vec<(Uuid, V)>) {
        let ids: Vec<Uuid> = rows.iter().map(|(id, _)| *id).collect();
        for (id, row) in rows {
            self.put(id, row);
        }
        if self.ids.with_untracked(|shown| *shown != ids) {
            self.rows
                .update_value(|known| known.retain(|id, _| ids.contains(id)));
            self.ids.set(ids);
        }
    }

    fn put(self, id: Uuid, row: V) {
        match self.row(id) {
            Some(shown) if shown.with_untracked(|shown| *shown == row) => {}
            Some(shown) => shown.set(row),
            None => self.rows.update_value(|rows| {
                rows.insert(id, ArcRwSignal::new(row));
            }),
        }
    }

    /// Renders each row by its id, and again only rows that come. One `For` for all lists of the
    /// product: each of its own would take 3 KB.
    pub fn each(self, row: impl Fn(Uuid) -> AnyView + Send + Sync + 'static) -> AnyView {
        each(self.ids, Arc::new(row))
    }

    /// The signal of a row that is shown.
    #[must_use]
    pub fn row(self, id: Uuid) -> Option<ArcRwSignal<V>> {
        self.rows.with_value(|rows| rows.get(&id).cloned())
    }
}

fn each(ids: RwSignal<Vec<Uuid>>, row: Arc<dyn Fn(Uuid) -> AnyView + Send + Sync>) -> AnyView {
    view! { <For each=move || ids.get() key=|id| *id children=move |id| row(id) /> }.erased()
}

mod tests {
    #![cfg(test)]

    use super::*;
    use crate::ui::watch::{told, watch};

    fn id(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    #[test]
    fn one_change_among_sixty_rows_tells_one_row_and_not_the_list() {
        let owner = Owner::new();
        owner.set();
        let rows = Rows::new();
        let shown = |changed: u128| (0..60).map(move |n| (id(n), u32::from(n == changed)));
        rows.show(shown(99).collect());
        let list = watch(|| rows.ids.track());
        let each: Vec<_> = (0..60)
            .map(|n| watch(|| rows.row(id(n)).unwrap().track()))
            .collect();
        rows.show(shown(7).collect());
        let counts: Vec<u32> = each.iter().map(|row| told(row)).collect();
        assert_eq!(
            (counts.iter().sum::<u32>(), counts[7], told(&list)),
            (1, 1, 0)
        );
    }

    #[test]
    fn a_row_that_comes_or_goes_tells_the_list_and_no_other_row() {
        let owner = Owner::new();
        owner.set();
        let rows = Rows::new();
        rows.show(vec![(id(1), "one"), (id(2), "two")]);
        let list = watch(|| rows.ids.track());
        let first = watch(|| rows.row(id(1)).unwrap().track());
        rows.show(vec![(id(3), "three"), (id(1), "one")]);
        assert_eq!((told(&list), told(&first)), (1, 0));
        assert_eq!(rows.ids.get_untracked(), [id(3), id(1)]);
        assert!(rows.row(id(2)).is_none());
    }
}

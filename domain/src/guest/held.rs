//! What a party's page holds, and as of when. Older never replaces newer: neither a late frame
//! nor a late answer takes back what a newer one said.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::{GuestCall, GuestEntity, GuestOrder, GuestPage, GuestStock};
use crate::menu::MenuItem;
use crate::stream::EventId;

/// A page as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    page: GuestPage,
    /// Everything up to here is in it.
    as_of: EventId,
    /// Entities that something later has decided, and by which event.
    heard: BTreeMap<Uuid, u64>,
    table_heard: u64,
}

/// What a change touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Everything.
    Page,
    /// The orders.
    Orders,
    /// The calls.
    Calls,
    /// The items of the menu, or what is left of them.
    Items,
    /// The table.
    Table,
}

/// An entity that has versions.
trait Versioned {
    fn key(&self) -> (Uuid, u64);
}

impl Versioned for GuestOrder {
    fn key(&self) -> (Uuid, u64) {
        (self.id.0, self.version)
    }
}

impl Versioned for GuestCall {
    fn key(&self) -> (Uuid, u64) {
        (self.id.0, self.version)
    }
}

impl Versioned for MenuItem {
    fn key(&self) -> (Uuid, u64) {
        (self.id.0, self.version)
    }
}

impl Versioned for GuestStock {
    fn key(&self) -> (Uuid, u64) {
        (self.id.0, self.version)
    }
}

/// Puts `entity` in its place, unless a newer one is there.
fn put<T: Versioned + PartialEq>(held: &mut Vec<T>, entity: T) -> bool {
    let (id, version) = entity.key();
    let Some(place) = held.iter_mut().find(|known| known.key().0 == id) else {
        held.push(entity);
        return true;
    };
    let changes = version >= place.key().1 && *place != entity;
    if changes {
        *place = entity;
    }
    changes
}

impl Held {
    /// The page as an answer had it.
    #[must_use]
    pub fn new(as_of: EventId, page: GuestPage) -> Self {
        Self {
            page,
            as_of,
            heard: BTreeMap::new(),
            table_heard: 0,
        }
    }

    /// The page.
    #[must_use]
    pub fn page(&self) -> &GuestPage {
        &self.page
    }

    /// Whether everything up to `id` is in it. Of another history nothing is.
    #[must_use]
    pub fn covers(&self, id: EventId) -> bool {
        id == EventId::NONE || self.as_of >= id
    }

    /// Whether `id` is of the history it knows.
    #[must_use]
    pub fn is_of(&self, id: EventId) -> bool {
        self.as_of.epoch == id.epoch
    }

    /// An entity after the event `id`, or as a command that ended there left it. What it changes,
    /// if it changes something.
    pub fn apply(&mut self, id: EventId, entity: GuestEntity) -> Option<Part> {
        if !self.is_of(id) || self.covers(id) {
            return None;
        }
        let page = &mut self.page;
        let (key, changes, part) = match entity {
            GuestEntity::Order(order) => (order.id.0, put(&mut page.orders, order), Part::Orders),
            GuestEntity::Call(call) => (call.id.0, put(&mut page.calls, call), Part::Calls),
            GuestEntity::Item(item) => (item.id.0, put(&mut page.items, *item), Part::Items),
            GuestEntity::Stock(row) => (row.id.0, put(&mut page.stock, row), Part::Items),
            GuestEntity::Table(table) => {
                let changes = id.seq >= self.table_heard && page.table != table;
                if changes {
                    page.table = table;
                }
                self.table_heard = self.table_heard.max(id.seq);
                return changes.then_some(Part::Table);
            }
        };
        let heard = self.heard.entry(key).or_default();
        *heard = id.seq.max(*heard);
        changes.then_some(part)
    }

    /// The whole page, as an answer has it. `false`: a newer one is there.
    pub fn load(&mut self, as_of: EventId, page: GuestPage) -> bool {
        if !self.is_of(as_of) {
            *self = Self::new(as_of, page);
            return true;
        }
        if as_of.seq < self.as_of.seq {
            return false;
        }
        self.as_of = as_of;
        self.heard.retain(|_, seq| *seq > as_of.seq);
        let old = std::mem::replace(&mut self.page, page);
        if self.table_heard > as_of.seq {
            self.page.table = old.table;
        }
        keep(&self.heard, old.orders, &mut self.page.orders);
        keep(&self.heard, old.calls, &mut self.page.calls);
        keep(&self.heard, old.items, &mut self.page.items);
        keep(&self.heard, old.stock, &mut self.page.stock);
        true
    }
}

/// What was heard after an answer was made stays.
fn keep<T: Versioned + PartialEq>(heard: &BTreeMap<Uuid, u64>, old: Vec<T>, new: &mut Vec<T>) {
    for entity in old {
        if heard.contains_key(&entity.key().0) {
            put(new, entity);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{call, id, item, order, page, stock, table};
    use super::*;

    fn orders(held: &Held) -> Vec<(u32, u64)> {
        let orders = held.page().orders.iter();
        orders.map(|order| (order.number, order.version)).collect()
    }

    #[test]
    fn an_older_version_never_replaces_a_newer_one() {
        let mut held = Held::new(id(10), page());
        let put = |held: &mut Held, seq, version| held.apply(id(seq), order(1, version));
        assert_eq!(put(&mut held, 12, 3), Some(Part::Orders));
        assert_eq!(put(&mut held, 11, 2), None);
        assert_eq!(
            put(&mut held, 12, 3),
            None,
            "the same again changes nothing"
        );
        assert_eq!(orders(&held), [(1, 3)]);
    }

    #[test]
    fn what_the_answer_already_has_is_not_put_back_by_a_late_frame() {
        let mut held = Held::new(id(10), page());
        assert_eq!(held.apply(id(10), order(1, 9)), None);
        assert_eq!(held.apply(id(9), table("B-1")), None);
        assert_eq!(orders(&held), []);
    }

    #[test]
    fn a_stale_answer_takes_nothing_back_that_was_heard_since() {
        let mut held = Held::new(id(10), page());
        held.apply(id(14), order(1, 3));
        held.apply(id(15), order(2, 1));
        held.apply(id(16), call(1, 2));
        held.apply(id(17), item(1, true));
        held.apply(id(18), table("B-1"));
        assert_eq!(held.apply(id(19), stock(5, 7, 2)), Some(Part::Items));
        assert_eq!(held.apply(id(20), stock(5, 6, 3)), None, "older");
        let mut answer = page();
        if let GuestEntity::Order(order) = order(1, 2) {
            answer.orders.push(order);
        }
        assert!(held.load(id(13), answer));
        assert_eq!(orders(&held), [(1, 3), (2, 1)]);
        assert_eq!(held.page().calls.len(), 1);
        assert!(held.page().items[0].sold_out);
        assert_eq!(held.page().stock[0].available, 2);
        assert_eq!(held.page().table.name, "B-1");
    }

    #[test]
    fn a_newer_answer_decides_what_is_there_and_what_is_not() {
        let mut held = Held::new(id(10), page());
        held.apply(id(14), order(1, 3));
        held.apply(id(15), call(1, 1));
        held.apply(id(16), item(1, true));
        held.apply(id(16), table("B-1"));
        assert!(held.load(id(16), page()));
        assert_eq!((orders(&held), held.page()), (Vec::new(), &page()));
    }

    #[test]
    fn an_answer_older_than_the_last_is_ignored() {
        let mut held = Held::new(id(10), page());
        let mut answer = page();
        answer.table.name = "B-1".to_owned();
        assert!(!held.load(id(9), answer));
        assert_eq!(held.page(), &page());
    }

    #[test]
    fn another_history_replaces_everything() {
        let mut held = Held::new(id(10), page());
        held.apply(id(14), order(1, 3));
        let other = EventId::new(crate::stream::Epoch(2), 1);
        assert_eq!(held.apply(other, order(2, 1)), None);
        assert!(!held.covers(other));
        assert!(held.load(other, page()));
        assert!(held.covers(other) && orders(&held).is_empty());
    }
}

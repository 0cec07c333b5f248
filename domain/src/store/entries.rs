//! The entities of one kind in one scope, each decided as of some seq.

use std::collections::BTreeMap;
use std::sync::Arc;

/// What is in a scope, and as of when.
#[derive(Clone, Debug)]
pub struct Entries<K, T> {
    values: BTreeMap<K, Arc<T>>,
    /// As of when an entity, present or absent, was last decided; others as of `as_of`.
    notes: BTreeMap<K, u64>,
    /// The scope's watermark; `None` before its first answer.
    as_of: Option<u64>,
}

impl<K, T> Default for Entries<K, T> {
    fn default() -> Self {
        Self {
            values: BTreeMap::new(),
            notes: BTreeMap::new(),
            as_of: None,
        }
    }
}

impl<K: Ord + Copy, T: PartialEq + Clone> Entries<K, T> {
    /// The watermark; `None` before the first answer.
    #[must_use]
    pub fn as_of(&self) -> Option<u64> {
        self.as_of
    }

    /// The entity, if it is in the scope.
    #[must_use]
    pub fn get(&self, id: K) -> Option<&Arc<T>> {
        self.values.get(&id)
    }

    /// As of which seq the entity was last decided; `None` before the first answer.
    #[must_use]
    pub fn decided(&self, id: K) -> Option<u64> {
        let note = self.notes.get(&id).copied();
        note.max(self.as_of)
    }

    /// Every entity in the scope, by id.
    pub fn values(&self) -> impl Iterator<Item = &Arc<T>> {
        self.values.values()
    }

    /// Every id in the scope.
    pub fn ids(&self) -> impl Iterator<Item = K> + '_ {
        self.values.keys().copied()
    }

    /// How many notes are kept: bounded by what changed since the cursor.
    #[must_use]
    pub fn notes(&self) -> usize {
        self.notes.len()
    }

    /// News of one entity as of `at`; `None` is absent. Ignored when older than what decided it
    /// last, and for an event also when as old. `true`: the scope changed.
    pub(super) fn decide(
        &mut self,
        id: K,
        news: Option<&T>,
        at: u64,
        event: bool,
        guard: bool,
    ) -> bool {
        let floor = self.as_of.unwrap_or(0);
        let known = if guard {
            self.notes.get(&id).map_or(floor, |note| floor.max(*note))
        } else {
            0
        };
        if at < known || (event && at == known && known > 0) {
            return false;
        }
        self.notes.insert(id, at);
        self.put(id, news.map(|news| Arc::new(news.clone())))
    }

    fn put(&mut self, id: K, value: Option<Arc<T>>) -> bool {
        match value {
            None => self.values.remove(&id).is_some(),
            Some(value) => {
                let same = self.values.get(&id).is_some_and(|old| **old == *value);
                if !same {
                    self.values.insert(id, value);
                }
                !same
            }
        }
    }

    /// The whole scope as of `watermark`: it decides every entity that nothing newer has
    /// decided. Answers with the ids that changed.
    pub(super) fn answer(
        &mut self,
        watermark: u64,
        entities: impl Iterator<Item = (K, Arc<T>)>,
        guard: bool,
    ) -> Vec<K> {
        let mut all = BTreeMap::new();
        all.extend(entities);
        let newer = |notes: &BTreeMap<K, u64>, id: &K| {
            guard && notes.get(id).is_some_and(|note| *note > watermark)
        };
        let known: Vec<K> = self.values.keys().copied().collect();
        let mut changed = Vec::new();
        for id in known {
            if !all.contains_key(&id) && !newer(&self.notes, &id) {
                self.values.remove(&id);
                changed.push(id);
            }
        }
        all.retain(|id, _| !newer(&self.notes, id));
        for (id, value) in all {
            if self.put(id, Some(value)) {
                changed.push(id);
            }
        }
        self.as_of = Some(watermark);
        self.notes.retain(|_, note| *note > watermark);
        changed
    }

    /// Everything up to `cursor` is decided here, if the scope is loaded.
    pub(super) fn forget(&mut self, cursor: u64) {
        if let Some(as_of) = &mut self.as_of {
            *as_of = (*as_of).max(cursor);
            let floor = *as_of;
            self.notes.retain(|_, note| *note > floor);
        }
    }

    pub(super) fn raise(&mut self, watermark: u64) {
        if let Some(as_of) = &mut self.as_of {
            *as_of = (*as_of).max(watermark);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entity_is_known_as_of_what_decided_it_last() {
        let mut entries = Entries::<u32, &str>::default();
        assert_eq!(entries.decided(1), None);
        entries.answer(5, [(1, Arc::new("one"))].into_iter(), true);
        assert_eq!((entries.decided(1), entries.decided(2)), (Some(5), Some(5)));
        // A command's own answer comes before its event.
        assert!(entries.decide(1, Some(&"uno"), 8, false, true));
        assert_eq!((entries.decided(1), entries.decided(2)), (Some(8), Some(5)));
        entries.forget(9);
        assert_eq!(entries.decided(1), Some(9));
    }
}

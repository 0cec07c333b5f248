//! What a screen has seen, for tests to wait for and to judge.

use std::collections::BTreeMap;

use domain::bridge::{Bridge, Counters};
use domain::event::EventType;
use domain::stream::{EventId, Scope};
use domain::time::Time;
use uuid::Uuid;

/// A stream that was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    pub ticket: String,
    pub cursor: EventId,
}

#[derive(Clone, Debug, Default)]
pub struct Seen {
    pub cursor: EventId,
    pub based: bool,
    pub counters: Counters,
    /// Tickets and loads asked for; acknowledgements are not requests of a loop.
    pub requests: u64,
    /// When each ticket was asked for, by the screen's clock.
    pub tickets: Vec<Time>,
    pub opened: Vec<Opened>,
    /// Streams that failed, refused ones too, by the screen's clock.
    pub failed: Vec<Time>,
    pub beats: u64,
    pub drained: u64,
    /// Frames that could not be read.
    pub bad: Vec<String>,
    /// Frames of streams that the bridge had closed.
    pub late: u64,
    /// Events that passed the cursor live: what sounds.
    pub heard: Vec<(EventType, Option<Uuid>)>,
    /// Entities that went back to an older version.
    pub backwards: Vec<String>,
    /// Events whose effect came more than once.
    pub applied_twice: u64,
}

/// What the judgement needs to remember.
#[derive(Debug, Default)]
pub struct Memory {
    versions: BTreeMap<(Scope, Uuid), u64>,
    /// Where the cursor stood, and how many events were applied, when the first baseline was
    /// complete.
    since: Option<(EventId, u64)>,
}

impl Seen {
    /// The bridge has taken a step.
    pub fn stepped(&mut self, bridge: &Bridge, memory: &mut Memory) {
        let before = self.cursor;
        self.cursor = bridge.cursor();
        self.based = bridge.is_based();
        self.counters = bridge.counters();
        if self.cursor.epoch == before.epoch && self.cursor.seq < before.seq {
            self.backwards.push(format!("{before} → {}", self.cursor));
        }
        if self.based {
            let (from, applied) = *memory
                .since
                .get_or_insert((self.cursor, self.counters.applied));
            let passed = self.cursor.seq.saturating_sub(from.seq);
            let applied = self.counters.applied - applied;
            self.applied_twice = applied.saturating_sub(passed);
        }
    }

    /// The store changed.
    pub fn shown(&mut self, bridge: &Bridge, memory: &mut Memory) {
        let store = bridge.store();
        let mut found = Vec::new();
        for scope in store.scopes() {
            match scope {
                Scope::Payments | Scope::Servings | Scope::HallOrders | Scope::KitchenOrders => {
                    found.extend(store.orders(scope).map(|o| (scope, o.id.0, o.version)));
                }
                Scope::Tables => found.extend(store.tables().map(|t| (scope, t.id.0, t.version))),
                Scope::Calls => found.extend(store.calls().map(|c| (scope, c.id.0, c.version))),
                Scope::Menu => found.extend(store.items().map(|i| (scope, i.id.0, i.version))),
                Scope::Store => {}
            }
        }
        for (scope, id, version) in found {
            let known = memory.versions.entry((scope, id)).or_default();
            if version < *known {
                let what = format!("{}: {id} from {known} to {version}", scope.path());
                self.backwards.push(what);
            }
            *known = version.max(*known);
        }
    }

    /// Nothing went back and nothing had its effect twice.
    pub fn assert_sound(&self) {
        assert_eq!(self.backwards, Vec::<String>::new());
        assert_eq!(self.applied_twice, 0, "{:?}", self.counters);
    }
}

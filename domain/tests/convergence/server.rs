//! The server of the simulation: transactions, outbox, relays with crash points, a log that is
//! lost in every way, the hub's reader and its ring (realtime, sections 1 to 4).

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use domain::event::{Envelope, Event, Kind};
use domain::id::OutboxId;
use domain::settings::PaymentTiming;
use domain::snapshot::Entities;
use domain::stream::{Epoch, EventId, Scope};
use domain::time::Time;
use serde_json::Value;
use uuid::Uuid;

use super::about::{bit, collect, describe, thinned};
use super::connection::Connection;
use super::house::{House, STORE};
use super::rng::Rng;

/// Rules of the server that a test can switch off to see the suite fail.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// A connection joins the ring before its replay is read.
    pub subscribe_first: bool,
    /// A watermark is read together with the data.
    pub watermark_with_data: bool,
    /// A quiet reader compares its position with the database.
    pub tail_check: bool,
    /// `sent` is the connection's position, also after `RELOAD_REQUIRED`.
    pub sent_is_position: bool,
    /// `changes` gives no ids when there are more rows than its limit.
    pub no_page_of_changes: bool,
    /// `changes` proves that every row since the cursor is there.
    pub history_proven: bool,
    /// The business day's cut and edited settings put a marker into the log.
    pub cut_is_marked: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            subscribe_first: true,
            watermark_with_data: true,
            tail_check: true,
            sent_is_position: true,
            no_page_of_changes: true,
            history_proven: true,
            cut_is_marked: true,
        }
    }
}

/// Sizes, scaled down so that every limit is met.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub ring: usize,
    pub replay: u64,
    pub changes: u64,
    pub entities: usize,
}

/// A row of the outbox, as the log and every reader see it.
pub struct Row {
    pub seq: u64,
    pub name: &'static str,
    pub frame: Rc<Value>,
    /// What it is about; `None` for a marker.
    pub about: Option<(Kind, Uuid)>,
}

/// A state of an entity, true from `from` until the next one.
#[derive(Clone, Copy)]
pub struct Past {
    pub from: u64,
    pub version: Option<u64>,
    scopes: u16,
}

type History = BTreeMap<(Kind, Uuid), Vec<Past>>;

pub struct Backup {
    pub(super) seq: u64,
    pub(super) house: House,
    pub(super) rows: BTreeMap<u64, Rc<Row>>,
    pub(super) first: u64,
    pub(super) unpublished: Vec<u64>,
    pub(super) history: History,
}

#[derive(Default)]
pub struct Relay {
    pub(super) batch: Option<(Vec<u64>, usize)>,
}

pub struct Server {
    pub rules: Rules,
    pub limits: Limits,
    pub now: Time,
    pub epoch: Epoch,
    pub seq: u64,
    pub house: House,
    /// The outbox: history of record, from `first` on.
    pub rows: BTreeMap<u64, Rc<Row>>,
    pub first: u64,
    pub(super) unpublished: Vec<u64>,
    pub(super) poison: BTreeMap<u64, u32>,
    pub(super) log: BTreeMap<u64, Rc<Row>>,
    pub(super) log_max: u64,
    pub(super) log_up: bool,
    pub(super) dump: Option<(BTreeMap<u64, Rc<Row>>, u64)>,
    pub(super) relays: [Relay; 2],
    pub(super) lease: Option<usize>,
    /// The reader's last seq: the hub's head.
    pub head: u64,
    pub ring: VecDeque<Rc<Row>>,
    pub connections: Vec<Connection>,
    pub(super) history: History,
    pub(super) backup: Option<Backup>,
    pub trace: Option<Vec<String>>,
}

/// What a command's transaction did: its answer's watermark and entities.
pub struct Committed {
    pub watermark: EventId,
    pub entities: Entities,
}

impl Server {
    pub fn new(timing: PaymentTiming, limits: Limits, rules: Rules) -> Self {
        let house = House::new(timing);
        let mut history = History::new();
        let mut known = |kind, id, scope| {
            let past = Past {
                from: 0,
                version: Some(1),
                scopes: bit(scope),
            };
            history.insert((kind, id), vec![past]);
        };
        for table in &house.tables {
            known(Kind::Table, table.id.0, Scope::Tables);
        }
        for id in house.items.keys() {
            known(Kind::Menu, id.0, Scope::Menu);
        }
        for id in house.stock.keys() {
            known(Kind::Stock, id.0, Scope::Menu);
        }
        Self {
            rules,
            limits,
            now: Time(1_770_000_000_000),
            epoch: Epoch(1),
            seq: 0,
            house,
            rows: BTreeMap::new(),
            first: 1,
            unpublished: vec![],
            poison: BTreeMap::new(),
            log: BTreeMap::new(),
            log_max: 0,
            log_up: true,
            dump: None,
            relays: Default::default(),
            lease: None,
            head: 0,
            ring: VecDeque::new(),
            connections: vec![],
            history,
            backup: None,
            trace: None,
        }
    }

    pub fn note(&mut self, text: impl FnOnce() -> String) {
        if let Some(trace) = &mut self.trace {
            trace.push(text());
        }
    }

    pub fn id(&self, seq: u64) -> EventId {
        EventId::new(self.epoch, seq)
    }

    pub(super) fn row(&self, seq: u64, event: &Event, about: Option<(Kind, Uuid)>) -> Rc<Row> {
        let envelope = Envelope {
            event_id: self.id(seq),
            outbox_id: OutboxId(Uuid::from_u128(u128::from(seq) + (1 << 64))),
            store_id: STORE,
            at: self.now,
            event: event.clone(),
        };
        Rc::new(Row {
            seq,
            name: event.event_type().name(),
            frame: Rc::new(serde_json::to_value(&envelope).unwrap()),
            about,
        })
    }

    /// One transaction. `thin`: too large to travel; `poison`: the log refuses its events.
    pub fn commit(&mut self, events: &[Event], thin: bool, poison: bool) -> Committed {
        let mut entities = Entities::default();
        for event in events {
            self.seq += 1;
            let seq = self.seq;
            let known = describe(event);
            if let Some((kind, id, version, scopes)) = known {
                let past = Past {
                    from: seq,
                    version: Some(version),
                    scopes,
                };
                self.history.entry((kind, id)).or_default().push(past);
            }
            collect(event, &mut entities);
            let about = known.map(|(kind, id, ..)| (kind, id));
            let shown = if thin { thinned(event) } else { event.clone() };
            let row = self.row(seq, &shown, about);
            self.rows.insert(seq, row);
            self.unpublished.push(seq);
            if poison && about.is_some() {
                self.poison.insert(seq, 0);
            }
            self.note(|| {
                let name = event.event_type().name();
                format!("commit {seq} {name} {about:?} thin={thin} poison={poison}")
            });
        }
        Committed {
            watermark: self.id(self.seq),
            entities,
        }
    }

    /// A random command; one in ten is rolled back and leaves no seq. `None`: nothing happened.
    pub fn command(&mut self, rng: &mut Rng, thin: bool, poison: bool) -> Option<Committed> {
        let mut house = self.house.clone();
        let events = if rng.one_in(16) {
            house.move_line(rng, self.now)
        } else {
            house.command(rng, self.now)
        };
        if rng.one_in(10) || events.is_empty() {
            return None;
        }
        self.house = house;
        Some(self.commit(&events, thin, poison))
    }

    /// The business day's cut, or edited settings: a marker in a transaction of its own.
    pub fn mark(&mut self, rng: &mut Rng) {
        let event = if rng.one_in(2) {
            self.house.cut()
        } else {
            self.house.edit_settings(rng)
        };
        if !self.rules.cut_is_marked {
            return;
        }
        self.commit(&[event], false, false);
        let imported: Vec<(Uuid, u64)> = self
            .house
            .items
            .values()
            .map(|item| (item.id.0, item.version))
            .collect();
        for (id, version) in imported {
            let past = self.history.entry((Kind::Menu, id)).or_default();
            if past.last().and_then(|past| past.version) != Some(version) {
                past.push(Past {
                    from: self.seq,
                    version: Some(version),
                    scopes: bit(Scope::Menu),
                });
            }
        }
    }

    /// The last seq at which `scope` showed this of the entity; `None`: it never did.
    pub fn last_true(
        &self,
        scope: Scope,
        about: (Kind, Uuid),
        version: Option<u64>,
    ) -> Option<u64> {
        let mut until = u64::MAX;
        let past = self.history.get(&about).map_or(&[][..], Vec::as_slice);
        for state in past.iter().rev() {
            let shown = state.version.filter(|_| state.scopes & bit(scope) != 0);
            if shown == version {
                return Some(until);
            }
            until = state.from.saturating_sub(1);
        }
        version.is_none().then_some(until)
    }
}

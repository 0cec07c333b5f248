//! The server of the simulation: transactions, outbox, relays with crash points, a log that is
//! lost in every way, the hub's reader and its ring (realtime, sections 1 to 4).

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use domain::event::{Envelope, Event, Kind, Payload, Thin};
use domain::id::OutboxId;
use domain::settings::PaymentTiming;
use domain::snapshot::Entities;
use domain::stream::{Epoch, EventId, Scope};
use domain::time::Time;
use serde_json::Value;
use uuid::Uuid;

use super::connection::Connection;
use super::house::{House, STORE, marker};
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

struct Backup {
    seq: u64,
    house: House,
    rows: BTreeMap<u64, Rc<Row>>,
    first: u64,
    unpublished: Vec<u64>,
    history: History,
}

#[derive(Default)]
struct Relay {
    batch: Option<(Vec<u64>, usize)>,
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
    unpublished: Vec<u64>,
    poison: BTreeMap<u64, u32>,
    log: BTreeMap<u64, Rc<Row>>,
    log_max: u64,
    log_up: bool,
    dump: Option<(BTreeMap<u64, Rc<Row>>, u64)>,
    relays: [Relay; 2],
    lease: Option<usize>,
    /// The reader's last seq: the hub's head.
    pub head: u64,
    pub ring: VecDeque<Rc<Row>>,
    pub connections: Vec<Connection>,
    history: History,
    backup: Option<Backup>,
    pub trace: Option<Vec<String>>,
}

fn bit(scope: Scope) -> u16 {
    let at = Scope::ALL.iter().position(|other| *other == scope);
    1 << at.unwrap_or(15)
}

/// The entity of an event, its version, and the scopes that hold it.
fn describe(event: &Event) -> Option<(Kind, Uuid, u64, u16)> {
    match event {
        Event::HallPayment(Payload::Whole(order))
        | Event::HallPaymentResolved(Payload::Whole(order))
        | Event::KitchenCook(Payload::Whole(order))
        | Event::KitchenProgress(Payload::Whole(order))
        | Event::HallServe(Payload::Whole(order))
        | Event::OrderChanged(Payload::Whole(order)) => {
            let holds = Scope::ALL.iter().filter(|scope| scope.holds_order(order));
            let scopes = holds.map(|scope| bit(*scope)).sum();
            Some((Kind::Order, order.id.0, order.version, scopes))
        }
        Event::CustomerCall(Payload::Whole(call)) => {
            let scopes = if call.is_open() { bit(Scope::Calls) } else { 0 };
            Some((Kind::Call, call.id.0, call.version, scopes))
        }
        Event::TableChanged(Payload::Whole(table)) => {
            Some((Kind::Table, table.id.0, table.version, bit(Scope::Tables)))
        }
        Event::KitchenMenuChanged(Payload::Whole(item)) => {
            Some((Kind::Menu, item.id.0, item.version, bit(Scope::Menu)))
        }
        Event::StockChanged(Payload::Whole(stock)) => {
            Some((Kind::Stock, stock.id.0, stock.version, bit(Scope::Menu)))
        }
        _ => None,
    }
}

fn thinned(event: &Event) -> Event {
    let Some((_, id, version, _)) = describe(event) else {
        return event.clone();
    };
    let thin = Thin {
        id,
        version,
        fetch: true,
    };
    match event {
        Event::HallPayment(_) => Event::HallPayment(Payload::Thin(thin)),
        Event::HallPaymentResolved(_) => Event::HallPaymentResolved(Payload::Thin(thin)),
        Event::KitchenCook(_) => Event::KitchenCook(Payload::Thin(thin)),
        Event::KitchenProgress(_) => Event::KitchenProgress(Payload::Thin(thin)),
        Event::HallServe(_) => Event::HallServe(Payload::Thin(thin)),
        Event::OrderChanged(_) => Event::OrderChanged(Payload::Thin(thin)),
        Event::CustomerCall(_) => Event::CustomerCall(Payload::Thin(thin)),
        Event::TableChanged(_) => Event::TableChanged(Payload::Thin(thin)),
        Event::KitchenMenuChanged(_) => Event::KitchenMenuChanged(Payload::Thin(thin)),
        Event::StockChanged(_) => Event::StockChanged(Payload::Thin(thin)),
        Event::ReloadRequired(_) => event.clone(),
    }
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

    fn row(&self, seq: u64, event: &Event, about: Option<(Kind, Uuid)>) -> Rc<Row> {
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
            house.move_line(rng)
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

    // ---- relay and log

    pub fn relay(&mut self, which: usize) {
        let Some((batch, done)) = self.relays[which].batch.clone() else {
            if !self.unpublished.is_empty() && self.lease.is_none() {
                let batch = self.unpublished.iter().take(4).copied().collect();
                self.relays[which].batch = Some((batch, 0));
                self.lease = Some(which);
            }
            return;
        };
        let Some(seq) = batch.get(done).copied() else {
            self.published(&batch);
            self.free(which);
            return;
        };
        if !self.log_up {
            self.published(&batch[..done]);
            self.free(which);
            return;
        }
        if let Some(attempts) = self.poison.get_mut(&seq) {
            *attempts += 1;
            if *attempts < 2 {
                self.published(&batch[..done]);
                self.free(which);
                return;
            }
            // Refused for its own sake: a marker under its own seq.
            self.poison.remove(&seq);
            let row = self.row(seq, &marker("DEAD"), None);
            self.rows.insert(seq, row);
            self.note(|| format!("dead {seq}"));
        }
        if seq > self.log_max
            && let Some(row) = self.rows.get(&seq)
        {
            self.log.insert(seq, row.clone());
            self.log_max = seq;
        }
        self.relays[which].batch = Some((batch, done + 1));
    }

    /// A relay dies, or its lease ends: another takes over from what is not marked.
    pub fn free(&mut self, which: usize) {
        self.relays[which].batch = None;
        if self.lease == Some(which) {
            self.lease = None;
        }
    }

    pub fn expire_lease(&mut self) {
        self.lease = None;
    }

    fn published(&mut self, batch: &[u64]) {
        self.unpublished.retain(|seq| !batch.contains(seq));
    }

    /// The log loses something.
    pub fn log_fault(&mut self, rng: &mut Rng) {
        match rng.below(6) {
            0 => {
                self.log.clear();
                self.log_max = 0;
            }
            1 => {
                self.log.pop_first();
            }
            2 => {
                for _ in 0..1 + rng.below(3) {
                    self.log.pop_last();
                }
                self.log_max = self.log.keys().last().copied().unwrap_or(0);
            }
            3 => self.dump = Some((self.log.clone(), self.log_max)),
            4 => {
                if let Some((log, max)) = self.dump.clone() {
                    (self.log, self.log_max) = (log, max);
                }
            }
            _ => self.log_up = !self.log_up,
        }
        let (max, up) = (self.log_max, self.log_up);
        self.note(|| format!("log fault: max {max} up {up}"));
    }

    fn push(&mut self, seq: u64) {
        if let Some(row) = self.rows.get(&seq).cloned() {
            self.ring.push_back(row);
            while self.ring.len() > self.limits.ring {
                self.ring.pop_front();
            }
            self.head = seq;
        }
    }

    /// The reader takes the log's next entry, what lies before it from the outbox.
    pub fn read(&mut self) -> bool {
        let next = self.log.range(self.head + 1..).next().map(|(seq, _)| *seq);
        let Some(next) = next.filter(|_| self.log_up) else {
            return false;
        };
        for seq in self.head + 1..=next {
            self.push(seq);
        }
        self.note(|| format!("reader {next}"));
        true
    }

    /// Nothing came for a while: compare with the database.
    pub fn check_tail(&mut self) {
        if self.rules.tail_check && self.head < self.seq {
            // An event that the log has not refused yet may be read here first.
            for seq in self.head + 1..=self.seq {
                self.push(seq);
            }
            let seq = self.seq;
            self.note(|| format!("tail check {seq}"));
        }
    }

    /// Old rows go, lowest seq first.
    pub fn purge(&mut self, most: usize) {
        for _ in 0..most {
            let seq = self.first;
            let claimed = |relay: &Relay| {
                let batch = relay.batch.as_ref();
                batch.is_some_and(|(batch, _)| batch.contains(&seq))
            };
            let kept = self.unpublished.contains(&seq) || self.relays.iter().any(claimed);
            if kept || seq > self.head || seq > self.seq {
                break;
            }
            self.rows.remove(&seq);
            self.first += 1;
        }
        let first = self.first;
        self.note(|| format!("purged up to {first}"));
    }

    pub fn restart(&mut self) {
        for connection in &mut self.connections {
            connection.cut();
        }
        self.relays = Default::default();
        self.lease = None;
        self.ring.clear();
        self.head = self.seq;
        self.note(|| "restart".to_owned());
    }

    pub fn back_up(&mut self) {
        self.backup = Some(Backup {
            seq: self.seq,
            house: self.house.clone(),
            rows: self.rows.clone(),
            first: self.first,
            unpublished: self.unpublished.clone(),
            history: self.history.clone(),
        });
    }

    /// Back to the backup, as another history; ids are given out again.
    pub fn restore(&mut self) {
        let Some(backup) = self.backup.take() else {
            return;
        };
        self.seq = backup.seq;
        self.house = backup.house;
        self.first = backup.first;
        self.unpublished = backup.unpublished;
        self.history = backup.history;
        self.poison.clear();
        self.epoch = Epoch(self.epoch.0 + 1);
        self.rows = backup.rows;
        self.rename();
        self.log.clear();
        self.log_max = 0;
        self.dump = None;
        let (epoch, seq) = (self.epoch, self.seq);
        self.note(|| format!("restored: epoch {epoch:?} seq {seq}"));
        self.restart();
    }

    /// Every row is of the current epoch.
    pub fn rename(&mut self) {
        let seqs: Vec<u64> = self.rows.keys().copied().collect();
        for seq in seqs {
            let old = &self.rows[&seq];
            let (name, about) = (old.name, old.about);
            let mut frame = (*old.frame).clone();
            frame["eventId"] = Value::String(self.id(seq).to_string());
            let row = Row {
                seq,
                name,
                frame: Rc::new(frame),
                about,
            };
            self.rows.insert(seq, Rc::new(row));
        }
    }

    /// The relay publishes and marks; then the log is flushed before anybody reads.
    pub fn lose_log_after_marking(&mut self) {
        self.lease = None;
        while !self.unpublished.is_empty() {
            self.relay(0);
        }
        self.log.clear();
        self.log_max = 0;
    }

    /// Everything works and nothing new happens: publish and read all.
    pub fn settle(&mut self) {
        self.log_up = true;
        for _ in 0..200 {
            if self.unpublished.is_empty() && self.relays.iter().all(|r| r.batch.is_none()) {
                break;
            }
            self.lease = None;
            for which in 0..2 {
                for _ in 0..7 {
                    self.relay(which);
                }
            }
        }
        while self.read() {}
        self.check_tail();
    }
}

fn collect(event: &Event, into: &mut Entities) {
    fn put<T>(list: &mut Vec<T>, entity: &T, same: impl Fn(&T) -> bool)
    where
        T: Clone,
    {
        list.retain(|other| !same(other));
        list.push(entity.clone());
    }
    match event {
        Event::HallPayment(Payload::Whole(order))
        | Event::HallPaymentResolved(Payload::Whole(order))
        | Event::KitchenCook(Payload::Whole(order))
        | Event::KitchenProgress(Payload::Whole(order))
        | Event::HallServe(Payload::Whole(order))
        | Event::OrderChanged(Payload::Whole(order)) => {
            put(&mut into.orders, order, |other| other.id == order.id);
        }
        Event::CustomerCall(Payload::Whole(call)) => {
            put(&mut into.calls, call, |other| other.id == call.id);
        }
        Event::TableChanged(Payload::Whole(table)) => {
            put(&mut into.tables, table, |other| other.id == table.id);
        }
        Event::KitchenMenuChanged(Payload::Whole(item)) => {
            put(&mut into.items, item, |other| other.id == item.id);
        }
        Event::StockChanged(Payload::Whole(stock)) => {
            put(&mut into.stock, stock, |other| other.id == stock.id);
        }
        _ => {}
    }
}

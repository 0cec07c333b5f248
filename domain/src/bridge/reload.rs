//! Reloads: a baseline of everything, or of what changed. One at a time; a second request joins
//! it. Its answers are known by their requests, so a reload survives a reconnect.

use std::collections::{BTreeMap, BTreeSet};

use super::link::Phase;
use super::{Answer, Bridge, Effect, Load, NoAnswer, touches_orders};
use crate::snapshot::{Changes, ChangesReason};
use crate::store::Touched;
use crate::stream::{EventId, Scope};
use crate::time::Time;

/// The shortest and the longest time between two full reloads, in ms.
const FULL_GAP: (i64, i64) = (10_000, 40_000);
/// After this long without one, in ms, the gap is short again.
const FULL_CALM: i64 = 60_000;
/// A partial reload that failed is tried once more after this, in ms.
const PARTIAL_RETRY: i64 = 1_000;
/// A reload must be answered within this, in ms.
const RELOAD_TIMEOUT: i64 = 20_000;
/// A client without a stream loads its scopes this often, in ms.
const POLL_GAP: i64 = 10_000;
/// A scope added later whose load failed is asked for again after this, in ms.
const SCOPE_RETRY: i64 = 3_000;
/// The longest the server may spread a reload, in ms.
const LONGEST_SPREAD: i64 = 60_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    Full,
    Partial,
    /// Full, while there is no stream; exempt from the gap.
    Poll,
}

#[derive(Debug)]
struct Running {
    size: Size,
    outstanding: BTreeMap<u64, Load>,
    failed: bool,
    /// Partial: what every answer must reach.
    target: u64,
    deadline: Time,
    touched: Touched,
}

#[derive(Debug, Default)]
enum Stage {
    #[default]
    Idle,
    Waiting {
        size: Size,
        at: Time,
    },
    Running(Running),
}

#[derive(Debug)]
pub(super) struct ReloadState {
    stage: Stage,
    /// A full one was wanted while a partial one runs.
    full_next: bool,
    partial_failures: u32,
    full_not_before: Time,
    full_gap: i64,
    last_full: Time,
    last_poll: Time,
    /// Loads of scopes that were added later, and until when each must be answered.
    scopes: BTreeMap<u64, (Scope, Time)>,
    scope_retries: Vec<(Time, Scope)>,
}

impl Default for ReloadState {
    fn default() -> Self {
        Self {
            stage: Stage::Idle,
            full_next: false,
            partial_failures: 0,
            full_not_before: Time(i64::MIN),
            full_gap: FULL_GAP.0,
            last_full: Time(0),
            last_poll: Time(0),
            scopes: BTreeMap::new(),
            scope_retries: Vec::new(),
        }
    }
}

impl ReloadState {
    pub(super) fn is_idle(&self) -> bool {
        matches!(self.stage, Stage::Idle)
    }

    /// Whatever is asked for is worth nothing any more.
    pub(super) fn abandon(&mut self) {
        self.stage = Stage::Idle;
        self.full_next = false;
        self.partial_failures = 0;
        self.scopes.clear();
        self.scope_retries.clear();
    }
}

impl Bridge {
    /// Wants a baseline of everything.
    pub(super) fn want_full(&mut self, now: Time, out: &mut Vec<Effect>) {
        match &self.reload.stage {
            Stage::Idle
            | Stage::Waiting {
                size: Size::Partial,
                ..
            } => {
                self.begin_full(now, Size::Full, out);
            }
            Stage::Running(running) if running.size == Size::Partial => {
                self.reload.full_next = true;
            }
            Stage::Waiting { .. } | Stage::Running(_) => {}
        }
    }

    /// Wants a baseline of what changed, `delay` ms from `now`.
    pub(super) fn want_partial(&mut self, now: Time, delay: i64, out: &mut Vec<Effect>) {
        if !self.reload.is_idle() {
            return;
        }
        if !self.based {
            self.begin_full(now, Size::Full, out);
        } else if delay > 0 {
            self.reload.stage = Stage::Waiting {
                size: Size::Partial,
                at: now.plus(delay.min(LONGEST_SPREAD)),
            };
        } else {
            self.begin_partial(now, out);
        }
    }

    fn begin_full(&mut self, now: Time, size: Size, out: &mut Vec<Effect>) {
        let reload = &mut self.reload;
        if size != Size::Poll {
            if now < reload.full_not_before {
                reload.stage = Stage::Waiting {
                    size,
                    at: reload.full_not_before,
                };
                return;
            }
            if now.since(reload.last_full) > FULL_CALM {
                reload.full_gap = FULL_GAP.0;
            }
            reload.last_full = now;
            reload.full_not_before = now.plus(reload.full_gap);
            reload.full_gap = FULL_GAP.1.min(reload.full_gap * 2);
            self.counters.full_reloads += 1;
        }
        self.reload.full_next = false;
        // A scope whose own first load is under way is part of this one.
        self.reload.scopes.clear();
        self.reload.scope_retries.clear();
        let scopes: Vec<Scope> = self.store.scopes().collect();
        let loads = scopes.into_iter().map(Load::Scope).collect();
        self.run(now, size, loads, out);
        self.end_if_answered(now, out);
    }

    fn begin_partial(&mut self, now: Time, out: &mut Vec<Effect>) {
        self.counters.partial_reloads += 1;
        let loads = vec![Load::Changes(self.cursor)];
        self.run(now, Size::Partial, loads, out);
    }

    fn run(&mut self, now: Time, size: Size, loads: Vec<Load>, out: &mut Vec<Effect>) {
        let mut outstanding = BTreeMap::new();
        for load in loads {
            outstanding.insert(self.request(load.clone(), out), load);
        }
        self.reload.stage = Stage::Running(Running {
            size,
            outstanding,
            failed: false,
            target: 0,
            deadline: now.plus(RELOAD_TIMEOUT),
            touched: Touched::default(),
        });
    }

    pub(super) fn add_scope(&mut self, now: Time, scope: Scope, out: &mut Vec<Effect>) {
        let asks = match self.link.phase {
            Phase::Down | Phase::SignedOut => false,
            Phase::Ticket { .. }
            | Phase::Opening { .. }
            | Phase::Live { .. }
            | Phase::Waiting { .. } => true,
        };
        if !self.store.use_scope(scope) || !asks {
            return;
        }
        if self.based {
            self.load_scope(now, scope, out);
        } else {
            // The baseline under way was asked for without it.
            self.reload.stage = Stage::Idle;
            self.reload.full_not_before = now;
            self.want_full(now, out);
        }
    }

    fn load_scope(&mut self, now: Time, scope: Scope, out: &mut Vec<Effect>) {
        let request = self.request(Load::Scope(scope), out);
        let deadline = now.plus(RELOAD_TIMEOUT);
        self.reload.scopes.insert(request, (scope, deadline));
    }

    pub(super) fn loaded(
        &mut self,
        now: Time,
        request: u64,
        result: Result<Answer, NoAnswer>,
        out: &mut Vec<Effect>,
    ) {
        if let Some((scope, _)) = self.reload.scopes.remove(&request) {
            self.scope_loaded(now, scope, result, out);
            return;
        }
        let Stage::Running(running) = &mut self.reload.stage else {
            return;
        };
        let Some(load) = running.outstanding.remove(&request) else {
            return;
        };
        match result {
            Ok(answer) => self.answered(now, &load, answer, out),
            Err(NoAnswer::Forbidden) => match load {
                Load::Scope(scope) | Load::Ids(scope, _) => {
                    Self::show(self.store.leave_scope(scope), out);
                }
                Load::Changes(_) => running.failed = true,
            },
            Err(NoAnswer::Failed) => running.failed = true,
        }
        self.end_if_answered(now, out);
    }

    fn answered(&mut self, now: Time, load: &Load, answer: Answer, out: &mut Vec<Effect>) {
        let watermark = match &answer {
            Answer::Entities(watermark, _) | Answer::Settings(watermark, _) => *watermark,
            Answer::Changes(changes) => changes.current_watermark,
        };
        if watermark.epoch != self.cursor.epoch && !self.adopts(now, watermark, &answer, out) {
            return;
        }
        let touched = match (load, answer) {
            (Load::Changes(_), Answer::Changes(changes)) => {
                self.changes(now, &changes, out);
                return;
            }
            (Load::Scope(scope), Answer::Entities(_, entities)) => {
                self.store.apply_scope(*scope, watermark.seq, *entities)
            }
            (Load::Scope(_), Answer::Settings(_, settings)) => {
                self.store.apply_settings(watermark.seq, *settings)
            }
            (Load::Ids(scope, ids), Answer::Entities(_, entities)) => {
                self.store.apply_ids(*scope, watermark.seq, ids, &entities)
            }
            (Load::Changes(_) | Load::Scope(_) | Load::Ids(..), _) => {
                self.reload_failed();
                return;
            }
        };
        self.status.answered(now);
        if let Stage::Running(running) = &mut self.reload.stage {
            running.failed |= running.size == Size::Partial && watermark.seq < running.target;
            running.touched.merge(touched.clone());
        }
        Self::show(touched, out);
    }

    /// An answer of another history. With a stream, `ready` decides which history it is: the
    /// answer is discarded and asked for again. Without one, a poll takes it. `true`: go on.
    fn adopts(
        &mut self,
        now: Time,
        watermark: EventId,
        answer: &Answer,
        out: &mut Vec<Effect>,
    ) -> bool {
        let lists = matches!(answer, Answer::Changes(_));
        if self.link.is_live() && !lists {
            self.reload_failed();
            return false;
        }
        if self.cursor == EventId::NONE {
            self.cursor.epoch = watermark.epoch;
            return true;
        }
        self.change_epoch(watermark.epoch, out);
        let size = if self.link.is_live() {
            Size::Full
        } else {
            Size::Poll
        };
        self.begin_full(now, size, out);
        false
    }

    fn reload_failed(&mut self) {
        if let Stage::Running(running) = &mut self.reload.stage {
            running.failed = true;
        }
    }

    fn changes(&mut self, now: Time, changes: &Changes, out: &mut Vec<Effect>) {
        if changes.requires_reload {
            let reason = changes.reason;
            self.reload.partial_failures = 0;
            self.reload.stage = Stage::Idle;
            if matches!(
                reason,
                Some(ChangesReason::CursorAhead | ChangesReason::EpochChanged)
            ) {
                self.change_epoch(changes.current_watermark.epoch, out);
            }
            self.begin_full(now, Size::Full, out);
            return;
        }
        let loads = self.plan(changes);
        let mut requests = BTreeMap::new();
        for load in loads {
            requests.insert(self.request(load.clone(), out), load);
        }
        if let Stage::Running(running) = &mut self.reload.stage {
            running.target = changes.current_watermark.seq;
            running.outstanding = requests;
        }
    }

    /// What to load for these changes: ids where an endpoint takes them, else the whole scope.
    fn plan(&self, changes: &Changes) -> Vec<Load> {
        let mut loads = Vec::new();
        let orders = &changes.changed_order_ids;
        if !orders.is_empty() {
            if self.store.uses(Scope::HallOrders) {
                loads.push(Load::Ids(Scope::HallOrders, orders.clone()));
            } else {
                if self.store.uses(Scope::KitchenOrders) {
                    loads.push(Load::Ids(Scope::KitchenOrders, orders.clone()));
                }
                let whole = [Scope::Payments, Scope::Servings];
                loads.extend(
                    whole
                        .into_iter()
                        .filter(|s| self.store.uses(*s))
                        .map(Load::Scope),
                );
            }
        }
        if !changes.changed_table_ids.is_empty() && self.store.uses(Scope::Tables) {
            loads.push(Load::Ids(Scope::Tables, changes.changed_table_ids.clone()));
        }
        let mut menu = BTreeSet::new();
        menu.extend(&changes.changed_menu_ids);
        menu.extend(&changes.changed_stock_ids);
        if !menu.is_empty() && self.store.uses(Scope::Menu) {
            loads.push(Load::Ids(Scope::Menu, menu.into_iter().collect()));
        }
        if !changes.changed_call_request_ids.is_empty() && self.store.uses(Scope::Calls) {
            loads.push(Load::Scope(Scope::Calls));
        }
        loads
    }

    fn end_if_answered(&mut self, now: Time, out: &mut Vec<Effect>) {
        let Stage::Running(running) = &mut self.reload.stage else {
            return;
        };
        if !running.outstanding.is_empty() {
            return;
        }
        let (size, failed, target) = (running.size, running.failed, running.target);
        let touched = std::mem::take(&mut running.touched);
        self.reload.stage = Stage::Idle;
        match (size, failed) {
            (Size::Full | Size::Poll, false) => {
                let was_based = std::mem::replace(&mut self.based, true);
                self.missed |= was_based && touches_orders(&touched);
                // Every scope may be forbidden: then nothing can be missed either.
                let nothing = self.store.scopes().next().is_none();
                let head = self.status.head;
                let head = (nothing && head.epoch == self.cursor.epoch).then_some(head.seq);
                if let Some(covering) = self.store.covering().or(head) {
                    self.advance(covering);
                }
            }
            (Size::Partial, false) => {
                self.reload.partial_failures = 0;
                self.missed |= touches_orders(&touched);
                self.advance(target);
            }
            (Size::Poll, true) => {
                // It took over the loads of scopes that were added; nobody else asks for them.
                let at = now.plus(SCOPE_RETRY);
                let unloaded = self
                    .store
                    .scopes()
                    .filter(|s| self.store.watermark(*s).is_none());
                let unloaded = unloaded.filter(|_| self.based);
                self.reload.scope_retries = unloaded.map(|scope| (at, scope)).collect();
                return;
            }
            (Size::Full, true) => {
                let at = self.reload.full_not_before;
                self.reload.stage = Stage::Waiting { size, at };
                return;
            }
            (Size::Partial, true) => {
                self.reload.partial_failures += 1;
                if self.reload.partial_failures >= 2 || self.reload.full_next {
                    self.reload.partial_failures = 0;
                    self.begin_full(now, Size::Full, out);
                } else {
                    self.reload.stage = Stage::Waiting {
                        size,
                        at: now.plus(PARTIAL_RETRY),
                    };
                }
                return;
            }
        }
        if self.reload.full_next {
            self.begin_full(now, Size::Full, out);
        } else {
            self.drain(now, out);
        }
    }

    fn scope_loaded(
        &mut self,
        now: Time,
        scope: Scope,
        result: Result<Answer, NoAnswer>,
        out: &mut Vec<Effect>,
    ) {
        let touched = match result {
            Ok(Answer::Entities(watermark, entities)) if watermark.epoch == self.cursor.epoch => {
                self.store.apply_scope(scope, watermark.seq, *entities)
            }
            Ok(Answer::Settings(watermark, settings)) if watermark.epoch == self.cursor.epoch => {
                self.store.apply_settings(watermark.seq, *settings)
            }
            Err(NoAnswer::Forbidden) => {
                Self::show(self.store.leave_scope(scope), out);
                return;
            }
            Ok(Answer::Entities(..) | Answer::Settings(..) | Answer::Changes(_))
            | Err(NoAnswer::Failed) => {
                self.reload
                    .scope_retries
                    .push((now.plus(SCOPE_RETRY), scope));
                return;
            }
        };
        Self::show(touched, out);
        if let Some(covering) = self.store.covering() {
            self.advance(covering);
        }
        if self.reload.is_idle() {
            self.drain(now, out);
        }
    }

    fn polls_at(&self) -> Option<Time> {
        let without_stream = match self.link.phase {
            Phase::Down | Phase::Live { .. } | Phase::SignedOut => false,
            Phase::Ticket { .. } | Phase::Opening { .. } | Phase::Waiting { .. } => true,
        };
        let free = match &self.reload.stage {
            Stage::Idle | Stage::Waiting { .. } => true,
            Stage::Running(_) => false,
        };
        let since = self.status.last_proof().max(self.reload.last_poll);
        (without_stream && free).then(|| since.plus(POLL_GAP))
    }

    pub(super) fn reload_next(&self) -> Option<Time> {
        let stage = match &self.reload.stage {
            Stage::Idle => None,
            // Without a stream there is nothing to baseline for; `ready` asks again.
            Stage::Waiting { .. } if self.link.phase == Phase::SignedOut => None,
            Stage::Waiting { at, .. } => Some(*at),
            Stage::Running(running) => Some(running.deadline),
        };
        let retry = self.reload.scope_retries.iter().map(|(at, _)| *at).min();
        let deadlines = self.reload.scopes.values().map(|(_, at)| *at).min();
        [stage, retry, deadlines, self.polls_at()]
            .into_iter()
            .flatten()
            .min()
    }

    pub(super) fn reload_due(&mut self, now: Time, out: &mut Vec<Effect>) {
        match &mut self.reload.stage {
            Stage::Waiting { size, at } if now >= *at => {
                let size = *size;
                self.reload.stage = Stage::Idle;
                match size {
                    Size::Partial if self.based => self.begin_partial(now, out),
                    Size::Partial | Size::Full | Size::Poll => {
                        self.begin_full(now, Size::Full, out);
                    }
                }
            }
            Stage::Running(running) if now >= running.deadline => {
                running.failed = true;
                running.outstanding.clear();
                self.end_if_answered(now, out);
            }
            Stage::Idle | Stage::Waiting { .. } | Stage::Running(_) => {}
        }
        if self.polls_at().is_some_and(|at| now >= at) {
            self.reload.last_poll = now;
            self.begin_full(now, Size::Poll, out);
        }
        let mut due = Vec::new();
        self.reload.scopes.retain(|_, (scope, deadline)| {
            let waits = now < *deadline;
            due.extend((!waits).then_some(*scope));
            waits
        });
        self.reload.scope_retries.retain(|(at, scope)| {
            let waits = now < *at;
            due.extend((!waits).then_some(*scope));
            waits
        });
        for scope in due {
            self.load_scope(now, scope, out);
        }
    }
}

//! The floor as waiters see it: a tile a party or a free table, and a tab a zone. Pure.

use std::sync::Arc;

use domain::call::{Call, CallReason, CallState};
use domain::floor::{Party, Table, TableState, Zone};
use domain::id::{PartyId, TableId, ZoneId};
use domain::money::Amount;
use domain::order::{CheckoutStage, KitchenState, Line, Order};
use domain::settings::{Store, Threshold, Thresholds};
use domain::sorting::sort_by_key;
use domain::text::LocalText;
use domain::time::Time;

/// What is known, with what presses foresee.
#[derive(Clone, Debug, Default)]
pub struct House {
    /// The zones.
    pub zones: Vec<Zone>,
    /// The tables, by their place on the floor.
    pub tables: Vec<Arc<Table>>,
    /// The open orders.
    pub orders: Vec<Arc<Order>>,
    /// The open calls, oldest first.
    pub calls: Vec<Arc<Call>>,
    /// The settings, once loaded.
    pub settings: Option<Arc<Store>>,
}

/// What a table is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// 빈 테이블
    Free,
    /// 착석: nothing ordered yet.
    Seated,
    /// 결제 대기: the kitchen has nothing because nobody paid.
    AwaitingPayment,
    /// 조리 중: something is still to be made.
    Cooking,
    /// 서빙 대기: all that was to be made is.
    ReadyToServe,
    /// 식사 중
    Dining,
    /// 정리 필요
    Dirty,
}

/// What somebody has to see to, the most urgent only. What the state says already is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Badge {
    /// Guests called.
    Call(CallReason),
    /// So many lines can be served.
    Ready(usize),
    /// An order waits for its payment.
    Unpaid,
}

/// A free table, or a party at its first table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Where it is shown.
    pub table: TableId,
    /// Of that table.
    pub zone: ZoneId,
    /// `A-1`; joined `6+7`.
    pub label: String,
    /// Whether it is several tables.
    pub joined: bool,
    /// Who sits there.
    pub party: Option<PartyId>,
    /// What it is busy with.
    pub state: State,
    /// How many guests, if somebody counted.
    pub covers: Option<u32>,
    /// For how many, all its tables together.
    pub seats: u32,
    /// Since when guests sit there.
    pub seated_at: Option<Time>,
    /// When they first asked for the bill.
    pub bill_at: Option<Time>,
    /// What the party has ordered.
    pub amount: Amount,
    /// The most urgent matter.
    pub badge: Option<Badge>,
    /// From then on the kitchen is late.
    pub late_at: Option<Time>,
    /// A press has not settled.
    pub pending: bool,
}

/// A zone, and what is to be done there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tab {
    /// Which.
    pub id: ZoneId,
    /// Shown to people.
    pub name: LocalText,
    /// How many tables stand there.
    pub tables: usize,
    /// Calls nobody has finished.
    pub calls: usize,
    /// Lines that can be served.
    pub ready: usize,
}

impl House {
    /// Puts everything into the order in which it is shown.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        sort_by_key(&mut self.zones, |zone| (zone.sort, zone.id));
        sort_by_key(&mut self.tables, |table| (table.sort, table.id));
        sort_by_key(&mut self.orders, |order| (order.placed_at, order.number));
        sort_by_key(&mut self.calls, |call| (call.requested_at, call.id));
        self
    }

    /// The open orders of a party, oldest first.
    pub fn orders_of(&self, party: PartyId) -> impl Iterator<Item = &Arc<Order>> {
        let of = move |order: &&Arc<Order>| order.party_id == Some(party);
        self.orders.iter().filter(of)
    }

    /// When tickets of a line's station change colour.
    #[must_use]
    pub fn thresholds(&self, line: &Line) -> Thresholds {
        let stations = self.settings.iter().flat_map(|store| &store.stations);
        let own = stations.into_iter().find(|s| s.id == line.station_id);
        own.map(|station| station.thresholds).unwrap_or_default()
    }

    /// A tile for each free table and each party.
    #[must_use]
    pub fn tiles(&self) -> Vec<Tile> {
        self.tables
            .iter()
            .filter(|table| self.shown_at(table).is_none_or(|first| first == table.id))
            .map(|table| self.tile(table))
            .collect()
    }

    /// The tile that shows what happens at `table`.
    #[must_use]
    pub fn tile_at(&self, table: TableId) -> Option<Tile> {
        let found = self.table(table)?;
        let first = self.shown_at(found).and_then(|first| self.table(first));
        Some(self.tile(first.unwrap_or(found)))
    }

    /// A table of a party.
    #[must_use]
    pub fn seat_of(&self, party: PartyId) -> Option<TableId> {
        let sits = |table: &&Arc<Table>| table.party.as_ref().is_some_and(|p| p.id == party);
        self.tables.iter().find(sits).map(|table| table.id)
    }

    fn table(&self, id: TableId) -> Option<&Arc<Table>> {
        self.tables.iter().find(|table| table.id == id)
    }

    /// The first table of the party at `table`.
    fn shown_at(&self, table: &Table) -> Option<TableId> {
        let party = table.party.as_ref()?;
        self.at(party).next().map(|table| table.id)
    }

    /// The tables of a party. Its list is asked too: parties that the server has not named yet
    /// share an id.
    fn at<'a>(&'a self, party: &'a Party) -> impl Iterator<Item = &'a Arc<Table>> {
        let sits = |table: &&Arc<Table>| {
            let same = table.party.as_ref().is_some_and(|p| p.id == party.id);
            same && party.table_ids.contains(&table.id)
        };
        self.tables.iter().filter(sits)
    }

    fn tile(&self, table: &Table) -> Tile {
        let tile = Tile {
            table: table.id,
            zone: table.zone_id,
            label: table.name.clone(),
            joined: false,
            party: None,
            state: match table.state {
                TableState::Free => State::Free,
                TableState::Seated => State::Seated,
                TableState::Dirty => State::Dirty,
            },
            covers: None,
            seats: table.seats,
            seated_at: None,
            bill_at: None,
            amount: Amount::ZERO,
            badge: None,
            late_at: None,
            pending: false,
        };
        match &table.party {
            Some(party) => self.occupied(tile, party),
            None => tile,
        }
    }

    fn occupied(&self, tile: Tile, party: &Party) -> Tile {
        let own: Vec<&Arc<Table>> = self.at(party).collect();
        let names: Vec<&str> = own.iter().map(|table| table.name.as_str()).collect();
        let orders: Vec<&Order> = self.orders_of(party.id).map(AsRef::as_ref).collect();
        let state = state(&orders);
        let unserved = || orders.iter().flat_map(|order| order.unserved_lines());
        let paid_for = orders.iter().filter(|order| counts(order));
        Tile {
            label: names.join("+"),
            joined: own.len() > 1,
            party: Some(party.id),
            state,
            covers: party.covers,
            seats: own.iter().map(|table| table.seats).sum(),
            seated_at: Some(party.seated_at),
            bill_at: party.bill_requested_at,
            amount: Amount(paid_for.map(|order| order.total.0).sum()),
            badge: self.badge(party.id, &orders, state),
            late_at: unserved().filter_map(|line| self.late_at(line)).min(),
            ..tile
        }
    }

    fn badge(&self, party: PartyId, orders: &[&Order], state: State) -> Option<Badge> {
        let mut called = self.calls.iter().filter(|call| call.party_id == party);
        if let Some(call) = called.find(|call| call.state == CallState::Requested) {
            return Some(Badge::Call(call.reason));
        }
        let ready: usize = orders
            .iter()
            .map(|order| order.cooked_lines().count())
            .sum();
        if ready > 0 && state != State::ReadyToServe {
            return Some(Badge::Ready(ready));
        }
        let unpaid = orders.iter().any(|order| awaits_payment(order));
        (unpaid && state != State::AwaitingPayment).then_some(Badge::Unpaid)
    }

    /// When the kitchen is late with a line.
    fn late_at(&self, line: &Line) -> Option<Time> {
        let of = self.thresholds(line);
        let Threshold(_, late) = match line.kitchen_state {
            KitchenState::Waiting => of.waiting,
            KitchenState::Cooking => of.cooking,
            KitchenState::Cooked | KitchenState::Served => return None,
        };
        Some(line.state_since.plus(late))
    }

    /// The label of the table where somebody called.
    #[must_use]
    pub fn label_at(&self, table: TableId) -> String {
        self.tile_at(table)
            .map(|tile| tile.label)
            .unwrap_or_default()
    }

    /// The zones with what is to be done there.
    #[must_use]
    pub fn tabs(&self) -> Vec<Tab> {
        let zone_of = |id: TableId| self.table(id).map(|table| table.zone_id);
        let tab = |zone: &Zone| {
            let here = |id: Option<TableId>| id.and_then(zone_of) == Some(zone.id);
            let orders = self.orders.iter();
            let own = orders.filter(|order| here(order.table_ids.first().copied()));
            let calls = self.calls.iter();
            Tab {
                id: zone.id,
                name: zone.name.clone(),
                tables: self.tables.iter().filter(|t| t.zone_id == zone.id).count(),
                calls: calls.filter(|call| here(Some(call.table_id))).count(),
                ready: own.map(|order| order.cooked_lines().count()).sum(),
            }
        };
        self.zones.iter().map(tab).collect()
    }
}

/// Whether an order is in the payment queue.
#[must_use]
pub fn awaits_payment(order: &Order) -> bool {
    order.checkout_stage == CheckoutStage::AwaitingPayment && order.payment_due
}

/// Whether its total is part of what the party owes or has paid.
#[must_use]
pub fn counts(order: &Order) -> bool {
    match order.checkout_stage {
        CheckoutStage::AwaitingPayment | CheckoutStage::Confirmed => true,
        CheckoutStage::Refunded | CheckoutStage::Rejected => false,
    }
}

/// Whether a line of an order is neither voided nor refused.
#[must_use]
pub fn is_wanted(order: &Order, line: &Line) -> bool {
    counts(order) && line.voided.is_none()
}

/// What is to be made comes first, then what is to be served, then what is to be paid.
fn state(orders: &[&Order]) -> State {
    let mut unserved = orders.iter().flat_map(|order| order.unserved_lines());
    if unserved.any(|line| line.kitchen_state != KitchenState::Cooked) {
        State::Cooking
    } else if orders
        .iter()
        .any(|order| order.cooked_lines().next().is_some())
    {
        State::ReadyToServe
    } else if orders.iter().any(|order| awaits_payment(order)) {
        State::AwaitingPayment
    } else if orders.iter().any(|order| counts(order) && order.is_fired()) {
        State::Dining
    } else {
        State::Seated
    }
}

#[path = "floor_tests.rs"]
mod tests;

//! The restaurant of the simulation: real entities, changed by the real machines only.

use std::collections::BTreeMap;

use domain::call::{Call, CallReason};
use domain::event::{Event, Marker, Payload};
use domain::floor::{Seating, Table, TableState, Zone};
use domain::id::{
    CallId, CategoryId, LineId, MenuId, OrderId, PartyId, StationId, StockId, StoreId, TableId,
    ZoneId,
};
use domain::kitchen::CookTo;
use domain::menu::{Category, MenuItem};
use domain::money::{Amount, Currency};
use domain::order::{
    Channel, ItemFor, NewOrder, Order, PlacedBy, PlacedByKind, Tender, VoidBy, Wanted,
};
use domain::settings::{PaymentTiming, Station, Store, Thresholds};
use domain::stock::Stock;
use domain::text::{Language, LocalText};
use domain::time::{Date, DayCut, Time};
use uuid::Uuid;

use super::rng::Rng;

pub const STORE: StoreId = StoreId(Uuid::from_u128(1));
const STATION: StationId = StationId(Uuid::from_u128(2));
const ZONE: ZoneId = ZoneId(Uuid::from_u128(3));

/// The store's state. A command works on a copy; commit takes it over.
#[derive(Clone)]
pub struct House {
    pub orders: BTreeMap<OrderId, Order>,
    pub tables: Vec<Table>,
    pub calls: BTreeMap<CallId, Call>,
    pub items: BTreeMap<MenuId, MenuItem>,
    pub stock: BTreeMap<StockId, Stock>,
    pub zones: Vec<Zone>,
    pub categories: Vec<Category>,
    pub settings: Store,
    pub next_id: u128,
    pub next_number: u32,
}

fn text(text: &str) -> LocalText {
    LocalText::one(Language::Ko, text)
}

impl House {
    pub fn new(timing: PaymentTiming) -> Self {
        let table = |n: u128| Table {
            id: TableId(Uuid::from_u128(10 + n)),
            version: 1,
            zone_id: ZONE,
            name: n.to_string(),
            seats: 4,
            sort: n as i64,
            code: format!("t{n}"),
            state: TableState::Free,
            party: None,
        };
        let item = |n: u128| MenuItem {
            id: MenuId(Uuid::from_u128(20 + n)),
            version: 1,
            code: format!("M{n}"),
            category_id: CategoryId(Uuid::from_u128(4)),
            name: text("김치찌개"),
            description: LocalText::default(),
            price: Amount(9_900),
            station_id: None,
            sold_out: false,
            sort: n as i64,
            option_groups: Vec::new(),
            stock_id: None,
            image_url: None,
        };
        let stock = Stock {
            id: StockId(Uuid::from_u128(30)),
            version: 1,
            name: text("고기"),
            available: 10,
            on_hand: 10,
            held: 0,
            menu_ids: vec![],
        };
        let settings = Store {
            id: STORE,
            version: 1,
            code: "sim".to_owned(),
            name: text("가게"),
            guest_seating: true,
            hold_ttl_ms: 60_000,
            currency: Currency::KRW,
            time_zone: "Asia/Seoul".to_owned(),
            day_cut: DayCut::FIVE,
            language: Language::Ko,
            payment_timing: timing,
            tax_rate_permille: 100,
            stations: vec![Station {
                id: STATION,
                name: text("주방"),
                is_default: true,
                thresholds: Thresholds::default(),
            }],
            business_day: Date::new(2026, 2, 1).unwrap(),
            next_cut_at: Time(0),
        };
        Self {
            orders: BTreeMap::new(),
            tables: (0..4).map(table).collect(),
            calls: BTreeMap::new(),
            items: (0..3).map(item).map(|item| (item.id, item)).collect(),
            stock: BTreeMap::from([(stock.id, stock)]),
            zones: vec![Zone {
                id: ZONE,
                version: 1,
                name: text("홀"),
                sort: 0,
            }],
            categories: vec![Category {
                id: CategoryId(Uuid::from_u128(4)),
                version: 1,
                name: text("찌개"),
                sort: 0,
            }],
            settings,
            next_id: 1_000,
            next_number: 1,
        }
    }

    pub fn fresh(&mut self) -> Uuid {
        self.next_id += 1;
        Uuid::from_u128(self.next_id)
    }

    pub(super) fn party_sits(&self, party: Option<PartyId>) -> bool {
        let sits = |table: &Table| table.party.as_ref().map(|party| party.id) == party;
        party.is_some() && self.tables.iter().any(sits)
    }

    /// One intent of the staff or a guest, as the service would carry it out: what happened, in
    /// the order of the outbox. Nothing happened: it was refused or was so already.
    pub fn command(&mut self, rng: &mut Rng, now: Time) -> Vec<Event> {
        match rng.below(24) {
            0..=2 => self.place(rng, now),
            3..=14 if !self.orders.is_empty() => self.about_an_order(rng, now),
            3..=15 => self.place(rng, now),
            16..=17 => self.about_a_call(rng, now),
            18..=21 => self.about_a_table(rng, now),
            22 => self.sold_out(rng),
            _ => self.count_stock(rng),
        }
    }

    fn lines(&mut self, rng: &mut Rng, now: Time) -> Vec<domain::order::Line> {
        let ids: Vec<MenuId> = self.items.keys().copied().collect();
        let wanted: Vec<Wanted> = (0..1 + rng.below(3))
            .map(|_| Wanted {
                menu_id: ids[rng.below(ids.len())],
                quantity: 1 + rng.below(3) as i64,
                option_ids: vec![],
                note: String::new(),
                allergy: String::new(),
            })
            .collect();
        let mut next = self.next_id;
        let entry = ItemFor {
            items: &self.items,
            default_station: STATION,
            now,
        };
        let lines = entry.lines(&wanted, || {
            next += 1;
            LineId(Uuid::from_u128(next))
        });
        self.next_id = next;
        lines.unwrap_or_default()
    }

    pub fn place(&mut self, rng: &mut Rng, now: Time) -> Vec<Event> {
        let lines = self.lines(rng, now);
        if lines.is_empty() {
            return vec![];
        }
        let seated: Vec<&Table> = self.tables.iter().filter(|t| t.party.is_some()).collect();
        let at = rng.pick(&seated).copied();
        let zones = self.zone_names();
        let seating = at.and_then(|table| {
            let party = table.party.as_ref()?;
            Some(Seating::of(party, &self.tables, Some(table.id), &zones))
        });
        let channel = if seating.is_some() {
            Channel::Hall
        } else {
            Channel::Takeout
        };
        let new = NewOrder {
            id: OrderId(self.fresh()),
            number: self.next_number,
            business_day: self.settings.business_day,
            channel,
            party_id: seating.as_ref().map(|seating| seating.party_id),
            table_ids: seating.iter().flat_map(|s| s.table_ids.clone()).collect(),
            table_label: seating
                .as_ref()
                .map(|s| s.label.clone())
                .unwrap_or_default(),
            zone: seating.and_then(|seating| seating.zone),
            placed_by: PlacedBy {
                kind: PlacedByKind::Staff,
                name: "지은".to_owned(),
            },
            note: String::new(),
            currency: Currency::KRW,
            timing: self.settings.payment_timing,
        };
        self.next_number += 1;
        let (order, happened) = Order::place(new, lines, now).unwrap();
        let events = happened
            .into_iter()
            .filter_map(|event_type| Event::of_order(event_type, &order))
            .collect();
        self.orders.insert(order.id, order);
        events
    }

    pub(super) fn zone_names(&self) -> BTreeMap<ZoneId, LocalText> {
        let name = |zone: &Zone| (zone.id, zone.name.clone());
        self.zones.iter().map(name).collect()
    }

    /// A random order, the open ones rather than the closed.
    pub(super) fn some_order(&self, rng: &mut Rng) -> OrderId {
        let open: Vec<OrderId> = self
            .orders
            .values()
            .filter(|order| order.is_open())
            .map(|order| order.id)
            .collect();
        let all: Vec<OrderId> = self.orders.keys().copied().collect();
        let from = if open.is_empty() || rng.one_in(12) {
            &all
        } else {
            &open
        };
        from[rng.below(from.len())]
    }

    fn about_an_order(&mut self, rng: &mut Rng, now: Time) -> Vec<Event> {
        let id = self.some_order(rng);
        self.on_order(id, rng, now)
    }

    /// A random command to this order.
    pub fn on_order(&mut self, id: OrderId, rng: &mut Rng, now: Time) -> Vec<Event> {
        let mut order = self.orders[&id].clone();
        let was_open = order.is_open();
        let sits = self.party_sits(order.party_id);
        let line = order.lines[rng.below(order.lines.len())].id;
        let one = [line];
        let ids = rng.one_in(2).then_some(&one[..]);
        let fresh = LineId(self.fresh());
        let waits = order.checkout_stage == domain::order::CheckoutStage::AwaitingPayment;
        let choice = if waits && !rng.one_in(3) {
            rng.below(6)
        } else {
            3 + rng.below(17)
        };
        let happened = match choice {
            0..=2 => order.confirm(Tender::Card, sits, now),
            3 => order.reject("재료 없음", sits, now),
            4 => {
                let lines = self.lines(rng, now);
                let timing = self.settings.payment_timing;
                order
                    .add_lines(lines, timing, now)
                    .map(Result::unwrap_or_default)
            }
            5 => order.set_note("빨리"),
            6..=8 => order.advance(ids, CookTo::Cooking, now),
            9..=11 => order.advance(ids, CookTo::Cooked, now),
            12..=14 => order.serve(ids, sits, now),
            15 => order.recall(ids, now),
            16 | 17 => {
                let by = VoidBy {
                    name: "지은",
                    manager: true,
                    reason: "잘못 입력",
                };
                let quantity = rng.one_in(2).then_some(1);
                order.void(line, quantity, by, fresh, sits, now)
            }
            18 => order.acknowledge_voids(&one, sits, now),
            _ => order.set_priority(!order.priority),
        };
        let events: Vec<Event> = happened
            .unwrap_or_default()
            .into_iter()
            .filter_map(|event_type| Event::of_order(event_type, &order))
            .collect();
        if events.is_empty() {
            return events;
        }
        let silent = order.is_silent(was_open, self.settings.business_day);
        self.orders.insert(id, order);
        if silent { vec![] } else { events }
    }

    fn about_a_call(&mut self, rng: &mut Rng, now: Time) -> Vec<Event> {
        let open: Vec<CallId> = self
            .calls
            .values()
            .filter(|c| c.is_open())
            .map(|c| c.id)
            .collect();
        let id = match rng.pick(&open).copied() {
            Some(id) if !rng.one_in(3) => id,
            Some(_) | None => {
                let id = CallId(self.fresh());
                let party = PartyId(Uuid::from_u128(5));
                let call = Call::request(id, self.tables[0].id, party, CallReason::Water, now);
                self.calls.insert(id, call.clone());
                return vec![Event::CustomerCall(Payload::Whole(Box::new(call)))];
            }
        };
        let Some(call) = self.calls.get_mut(&id) else {
            return vec![];
        };
        let before = call.version;
        let done = match rng.below(3) {
            0 => call.ask_again().is_ok(),
            1 => call.accept("민수", now).is_ok(),
            _ => call.finish(now).is_ok(),
        };
        if done && call.version != before {
            vec![Event::CustomerCall(Payload::Whole(Box::new(call.clone())))]
        } else {
            vec![]
        }
    }

    fn sold_out(&mut self, rng: &mut Rng) -> Vec<Event> {
        let ids: Vec<MenuId> = self.items.keys().copied().collect();
        let Some(item) = self.items.get_mut(&ids[rng.below(ids.len())]) else {
            return vec![];
        };
        let sold_out = !item.sold_out;
        item.set_sold_out(None, sold_out).unwrap();
        vec![Event::KitchenMenuChanged(Payload::Whole(Box::new(
            item.clone(),
        )))]
    }

    fn count_stock(&mut self, rng: &mut Rng) -> Vec<Event> {
        let Some(stock) = self.stock.values_mut().next() else {
            return vec![];
        };
        stock.on_hand = rng.below(20) as i64;
        stock.available = stock.on_hand - stock.held;
        stock.version += 1;
        vec![Event::StockChanged(Payload::Whole(Box::new(stock.clone())))]
    }

    /// The business day's cut.
    pub fn cut(&mut self) -> Event {
        self.settings.business_day = self.settings.business_day.tomorrow();
        self.settings.next_cut_at = self.settings.next_cut_at.plus(86_400_000);
        self.settings.version += 1;
        self.next_number = 1;
        marker("BUSINESS_DAY")
    }

    /// Zones, categories, settings edited, a menu imported: no event of their own.
    pub fn edit_settings(&mut self, rng: &mut Rng) -> Event {
        match rng.below(3) {
            0 => {
                self.zones[0].version += 1;
                self.zones[0].name = text(&format!("홀 {}", self.zones[0].version));
            }
            1 => {
                self.categories[0].version += 1;
                self.categories[0].name = text(&format!("찌개 {}", self.categories[0].version));
                for item in self.items.values_mut() {
                    item.price = Amount(item.price.0 + 100);
                    item.version += 1;
                }
            }
            _ => {
                self.settings.version += 1;
                self.settings.guest_seating = !self.settings.guest_seating;
            }
        }
        marker("SETTINGS")
    }
}

pub fn marker(reason: &str) -> Event {
    Event::ReloadRequired(Marker {
        reason: reason.to_owned(),
    })
}

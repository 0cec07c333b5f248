//! What staff do with tables in the simulation, and what follows them.

use domain::event::{Event, EventType, Payload};
use domain::floor::{self, Seating, Table};
use domain::id::{OrderId, PartyId};
use domain::order::{CheckoutStage, Order, SplitOff};
use domain::time::Time;

use super::house::House;
use super::rng::Rng;

impl House {
    pub(super) fn about_a_table(&mut self, rng: &mut Rng, now: Time) -> Vec<Event> {
        let before = self.tables.clone();
        let at = self.tables[rng.below(4)].id;
        let to = self.tables[rng.below(4)].id;
        let party = PartyId(self.fresh());
        let split = PartyId(self.fresh());
        let mut cleared = None;
        let mut billed = None;
        let done = match rng.below(9) {
            0..=2 => floor::seat(&mut self.tables, at, party, Some(2), now).is_ok(),
            3 => floor::covers(&mut self.tables, at, 1 + rng.below(9) as u32).is_ok(),
            4 => {
                let unpaid = |order: &Order| order.checkout_stage == CheckoutStage::AwaitingPayment;
                let sits = before.iter().find(|t| t.id == at);
                let party = sits.and_then(|t| t.party.as_ref()).map(|party| party.id);
                let owes = |order: &&Order| order.party_id == party && unpaid(order);
                if self.orders.values().any(|order| owes(&order)) {
                    false
                } else {
                    cleared = floor::clear(&mut self.tables, at).ok();
                    cleared.is_some()
                }
            }
            5 => floor::cleaned(&mut self.tables, at).is_ok(),
            6 => {
                billed = before
                    .iter()
                    .find(|t| t.id == at)
                    .and_then(|t| t.party.clone());
                floor::bill(&mut self.tables, at, now).is_ok()
            }
            7 => floor::transfer(&mut self.tables, at, to).is_ok(),
            _ if rng.one_in(2) => floor::join(&mut self.tables, at, &[to]).is_ok(),
            _ => {
                let homes = self.orders.values().filter(|o| o.is_open());
                let homes = homes.filter_map(|o| o.table_ids.first().copied()).collect();
                let mut new = [party, split, PartyId(self.fresh())].into_iter();
                floor::unjoin(&mut self.tables, at, &homes, || new.next().unwrap()).is_ok()
            }
        };
        if !done {
            self.tables = before;
            return vec![];
        }
        let mut events: Vec<Event> = self
            .tables
            .iter()
            .zip(&before)
            .filter(|(after, before)| after != before)
            .map(|(table, _)| Event::TableChanged(Payload::Whole(Box::new(table.clone()))))
            .collect();
        events.extend(self.follow_tables(&before, cleared, billed, now));
        events
    }

    /// Orders and calls follow what became of their tables.
    fn follow_tables(
        &mut self,
        before: &[Table],
        cleared: Option<floor::Party>,
        billed: Option<floor::Party>,
        now: Time,
    ) -> Vec<Event> {
        let zones = self.zone_names();
        let mut events = vec![];
        for order in self.orders.values_mut().filter(|order| order.is_open()) {
            let Some(own) = order.party_id else { continue };
            let happened = if cleared.as_ref().is_some_and(|party| party.id == own) {
                order.party_cleared(now).unwrap_or_default()
            } else if billed.as_ref().is_some_and(|party| party.id == own) {
                order.ask_for_bill()
            } else {
                let home = order.table_ids.first().copied();
                let at_home = |t: &&Table| Some(t.id) == home && t.party.is_some();
                let same = |t: &&Table| t.party.as_ref().is_some_and(|party| party.id == own);
                let sat = before.iter().any(|t| same(&t));
                let now_at = self.tables.iter().find(at_home);
                let now_at = now_at.or_else(|| self.tables.iter().find(same));
                match now_at.and_then(|table| table.party.as_ref()) {
                    Some(party) if sat => {
                        order.relabel(&Seating::of(party, &self.tables, home, &zones))
                    }
                    Some(_) | None => vec![],
                }
            };
            events.extend(
                happened
                    .into_iter()
                    .filter_map(|event_type| Event::of_order(event_type, order)),
            );
        }
        events
    }

    /// Gives a line of one order to another party.
    pub fn move_line(&mut self, rng: &mut Rng, now: Time) -> Vec<Event> {
        let seated: Vec<&Table> = self.tables.iter().filter(|t| t.party.is_some()).collect();
        let Some(table) = rng.pick(&seated).copied() else {
            return vec![];
        };
        let Some(party) = table.party.clone() else {
            return vec![];
        };
        if self.orders.is_empty() {
            return vec![];
        }
        let to = Seating::of(&party, &self.tables, Some(table.id), &self.zone_names());
        let id = self.some_order(rng);
        let new_id = OrderId(self.fresh());
        let mut order = self.orders[&id].clone();
        let line = order.lines[rng.below(order.lines.len())].id;
        let before = order.version;
        let sits = self.party_sits(order.party_id);
        let split = order.move_lines(&[line], &to, new_id, self.next_number, sits, now);
        let Ok(split) = split else { return vec![] };
        let mut events = vec![];
        if order.version != before {
            events.extend(Event::of_order(EventType::OrderChanged, &order));
        }
        if let SplitOff::Part(part) = split {
            self.next_number += 1;
            events.extend(Event::of_order(EventType::OrderChanged, &part));
            self.orders.insert(new_id, *part);
        }
        self.orders.insert(id, order);
        events
    }
}

//! Presses that the server has not answered, and what they foresee. Pure.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::call::Call;
use domain::floor::Table;
use domain::menu::MenuItem;
use domain::order::Order;
use domain::time::Time;
use uuid::Uuid;

use super::intent::Intent;

/// One press that has not settled.
#[derive(Clone, Debug)]
struct Pressed {
    serial: u32,
    intent: Intent,
    at: Time,
    sent: bool,
}

/// The presses on each entity, the oldest first.
#[derive(Debug, Default)]
pub struct Presses {
    pressed: BTreeMap<Uuid, Vec<Pressed>>,
    serial: u32,
}

impl Presses {
    /// Notes a press. Presses on one entity are sent one after the other.
    pub fn press(&mut self, id: Uuid, intent: Intent, at: Time) {
        self.serial = self.serial.wrapping_add(1);
        let press = Pressed {
            serial: self.serial,
            intent,
            at,
            sent: false,
        };
        self.pressed.entry(id).or_default().push(press);
    }

    /// The press to send next, unless one is under way.
    pub fn next_to_send(&mut self, id: Uuid) -> Option<(u32, Intent)> {
        let first = self.pressed.get_mut(&id)?.first_mut()?;
        if first.sent {
            return None;
        }
        first.sent = true;
        Some((first.serial, first.intent.clone()))
    }

    /// The server has answered a press. A refusal takes those that waited behind it along.
    pub fn settle(&mut self, id: Uuid, serial: u32, done: bool) {
        if let Some(pressed) = self.pressed.get_mut(&id) {
            pressed.retain(|press| press.serial != serial && done);
            if pressed.is_empty() {
                self.pressed.remove(&id);
            }
        }
    }

    /// Whether a press on it has not settled.
    #[must_use]
    pub fn is_pending(&self, id: Uuid) -> bool {
        self.pressed.contains_key(&id)
    }

    fn on(&self, id: Uuid) -> &[Pressed] {
        self.pressed.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The order as the presses on it foresee.
    #[must_use]
    pub fn order(&self, order: &Arc<Order>) -> Arc<Order> {
        let mut foreseen = Arc::clone(order);
        for press in self.on(order.id.0) {
            press
                .intent
                .foresee_order(Arc::make_mut(&mut foreseen), press.at);
        }
        foreseen
    }

    /// The same of a call.
    #[must_use]
    pub fn call(&self, call: &Arc<Call>) -> Arc<Call> {
        let mut foreseen = Arc::clone(call);
        for press in self.on(call.id.0) {
            press
                .intent
                .foresee_call(Arc::make_mut(&mut foreseen), press.at);
        }
        foreseen
    }

    /// The same of a table.
    #[must_use]
    pub fn table(&self, table: &Arc<Table>) -> Arc<Table> {
        let mut foreseen = Arc::clone(table);
        for press in self.on(table.id.0) {
            press
                .intent
                .foresee_table(Arc::make_mut(&mut foreseen), press.at);
        }
        foreseen
    }

    /// The same of a menu item.
    #[must_use]
    pub fn item(&self, item: &Arc<MenuItem>) -> Arc<MenuItem> {
        let mut foreseen = Arc::clone(item);
        for press in self.on(item.id.0) {
            press.intent.foresee_item(Arc::make_mut(&mut foreseen));
        }
        foreseen
    }
}

#[path = "presses_tests.rs"]
mod tests;

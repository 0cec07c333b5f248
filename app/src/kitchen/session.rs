//! The life of the kitchen screen: what each piece of news changes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use domain::event::{EventType, Kind};
use domain::id::{OrderId, StationId};
use domain::kitchen::Column;
use domain::order::Order;
use domain::snapshot::Entities;
use domain::store::{ClientStore, Touched};
use domain::stream::Scope;
use leptos::prelude::*;
use uuid::Uuid;

use super::store::{Item, Kitchen};
use crate::browser::{awake, device};
use crate::live;
use crate::screen::{Change, Follow};

/// A locked or reminding bell is looked at this often.
const LOOK: Duration = Duration::from_millis(500);
/// The recall list is loaded again this long after a change.
const RECENT_AFTER: Duration = Duration::from_secs(1);

/// Begins; it ends with the screen.
pub fn begin(kitchen: Kitchen) {
    let station = device::query("station").and_then(|id| id.parse::<StationId>().ok());
    kitchen.station.set(station);
    kitchen.sounds.begin();
    awake::stay_awake();
    let station = station
        .map(|station| station.to_string())
        .unwrap_or_default();
    kitchen.begin(Follow {
        name: ["kitchen:", &station].concat(),
        scopes: vec![Scope::KitchenOrders, Scope::Menu, Scope::Store],
        changed: Box::new(move |change| kitchen.hear(change)),
    });
    let looking = set_interval_with_handle(move || look(kitchen), LOOK).ok();
    on_cleanup(move || {
        if let Some(looking) = looking {
            looking.clear();
        }
    });
}

/// The sounds of this second.
fn look(kitchen: Kitchen) {
    kitchen.sounds.look();
    kitchen
        .sounds
        .remind(kitchen.unseen.with_untracked(|unseen| !unseen.is_empty()));
}

fn load_recent(kitchen: Kitchen) {
    live::read("/kitchen/recent", move |answer| {
        let orders = answer
            .ok()
            .and_then(|answer| answer.read::<Entities>().ok());
        if let Some(entities) = orders {
            let orders = entities.orders.into_iter().map(Arc::new).collect();
            kitchen.recent.try_set(orders);
        }
    });
}

impl Kitchen {
    /// What a piece of news changes.
    fn hear(self, change: Change<'_>) {
        match change {
            Change::Store(store, touched) => self.show(store, touched),
            Change::Pressed(id) => self.pressed(id),
            Change::Heard(event_type, entity) => self.heard(event_type, entity),
            Change::CaughtUp => {
                if self.unseen.with_untracked(|unseen| !unseen.is_empty()) {
                    self.sounds.ring();
                }
            }
        }
    }

    /// A press on a ticket or an item.
    fn pressed(self, id: Uuid) {
        let order = OrderId(id);
        let is_order = self
            .board
            .with_value(|board| board.settled(order).is_some());
        if is_order {
            self.refresh([order]);
        } else {
            live::with_store(|store| self.take_menu(store));
            self.refresh([]);
        }
    }

    fn show(self, store: &ClientStore, touched: &Touched) {
        let ids: Vec<OrderId> = touched
            .entities
            .iter()
            .filter(|(kind, _)| *kind == Kind::Order)
            .map(|(_, id)| OrderId(*id))
            .collect();
        let (mut came, mut left) = (Vec::new(), false);
        self.board.update_value(|board| {
            for id in &ids {
                let order = store.order(Scope::KitchenOrders, *id).cloned();
                match (board.settled(*id).is_some(), &order) {
                    (false, Some(_)) => came.push(*id),
                    (true, None) => left = true,
                    (true, Some(_)) | (false, None) => {}
                }
                board.put(*id, order);
            }
        });
        if touched.entities.iter().any(|(kind, _)| *kind == Kind::Menu) {
            self.take_menu(store);
        }
        self.refresh(ids);
        if self.based.get_untracked() {
            self.welcome(&came);
        }
        let recalled = self
            .recent
            .with_untracked(|recent| recent.iter().any(|order| came.contains(&order.id)));
        if left || recalled || touched.settings {
            set_timeout(move || load_recent(self), RECENT_AFTER);
        }
    }

    /// New tickets pulse until someone touches them.
    fn welcome(self, came: &[OrderId]) {
        let new = |id: &&OrderId| {
            self.card_now(**id)
                .is_some_and(|card| card.ticket.column == Column::Waiting && !card.ticket.recalled)
        };
        let new: Vec<OrderId> = came.iter().filter(new).copied().collect();
        if let Some(card) = new.last().and_then(|id| self.card_now(*id)) {
            self.spoken.set(
                self.messages
                    .kitchen
                    .arrived
                    .with(&[&self.label(&card.order)]),
            );
            self.unseen.update(|unseen| unseen.extend(new));
        }
    }

    fn heard(self, event_type: EventType, entity: Option<Uuid>) {
        let Some(id) = entity
            .map(OrderId)
            .filter(|_| event_type == EventType::KitchenCook)
        else {
            return;
        };
        if self.card_now(id).is_some() {
            self.unseen.update(|unseen| {
                unseen.insert(id);
            });
            self.sounds.ring();
        }
    }

    fn take_menu(self, store: &ClientStore) {
        let item = |known: &Arc<domain::menu::MenuItem>| {
            let known = self.item(known);
            let (name, sold_out) = (known.name.clone(), known.sold_out);
            (known.id, Item { name, sold_out })
        };
        let mut items = BTreeMap::new();
        items.extend(store.items().map(item));
        if self.items.with_untracked(|shown| **shown != items) {
            self.items.set(Arc::new(items));
        }
    }
}

/// The last line of an order that left the board, for the recall list.
#[must_use]
pub fn left_at(order: &Order) -> domain::time::Time {
    order.left_board_at().unwrap_or(order.placed_at)
}

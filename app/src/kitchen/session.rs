//! The life of the screen: sign-in, stream, seconds, and what each piece of news changes.

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
use wasm_bindgen_futures::spawn_local;

use super::store::{Item, Kitchen};
use crate::api::auth::{self, Me};
use crate::browser::{awake, device, wall};
use crate::live::{self, News, Session};

/// Seconds are looked at twice each, so that none is left out.
const LOOK: Duration = Duration::from_millis(500);
/// The server was not there when the page opened: asked again after this.
const ASK_AGAIN: Duration = Duration::from_secs(2);
/// The recall list is loaded again this long after a change.
const RECENT_AFTER: Duration = Duration::from_secs(1);

/// Begins; it ends with the screen.
pub fn begin(kitchen: Kitchen) {
    let station = device::query("station").and_then(|id| id.parse::<StationId>().ok());
    kitchen.station.set(station);
    kitchen.sounds.begin();
    awake::stay_awake();
    sign_in(kitchen);
    let looking = set_interval_with_handle(move || look(kitchen), LOOK).ok();
    on_cleanup(move || {
        live::stop();
        if let Some(looking) = looking {
            looking.clear();
        }
    });
}

/// To the login page, and back here from there.
pub fn to_login() {
    let here = window().location();
    let path = here.pathname().unwrap_or_default();
    let search = here.search().unwrap_or_default();
    let store = path.split('/').nth(1).unwrap_or_default().to_owned();
    let next = String::from(js_sys::encode_uri_component(
        &[path.as_str(), &search].concat(),
    ));
    device::go(&["/login?store=", &store, "&next=", &next].concat());
}

fn sign_in(kitchen: Kitchen) {
    spawn_local(async move {
        let here = window().location().pathname().unwrap_or_default();
        let code = here.split('/').nth(1).and_then(|code| {
            let code = js_sys::decode_uri_component(code).ok()?;
            Some(String::from(code))
        });
        match auth::me().await {
            Ok(me) if Some(&me.store_code) == code.as_ref() => follow(kitchen, &me),
            Ok(_) => to_login(),
            Err(problem) if problem.status == 401 => to_login(),
            Err(_) => set_timeout(move || sign_in(kitchen), ASK_AGAIN),
        }
    });
}

fn follow(kitchen: Kitchen, me: &Me) {
    // The screen may be gone before the answer.
    let Some(station) = kitchen.station.try_get_untracked() else {
        return;
    };
    let station = station
        .map(|station| station.to_string())
        .unwrap_or_default();
    live::start(Session {
        store_id: me.store_id,
        scopes: vec![Scope::KitchenOrders, Scope::Menu, Scope::Store],
        screen: ["kitchen:", &station].concat(),
        build: device::page_build().unwrap_or_default(),
        listener: Box::new(move |news| kitchen.hear(news)),
    });
    load_recent(kitchen);
}

fn look(kitchen: Kitchen) {
    let now = live::server_now();
    if now.0 / 1_000 != kitchen.now.get_untracked().0 / 1_000 {
        kitchen.now.set(now);
    }
    if let Some(status) = live::status() {
        let second = |status: &domain::bridge::Status| domain::bridge::Status {
            age_ms: status.age_ms / 1_000,
            ..*status
        };
        if kitchen.status.with_untracked(second) != second(&status) {
            kitchen.status.set(status);
        }
    }
    live::with_store(|store| kitchen.look_whether_based(store));
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
    pub fn hear(self, news: News<'_>) {
        match news {
            News::Show(store, touched) => self.show(store, touched),
            News::Heard(event_type, entity) => self.heard(event_type, entity),
            News::CaughtUp => {
                if self.unseen.with_untracked(|unseen| !unseen.is_empty()) {
                    self.sounds.ring();
                }
            }
            News::Link(status) => {
                self.status.set(status);
                self.now.set(live::server_now());
                live::with_store(|store| self.look_whether_based(store));
            }
            News::SignedOut => to_login(),
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
        if touched.settings {
            self.settle_in(store);
        }
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
        if left || recalled {
            set_timeout(move || load_recent(self), RECENT_AFTER);
        }
        self.look_whether_based(store);
    }

    /// Everything of the first baseline is there when every scope has an answer.
    fn look_whether_based(self, store: &ClientStore) {
        let based = store.covering().is_some();
        if self.based.get_untracked() != based {
            self.based.set(based);
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

    fn settle_in(self, store: &ClientStore) {
        let Some(settings) = store.settings() else {
            return;
        };
        wall::set_zone(&settings.time_zone);
        let language = settings.language;
        self.settings.set(Some(Arc::clone(settings)));
        if language != self.language() && device::follow_store_language(language) {
            device::reload();
        }
    }

    fn take_menu(self, store: &ClientStore) {
        let items: BTreeMap<_, _> = self.board.with_value(|board| {
            let item = |item: &Arc<domain::menu::MenuItem>| Item {
                name: item.name.clone(),
                sold_out: board.is_sold_out(item.id, item.sold_out),
            };
            store.items().map(|known| (known.id, item(known))).collect()
        });
        if self.items.with_untracked(|shown| **shown != items) {
            self.items.set(Arc::new(items));
        }
    }

    /// Looks at the menu again, after a press or its answer.
    pub fn look_at_menu(self) {
        live::with_store(|store| self.take_menu(store));
        self.refresh([]);
    }
}

/// The last line of an order that left the board, for the recall list.
#[must_use]
pub fn left_at(order: &Order) -> domain::time::Time {
    order.left_board_at().unwrap_or(order.placed_at)
}

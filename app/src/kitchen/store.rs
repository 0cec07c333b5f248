//! What the kitchen screen shows: the screen's one context. Each card has a signal of its own, so
//! that one event renders one card.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use domain::id::{MenuId, OrderId, StationId};
use domain::kitchen::{AllDay, Column, all_day};
use domain::order::Order;
use domain::settings::Thresholds;
use domain::text::LocalText;
use domain::time::Time;
use leptos::prelude::*;

use super::board::{Board, COLUMNS, Card, columns, index};
use super::sounds::Sounds;
use crate::screen::{Presses, Screen};

/// No card moves for so long, in milliseconds, after a finger went down.
pub const HOLD_MS: i64 = 500;

/// What lies over the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sheet {
    /// Tickets that left it.
    Recall,
    /// The ⋯ menu of a ticket.
    Ticket(OrderId),
}

/// An item of the menu as the kitchen needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Shown.
    pub name: LocalText,
    /// 품절, with what presses foresee.
    pub sold_out: bool,
}

/// The context of the kitchen screen.
#[derive(Clone, Copy)]
pub struct Kitchen {
    /// What every screen has.
    pub screen: Screen,
    /// The station shown; `None` shows every station.
    pub station: RwSignal<Option<StationId>>,
    /// The tickets of each column, in order.
    pub columns: [RwSignal<Vec<OrderId>>; 3],
    /// Totals of what is to be made; items that are sold out stay, at zero.
    pub all_day: RwSignal<Vec<AllDay>>,
    /// The menu.
    pub items: RwSignal<Arc<BTreeMap<MenuId, Item>>>,
    /// Tickets that left the board, the last first.
    pub recent: RwSignal<Vec<Arc<Order>>>,
    /// New tickets that nobody has touched.
    pub unseen: RwSignal<BTreeSet<OrderId>>,
    /// The card the keys speak to.
    pub selected: RwSignal<Option<OrderId>>,
    /// The column a narrow screen shows.
    pub tab: RwSignal<Column>,
    /// What lies over the board.
    pub sheet: RwSignal<Option<Sheet>>,
    /// Whether the all-day panel is open.
    pub all_day_open: RwSignal<bool>,
    /// The bell.
    pub sounds: Sounds,
    pub(super) board: StoredValue<Board>,
    cards: StoredValue<BTreeMap<OrderId, ArcRwSignal<Card>>>,
    /// Left the board, but still in a column because nothing may move yet.
    gone: StoredValue<BTreeSet<OrderId>>,
    hold_until: StoredValue<Time>,
    held: StoredValue<bool>,
}

impl Deref for Kitchen {
    type Target = Screen;

    fn deref(&self) -> &Screen {
        &self.screen
    }
}

impl Kitchen {
    /// An empty screen.
    #[must_use]
    pub fn new() -> Self {
        Self {
            screen: Screen::new(),
            station: RwSignal::new(None),
            columns: [(); 3].map(|()| RwSignal::new(Vec::new())),
            all_day: RwSignal::new(Vec::new()),
            items: RwSignal::new(Arc::default()),
            recent: RwSignal::new(Vec::new()),
            unseen: RwSignal::new(BTreeSet::new()),
            selected: RwSignal::new(None),
            tab: RwSignal::new(Column::Waiting),
            sheet: RwSignal::new(None),
            all_day_open: RwSignal::new(false),
            sounds: Sounds::new(),
            board: StoredValue::new(Board::default()),
            cards: StoredValue::new(BTreeMap::new()),
            gone: StoredValue::new(BTreeSet::new()),
            hold_until: StoredValue::new(Time(0)),
            held: StoredValue::new(false),
        }
    }

    /// The tickets of a column, in order.
    #[must_use]
    pub fn column(self, column: Column) -> RwSignal<Vec<OrderId>> {
        self.columns[index(column)]
    }

    /// The card of a ticket that is in a column.
    #[must_use]
    pub fn card(self, id: OrderId) -> Option<ArcRwSignal<Card>> {
        self.cards.with_value(|cards| cards.get(&id).cloned())
    }

    /// The card as it is at this moment.
    #[must_use]
    pub fn card_now(self, id: OrderId) -> Option<Card> {
        self.card(id).map(|card| card.get_untracked())
    }

    /// Looks at these orders again: only cards that differ are rendered.
    pub fn refresh(self, ids: impl IntoIterator<Item = OrderId>) {
        let station = self.station.get_untracked();
        for id in ids {
            match self.card_of(id, station) {
                Some(card) => self.put_card(id, card),
                None => self.gone.update_value(|gone| {
                    gone.insert(id);
                }),
            }
        }
        self.count();
        self.place();
    }

    /// The card as the board and the presses say.
    #[must_use]
    pub fn card_of(self, id: OrderId, station: Option<StationId>) -> Option<Card> {
        let board = |presses: &Presses| {
            self.board
                .with_value(|board| board.card(presses, id, station))
        };
        self.with_presses(board)
    }

    fn put_card(self, id: OrderId, card: Card) {
        self.gone.update_value(|gone| {
            gone.remove(&id);
        });
        match self.card(id) {
            Some(shown) if shown.with_untracked(|shown| *shown == card) => {}
            Some(shown) => shown.set(card),
            None => self.cards.update_value(|cards| {
                cards.insert(id, ArcRwSignal::new(card));
            }),
        }
    }

    /// Puts every card into its place, unless a finger has just gone down.
    pub fn place(self) {
        let wait = self.hold_until.get_value().0 - crate::live::device_now().0;
        if wait > 0 {
            if !self.held.get_value() {
                self.held.set_value(true);
                let later = move || {
                    self.held.try_set_value(false);
                    self.place();
                };
                set_timeout(later, Duration::from_millis(wait.unsigned_abs()));
            }
            return;
        }
        let Some(gone) = self.gone.try_update_value(std::mem::take) else {
            return;
        };
        self.cards
            .update_value(|cards| cards.retain(|id, _| !gone.contains(id)));
        let placed = self.cards.with_value(|cards| {
            let tickets: Vec<_> = cards
                .iter()
                .map(|(id, card)| (*id, card.with_untracked(|card| card.ticket)))
                .collect();
            columns(tickets.iter().map(|(id, ticket)| (*id, ticket)))
        });
        for (column, placed) in self.columns.into_iter().zip(placed) {
            if column.with_untracked(|shown| *shown != placed) {
                column.set(placed);
            }
        }
        let left = |id: &OrderId| gone.contains(id);
        if self.unseen.with_untracked(|unseen| unseen.iter().any(left)) {
            self.unseen
                .update(|unseen| unseen.retain(|id| !gone.contains(id)));
        }
        if self
            .selected
            .get_untracked()
            .is_some_and(|id| gone.contains(&id))
        {
            self.selected.set(None);
        }
    }

    /// A finger went down: for a moment nothing moves.
    pub fn hold(self) {
        self.hold_until
            .set_value(crate::live::device_now().plus(HOLD_MS));
    }

    fn count(self) {
        let station = self.station.get_untracked();
        let orders =
            self.with_presses(|presses| self.board.with_value(|board| board.orders(presses)));
        let mut rows = all_day(orders.iter().map(AsRef::as_ref), station);
        self.items.with_untracked(|items| {
            for (id, item) in items.iter().filter(|(_, item)| item.sold_out) {
                if !rows.iter().any(|row| row.menu_id == *id) {
                    rows.push(AllDay {
                        menu_id: *id,
                        name: item.name.clone(),
                        count: 0,
                    });
                }
            }
        });
        if self.all_day.with_untracked(|shown| *shown != rows) {
            self.all_day.set(rows);
        }
    }

    /// The ids on the board, as they are read: column by column.
    #[must_use]
    pub fn in_reading_order(self) -> Vec<OrderId> {
        COLUMNS
            .iter()
            .flat_map(|column| self.column(*column).get_untracked())
            .collect()
    }

    /// When tickets change colour on this board.
    #[must_use]
    pub fn thresholds(self) -> Thresholds {
        let station = self.station.get();
        self.settings.with(|settings| {
            let store = settings.as_ref();
            let id = station.or_else(|| store?.default_station());
            let found = store.and_then(|store| store.stations.iter().find(|s| Some(s.id) == id));
            found.map(|station| station.thresholds).unwrap_or_default()
        })
    }
}

impl Default for Kitchen {
    fn default() -> Self {
        Self::new()
    }
}

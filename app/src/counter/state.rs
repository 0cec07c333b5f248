//! What the counter shows: computed anew after each piece of news; only what differs is told.

use std::time::Duration;

use domain::event::EventType;
use domain::id::OrderId;
use domain::money::Amount;
use domain::order::{CheckoutStage, Order, Tender};
use domain::staff::Role;
use domain::store::ClientStore;
use domain::stream::Scope;
use leptos::prelude::*;
use uuid::Uuid;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::queue::{Confirmed, Known, Row, Stage, rows};
use crate::api::auth::Me;
use crate::api::report::Today;
use crate::i18n::Counter as Words;
use crate::live;
use crate::ordering::Ordering;
use crate::screen::{Change, Intent, Screen};
use crate::ui::Rows;

/// The report is read so long after something changed it.
const REPORT_AFTER: Duration = Duration::from_millis(700);

/// What lies over the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sheet {
    /// By which means an order is paid, and how much it is.
    Tender(OrderId, Amount),
    /// Why an order is refused.
    Reject(OrderId),
    /// The day so far.
    Report,
}

/// The context of the counter.
#[derive(Clone, Copy)]
pub struct Counter {
    /// What every screen has.
    pub screen: Screen,
    /// Order entry, over it.
    pub ordering: Ordering,
    /// Who waits to pay, and who has just paid.
    pub rows: Rows<Row>,
    /// How many wait.
    pub waiting: RwSignal<usize>,
    /// The day so far; only some roles may know it.
    pub today: RwSignal<Option<Today>>,
    /// What lies over the queue.
    pub sheet: RwSignal<Option<Sheet>>,
    confirmed: StoredValue<Confirmed>,
    report_due: StoredValue<bool>,
}

impl Counter {
    /// An empty screen.
    #[must_use]
    pub fn new() -> Self {
        let screen = Screen::new();
        Self {
            screen,
            ordering: Ordering::new(screen, true),
            rows: Rows::new(),
            waiting: RwSignal::new(0),
            today: RwSignal::new(None),
            sheet: RwSignal::new(None),
            confirmed: StoredValue::new(Confirmed::new()),
            report_due: StoredValue::new(false),
        }
    }

    /// The words of the counter.
    #[must_use]
    pub fn words(self) -> &'static Words {
        &self.screen.messages.counter
    }

    /// What a piece of news changes.
    pub fn hear(self, change: Change<'_>) {
        match change {
            Change::Store(store, touched) => {
                self.ordering.hear(store, touched);
                self.show(store);
                if touched.settings {
                    self.report_soon();
                }
            }
            Change::Pressed(_) => self.look(),
            Change::Heard(EventType::HallPayment, Some(id)) => self.tell_of(id),
            Change::Heard(EventType::HallPaymentResolved, _) | Change::CaughtUp => {
                self.report_soon();
            }
            Change::Heard(..) => {}
        }
    }

    /// Looks at everything again.
    pub fn look(self) {
        live::with_store(|store| self.show(store));
    }

    fn show(self, store: &ClientStore) {
        let known = store.orders(Scope::HallOrders).map(|order| Known {
            order: self.screen.order(order),
            pending: self.screen.is_pending(order.id.0),
            confirmed_by: (order.checkout_stage == CheckoutStage::Confirmed)
                .then(|| store.order_as_of(Scope::HallOrders, order.id))
                .flatten(),
        });
        let (known, now) = (known.collect(), live::server_now());
        let shown = self
            .confirmed
            .try_update_value(|confirmed| rows(known, confirmed, now));
        // The screen may be gone.
        let Some(shown) = shown else {
            return;
        };
        let waits = |row: &&Row| row.stage == Stage::Waiting;
        let waiting = shown.iter().filter(waits).count();
        if self.waiting.get_untracked() != waiting {
            self.waiting.set(waiting);
        }
        self.rows
            .show(shown.into_iter().map(|row| (row.order.id.0, row)).collect());
        self.look_at_sheet();
    }

    /// Somebody else resolved the payment that is asked about, or added to it.
    fn look_at_sheet(self) {
        let (id, asked) = match self.sheet.get_untracked() {
            Some(Sheet::Tender(id, amount)) => (id, Some(amount)),
            Some(Sheet::Reject(id)) => (id, None),
            Some(Sheet::Report) | None => return,
        };
        let (sheet, words) = match (self.waiting_order(id), asked) {
            (None, _) => (None, self.screen.messages.problems.invalid_transition),
            (Some(order), Some(asked)) if order.total != asked => (
                Some(Sheet::Tender(id, order.total)),
                self.words().amount_changed,
            ),
            (Some(_), _) => return,
        };
        self.sheet.set(sheet);
        self.screen.toasts.say(words.to_owned());
    }

    /// Asks by which means an order is paid.
    pub fn ask_for_tender(self, id: OrderId) {
        let Some(order) = self.waiting_order(id) else {
            return;
        };
        self.sheet.set(Some(Sheet::Tender(id, order.total)));
        self.screen.enter_payment(&order);
    }

    /// The order, while it waits.
    #[must_use]
    pub fn waiting_order(self, id: OrderId) -> Option<std::sync::Arc<Order>> {
        let row = self.rows.row(id.0)?.get_untracked();
        (row.stage == Stage::Waiting).then_some(row.order)
    }

    /// A new payment is spoken.
    fn tell_of(self, id: Uuid) {
        if let Some(order) = self.waiting_order(OrderId(id)) {
            let amount = order.currency.format(order.total);
            let words = self
                .words()
                .arrived
                .with(&[&self.screen.order_name(&order), &amount]);
            self.screen.spoken.set(words);
        }
    }

    /// A tender in words.
    #[must_use]
    pub fn tender(self, tender: Tender) -> &'static str {
        let [cash, card, transfer] = self.words().tenders;
        match tender {
            Tender::Cash => cash,
            Tender::Card => card,
            Tender::Transfer => transfer,
        }
    }

    /// The payment is there.
    pub fn confirm(self, id: OrderId, tender: Tender) {
        self.resolve(id, Intent::Confirm(tender));
    }

    /// The order is refused.
    pub fn reject(self, id: OrderId, reason: &str) {
        let reason = reason.trim();
        if !reason.is_empty() {
            self.resolve(id, Intent::Reject(reason.to_owned()));
        }
    }

    /// A second press finds the row gone and does nothing.
    fn resolve(self, id: OrderId, intent: Intent) {
        self.sheet.set(None);
        if self.waiting_order(id).is_some() {
            let next = self.neighbour(id);
            self.screen.press(id.0, intent);
            if let Some(next) = next {
                request_animation_frame(move || focus(next));
            }
        }
    }

    /// Who waits behind an order, or before it.
    fn neighbour(self, id: OrderId) -> Option<Uuid> {
        let ids = self.rows.ids.get_untracked();
        let at = ids.iter().position(|other| *other == id.0)?;
        let near = [
            ids.get(at + 1),
            at.checked_sub(1).and_then(|at| ids.get(at)),
        ];
        let waits = |id: &&Uuid| self.waiting_order(OrderId(**id)).is_some();
        near.into_iter().flatten().find(waits).copied()
    }

    /// Reads the report once for all that happens within a moment.
    fn report_soon(self) {
        let may = |me: &Option<Me>| me.as_ref().is_some_and(|me| may_know(me.role));
        if self.report_due.get_value() || !self.screen.me.with_untracked(may) {
            return;
        }
        self.report_due.set_value(true);
        let read = move || {
            if self.report_due.try_set_value(false).is_none() {
                self.read_report();
            }
        };
        set_timeout(read, REPORT_AFTER);
    }

    fn read_report(self) {
        live::read("/reports/today", move |answer| {
            // Without an answer what was known stays.
            if let Some(today) = answer.ok().and_then(|answer| answer.read().ok()) {
                self.today.try_set(Some(today));
            }
        });
    }
}

/// The finger's place when its row has gone: the next payment, for those who work by keys.
fn focus(id: Uuid) {
    let button = ["[data-testid='pay-", &id.to_string(), "'] .primary"].concat();
    let button = document().query_selector(&button).ok().flatten();
    if let Some(button) = button.and_then(|button| button.dyn_into::<HtmlElement>().ok()) {
        // Refused only when it is not there any more.
        button.focus().unwrap_or_default();
    }
}

/// Who may know the sales of the day (domain, "Endpoints and roles").
fn may_know(role: Role) -> bool {
    role.manages() || role == Role::Counter
}

impl Default for Counter {
    fn default() -> Self {
        Self::new()
    }
}

//! What presses do: at once on the screen, then at the server, which decides.

use std::time::Duration;

use domain::order::Order;
use domain::store::ClientStore;
use leptos::prelude::*;
use uuid::Uuid;

use super::{Change, Intent, Screen, Undo, Unsold, to_login};
use crate::api::Problem;
use crate::browser::random;
use crate::live;

const UNDO_FOR: Duration = Duration::from_secs(5);

impl Screen {
    /// Shows what `intent` will do to `id` and asks the server for it. A refusal puts the state
    /// back and says why.
    pub fn press(self, id: Uuid, intent: Intent) {
        let at = live::server_now();
        self.presses
            .update_value(|presses| presses.press(id, intent, at));
        if self
            .undo
            .with_untracked(|undo| undo.as_ref().is_some_and(|undo| undo.is_of(id)))
        {
            self.undo.set(None);
        }
        self.tell(Change::Pressed(id));
        self.send(id);
    }

    /// The same, and for five seconds `undo` takes it back.
    pub fn press_undoable(self, id: Uuid, intent: Intent, undo: Intent, words: String) {
        self.press_all(vec![(id, intent, undo)], words);
    }

    /// The same with several presses, which are taken back together: what was pressed, the
    /// press, its undo.
    pub fn press_all(self, presses: Vec<(Uuid, Intent, Intent)>, words: String) {
        let mut back = Vec::with_capacity(presses.len());
        for (id, intent, undo) in presses {
            self.press(id, intent);
            back.push((id, undo));
        }
        let undo = Undo { back, words };
        self.undo.set(Some(undo.clone()));
        let expire = move || {
            let same = self
                .undo
                .try_with_untracked(|shown| shown.as_ref() == Some(&undo));
            if same == Some(true) {
                self.undo.set(None);
            }
        };
        set_timeout(expire, UNDO_FOR);
    }

    /// Takes the last press back.
    pub fn take_back(self) {
        if let Some(undo) = self.undo.get_untracked() {
            for (id, intent) in undo.back {
                self.press(id, intent);
            }
        }
    }

    /// Asks the server for something the screen does not foresee; `path` is below the store's
    /// address. `done` says what came of it.
    pub fn ask(self, path: String, body: String, done: impl FnOnce(Result<(), Problem>) + 'static) {
        self.ask_with_key(random::uuid().to_string(), path, body, done);
    }

    /// The same with a key that the caller keeps, so that it can be sent again after a reload.
    pub fn ask_with_key(
        self,
        key: String,
        path: String,
        body: String,
        done: impl FnOnce(Result<(), Problem>) + 'static,
    ) {
        live::command(key, path, body, move |result| {
            // The screen may be gone before the answer.
            if self.undo.try_get_untracked().is_none() {
                return;
            }
            if result
                .as_ref()
                .is_err_and(|problem| problem.code == "SIGNED_OUT")
            {
                to_login();
            }
            done(result);
        });
    }

    fn send(self, id: Uuid) {
        let next = self
            .presses
            .try_update_value(|presses| presses.next_to_send(id))
            .flatten();
        let Some((serial, intent)) = next else {
            return;
        };
        let sent = intent.clone();
        let settled = move |result: Result<(), Problem>| {
            let done = result.is_ok();
            if let Err(problem) = result {
                self.refused(id, &sent, problem);
            }
            self.presses
                .update_value(|presses| presses.settle(id, serial, done));
            self.tell(Change::Pressed(id));
            self.send(id);
        };
        self.ask(intent.path(id), intent.body(), settled);
    }

    fn refused(self, id: Uuid, intent: &Intent, problem: Problem) {
        self.undo.set(None);
        if let Intent::Confirm(tender) = intent
            && !problem.short.is_empty()
        {
            let name = live::with_store(|store| order_of(store, id).map(|it| self.order_name(it)));
            self.unsold.set(Some(Unsold {
                order: id,
                name: name.flatten().unwrap_or_default(),
                tender: *tender,
                short: problem.short,
            }));
            return;
        }
        let words = problem.words(self.messages);
        self.toasts.say(match self.name_of(id) {
            Some(name) => self.messages.problems.refused.with(&[&name, &words]),
            None => words,
        });
    }

    /// Entering payment extends what an order holds, once (reservations, "extend").
    pub fn enter_payment(self, order: &Order) {
        if let (Some(rid), Some(_)) = (order.rid, order.hold_expires_at) {
            live::extend(rid);
        }
    }

    /// How people call what was pressed, if it is an order, a table or a dish.
    fn name_of(self, id: Uuid) -> Option<String> {
        live::with_store(|store| {
            if let Some(order) = order_of(store, id) {
                return Some(self.label(order));
            }
            if let Some(table) = store.tables().find(|table| table.id.0 == id) {
                return Some(table.name.clone());
            }
            let item = store.items().find(|item| item.id.0 == id)?;
            Some(item.name.get(self.language()).to_owned())
        })
        .flatten()
    }

    pub(super) fn tell(self, change: Change<'_>) {
        if let Some(listener) = self.listener.try_get_value().flatten() {
            listener(change);
        }
    }
}

/// The order of that id, in whichever scope it is.
fn order_of(store: &ClientStore, id: Uuid) -> Option<&Order> {
    let mut orders = store.scopes().flat_map(|scope| store.orders(scope));
    orders.find(|order| order.id.0 == id).map(AsRef::as_ref)
}

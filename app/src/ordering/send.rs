//! Sending an order: once, whatever happens to the answer.

use std::sync::Arc;
use std::time::Duration;

use domain::id::{PartyId, TableId};
use domain::store::ClientStore;
use domain::stream::Scope;
use leptos::prelude::*;

use super::place::{Place, Seated, joined, request};
use super::unsent::{self, Unsent};
use super::{Ordering, Sheet, draft};
use crate::api::Problem;
use crate::browser::random;
use crate::live;

/// No answer came: sent again after this.
const AGAIN: Duration = Duration::from_secs(3);

impl Ordering {
    /// A finger on 주문 넣기.
    pub(super) fn send(self) {
        let empty = self.cart.with_untracked(|cart| cart.is_empty());
        if empty || self.unsent.with_untracked(Option::is_some) {
            return;
        }
        let gone = self.gone_now();
        if !gone.is_empty() {
            self.gone.set(gone);
            return;
        }
        let Some(place) = self.place.get_untracked() else {
            self.sheet.set(Some(Sheet::Places));
            return;
        };
        let (path, body) = self.request(place);
        let unsent = Unsent {
            key: random::uuid().to_string(),
            path,
            body,
            draft: self.draft_name(),
            who: self.who(),
            at: live::device_now(),
        };
        unsent::keep(&self.unsent_name(), &unsent);
        self.unsent.set(Some(unsent.clone()));
        self.deliver(unsent);
    }

    fn request(self, place: Place) -> (String, String) {
        let cart = self.cart.get_untracked();
        let note = self.note.get_untracked();
        let party = self.party.get_untracked();
        let made = live::with_store(|store| {
            let joins = party.and_then(|party| joined(party, store.orders(Scope::HallOrders)));
            let seated = Seated {
                party,
                there: sits_at(store, place, party),
                joins: joins.map(AsRef::as_ref),
            };
            request(place, &cart, &note, seated)
        });
        made.unwrap_or_else(|| request(place, &cart, &note, Seated::default()))
    }

    /// Sends again what an earlier page did not finish. What is too old stays in its draft, and
    /// people are told to look.
    pub(super) fn resume(self) {
        // The screen may be gone.
        if self.unsent.try_get_untracked() != Some(None) {
            return;
        }
        let Some(unsent) = unsent::recall(&self.unsent_name()) else {
            return;
        };
        if unsent.is_fresh(live::device_now()) {
            self.unsent.set(Some(unsent.clone()));
            self.deliver(unsent);
        } else {
            unsent::forget(&self.unsent_name(), &unsent.key);
            let words = self.screen.messages.ordering.unsure;
            self.screen.toasts.say(words.to_owned());
        }
    }

    fn deliver(self, unsent: Unsent) {
        let (key, path, body) = (unsent.key.clone(), unsent.path.clone(), unsent.body.clone());
        let answered = move |result: Result<(), Problem>| match result {
            Ok(()) => self.done(&unsent),
            // Sent again after the next sign-in.
            Err(problem) if problem.status == 401 => {}
            Err(problem) if problem.is_undecided() => {
                set_timeout(move || self.deliver_again(unsent), AGAIN);
            }
            Err(problem) => self.refused(&unsent, &problem),
        };
        self.screen.ask_with_key(key, path, body, answered);
    }

    /// Everybody's own: a colleague who signs in on this device loses nothing of it.
    fn unsent_name(self) -> String {
        [&self.store_code(), ":", &self.who()].concat()
    }

    fn who(self) -> String {
        let me = self.screen.me.get_untracked();
        me.map(|me| me.name).unwrap_or_default()
    }

    fn deliver_again(self, unsent: Unsent) {
        // The screen may be gone.
        if self.unsent.try_get_untracked().flatten().is_some() {
            self.deliver(unsent);
        }
    }

    fn done(self, unsent: &Unsent) {
        unsent::forget(&self.unsent_name(), &unsent.key);
        draft::keep(&unsent.draft, &draft::Draft::default());
        self.unsent.set(None);
        let sent = self.screen.messages.ordering.sent;
        if self.is_open.get_untracked() && unsent.draft == self.draft_name() {
            self.cart.set(crate::entry::Cart::default());
            self.note.set(String::new());
            self.close();
        }
        self.screen.toasts.done(sent.to_owned());
    }

    fn refused(self, unsent: &Unsent, problem: &Problem) {
        unsent::forget(&self.unsent_name(), &unsent.key);
        self.unsent.set(None);
        // What the answer says of the menu is known by now.
        live::with_store(|store| self.look(store));
        if let Some(offer) = self.offer.get_untracked().with(&problem.short) {
            self.offer.set(Arc::new(offer));
        }
        let gone = self.gone_now();
        if gone.is_empty() || !self.is_open.get_untracked() {
            let words = problem.words(self.screen.messages);
            self.screen.toasts.say(words);
        } else {
            self.gone.set(gone);
        }
    }
}

/// Whether the party still sits at the table of the place.
fn sits_at(store: &ClientStore, place: Place, party: Option<PartyId>) -> bool {
    let at = |id: TableId| store.tables().find(|table| table.id == id);
    let table = match place {
        Place::Table(id) => at(id),
        Place::Counter | Place::Takeout => None,
    };
    let sits = table.and_then(|table| table.party.as_ref());
    party.is_some() && sits.map(|sits| sits.id) == party
}

//! A payment that cannot be confirmed, as what was ordered is gone: what to do about it.

use domain::order::Tender;
use domain::stock::Short;
use leptos::prelude::*;
use uuid::Uuid;

use super::{Intent, Screen};
use crate::i18n::Messages;
use crate::ui::{Dialog, Erase};

/// A payment that was not confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsold {
    /// The order.
    pub order: Uuid,
    /// How people call it.
    pub name: String,
    /// By which means it was to be paid.
    pub tender: Tender,
    /// What is short.
    pub short: Vec<Short>,
}

/// The name of what is short.
fn name_of(messages: &Messages, short: &Short) -> String {
    let name = short.name.as_ref();
    name.map_or(String::new(), |name| name.get(messages.language).to_owned())
}

/// Asks whether the money is in the drawer.
pub fn unsold_sheet(screen: Screen) -> AnyView {
    let open = move || screen.unsold.get().map(|unsold| sheet(screen, &unsold));
    open.erased()
}

fn sheet(screen: Screen, unsold: &Unsold) -> AnyView {
    let words = &screen.messages.stock;
    let close = Callback::new(move |()| screen.unsold.set(None));
    let each = unsold.short.iter().map(|short| {
        let name = name_of(screen.messages, short);
        let (needs, left) = (short.requested.to_string(), short.available.to_string());
        let counts = words.short_of.with(&[&needs, &left]);
        view! { <li><b dir="auto">{name}</b> " · " {counts}</li> }
    });
    let each = each.collect_view();
    let title = words.short.with(&[&unsold.name]);
    let (order, tender, name) = (unsold.order, unsold.tender, unsold.name.clone());
    let refuse = move |_| {
        screen.unsold.set(None);
        screen.press(order, Intent::Reject(words.run_out.to_owned()));
    };
    let taken = move |_| {
        screen.unsold.set(None);
        screen.note_money(order, tender, name.clone());
    };
    view! {
        <Dialog title close testid="unsold">
            <ul class="gone-list">{each}</ul>
            <p>{words.short_lead}</p>
            <button class="wide" type="button" on:click=refuse>
                {words.not_taken}
            </button>
            <button class="wide" type="button" on:click=taken>
                {words.taken}
            </button>
        </Dialog>
    }
    .fresh()
}

impl Screen {
    /// The money is taken: the server confirms the order after all, or notes a refund.
    fn note_money(self, order: Uuid, tender: Tender, name: String) {
        let path = Intent::Confirm(tender).path(order);
        let tender = serde_json::to_string(&tender).unwrap_or_default();
        let body = ["{\"tender\":", &tender, ",\"moneyTaken\":true}"].concat();
        self.ask(path, body, move |result| {
            let Err(problem) = result else { return };
            if problem.short.is_empty() {
                self.toasts.say(problem.words(self.messages));
            } else {
                let words = self.messages.stock.refund_noted.with(&[&name]);
                self.toasts.done(words);
            }
        });
    }
}

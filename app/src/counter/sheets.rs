//! What lies over the queue: tenders, reasons, the day's report.

use std::sync::Arc;

use domain::id::OrderId;
use domain::money::Amount;
use domain::order::{Order, Tender};
use leptos::prelude::*;

use super::queue::summary;
use super::row::count;
use super::state::{Counter, Sheet};
use crate::api::report::{Sum, Today};
use crate::ui::{Dialog, Erase};

/// In the order of their keys.
pub const TENDERS: [Tender; 3] = [Tender::Cash, Tender::Card, Tender::Transfer];
/// The most characters of a reason.
const REASON_MOST: &str = "120";

/// The one that is open.
pub fn sheet(counter: Counter) -> AnyView {
    let close = Callback::new(move |()| counter.sheet.set(None));
    let open = move || {
        let sheet = counter.sheet.get()?;
        let of = |id: OrderId| counter.waiting_order(id);
        match sheet {
            Sheet::Tender(id, _) => of(id).map(|order| tenders(counter, &order, close)),
            Sheet::Reject(id) => of(id).map(|order| reasons(counter, &order, close)),
            Sheet::Report => Some(report(counter, close)),
        }
    };
    open.erased()
}

fn tenders(counter: Counter, order: &Arc<Order>, close: Callback<()>) -> AnyView {
    let id = order.id;
    let amount = order.currency.format(order.total);
    let title = counter
        .words()
        .choose_tender
        .with(&[&counter.screen.order_name(order), &amount]);
    let button = move |(key, tender): (u32, Tender)| {
        view! {
            <button class="wide tender" type="button" on:click=move |_| counter.confirm(id, tender)>
                <kbd aria-hidden="true">{key.to_string()}</kbd>
                {counter.tender(tender)}
            </button>
        }
    };
    let buttons = (1..).zip(TENDERS).map(button).collect_view();
    let lines = summary(order, counter.screen.language());
    let lost = move || {
        let order = counter.waiting_order(id);
        order.filter(|order| order.hold_lost).map(|_| {
            let words = counter.screen.messages.stock.lost_lead;
            view! { <p class="hold-lost">{words}</p> }
        })
    };
    view! {
        <Dialog title close testid="tenders">
            <p class="quiet" dir="auto">{lines}</p>
            {lost()}
            <div class="tenders">{buttons}</div>
        </Dialog>
    }
    .fresh()
}

fn reasons(counter: Counter, order: &Arc<Order>, close: Callback<()>) -> AnyView {
    let id = order.id;
    let words = counter.words();
    let title = words
        .choose_reason
        .with(&[&counter.screen.order_name(order)]);
    let button = move |reason: &'static str| {
        view! {
            <button class="wide" type="button" on:click=move |_| counter.reject(id, reason)>
                {reason}
            </button>
        }
    };
    let own = RwSignal::new(String::new());
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        counter.reject(id, &own.get_untracked());
    };
    view! {
        <Dialog title close testid="reasons">
            {words.reasons.map(button).collect_view()}
            <form class="own-reason" on:submit=submit>
                <label for="own-reason">{words.other_reason}</label>
                <input id="own-reason" maxlength=REASON_MOST autocomplete="off" bind:value=own />
                <button
                    class="wide"
                    type="submit"
                    disabled=move || own.with(|own| own.trim().is_empty())
                >
                    {words.reject_so}
                </button>
            </form>
        </Dialog>
    }
    .fresh()
}

fn report(counter: Counter, close: Callback<()>) -> AnyView {
    let words = counter.words();
    let rows = move || match counter.today.get() {
        Some(today) => sums(counter, &today),
        None => view! { <tr><td>{words.no_report}</td></tr> }.fresh(),
    };
    view! {
        <Dialog title=words.report close testid="report">
            <table class="report">
                <tbody>{rows}</tbody>
            </table>
        </Dialog>
    }
    .fresh()
}

fn sums(counter: Counter, today: &Today) -> AnyView {
    let words = counter.words();
    let currency = today.currency;
    let money = move |amount: Amount| currency.format(amount);
    let row = |class: &'static str, name: &'static str, sum: Sum| {
        view! {
            <tr class=class>
                <th scope="row">{name}</th>
                <td>{count(words.orders, sum.orders)}</td>
                <td>{money(sum.total)}</td>
            </tr>
        }
        .fresh()
    };
    let tender = |tender: Tender| row("", counter.tender(tender), today.of(tender));
    let [cash, card, transfer] = TENDERS.map(tender);
    let rows = [
        row("sum", words.paid, today.sales),
        cash,
        card,
        transfer,
        row("rest", words.waiting, today.awaiting_payment),
        row("", words.rejected, today.rejected),
    ];
    rows.into_iter().collect_view().fresh()
}

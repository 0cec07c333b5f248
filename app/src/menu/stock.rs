//! 재고: what is there, what is held, by whom; money to give back.

use std::sync::Arc;

use domain::stock::Stock;
use leptos::prelude::*;
use uuid::Uuid;

use super::adjust;
use super::holds::{break_sheet, hold_list};
use super::state::Menu;
use crate::api::stock::RefundDue;
use crate::i18n::Stock as Words;
use crate::ui::{Erase, elapsed, when};

impl Menu {
    /// The words of stock.
    #[must_use]
    pub fn stock_words(self) -> &'static Words {
        &self.screen.messages.stock
    }

    /// The counts of a row in short.
    #[must_use]
    pub fn counts_words(self, stock: &Stock) -> String {
        let counts = [stock.available, stock.on_hand, stock.held].map(|n| n.to_string());
        let [available, on_hand, held] = &counts;
        self.stock_words().counts.with(&[available, on_hand, held])
    }
}

/// The view of stock, instead of the menu.
pub fn view(menu: Menu) -> AnyView {
    let words = menu.stock_words();
    let empty = move || menu.stock.ids.with(Vec::is_empty);
    let none = move || {
        let based = menu.screen.based.get();
        let words = if based {
            words.none
        } else {
            menu.screen.messages.status.connecting
        };
        view! { <div class="vacant"><b role="status">{words}</b></div> }.fresh()
    };
    let manages = move || menu.manages();
    let holds = move || {
        view! {
            <section class="stock-holds">
                <h2>
                    {words.holds} " "
                    <span>{move || menu.holds.get().map(|holds| holds.len())}</span>
                </h2>
                {hold_list(menu, None)}
            </section>
        }
        .fresh()
    };
    view! {
        <div class="stock-view" data-testid="stock">
            {refunds(menu)} {when(empty, none)}
            <ul class="stock-list">{menu.stock.each(move |id| row(menu, id))}</ul>
            {when(manages, holds)}
        </div>
    }
    .fresh()
}

fn row(menu: Menu, id: Uuid) -> AnyView {
    let words = menu.stock_words();
    let Some(row) = menu.stock.row(id) else {
        return ().fresh();
    };
    let language = menu.screen.language();
    let name = row.with_untracked(|stock| stock.name.get(language).to_owned());
    let of = {
        let row = row.clone();
        move |read: fn(&Stock) -> i64| {
            let row = row.clone();
            let count = Memo::new(move |_| row.with(|stock| read(stock)));
            move || count.get()
        }
    };
    let out = Memo::new(move |_| row.with(|stock: &Arc<Stock>| stock.available <= 0));
    let label = words.adjust_of.with(&[&name]);
    let adjust = move || {
        view! {
            <button
                class="ghost"
                type="button"
                aria-haspopup="dialog"
                aria-label=label.clone()
                on:click=move |_| menu.adjust(id)
            >
                {words.adjust}
            </button>
        }
        .fresh()
    };
    view! {
        <li class:out=move || out.get() data-testid=["stock-", &id.to_string()].concat()>
            <b dir="auto">{name}</b>
            <dl>
                <div class="available">
                    <dt>{words.available}</dt>
                    <dd>{of(|stock| stock.available)}</dd>
                </div>
                <div>
                    <dt>{words.on_hand}</dt>
                    <dd>{of(|stock| stock.on_hand)}</dd>
                </div>
                <div>
                    <dt>{words.held}</dt>
                    <dd>{of(|stock| stock.held)}</dd>
                </div>
            </dl>
            {when(move || menu.manages(), adjust)}
        </li>
    }
    .fresh()
}

fn refunds(menu: Menu) -> AnyView {
    let words = menu.stock_words();
    let some = move || menu.refunds.with(|refunds| !refunds.is_empty());
    let list = move || {
        let rows = move || {
            let refunds = menu.refunds.get();
            refunds.iter().map(|due| refund(menu, due)).collect_view()
        };
        view! {
            <section class="refunds" data-testid="refunds">
                <h2>{words.refunds}</h2>
                <ul class="holds">{rows}</ul>
            </section>
        }
        .fresh()
    };
    when(some, list)
}

fn refund(menu: Menu, due: &RefundDue) -> AnyView {
    let words = menu.stock_words();
    let number = ["#", &due.number.to_string()].concat();
    let name = words
        .refund
        .with(&[&number, &menu.screen.money(due.amount)]);
    let (id, since) = (due.id, due.created_at);
    let ago = move || {
        let age = elapsed(menu.screen.now.get().since(since));
        menu.screen.messages.counter.ago.with(&[&age])
    };
    view! {
        <li>
            <div>
                <b>{name}</b>
                <span dir="auto">{due.reason.clone()}</span>
                <small>{ago}</small>
            </div>
            <button
                class="ghost"
                type="button"
                aria-label=words.settle_of.with(&[&number])
                on:click=move |_| menu.settle(id)
            >
                {words.settle}
            </button>
        </li>
    }
    .fresh()
}

/// What lies over the screen.
pub fn sheets(menu: Menu) -> AnyView {
    let adjusting = move || menu.adjusting.get().and_then(|id| adjust::sheet(menu, id));
    view! {
        {adjusting}
        {break_sheet(menu)}
    }
    .erased()
}

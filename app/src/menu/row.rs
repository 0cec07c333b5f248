//! One row: a heading, or an item with its options. It follows its own signal.

use std::sync::Arc;

use domain::id::{MenuId, OptionId, StockId};
use domain::menu::{MenuItem, MenuOption, OptionGroup};
use domain::text::LocalText;
use leptos::prelude::*;
use uuid::Uuid;

use super::list::{Known, Row, options};
use super::state::Menu;
use crate::ui::{Erase, Icon, icon, when};

/// The row of that id.
pub fn row(menu: Menu, id: Uuid) -> AnyView {
    let Some(row) = menu.rows.row(id) else {
        return ().fresh();
    };
    match row.get_untracked() {
        Row::Category(name, _) => heading(menu, &name, row),
        Row::Item(first) => item(menu, first, row),
    }
}

fn heading(menu: Menu, name: &LocalText, row: ArcRwSignal<Row>) -> AnyView {
    let out = Memo::new(move |_| {
        row.with(|row| match row {
            Row::Category(_, out) => *out,
            Row::Item(_) => 0,
        })
    });
    let words = move || match out.get() {
        0 => String::new(),
        out => menu.words().sold_out_count.with(&[&out.to_string()]),
    };
    let name = name.get(menu.screen.language()).to_owned();
    view! {
        <li class="category">
            <h2 dir="auto">{name}</h2>
            <span>{words}</span>
        </li>
    }
    .fresh()
}

fn item(menu: Menu, first: Known, row: ArcRwSignal<Row>) -> AnyView {
    let language = menu.screen.language();
    let id = first.item.id;
    let known = Memo::new(move |_| {
        row.with(|row| match row {
            Row::Item(known) => known.clone(),
            Row::Category(..) => first.clone(),
        })
    });
    let shown = Memo::new(move |_| known.with(|known| (Arc::clone(&known.item), known.pending)));
    let used_up = Memo::new(move |_| known.with(|known| known.used_up));
    let of = move |read: fn(&MenuItem) -> String| {
        let text = Memo::new(move |_| shown.with(|(item, _)| read(item)));
        move || text.get()
    };
    let name = Memo::new(move |_| shown.with(|(item, _)| item.name.get(language).to_owned()));
    let price = move || menu.screen.money(shown.with(|(item, _)| item.price));
    let station = move || menu.station(shown.with(|(item, _)| item.station_id));
    let sold_out = Memo::new(move |_| shown.with(|(item, _)| item.sold_out));
    let starved = Memo::new(move |_| shown.with(|(item, _)| !item.sold_out && item.is_sold_out()));
    let groups = Memo::new(move |_| shown.with(|(item, _)| item.option_groups.clone()));
    let stock_id = Memo::new(move |_| shown.with(|(item, _)| item.stock_id));
    let open = RwSignal::new(false);
    let switch = switch(menu, (id, None), name, sold_out);
    let out = move || sold_out.get() || starved.get() || used_up.get();
    view! {
        <li
            class="item"
            class:out=out
            class:pending=move || shown.with(|(_, pending)| *pending)
            data-testid=["item-", &id.to_string()].concat()
        >
            <span class="code">{of(|item| item.code.clone())}</span>
            <div class="name">
                <b dir="auto">{move || name.get()}</b>
                <small>
                    {station}
                    {when(move || starved.get(), move || starved_words(menu))}
                </small>
            </div>
            {counted(menu, stock_id)}
            <span class="price">{price}</span>
            {more(menu, shown, name, open)}
            {switch}
            {when(move || open.get(), move || option_list(menu, id, groups))}
        </li>
    }
    .fresh()
}

fn starved_words(menu: Menu) -> AnyView {
    view! { <em>{menu.words().starved}</em> }.fresh()
}

/// What is left of a stock row; managers count it anew from here.
fn counted(menu: Menu, id: Memo<Option<StockId>>) -> AnyView {
    let row = Memo::new(move |_| {
        menu.stock.ids.track();
        menu.stock.row(id.get()?.0).map(|row| row.get())
    });
    let some = Memo::new(move |_| row.with(Option::is_some));
    let none = move || row.with(|stock| stock.as_ref().is_some_and(|stock| stock.available <= 0));
    let words = move || row.with(|stock| stock.as_ref().map(|stock| menu.counts_words(stock)));
    let label = move || {
        let name = row.with(|stock| {
            let stock = stock.as_ref()?;
            Some(stock.name.get(menu.screen.language()).to_owned())
        });
        let name = name.unwrap_or_default();
        [
            &menu.stock_words().adjust_of.with(&[&name]),
            " · ",
            &words().unwrap_or_default(),
        ]
        .concat()
    };
    let open = move |_| {
        if let Some(id) = id.get_untracked() {
            menu.adjust(id.0);
        }
    };
    let button = move || {
        view! {
            <button
                class="counted"
                class:none=none
                type="button"
                aria-haspopup="dialog"
                aria-label=label
                on:click=open
            >
                {words}
            </button>
        }
        .fresh()
    };
    let text = move || view! { <small class="counted" class:none=none>{words}</small> }.fresh();
    view! {
        {when(move || some.get() && menu.manages(), button)}
        {when(move || some.get() && !menu.manages(), text)}
    }
    .fresh()
}

/// Opens the options, if there are any.
fn more(
    menu: Menu,
    shown: Memo<(Arc<MenuItem>, bool)>,
    name: Memo<String>,
    open: RwSignal<bool>,
) -> AnyView {
    let words = menu.words();
    let counts = Memo::new(move |_| shown.with(|(item, _)| options(item)));
    let text = move || {
        let (all, out) = counts.get();
        match out {
            0 => words.options.with(&[&all.to_string()]),
            out => words
                .options_out
                .with(&[&all.to_string(), &out.to_string()]),
        }
    };
    let button = move || {
        view! {
            <button
                class="ghost unfold"
                type="button"
                aria-expanded=move || open.get().to_string()
                aria-label=move || [&text(), " · ", &name.get()].concat()
                on:click=move |_| open.update(|open| *open = !*open)
            >
                {text}
            </button>
        }
        .fresh()
    };
    when(move || counts.get().0 > 0, button)
}

/// The 품절 switch of an item or option.
fn switch(
    menu: Menu,
    (item, option): (MenuId, Option<OptionId>),
    name: Memo<String>,
    sold_out: Memo<bool>,
) -> AnyView {
    let words = menu.words();
    let press = move |_| {
        let out = !sold_out.get_untracked();
        menu.set_sold_out(item, option, out, &name.get_untracked());
    };
    view! {
        <button
            class="sold-out"
            type="button"
            aria-pressed=move || sold_out.get().to_string()
            aria-label=move || words.mark.with(&[&name.get()])
            on:click=press
        >
            {move || sold_out.get().then(|| icon(Icon::Check))}
            {words.sold_out}
        </button>
    }
    .fresh()
}

fn option_list(menu: Menu, item: MenuId, groups: Memo<Vec<OptionGroup>>) -> AnyView {
    let language = menu.screen.language();
    let group = move |group: OptionGroup| {
        let name = group.name.get(language).to_owned();
        let options = group.options.into_iter();
        let each = options.map(|option| option_row(menu, item, groups, option));
        view! {
            <li>
                <h3 dir="auto">{name}</h3>
                <ul>{each.collect_view()}</ul>
            </li>
        }
        .fresh()
    };
    // A press changes a switch, and leaves the list and the finger's place as they are.
    let known = Memo::new(move |_| {
        let mut groups = groups.get();
        let options = groups.iter_mut().flat_map(|group| &mut group.options);
        options.for_each(|option| option.sold_out = false);
        groups
    });
    let list = move || known.get().into_iter().map(group).collect_view();
    view! { <ul class="groups">{list}</ul> }.fresh()
}

fn option_row(
    menu: Menu,
    item: MenuId,
    groups: Memo<Vec<OptionGroup>>,
    option: MenuOption,
) -> AnyView {
    let (id, stock_id) = (option.id, option.stock_id);
    let sold_out = Memo::new(move |_| {
        groups.with(|groups| {
            let mut options = groups.iter().flat_map(|group| &group.options);
            options.any(|option| option.id == id && option.sold_out)
        })
    });
    let text = option.name.get(menu.screen.language()).to_owned();
    let name = {
        let text = text.clone();
        Memo::new(move |_| text.clone())
    };
    let price = match option.price_delta.0 {
        0 => String::new(),
        delta => {
            let sign = if delta > 0 { "+" } else { "" };
            [sign, &menu.screen.money(option.price_delta)].concat()
        }
    };
    view! {
        <li class="choice-row" class:out=move || sold_out.get()>
            <span class="name" dir="auto">
                {text} {counted(menu, Memo::new(move |_| stock_id))}
            </span>
            <span class="price">{price}</span>
            {switch(menu, (item, Some(id)), name, sold_out)}
        </li>
    }
    .fresh()
}

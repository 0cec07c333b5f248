//! The sheet of an item: options, how many, notes; its price on the button.

use std::sync::Arc;

use domain::id::{OptionGroupId, OptionId};
use domain::menu::{MenuItem, MenuOption, OptionGroup};
use domain::money::{Amount, Currency};
use domain::stock::LOW;
use domain::text::NOTE_GRAPHEMES;
use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::cart::{self, Cart, CartLine, MOST};
use super::choice::{self, Kind};
use super::offer::Offer;
use super::stepper::Stepper;
use crate::i18n::{self, Messages};
use crate::ui::{Dialog, Erase};

/// What is chosen on an open sheet.
#[derive(Clone, Copy)]
struct Draft {
    messages: &'static Messages,
    currency: Currency,
    offer: RwSignal<Arc<Offer>>,
    cart: RwSignal<Cart>,
    chosen: RwSignal<Vec<OptionId>>,
    quantity: RwSignal<u32>,
    note: RwSignal<String>,
    allergy: RwSignal<String>,
    /// The group that lacked a choice when the button was pressed.
    lacking: RwSignal<Option<OptionGroupId>>,
}

/// Asks what goes into the cart. A press that chooses calls `add`, then the sheet closes.
#[component]
pub fn OptionSheet(
    /// Of the menu.
    item: Arc<MenuItem>,
    /// Of its prices.
    currency: Currency,
    /// What can be ordered.
    offer: RwSignal<Arc<Offer>>,
    /// What is in the cart already.
    cart: RwSignal<Cart>,
    /// Takes what was chosen.
    add: Callback<CartLine>,
    /// Takes the sheet away.
    close: Callback<()>,
) -> impl IntoView {
    let draft = Draft {
        messages: i18n::messages(),
        currency,
        offer,
        cart,
        chosen: RwSignal::new(Vec::new()),
        quantity: RwSignal::new(1),
        note: RwSignal::new(String::new()),
        allergy: RwSignal::new(String::new()),
        lacking: RwSignal::new(None),
    };
    let words = &draft.messages.entry;
    let language = draft.messages.language;
    let name = item.name.get(language).to_owned();
    let description = item.description.get(language).to_owned();
    let groups = item.option_groups.iter().enumerate();
    let groups = groups.map(|(at, _)| group_view(draft, &item, at));
    let groups = groups.collect_view();
    let priced = Arc::clone(&item);
    let price = move || currency.format(draft.line(&priced).amount(&priced));
    let counted = Arc::clone(&item);
    let room = Memo::new(move |_| draft.room(&counted));
    let most = Signal::derive(move || room.get().unwrap_or(MOST));
    let short = Memo::new(move |_| draft.quantity.get() > most.get());
    let left = move || {
        let left = room.get().filter(|left| i64::from(*left) <= LOW)?;
        Some(match left {
            0 => words.no_more.to_owned(),
            left => words.left.with(&[&left.to_string()]),
        })
    };
    let submit = move |event: SubmitEvent| {
        if !short.get_untracked() && draft.is_complete(&item) {
            add.run(draft.line(&item));
        } else {
            event.prevent_default();
        }
    };
    let change = Callback::new(move |to| draft.quantity.set(cart::in_bounds(to)));
    view! {
        <Dialog title=name.clone() close class="option-sheet" testid="option-sheet">
            <p class="quiet" dir="auto">{description}</p>
            <form class="option-form" method="dialog" novalidate on:submit=submit>
                {groups}
                {field(words.note, draft.note)}
                {field(words.allergy, draft.allergy)}
                <p class="left" role="status">
                    {left}
                </p>
                <div class="option-foot">
                    <Stepper name quantity=draft.quantity.into() most change />
                    <button
                        class="primary"
                        type="submit"
                        aria-disabled=move || short.get().then_some("true")
                    >
                        <span>{words.add}</span>
                        <b>{price}</b>
                    </button>
                </div>
            </form>
        </Dialog>
    }
    .fresh()
}

impl Draft {
    fn line(self, item: &MenuItem) -> CartLine {
        let chosen = self.chosen.with(|chosen| choice::in_order(item, chosen));
        CartLine {
            quantity: self.quantity.get(),
            note: self.note.get().trim().to_owned(),
            allergy: self.allergy.get().trim().to_owned(),
            ..CartLine::one(item, chosen)
        }
    }

    /// Portions of what is chosen that can be added.
    fn room(self, item: &MenuItem) -> Option<u32> {
        let chosen = self.chosen.get();
        self.offer
            .with(|offer| self.cart.with(|cart| cart.room(offer, item, &chosen)))
    }

    /// Whether every group has its choice; the first that has not says so and gets the focus.
    fn is_complete(self, item: &MenuItem) -> bool {
        let chosen = self.chosen.get_untracked();
        let lacking = choice::lacking(item, &chosen).map(|group| group.id);
        self.lacking.set(lacking);
        if let Some(id) = lacking {
            focus_first(&id.to_string());
        }
        lacking.is_none()
    }
}

fn focus_first(id: &str) {
    let group = document().get_element_by_id(id);
    let input = group.and_then(|group| group.query_selector("input:enabled").ok()?);
    if let Some(input) = input.and_then(|input| input.dyn_into::<HtmlElement>().ok()) {
        // Refused by nothing that has the focus to give.
        input.focus().unwrap_or_default();
    }
}

fn field(name: &'static str, value: RwSignal<String>) -> AnyView {
    // In UTF-16 units, so that what fits here is within the limit however it is counted.
    let limit = NOTE_GRAPHEMES.to_string();
    view! {
        <label class="field">
            <span>{name}</span>
            <textarea
                rows="1"
                maxlength=limit
                dir="auto"
                on:input=move |event| value.set(event_target_value(&event))
            ></textarea>
        </label>
    }
    .fresh()
}

fn group_view(draft: Draft, item: &Arc<MenuItem>, at: usize) -> AnyView {
    let Some(group) = item.option_groups.get(at) else {
        return ().fresh();
    };
    let words = &draft.messages.entry;
    let id = group.id;
    let none = (choice::kind(group) == Kind::OneOrNone).then(|| none_view(draft, item, at));
    let options = group.options.iter();
    let options = options.map(|option| option_view(draft, item, at, option));
    let lacking = move || (draft.lacking.get() == Some(id)).then_some(words.lacking);
    view! {
        <fieldset class="options" id=id.to_string()>
            <legend>
                <b dir="auto">{group.name.get(draft.messages.language).to_owned()}</b>
                <span>{rule(draft.messages, group)}</span>
            </legend>
            <p class="lacking" role="alert">
                {lacking}
            </p>
            {none}
            {options.collect_view()}
        </fieldset>
    }
    .fresh()
}

/// How many of a group may and must be chosen, in words.
fn rule(messages: &Messages, group: &OptionGroup) -> String {
    let words = &messages.entry;
    let (min, max) = (group.min.to_string(), group.max.to_string());
    let many = group.max > 1;
    match (group.min, many) {
        (0, false) => words.optional.to_owned(),
        (0, true) => words.up_to.with(&[&max]),
        (_, false) => words.required.to_owned(),
        (_, true) => words.between.with(&[&min, &max]),
    }
}

fn none_view(draft: Draft, item: &Arc<MenuItem>, at: usize) -> AnyView {
    let (item, name) = (Arc::clone(item), item.option_groups[at].id.to_string());
    view! {
        <label class="option">
            <input
                type="radio"
                name=name
                checked
                on:change=move |_| {
                    draft.chosen
                        .update(|chosen| choice::choose(&item.option_groups[at], chosen, None, true));
                }
            />
            <span>{draft.messages.entry.none}</span>
        </label>
    }
    .fresh()
}

fn option_view(draft: Draft, item: &Arc<MenuItem>, at: usize, option: &MenuOption) -> AnyView {
    let words = &draft.messages.entry;
    let (item, id) = (Arc::clone(item), option.id);
    let sold_out = draft
        .offer
        .with_untracked(|offer| !offer.shelf().has(option));
    let several = choice::kind(&item.option_groups[at]) == Kind::Several;
    let group = item.option_groups[at].id.to_string();
    let price = match (sold_out, option.price_delta) {
        (true, _) => words.sold_out.to_owned(),
        (false, Amount(0)) => String::new(),
        (false, delta) => signed(draft.currency, delta),
    };
    let whole = Arc::clone(&item);
    // Where as many are chosen as may be, the others wait.
    let full = move || {
        let group = &whole.option_groups[at];
        draft.chosen.with(|chosen| {
            several && choice::count(group, chosen) >= group.max && !chosen.contains(&id)
        })
    };
    let choose = move |event| {
        let on = event_target_checked(&event);
        let group = &item.option_groups[at];
        draft
            .chosen
            .update(|chosen| choice::choose(group, chosen, Some(id), on));
        draft.lacking.set(None);
    };
    view! {
        <label class="option" class:out=sold_out>
            <input
                type=if several { "checkbox" } else { "radio" }
                name=group
                disabled=move || sold_out || full()
                on:change=choose
            />
            <span dir="auto">{option.name.get(draft.messages.language).to_owned()}</span>
            <span class="delta">{price}</span>
        </label>
    }
    .fresh()
}

fn signed(currency: Currency, delta: Amount) -> String {
    let sign = if delta.0 > 0 { "+" } else { "" };
    [sign, &currency.format(delta)].concat()
}

//! Open holds with holder and age, and breaking one.

use domain::stock::{Hold, HoldRow};
use domain::text::Language;
use domain::time::Time;
use leptos::prelude::*;
use serde::Serialize;
use uuid::Uuid;

use super::state::Menu;
use crate::ui::{Dialog, Erase, elapsed};

#[derive(Serialize)]
struct Body<'a> {
    reason: &'a str,
}

/// What a hold holds, in short: `갈비탕 2 · 콜라 1`.
#[must_use]
pub fn content(rows: &[HoldRow], language: Language) -> String {
    let row = |row: &HoldRow| [row.name.get(language), " ", &row.quantity.to_string()].concat();
    rows.iter().map(row).collect::<Vec<_>>().join(" · ")
}

/// Since when a hold is there, and for how long yet, in ms.
#[must_use]
pub fn age(hold: &Hold, now: Time) -> (i64, i64) {
    let passed = now.since(hold.server_now).max(0);
    (
        hold.age_ms.unwrap_or_default() + passed,
        hold.expires_at.since(now).max(0),
    )
}

/// The open holds, or those on one stock row.
pub fn hold_list(menu: Menu, of: Option<Uuid>) -> AnyView {
    let words = menu.stock_words();
    let list = move || match menu.holds.get() {
        None => view! { <p class="quiet">{words.no_answer}</p> }.fresh(),
        Some(holds) => {
            let on = |hold: &&Hold| {
                of.is_none_or(|id| hold.lines.iter().any(|row| row.stock_id.0 == id))
            };
            let rows: Vec<_> = holds
                .iter()
                .filter(on)
                .map(|hold| row(menu, hold))
                .collect();
            if rows.is_empty() {
                return view! { <p class="quiet">{words.no_holds}</p> }.fresh();
            }
            view! { <ul class="holds">{rows.into_iter().collect_view()}</ul> }.fresh()
        }
    };
    list.fresh()
}

fn row(menu: Menu, hold: &Hold) -> AnyView {
    let words = menu.stock_words();
    let holder = hold.holder.clone().unwrap_or_default();
    let whose = if hold.order_id.is_some() {
        words.of_order
    } else {
        words.of_cart
    };
    let what = content(&hold.lines, menu.screen.language());
    let label = words.release_of.with(&[&holder]);
    let (timed, broken) = (hold.clone(), hold.clone());
    let since = move || {
        let (age, left) = age(&timed, menu.screen.now.get());
        words.age.with(&[&elapsed(age), &elapsed(left)])
    };
    view! {
        <li data-testid="hold">
            <div>
                <b dir="auto">{holder}</b>
                <span dir="auto">{what}</span>
                <small>{whose} " · " {since}</small>
            </div>
            <button
                class="ghost"
                type="button"
                aria-haspopup="dialog"
                aria-label=label
                on:click=move |_| menu.breaking.set(Some(broken.clone()))
            >
                {words.release}
            </button>
        </li>
    }
    .fresh()
}

/// Asks before a hold is broken.
pub fn break_sheet(menu: Menu) -> AnyView {
    let close = Callback::new(move |()| menu.breaking.set(None));
    let open = move || {
        menu.breaking.get().map(|hold| {
            let words = menu.stock_words();
            let holder = hold.holder.clone().unwrap_or_default();
            let what = content(&hold.lines, menu.screen.language());
            let lead = match hold.order_id {
                Some(_) => words.release_order,
                None => words.release_cart,
            };
            view! {
                <Dialog title=words.release_of.with(&[&holder]) close testid="break">
                    <p dir="auto">{what}</p>
                    <p class="quiet">{lead}</p>
                    <button class="primary" type="button" on:click=move |_| menu.release(&hold)>
                        {words.release}
                    </button>
                </Dialog>
            }
            .fresh()
        })
    };
    open.erased()
}

impl Menu {
    /// What it held can be sold to others.
    fn release(self, hold: &Hold) {
        self.breaking.set(None);
        let words = self.stock_words();
        let body = Body {
            reason: words.release_reason,
        };
        // Plain data always serializes.
        let body = serde_json::to_string(&body).unwrap_or_default();
        let path = ["/reservations/", &hold.rid.to_string(), "/release"].concat();
        let holder = hold.holder.clone().unwrap_or_default();
        self.screen.ask(path, body, move |result| {
            match result {
                Ok(()) => self.screen.toasts.done(words.released.with(&[&holder])),
                Err(problem) => self.screen.toasts.say(problem.words(self.screen.messages)),
            }
            self.load_holds();
        });
    }
}

mod tests {
    #![cfg(test)]

    use serde_json::json;

    use super::*;

    #[test]
    fn a_hold_is_told_with_what_it_holds_its_age_and_what_it_has_left() {
        let hold: Hold = serde_json::from_value(json!({
            "rid": Uuid::nil(), "status": "held", "holder": "A-3", "ageMs": 60_000,
            "expiresAt": 700_000, "serverNow": 160_000, "remainingMs": 540_000, "replayed": false,
            "lines": [
                {"stockId": Uuid::nil(), "name": {"ko": "갈비탕"}, "quantity": 2, "from": [0]},
                {"stockId": Uuid::nil(), "name": {"ko": "콜라"}, "quantity": 1, "from": [1]},
            ],
        }))
        .unwrap();
        assert_eq!(content(&hold.lines, Language::Ko), "갈비탕 2 · 콜라 1");
        assert_eq!(age(&hold, Time(160_000)), (60_000, 540_000));
        assert_eq!(age(&hold, Time(190_000)), (90_000, 510_000));
        assert_eq!(age(&hold, Time(900_000)), (800_000, 0));
        assert_eq!(
            age(&hold, Time(150_000)),
            (60_000, 550_000),
            "a clock behind"
        );
    }
}

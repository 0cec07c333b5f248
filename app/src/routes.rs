//! Which page answers which address.

use http::request::Parts;
use leptos::prelude::*;

use crate::counter::CounterPage;
use crate::guest::GuestPage;
use crate::hall::HallPage;
use crate::home::HomePage;
use crate::i18n::{self, Messages};
use crate::kitchen::KitchenPage;
use crate::login::LoginPage;
use crate::menu::MenuPage;
use crate::ui::Erase;

/// A page of the product.
pub struct Page {
    /// Where it is, as the server's router writes it: `{name}` stands for one part of the path.
    pub address: &'static str,
    title: fn(&Messages) -> &'static str,
    view: fn() -> AnyView,
}

/// A part of the client: a WebAssembly module of its own, loaded by its pages alone. A phone does
/// not carry what a kitchen needs.
pub struct Part {
    /// Its name, in the names of its files.
    pub name: &'static str,
    /// Its pages. The first whose address fits is shown.
    pub pages: &'static [Page],
}

/// What guests see.
pub static GUEST: Part = Part {
    name: "guest",
    pages: &[page(
        "/t/{table}",
        |words| words.guest.title,
        || GuestPage().erased(),
    )],
};

/// The hall and the counter, with order entry.
pub static FLOOR: Part = Part {
    name: "floor",
    pages: &[
        page(
            "/{store}/hall",
            |words| words.hall.title,
            || HallPage().erased(),
        ),
        page(
            "/{store}/counter",
            |words| words.counter.title,
            || CounterPage().erased(),
        ),
    ],
};

/// Sign-in, the kitchen and the menu; what no page answers, too.
pub static HOUSE: Part = Part {
    name: "house",
    pages: &[
        page("/", |words| words.home.title, || HomePage().erased()),
        page("/login", |words| words.login.title, || LoginPage().erased()),
        page(
            "/{store}/kitchen",
            |words| words.kitchen.title,
            || KitchenPage().erased(),
        ),
        page(
            "/{store}/menu",
            |words| words.menu.title,
            || MenuPage().erased(),
        ),
    ],
};

/// Every part.
pub static PARTS: [&Part; 3] = [&GUEST, &FLOOR, &HOUSE];

const fn page(
    address: &'static str,
    title: fn(&Messages) -> &'static str,
    view: fn() -> AnyView,
) -> Page {
    Page {
        address,
        title,
        view,
    }
}

/// The page of the address that is shown, of this part. People change screens by loading another
/// page, so that it stays the same.
pub fn view(part: &'static Part) -> AnyView {
    i18n::provide();
    match page_at(part, &path()) {
        Some(page) => (page.view)(),
        None => not_found().erased(),
    }
}

/// The part that has the page of the request.
pub fn part() -> &'static Part {
    part_at(&path())
}

fn part_at(path: &str) -> &'static Part {
    let found = PARTS.iter().find(|part| page_at(part, path).is_some());
    found.copied().unwrap_or(&HOUSE)
}

/// The title of the page that is shown.
pub fn title() -> String {
    let page = page_at(part(), &path());
    let own = page.map(|page| (page.title)(i18n::messages()));
    own.map_or_else(|| "Jumun".to_owned(), |own| ["Jumun · ", own].concat())
}

/// The server is told in the request, the browser knows.
fn path() -> String {
    if is_browser() {
        window().location().pathname().unwrap_or_default()
    } else {
        let request = use_context::<Parts>();
        request.map_or_else(String::new, |request| request.uri.path().to_owned())
    }
}

fn page_at(part: &Part, path: &str) -> Option<&'static Page> {
    part.pages.iter().find(|page| fits(page.address, path))
}

fn fits(address: &str, path: &str) -> bool {
    let (mut expected, mut found) = (address.split('/'), path.split('/'));
    loop {
        match (expected.next(), found.next()) {
            (None, None) => return true,
            (Some(named), Some(part)) if named.starts_with('{') && !part.is_empty() => {}
            (Some(word), Some(part)) if word == part => {}
            _ => return false,
        }
    }
}

fn not_found() -> impl IntoView {
    let messages = i18n::messages();
    view! {
        <main class="plain">
            <h1>{messages.common.not_found}</h1>
            <a class="button primary" href="/login">
                {messages.common.to_login}
            </a>
        </main>
    }
}

mod tests {
    #![cfg(test)]

    use super::*;

    #[test]
    fn an_address_leads_to_its_page_and_to_no_other() {
        let shown = |path| page_at(part_at(path), path).map(|page| page.address);
        assert_eq!(shown("/"), Some("/"));
        assert_eq!(shown("/login"), Some("/login"));
        assert_eq!(shown("/t/demo-a1"), Some("/t/{table}"));
        assert_eq!(shown("/demo/kitchen"), Some("/{store}/kitchen"));
        assert_eq!(shown("/t/demo-a1"), Some("/t/{table}"));
        assert_eq!(shown("/demo/hall"), Some("/{store}/hall"));
        assert_eq!(shown("/%EA%B0%80/kitchen"), Some("/{store}/kitchen"));
        for nowhere in [
            "",
            "/demo",
            "//kitchen",
            "/demo/kitchen/",
            "/demo/kitchen/more",
            "/login/",
        ] {
            assert_eq!(shown(nowhere), None, "{nowhere}");
        }
    }
}

//! Choices of this device: kept in local storage, and in a cookie so that the server renders
//! the page as chosen.

use domain::text::Language;
use js_sys::Reflect;
use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast, JsValue};

use crate::i18n;

const LANGUAGE: &str = "jumun_language";
/// The store's language that this device was told to follow.
const FOLLOWED: &str = "jumun_language_of_store";
const THEME: &str = "jumun_theme";
/// A year, in seconds.
const COOKIE_AGE: &str = "31536000";

/// Dark or light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Light text on dark.
    Dark,
    /// Dark text on light.
    Light,
}

impl Theme {
    /// In the page's markup and in the cookie.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Light => "light",
        }
    }
}

/// The value of cookie `name` in a `Cookie` header.
fn cookie<'a>(cookies: &'a str, name: &str) -> Option<&'a str> {
    let pairs = cookies
        .split(';')
        .filter_map(|pair| pair.trim().split_once('='));
    pairs
        .into_iter()
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value)
}

/// The language chosen on the device that sends these cookies.
#[must_use]
pub fn language_in(cookies: &str) -> Option<Language> {
    cookie(cookies, LANGUAGE).and_then(i18n::named)
}

/// The theme chosen on the device that sends these cookies; without one, each screen has its own.
#[must_use]
pub fn theme_in(cookies: &str) -> Option<Theme> {
    match cookie(cookies, THEME)? {
        "dark" => Some(Theme::Dark),
        "light" => Some(Theme::Light),
        _ => None,
    }
}

/// The language in which the server rendered this page.
#[must_use]
pub fn page_language() -> Option<Language> {
    let root = document().document_element()?;
    i18n::named(&root.get_attribute("lang")?)
}

/// The build this page was rendered for.
#[must_use]
pub fn page_build() -> Option<String> {
    document().document_element()?.get_attribute("data-build")
}

/// Chooses the language of this device. It is shown from the next page load on.
pub fn choose_language(language: Language) {
    keep(LANGUAGE, i18n::code(language));
    set_cookie(LANGUAGE, i18n::code(language));
}

/// Renders pages in the store's language until the device chooses one. `false` when it has
/// chosen, or when this was tried and the browser keeps no cookies.
#[must_use]
pub fn follow_store_language(language: Language) -> bool {
    let code = i18n::code(language);
    let tried = recall(FOLLOWED).is_some_and(|followed| followed == code);
    if recall(LANGUAGE).is_some() || tried {
        return false;
    }
    keep(FOLLOWED, code);
    set_cookie(LANGUAGE, code);
    true
}

/// Chooses the theme of this device. It is shown from the next page load on.
pub fn choose_theme(theme: Theme) {
    keep(THEME, theme.name());
    set_cookie(THEME, theme.name());
}

/// Loads the page again.
pub fn reload() {
    // Refused only in a sandbox, where there is nothing to do about it.
    window().location().reload().unwrap_or_default();
}

/// Leaves for another page.
pub fn go(address: &str) {
    window().location().assign(address).unwrap_or_default();
}

/// Leaves for another page, to which this one leads on: going back does not come here.
pub fn lead_on(address: &str) {
    window().location().replace(address).unwrap_or_default();
}

/// Whether the browser brought this page back: reloaded, from the history, a tab restored. Nobody
/// scanned a code, followed a link or typed the address.
#[must_use]
pub fn is_brought_back() -> bool {
    let part = |of: &JsValue, name: &str| Reflect::get(of, &JsValue::from_str(name)).ok();
    let performance = part(&window(), "performance");
    let navigation = performance.and_then(|performance| part(&performance, "navigation"));
    let kind = navigation.and_then(|navigation| part(&navigation, "type"));
    // TYPE_NAVIGATE of Navigation Timing is 0.
    kind.and_then(|kind| kind.as_f64())
        .is_some_and(|kind| kind > 0.0)
}

/// Scrolls an element into view, if it is not there.
pub fn show(id: &str) {
    if let Some(element) = document().get_element_by_id(id) {
        let options = web_sys::ScrollIntoViewOptions::new();
        options.set_block(web_sys::ScrollLogicalPosition::Nearest);
        element.scroll_into_view_with_scroll_into_view_options(&options);
    }
}

/// A parameter of the page's address.
#[must_use]
pub fn query(name: &str) -> Option<String> {
    let search = window().location().search().ok()?;
    let parameters = web_sys::UrlSearchParams::new_with_str(&search).ok()?;
    parameters.get(name).filter(|value| !value.is_empty())
}

fn set_cookie(name: &str, value: &str) {
    let text = [
        name,
        "=",
        value,
        "; path=/; max-age=",
        COOKIE_AGE,
        "; samesite=lax",
    ]
    .concat();
    if let Ok(page) = document().dyn_into::<web_sys::HtmlDocument>() {
        // A browser that refuses cookies shows the store's language; nothing else is lost.
        page.set_cookie(&text).unwrap_or_default();
    }
}

/// Keeps a choice on this device.
pub fn keep(name: &str, value: &str) {
    if let Ok(Some(storage)) = window().local_storage() {
        // A full or forbidden storage forgets the choice; the screen goes on.
        storage.set_item(name, value).unwrap_or_default();
    }
}

/// Forgets what was kept under a name.
pub fn forget(name: &str) {
    if let Ok(Some(storage)) = window().local_storage() {
        // A forbidden storage had kept nothing.
        storage.remove_item(name).unwrap_or_default();
    }
}

/// A choice kept on this device.
#[must_use]
pub fn recall(name: &str) -> Option<String> {
    window().local_storage().ok()??.get_item(name).ok()?
}

mod tests {
    #![cfg(test)]

    use super::*;

    #[test]
    fn the_language_is_found_among_other_cookies() {
        assert_eq!(
            language_in("a=1; jumun_language=en; session=x"),
            Some(Language::En)
        );
        assert_eq!(language_in("jumun_language=fr"), None);
        assert_eq!(language_in("xjumun_language=en"), None);
    }
}

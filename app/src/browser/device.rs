//! Choices of this device: kept in local storage, and in a cookie so that the server renders
//! the page as chosen.

use domain::text::Language;
use leptos::prelude::{document, window};
use wasm_bindgen::JsCast;

use crate::i18n;

const LANGUAGE: &str = "jumun_language";
/// A year, in seconds.
const COOKIE_AGE: &str = "31536000";

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

/// Whether this device has chosen a language.
#[must_use]
pub fn has_chosen_language() -> bool {
    recall(LANGUAGE).is_some()
}

/// Chooses the language of this device. It is shown from the next page load on.
pub fn choose_language(language: Language) {
    keep(LANGUAGE, i18n::code(language));
    set_cookie(LANGUAGE, i18n::code(language));
}

/// Renders pages in the store's language until the device chooses one.
pub fn follow_store_language(language: Language) {
    set_cookie(LANGUAGE, i18n::code(language));
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

/// A choice kept on this device.
#[must_use]
pub fn recall(name: &str) -> Option<String> {
    window().local_storage().ok()??.get_item(name).ok()?
}

#[cfg(test)]
mod tests {
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

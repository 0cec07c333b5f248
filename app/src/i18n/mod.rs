//! The words of the screens: one struct, a value of it per language. A text that is missing
//! in a language does not compile.

mod counter;
mod en;
mod entry;
mod guest;
mod hall;
mod home;
mod ko;
mod menu;
mod ordering;
mod problems;
mod stock;

use domain::staff::Role;
use domain::text::Language;
use http::request::Parts;
use leptos::prelude::*;

use crate::browser::device;
pub use counter::Counter;
pub use entry::Entry;
pub use guest::Guest;
pub use hall::Hall;
pub use menu::Menu;
pub use problems::Problems;
pub use stock::Stock;

/// The language of the store whose page is rendered. The server provides it as context; without
/// it, and without a choice of the device, a page is Korean.
#[derive(Clone, Copy, Debug)]
pub struct RequestLanguage(pub Language);

/// A sentence with `{}` where values go, filled from left to right.
#[derive(Clone, Copy)]
pub struct Sentence(&'static str);

impl Sentence {
    /// The sentence with its values.
    #[must_use]
    pub fn with(self, values: &[&str]) -> String {
        let mut text = String::with_capacity(self.0.len() + 16);
        let mut values = values.iter();
        for (index, part) in self.0.split("{}").enumerate() {
            if index > 0 {
                text.push_str(values.next().copied().unwrap_or_default());
            }
            text.push_str(part);
        }
        text
    }
}

/// Words of every screen.
pub struct Common {
    /// The client could not be loaded.
    pub boot_failed: &'static str,
    /// The client failed again and again.
    pub call_staff: &'static str,
    /// The client failed and starts again by itself.
    pub restarting: &'static str,
    /// There is no page at this address.
    pub not_found: &'static str,
    /// Leads to the login page.
    pub to_login: &'static str,
    /// Dialogs.
    pub close: &'static str,
    /// Takes the last step back.
    pub undo: &'static str,
    /// Settings of this device.
    pub settings: &'static str,
    /// Heading of the links to other screens.
    pub screens: &'static str,
    /// Hall, counter, kitchen, menu.
    pub places: [&'static str; 4],
    /// Heading of the choice of language.
    pub language: &'static str,
    /// Heading of the choice of theme.
    pub theme: &'static str,
    /// The dark theme.
    pub dark: &'static str,
    /// The light theme.
    pub light: &'static str,
    /// Ends the session.
    pub sign_out: &'static str,
    /// A newer build is on the server.
    pub new_version: &'static str,
    /// Loads it.
    pub reload: &'static str,
}

/// Whether what is shown is true right now.
pub struct Status {
    /// Proven within 1.5 beats.
    pub live: &'static str,
    /// Not proven for longer.
    pub delayed: &'static str,
    /// Not proven for 3 beats.
    pub offline: &'static str,
    /// A reload is running.
    pub catching_up: &'static str,
    /// The session ended.
    pub signed_out: &'static str,
    /// The first load is running.
    pub connecting: &'static str,
    /// Seconds since the last proof.
    pub seconds_ago: Sentence,
    /// Minutes since the last proof.
    pub minutes_ago: Sentence,
    /// The bar of an offline screen: the age.
    pub offline_bar: Sentence,
    /// Under the words of an empty board: the state, the age.
    pub proof: Sentence,
}

/// The login page.
pub struct Login {
    /// Title of the page.
    pub title: &'static str,
    /// What to do.
    pub lead: &'static str,
    /// The store's code.
    pub store_code: &'static str,
    /// Loads the store's staff.
    pub find: &'static str,
    /// No store has that code.
    pub no_store: &'static str,
    /// Whose PIN is asked for.
    pub pin_of: Sentence,
    /// Nobody is chosen yet.
    pub choose: &'static str,
    /// How many digits are there.
    pub digits: Sentence,
    /// Empties the field.
    pub clear: &'static str,
    /// Takes the last digit back.
    pub backspace: &'static str,
    /// Signs in.
    pub enter: &'static str,
    /// The PIN is wrong.
    pub wrong: &'static str,
    /// The PIN is wrong, and seconds to wait.
    pub wrong_wait: Sentence,
    /// Too many attempts, and seconds to wait.
    pub wait: Sentence,
    /// It was checked.
    pub signing_in: &'static str,
    /// PINs of the demo store: heading.
    pub demo: &'static str,
    /// Owner, manager, hall, counter, kitchen.
    pub roles: [&'static str; 5],
}

impl Login {
    /// The name of a role.
    #[must_use]
    pub fn role(&self, role: Role) -> &'static str {
        let [owner, manager, hall, counter, kitchen] = self.roles;
        match role {
            Role::Owner => owner,
            Role::Manager => manager,
            Role::Hall => hall,
            Role::Counter => counter,
            Role::Kitchen => kitchen,
        }
    }
}

/// The kitchen display.
pub struct Kitchen {
    /// Title of the page.
    pub title: &'static str,
    /// All stations together.
    pub all_stations: &'static str,
    /// The three columns.
    pub columns: [&'static str; 3],
    /// The primary button of each column.
    pub actions: [&'static str; 3],
    /// Total of each item.
    pub all_day: &'static str,
    /// Nothing is to be made.
    pub all_day_empty: &'static str,
    /// Tickets that left the board.
    pub recall: &'static str,
    /// None left it.
    pub recall_empty: &'static str,
    /// When a ticket left the board.
    pub served_at: Sentence,
    /// Sound, in settings and on the bell.
    pub sound: &'static str,
    /// The bell when sound is on.
    pub sound_on: &'static str,
    /// The bell when sound is off.
    pub sound_off: &'static str,
    /// Again every 15 seconds.
    pub sound_repeat: &'static str,
    /// The browser waits for a tap before it plays.
    pub sound_locked: &'static str,
    /// Amber.
    pub warn: &'static str,
    /// Red.
    pub late: &'static str,
    /// Later lines: the time.
    pub added: Sentence,
    /// Before a note.
    pub note: &'static str,
    /// Before a note of the whole order.
    pub order_note: &'static str,
    /// A note was edited.
    pub note_changed: &'static str,
    /// Before an allergy.
    pub allergy: &'static str,
    /// A line that is not wanted any more.
    pub voided: &'static str,
    /// The void was seen.
    pub seen: &'static str,
    /// The ticket was brought back.
    pub recalled: &'static str,
    /// First in its column.
    pub priority: &'static str,
    /// Not first any more.
    pub no_priority: &'static str,
    /// Cannot be ordered.
    pub sold_out: &'static str,
    /// Marks an item so: its name.
    pub mark_sold_out: Sentence,
    /// The ⋯ button: the table.
    pub more: Sentence,
    /// What a full column hides: how many, the oldest.
    pub below: Sentence,
    /// No ticket at all.
    pub empty: &'static str,
    /// QR, hall, counter, takeout.
    pub channels: [&'static str; 4],
    /// Who placed it.
    pub staff: Sentence,
    /// A line that is ready.
    pub line_cooked: &'static str,
    /// The undo bar: the table, the column it went to.
    pub moved: Sentence,
    /// Spoken: a new ticket, its table.
    pub arrived: Sentence,
    /// Names of the three sections in the spoken header of a card: table, column, minutes.
    pub board: &'static str,
}

/// Every text of the product's screens in one language.
pub struct Messages {
    /// Which.
    pub language: Language,
    /// Every screen.
    pub common: Common,
    /// The connection.
    pub status: Status,
    /// The login page.
    pub login: Login,
    /// The kitchen display.
    pub kitchen: Kitchen,
    /// The floor.
    pub hall: Hall,
    /// Order entry.
    pub entry: Entry,
    /// The page of guests.
    pub guest: Guest,
    /// Order entry by the staff.
    pub ordering: ordering::Ordering,
    /// The counter.
    pub counter: Counter,
    /// The menu.
    pub menu: Menu,
    /// The home page.
    pub home: home::Home,
    /// Counted stock.
    pub stock: Stock,
    /// Refusals.
    pub problems: Problems,
}

/// The texts of `language`.
#[must_use]
pub fn of(language: Language) -> &'static Messages {
    match language {
        Language::Ko => &ko::MESSAGES,
        Language::En => &en::MESSAGES,
    }
}

/// The code of `language` in HTML and cookies.
#[must_use]
pub fn code(language: Language) -> &'static str {
    match language {
        Language::Ko => "ko",
        Language::En => "en",
    }
}

/// The language of a code.
#[must_use]
pub fn named(code: &str) -> Option<Language> {
    match code {
        "ko" => Some(Language::Ko),
        "en" => Some(Language::En),
        _ => None,
    }
}

/// Decides the language of this page and provides it: the device's choice, else the store's.
/// The browser follows what the server rendered.
pub fn provide() -> Language {
    let language = if is_browser() {
        device::page_language()
    } else {
        requested()
    };
    let language = language.unwrap_or_default();
    provide_context(of(language));
    language
}

/// The cookies of the request that is being answered.
#[must_use]
pub fn request_cookies() -> Option<String> {
    let parts = use_context::<Parts>()?;
    let cookies = parts.headers.get(http::header::COOKIE)?;
    cookies.to_str().ok().map(str::to_owned)
}

fn requested() -> Option<Language> {
    let chosen = request_cookies().and_then(|cookies| device::language_in(&cookies));
    chosen.or_else(|| use_context::<RequestLanguage>().map(|store| store.0))
}

/// The texts of this page.
#[must_use]
pub fn messages() -> &'static Messages {
    use_context::<&'static Messages>().unwrap_or(&ko::MESSAGES)
}

mod tests {
    #![cfg(test)]

    use super::*;

    #[test]
    fn a_sentence_takes_its_values_from_left_to_right() {
        assert_eq!(
            Sentence("아래 {}건 더 · 최장 {}").with(&["3", "12:40"]),
            "아래 3건 더 · 최장 12:40"
        );
        assert_eq!(Sentence("{}").with(&[]), "");
    }
}

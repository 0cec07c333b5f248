//! What the login page knows and does.

use std::time::Duration;

use domain::staff::Role;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::api::Problem;
use crate::api::auth::{self, StaffTile};
use crate::browser::device;
use crate::home;
use crate::i18n::{self, Messages};

/// The shortest PIN.
pub const LEAST_DIGITS: usize = 4;
/// The longest PIN.
const MOST_DIGITS: usize = 12;
/// The code of the demo store.
const DEMO: &str = "demo";
/// PINs of the demo store, for the demo only; the page shows them.
pub const DEMO_PINS: [(&str, &str); 5] = [
    ("owner", "1000"),
    ("manager", "2000"),
    ("hall", "3000"),
    ("counter", "4000"),
    ("kitchen", "5000"),
];
const LAST_STORE: &str = "jumun_store";

/// What is said under the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Nothing.
    None,
    /// The PIN is wrong; wait while the seconds run.
    Wrong,
    /// It came too soon; wait while the seconds run.
    TooMany,
    /// It is being checked.
    Checking,
    /// No answer.
    Unreachable,
}

/// The page's one context.
#[derive(Clone, Copy)]
pub struct LoginState {
    /// Texts.
    pub messages: &'static Messages,
    /// The store's code as typed.
    pub code: RwSignal<String>,
    /// The store's name, once loaded.
    pub store_name: RwSignal<String>,
    /// The store's staff, once loaded.
    pub staff: RwSignal<Vec<StaffTile>>,
    /// Why there is no staff.
    pub no_staff: RwSignal<Option<String>>,
    /// Whose PIN is asked for.
    pub chosen: RwSignal<Option<StaffTile>>,
    /// As typed.
    pub pin: RwSignal<String>,
    /// Under the keys.
    pub hint: RwSignal<Hint>,
    /// Seconds until the next attempt.
    pub wait: RwSignal<u32>,
}

impl LoginState {
    /// Nothing chosen.
    #[must_use]
    pub fn new() -> Self {
        Self {
            messages: i18n::messages(),
            code: RwSignal::new(String::new()),
            store_name: RwSignal::new(String::new()),
            staff: RwSignal::new(Vec::new()),
            no_staff: RwSignal::new(None),
            chosen: RwSignal::new(None),
            pin: RwSignal::new(String::new()),
            hint: RwSignal::new(Hint::None),
            wait: RwSignal::new(0),
        }
    }

    /// Whether the demo store is shown.
    #[must_use]
    pub fn is_demo(self) -> bool {
        self.code.with(|code| code.trim() == DEMO)
    }

    /// The store of the address, or the last one, or the demo.
    pub fn begin(self) {
        let asked = device::query("store").or_else(|| device::recall(LAST_STORE));
        self.code.set(asked.unwrap_or_else(|| DEMO.to_owned()));
        self.find();
    }

    /// Loads the staff of the store.
    pub fn find(self) {
        let code = self.code.get_untracked();
        self.chosen.set(None);
        self.store_name.set(String::new());
        self.staff.set(Vec::new());
        self.no_staff.set(None);
        spawn_local(async move {
            match auth::staff(code.trim()).await {
                Ok((staff, name)) if !staff.is_empty() => {
                    let name = name.get(self.messages.language);
                    self.store_name.set(name.to_owned());
                    self.staff.set(staff);
                }
                Ok(_) => self
                    .no_staff
                    .set(Some(self.messages.login.no_store.to_owned())),
                Err(problem) if problem.status == 404 => {
                    self.no_staff
                        .set(Some(self.messages.login.no_store.to_owned()));
                }
                Err(problem) => self.no_staff.set(Some(problem.words(self.messages))),
            }
        });
    }

    /// Asks for the PIN of `tile`.
    pub fn choose(self, tile: StaffTile) {
        self.chosen.set(Some(tile));
        self.pin.set(String::new());
        self.hint.set(Hint::None);
        // On a narrow screen the keys are below the tiles.
        device::show("pad");
    }

    /// Whether keys do something.
    #[must_use]
    pub fn accepts(self) -> bool {
        self.chosen.with(Option::is_some)
            && self.wait.get() == 0
            && self.hint.get() != Hint::Checking
    }

    /// One more digit.
    pub fn digit(self, digit: char) {
        if untrack(|| self.accepts()) {
            self.hint.set(Hint::None);
            self.pin.update(|pin| {
                if pin.len() < MOST_DIGITS {
                    pin.push(digit);
                }
            });
        }
    }

    /// The last digit goes.
    pub fn backspace(self) {
        self.pin.update(|pin| {
            pin.pop();
        });
    }

    /// Every digit goes.
    pub fn clear(self) {
        self.pin.set(String::new());
    }

    /// Signs in.
    pub fn submit(self) {
        let ready = untrack(|| self.accepts() && self.pin.with(String::len) >= LEAST_DIGITS);
        let Some(tile) = self.chosen.get_untracked().filter(|_| ready) else {
            return;
        };
        let (code, pin) = (self.code.get_untracked(), self.pin.get_untracked());
        self.hint.set(Hint::Checking);
        spawn_local(async move {
            match auth::login(code.trim(), &tile.staff, &pin).await {
                Ok(()) => leave(code.trim(), tile.role),
                Err(problem) => self.refused(&problem),
            }
        });
    }

    fn refused(self, problem: &Problem) {
        self.pin.set(String::new());
        self.hint.set(match problem.code.as_str() {
            "WRONG_PIN" => Hint::Wrong,
            "TOO_MANY_ATTEMPTS" => Hint::TooMany,
            _ => Hint::Unreachable,
        });
        self.wait.set(problem.retry_after.unwrap_or(0));
        self.count_down();
    }

    fn count_down(self) {
        if self.wait.try_get_untracked().unwrap_or(0) == 0 {
            return;
        }
        set_timeout(
            move || {
                self.wait
                    .try_update(|seconds| *seconds = seconds.saturating_sub(1));
                self.count_down();
            },
            Duration::from_secs(1),
        );
    }
}

impl Default for LoginState {
    fn default() -> Self {
        Self::new()
    }
}

/// To where the person was going, or to their screen; who runs the house goes to its home page.
fn leave(store_code: &str, role: Role) {
    device::keep(LAST_STORE, store_code);
    let asked = device::query("next").filter(|next| is_page_of_ours(next));
    device::go(&asked.unwrap_or_else(|| home::of(role, store_code)));
}

/// Whether an address is a page of this site. Browsers read `/\` as `//` and skip tabs and line
/// ends, so that anything but plain characters could lead elsewhere.
fn is_page_of_ours(next: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_graphic() && byte != b'\\';
    next.starts_with('/') && !next.starts_with("//") && next.bytes().all(plain)
}

mod tests {
    #![cfg(test)]

    use super::*;

    #[test]
    fn a_sign_in_never_leads_to_another_site() {
        for page in ["/demo/kitchen", "/demo/kitchen?station=1", "/"] {
            assert!(is_page_of_ours(page), "{page}");
        }
        for elsewhere in [
            "//evil.example",
            "/\\evil.example",
            "/\t/evil.example",
            "https://evil.example",
            "",
        ] {
            assert!(!is_page_of_ours(elsewhere), "{elsewhere}");
        }
    }
}

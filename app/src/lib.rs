//! The screens: one crate, rendered on the server and hydrated in the browser.
//!
//! Nothing here is compiled for one side alone. What only a browser can do (sockets, sound,
//! storage) is called from effects and event handlers, which do not run on the server.

pub mod shell;

mod routes;

mod i18n;

mod browser;

mod api;

mod live;

mod ui;

mod screen;

mod login;

mod home;

mod counter;

mod menu;

mod entry;

mod guest;

mod ordering;

mod kitchen;

mod hall;

pub use browser::panic::install as install_panic_hook;
pub use routes::{FLOOR, GUEST, HOUSE, PARTS, Page, Part, view};

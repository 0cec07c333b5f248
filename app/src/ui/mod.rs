//! Parts that every screen uses.

mod contents;
mod dialog;
mod elapsed;
mod erased;
mod icon;
mod pill;
mod preferences;
mod rows;
mod toast;
mod varying;
pub mod watch;
mod when;

pub use contents::Contents;
pub use dialog::Dialog;
pub use elapsed::elapsed;
pub use erased::Erase;
pub use icon::{Icon, icon};
pub use pill::{Pill, age, link_word};
pub use preferences::Preferences;
pub use rows::Rows;
pub use toast::{Toaster, Toasts};
pub use varying::varying;
pub use when::when;

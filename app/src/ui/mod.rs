//! Parts that every screen uses.

mod dialog;
mod icon;
mod pill;
mod preferences;
mod toast;

pub use dialog::Dialog;
pub use icon::{Icon, icon};
pub use pill::{Pill, age, link_word};
pub use preferences::Preferences;
pub use toast::{Toaster, Toasts};

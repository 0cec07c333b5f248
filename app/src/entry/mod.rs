//! Order entry: the cart and the sheet of an item's options, for guests and for staff.

mod cart;
mod choice;
mod lines;
mod options;
mod stepper;

mod fixture;

pub use cart::{Cart, CartLine, Gone, Items, Tap, WantedLine};
pub use lines::{CartLines, why};
pub use options::OptionSheet;

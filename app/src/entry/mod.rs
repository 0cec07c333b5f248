//! Order entry: the cart and the sheet of an item's options, for guests and for staff.

mod cart;
mod choice;
mod lines;
mod offer;
mod options;
mod stepper;

mod fixture;

pub use cart::{Cart, CartLine, Gone, Tap, WantedLine};
pub use lines::{CartLines, few, why};
pub use offer::{Dish, Offer};
pub use options::OptionSheet;

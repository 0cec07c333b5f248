//! The kitchen: how lines move on and back, and how an order looks as a ticket.

pub mod all_day;
pub mod progress;
pub mod ticket;

pub use all_day::{AllDay, all_day};
pub use progress::CookTo;
pub use ticket::{AgeLevel, Column, Ticket};

#[cfg(test)]
mod tests;

//! The hub on a real database: delivery, limits, ends.

mod dense;
mod ends;
mod frames;
pub mod house;
mod opening;
mod outbox;
pub mod reading;
mod ring;
mod slow;
mod tickets;

//! The rules of the restaurant and of delivery.
//!
//! Pure: told the time, ids and randomness. It never reads a clock, never does I/O, never
//! panics on input from outside.

pub mod id;
pub mod money;
pub mod sorting;
pub mod text;
pub mod time;

pub mod call;
pub mod floor;
pub mod kitchen;
pub mod menu;
pub mod order;
pub mod settings;
pub mod staff;
pub mod stock;

pub mod bridge;
pub mod event;
pub mod guest;
pub mod snapshot;
pub mod store;
pub mod stream;

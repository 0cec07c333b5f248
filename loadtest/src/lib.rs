//! Drives a running server as guests, staff and screens do, through the public HTTP API alone.
//!
//! It knows the rules of [`domain`] and nothing of the server's inside: what it proves holds for
//! any client.
//!
//! - [`replay`]: plays a file of orders and checks that both screens end up right.
//! - [`orders`] and [`moment`]: the file. [`pace`]: when each step is due. [`visit`]: one party, from seating to
//!   a clean table. [`tables`]: which tables are free.
//! - [`guest`]: parties that order by phone, each with its own stream.
//! - [`api`] and [`patience`]: the HTTP client. [`sse`]: the stream's bytes. [`screen`]: carries out the effects
//!   of a [`domain::bridge::Bridge`]. [`density`] and [`tally`]: what a
//!   stream delivered and what came of it, counted.
//! - [`holds`]: holds on stock at a constant rate, and how long they take.
//! - [`compare`]: a screen's store against the server's snapshots. [`report`]: the one line.

pub mod replay;

pub mod moment;
pub mod orders;
pub mod pace;
pub mod tables;
pub mod visit;
pub mod who;

pub mod guest;

pub mod holds;

mod answer;
pub mod api;
pub mod density;
pub mod patience;
pub mod screen;
pub mod sse;
pub mod tally;

pub mod compare;
pub mod report;

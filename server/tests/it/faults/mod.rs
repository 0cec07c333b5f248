//! What goes wrong around a server for a long time, many times over, or with another clock.
//!
//! Trials of many minutes are scaled; `cargo xtask test --long` runs them in full.

mod clocks;
mod leaving;
mod opening;
mod outage;
mod silent;
mod tidying;

//! The process: storage, relay, log, hub, HTTP.
//!
//! Arrows go one way: `http → service → relay, hub → log, store → db → clock`.

// The pages are one type as deep as their markup.
#![recursion_limit = "512"]

pub mod cli;
pub mod config;
pub mod http;
pub mod service;

pub mod hub;
pub mod log;
pub mod relay;
pub mod store;

pub mod clock;
pub mod db;

pub mod telemetry;

mod run;

pub use run::{RunError, open, run, serve};

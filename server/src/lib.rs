//! The process: storage, relay, log, hub, HTTP.
//!
//! Arrows go one way: `http → service → relay, hub → log, store → db → clock`.

pub mod clock;
pub mod db;
pub mod hub;
pub mod log;
pub mod relay;
pub mod service;
pub mod store;

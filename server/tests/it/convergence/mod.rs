//! Whatever happens between them, screens and the real service, relay and hub end up equal
//! (realtime, section 7).

mod guests;
mod hand;
mod membership;
mod scenario;
mod watermark;

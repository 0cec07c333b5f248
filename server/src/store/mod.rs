//! What is kept and how: one file per table or two, each statement beside the one function
//! that runs it. Functions are noun first and take the transaction they are part of.
//!
//! An entity is kept as the JSON that events and snapshots carry; snapshots hand it on unread.

pub mod ack;
pub mod call;
pub mod clock;
pub mod doc;
pub mod floor;
pub mod gauges;
pub mod guest;
pub mod hold;
pub mod hold_line;
pub mod hold_turn;
pub mod idempotency;
pub mod ledger;
pub mod menu;
pub mod order;
pub mod outbox;
pub mod refund;
pub mod relay;
pub mod restaurant;
pub mod session;
pub mod staff;
pub mod stock;
pub mod stream;
pub mod stuck;
pub mod ticket;
pub mod time;
pub mod work;

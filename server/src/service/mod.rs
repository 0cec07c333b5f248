//! One method per thing that can be asked: load, let the domain decide, save state and
//! events in one transaction, wake the relay.

pub mod ack;
pub mod changes;
pub mod ticket;

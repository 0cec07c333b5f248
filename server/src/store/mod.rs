//! What is kept and how: one file per table or two, each statement beside the one function
//! that runs it. Functions are noun first and take the transaction they are part of.

pub mod ack;
pub mod outbox;
pub mod stream;
pub mod ticket;

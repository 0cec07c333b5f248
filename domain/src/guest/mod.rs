//! What guests see: views of their own party's orders and calls, of their table and the store.
//!
//! Nothing of staff is in them: no names, no tender, no stations, no other party.

mod page;
mod stream;
mod view;

mod heard;
mod held;
pub mod session;

pub use heard::{GuestEntity, Heard};
pub use held::{Held, Part};
pub use page::{GuestJoined, GuestPage};
pub use stream::{GuestFrame, GuestHeartbeat, GuestReady};
pub use view::{GuestCall, GuestLine, GuestOrder, GuestStock, GuestStore, GuestTable};

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod tests;

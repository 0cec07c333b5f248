//! Guests: their phones, how they join a party, and the page they see.
//!
//! A table's code is permanent and on a sticker; what it gives is a token of the party that
//! sits there. The token is as good as the party: it dies when the party is cleared.

mod join;
mod page;
mod ticket;
mod token;

pub use page::GuestView;
pub use token::{GuestToken, Phone};

pub(super) use token::phone_find;

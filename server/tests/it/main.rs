//! The one integration binary.

mod hub;

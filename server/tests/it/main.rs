//! The one integration binary.

mod auth;
mod http;
mod hub;
mod roles;
mod site;
mod support;

//! The one integration binary.

mod auth;
mod commands;
mod http;
mod hub;
mod roles;
mod site;
mod stream;
mod support;

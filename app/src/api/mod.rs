//! The typed client of the server's HTTP API. It turns refusals into [`Problem`]s that the
//! screens have words for; it decides nothing.

mod http;
mod problem;

pub mod json;

pub mod auth;
pub mod report;
pub mod stock;

pub use http::{Answer, Method, request, request_with};
pub use problem::Problem;

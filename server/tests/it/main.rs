//! The one integration binary.

// All of it is tests: what a test may do, its helpers may do.
#![cfg(test)]

mod auth;
mod commands;
mod convergence;
mod crash;
mod database;
mod deploy;
mod faults;
mod guest;
mod holds;
mod http;
mod hub;
mod log;
mod migrations;
mod network;
mod nodes;
mod program;
mod replay;
mod roles;
mod screens;
mod site;
mod stock;
mod store;
mod stream;
mod support;

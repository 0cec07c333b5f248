//! The repository's own commands: `cargo xtask run`, `build`, `test`, `e2e`, `screenshots`, `setup`.
//!
//! It installs what a fresh machine lacks, carries wasm-bindgen and the CSS bundler as libraries
//! so that nothing has to be installed by hand, and names every step it takes with its time.
//! It never changes a file outside `target/`, `data/`, `screenshots/` and `end2end/node_modules`.

mod cli;
mod client;
mod e2e;
mod program;
mod run;
mod screenshots;
mod server;
mod setup;
mod step;
mod test;
mod tree;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::dispatch()
}

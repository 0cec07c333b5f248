//! `cargo xtask test`: all there is to check, in the order in which it is cheap to fail.

use std::process::Command;

use crate::client::{self, Flavour, size};
use crate::e2e;
use crate::program;
use crate::server;
use crate::setup::{self, WASM_TARGET};
use crate::step::{Outcome, Steps};
use crate::tree::Tree;

/// The crates that only exist in the browser are checked for their own target.
const NATIVE: [&str; 3] = ["--workspace", "--exclude", "frontend"];

/// How large the trials are that take many minutes in full.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Trials {
    /// Scaled down, for every day.
    Scaled,
    /// As they are described.
    Full,
}

/// Read by the tests themselves: `server/tests/it/support/trial.rs`.
const LONG: &str = "JUMUN_LONG";

impl Trials {
    /// The size that the flag `--long` asks for.
    pub fn of(long: bool) -> Self {
        if long { Self::Full } else { Self::Scaled }
    }
}

/// Runs every step, also after one failed, and prints a table of times and a count.
pub fn everything(tree: &Tree, trials: Trials, steps: &mut Steps) {
    if prepare(tree, steps).is_some() {
        check(tree, trials, steps);
        tell_stories(tree, steps);
    }
    steps.print_table();
    steps.print_count();
}

fn prepare(tree: &Tree, steps: &mut Steps) -> Option<()> {
    setup::for_client(tree, steps)?;
    setup::for_tests(steps)?;
    setup::for_browser(steps)
}

fn check(tree: &Tree, trials: Trials, steps: &mut Steps) {
    steps.run("format", || {
        cargo(tree, &["fmt", "--all", "--check"], "run: cargo fmt --all")
    });
    steps.run("clippy (native)", || clippy_native(tree));
    steps.run("clippy (wasm32)", || clippy_client(tree));
    steps.run("docs", || docs(tree));
    steps.run("Rust tests", || rust_tests(tree, trials));
}

fn tell_stories(tree: &Tree, steps: &mut Steps) {
    let client = client::build(tree, Flavour::Release, steps);
    match &client {
        Some(site) => {
            steps.run("client size", || size::check(site));
        }
        None => steps.skip("client size", "the client build"),
    }
    let jumun = steps.run("server (release)", || server::build(tree, Flavour::Release));
    match (client, jumun) {
        (Some(_), Some(jumun)) => {
            steps.run("Playwright", || e2e::tell(tree, &jumun, "stories", &[]));
        }
        (None, _) => steps.skip("Playwright", "the client build"),
        (_, None) => steps.skip("Playwright", "the server build"),
    }
}

fn clippy_native(tree: &Tree) -> Outcome {
    let mut command = program::cargo(tree);
    command
        .arg("clippy")
        .args(NATIVE)
        .args(["--all-targets", "--", "-D", "warnings"]);
    program::run(&mut command, LINT_ADVICE)
}

fn clippy_client(tree: &Tree) -> Outcome {
    let packages = ["-p", "frontend", "-p", "app", "--features", "app/hydrate"];
    let mut command = program::cargo(tree);
    command
        .args(["clippy", "--target", WASM_TARGET])
        .args(packages)
        .args(["--", "-D", "warnings"]);
    program::run(&mut command, LINT_ADVICE)
}

const LINT_ADVICE: &str =
    "mend what the lints name; an exception is #[expect(lint, reason = \"…\")]";

fn docs(tree: &Tree) -> Outcome {
    let mut command = program::cargo(tree);
    command
        .arg("doc")
        .args(NATIVE)
        .arg("--no-deps")
        .env("RUSTDOCFLAGS", "-D warnings");
    program::run(&mut command, "mend the doc comments that are named above")
}

fn rust_tests(tree: &Tree, trials: Trials) -> Outcome {
    let mut command = program::cargo(tree);
    match trials {
        Trials::Scaled => command.env_remove(LONG),
        Trials::Full => command.env(LONG, "1"),
    };
    command.arg("test").args(NATIVE).arg("--no-fail-fast");
    program::run(
        &mut command,
        "run the failing test alone: cargo test -p CRATE NAME",
    )
}

fn cargo(tree: &Tree, arguments: &[&str], advice: &str) -> Outcome {
    let command: &mut Command = &mut program::cargo(tree);
    program::run(command.args(arguments), advice)
}

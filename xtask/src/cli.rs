//! What can be asked for on the command line.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::client::Flavour;
use crate::step::Steps;
use crate::test::Trials;
use crate::tree::Tree;
use crate::{client, e2e, run, screenshots, setup, test};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Build, run and test Jumun")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Install what is missing: the wasm target, npm packages, and for tests Debian packages
    Setup {
        /// Neither a browser nor the servers that Rust tests start
        #[arg(long)]
        without_browser: bool,
    },
    /// Build the client into target/site
    Build {
        /// Unoptimised and uncompressed, in seconds
        #[arg(long)]
        dev: bool,
    },
    /// Build everything and start a demo restaurant
    Run {
        /// Unoptimised client and server: the fast inner loop
        #[arg(long)]
        dev: bool,
        /// Passed on to `jumun serve`
        #[arg(last = true)]
        server: Vec<String>,
    },
    /// Format, lints, docs, all tests, the client's size, the browser's stories
    Test {
        /// Trials of many minutes in full, not scaled down
        #[arg(long)]
        long: bool,
    },
    /// Only the browser's stories, on the release build
    E2e {
        /// Passed on to Playwright, e.g. `-- tests/login.spec.ts`
        #[arg(last = true)]
        playwright: Vec<String>,
    },
    /// Pictures of every screen, in both languages and two sizes, into screenshots/
    Screenshots,
}

/// Reads the command line, runs the command, and says by the exit code whether all of it worked.
pub fn dispatch() -> ExitCode {
    let command = Cli::parse().command;
    let tree = Tree::find();
    let mut steps = Steps::default();
    match command {
        Command::Setup { without_browser } => {
            let ready = setup::for_client(&tree, &mut steps);
            if ready.is_some() && !without_browser {
                setup::for_tests(&mut steps);
                setup::for_browser(&mut steps);
            }
        }
        Command::Build { dev } => {
            client::build_all(&tree, Flavour::of(dev), &mut steps);
        }
        Command::Run { dev, server } => {
            run::serve_demo(&tree, Flavour::of(dev), &server, &mut steps);
        }
        Command::Test { long } => test::everything(&tree, Trials::of(long), &mut steps),
        Command::E2e { playwright } => {
            e2e::build_and_tell(&tree, &playwright, &mut steps);
        }
        Command::Screenshots => {
            screenshots::take(&tree, &mut steps);
        }
    }
    steps.finish()
}

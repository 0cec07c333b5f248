//! `cargo xtask run`: from a fresh clone to a demo restaurant in the browser.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::client::{self, Flavour};
use crate::program;
use crate::server;
use crate::setup;
use crate::step::{Failure, Outcome, Steps};
use crate::tree::Tree;

/// Installs, builds, and becomes `jumun serve --demo` on a database file in `data/`.
/// The server itself prints the address of each screen and the demo PINs.
pub fn serve_demo(
    tree: &Tree,
    flavour: Flavour,
    extra: &[String],
    steps: &mut Steps,
) -> Option<()> {
    setup::for_client(tree, steps)?;
    client::build(tree, flavour, steps)?;
    let jumun = steps.run("server", || server::build(tree, flavour))?;
    let data = tree.root.join("data");
    steps.run("data folder", || data_folder(&data))?;
    let mut command = Command::new(jumun);
    command
        .current_dir(&tree.root)
        .args([
            "serve",
            "--demo",
            "--database-url",
            "sqlite:data/jumun.db",
            "--site-dir",
        ])
        .arg(tree.site())
        .args(extra);
    steps.run(&program::shown(&command), || become_program(command))
}

fn data_folder(data: &Path) -> Outcome {
    fs::create_dir_all(data).map_err(|error| {
        Failure::new(
            format!("create {}", data.display()),
            error,
            "check the folder's rights",
        )
    })
}

/// Replaces this process, so that Ctrl-C and signals reach the server alone and it can drain.
#[cfg(unix)]
fn become_program(mut command: Command) -> Outcome {
    use std::os::unix::process::CommandExt;

    let error = command.exec();
    Err(Failure::new(
        program::shown(&command),
        error,
        "build again: cargo xtask run",
    ))
}

#[cfg(not(unix))]
fn become_program(mut command: Command) -> Outcome {
    program::run(&mut command, "the server's message above says why")
}

//! `cargo xtask e2e`: the stories of `end2end/tests`, told to the release build in Chromium.

use std::path::Path;
use std::process::Command;

use crate::client::{self, Flavour};
use crate::program;
use crate::server;
use crate::setup;
use crate::step::{Outcome, Steps};
use crate::tree::Tree;

/// Installs and builds what is missing, then tells the stories.
pub fn build_and_tell(tree: &Tree, extra: &[String], steps: &mut Steps) -> Option<()> {
    let jumun = prepare(tree, steps)?;
    steps.run("Playwright", || tell(tree, &jumun, "stories", extra))
}

/// Everything a Playwright run needs; where the server's binary is.
pub fn prepare(tree: &Tree, steps: &mut Steps) -> Option<std::path::PathBuf> {
    setup::for_client(tree, steps)?;
    setup::for_browser(steps)?;
    client::build(tree, Flavour::Release, steps)?;
    steps.run("server", || server::build(tree, Flavour::Release))
}

/// Runs one Playwright project against `jumun`.
pub fn tell(tree: &Tree, jumun: &Path, project: &str, extra: &[String]) -> Outcome {
    let mut command = Command::new("node");
    command
        .current_dir(tree.end2end())
        .arg("node_modules/@playwright/test/cli.js")
        .args(["test", &format!("--project={project}")])
        .args(extra)
        .env("JUMUN_BIN", jumun)
        .env("JUMUN_SITE_DIR", tree.site());
    program::run(
        &mut command,
        "the story above names the step; traces and pictures are in end2end/test-results",
    )
}
